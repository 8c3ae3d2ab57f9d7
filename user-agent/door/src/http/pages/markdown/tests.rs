use std::time::{Duration, Instant};

use super::*;

fn html(said: &str) -> String {
    shown(said).into_string()
}

#[test]
fn markdown_becomes_elements_below_the_pages_own_heading() {
    assert_eq!(html("# a\n\nb *c* `<d>`"), "<h2>a</h2><p>b <em>c</em> <code>&lt;d&gt;</code></p>");
    assert_eq!(html("3. a\n4. b"), "<ol start=\"3\"><li>a</li><li>b</li></ol>");
    let task = html("- [x] a");
    assert!(task.starts_with("<ul><li>\u{2611} ") && task.ends_with("a</li></ul>"), "{task}");
    assert_eq!(html("```html\n<b>\n```"), "<pre><code>&lt;b&gt;\n</code></pre>");
    let table = "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>";
    assert_eq!(html("|a|\n|:-:|\n|b|"), format!("<div class=\"wide\" tabindex=\"0\">{table}</div>"));
}

/// A link shows the whole address, unless its text is that.
#[test]
fn a_link_shows_where_it_leads() {
    let to = |address: &str, text: &str| {
        format!("<p><a href=\"{address}\" rel=\"noopener noreferrer\" target=\"_blank\">{text}</a></p>")
    };
    assert_eq!(html("<https://a.example>"), to("https://a.example", "https://a.example"));
    assert_eq!(html("<a@b.example>"), to("mailto:a@b.example", "a@b.example"));
    let hidden = html("[https://bank.example](https://evil.example/?a=1&b=\"2)");
    let address = "https://evil.example/?a=1&amp;b=&quot;2";
    assert_eq!(hidden, to(address, &format!("https://bank.example ({address})")));
    assert_eq!(html("[](HTTPS://a.example)"), to("HTTPS://a.example", " (HTTPS://a.example)"));
}

#[test]
fn an_image_is_its_link() {
    let shown = html("![cat](https://a.example/cat.png \"t\")");
    assert!(shown.contains(">cat (https://a.example/cat.png)</a>") && !shown.contains("<img"), "{shown}");
    assert_eq!(html("![cat](data:image/png;base64,AA)"), "<p>cat (data:image/png;base64,AA)</p>");
    let within = html("[![cat](https://a.example/cat.png)](https://b.example)");
    assert_eq!(within.matches("<a ").count(), 1, "{within}");
    assert!(within.contains(">cat (https://a.example/cat.png) (https://b.example)</a>"), "{within}");
}

/// In every attack, the only elements and attributes are those that are written here.
#[test]
fn attacks_are_shown_as_text() {
    for attack in [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)> b",
        "<svg/onload=alert(1)>",
        "<!-- --><script>alert(1)</script>",
        "<a href=\"javascript:alert(1)\">x</a>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](java&#10;script:alert(1))",
        "[x](java\u{200B}script:alert(1))",
        "[x](&#106;avascript:alert(1))",
        "[x](\u{1}javascript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](vbscript:x) [y](file:///etc/passwd) [z](//evil.example) [w](/page/stop)",
        "<javascript:alert(1)>",
        "![x](javascript:alert(1))",
        "![x\" onerror=\"alert(1)](data:image/svg+xml,<svg/onload=alert(1)>)",
        "[a]: javascript:alert(1)\n\n[a]",
        "```\"><script>\n</code></pre><script>alert(1)</script>\n```",
        "# x {onclick=alert(1)}",
        "|<script>|\n|-|\n|<script>|",
    ] {
        let shown = html(attack);
        let mut rest = shown.clone();
        for written in ["p class=\"plain\"", "div class=\"wide\" tabindex=\"0\""] {
            rest = rest.replace(&format!("<{written}>"), "");
        }
        for name in
            ["p", "h2", "em", "code", "pre", "div", "table", "thead", "tbody", "tr", "th", "td", "ul", "li"]
        {
            rest = rest.replace(&format!("<{name}>"), "").replace(&format!("</{name}>"), "");
        }
        assert!(!rest.contains('<') && !rest.contains('>') && !rest.contains('"'), "{attack}\n{shown}");
    }
}

/// A link that is one can end neither its attribute nor its element.
#[test]
fn an_address_stays_within_its_attribute() {
    for attack in [
        "[x](https://a.example/\"onmouseover=\"alert(1))",
        "[x](<https://a.example/\" onmouseover=\"alert(1)>)",
        "[x](https://a.example/&quot;&gt;&lt;script&gt;)",
        "<https://a.example/\"onmouseover=alert(1)>",
    ] {
        let shown = html(attack);
        let opened = shown.split("href=\"").nth(1).unwrap_or_else(|| panic!("no link: {shown}"));
        let (_, rest) = opened.split_once('"').unwrap();
        assert!(rest.starts_with(" rel=\"noopener noreferrer\" target=\"_blank\">"), "{shown}");
        assert_eq!(shown.matches('<').count(), 4, "{shown}");
    }
}

/// What turns, hides or draws over text is not in a page, as a character or as an entity.
#[test]
fn nothing_turns_or_hides_text() {
    let hidden = "\u{202E}\u{2066}\u{200B}\u{FEFF}\u{AD}\u{7}\u{E0041}&#x202E;&#8238;&#x2066;";
    for said in [
        format!("a{hidden}b"),
        format!("`a{hidden}b`"),
        format!("[a{hidden}b](https://a.example/{hidden})"),
        format!("```\na{hidden}b\n```"),
        format!("<b>{hidden}</b>"),
        format!("<p>\n{hidden}"),
    ] {
        let shown = html(&said);
        assert!(shown.chars().all(|c| c == '\n' || !text::is_unsafe(c)), "{shown:?}");
    }
}

/// Long and deeply nested texts are read within a moment, and their elements are not nested deeper than a page can show.
#[test]
fn huge_texts_are_fast() {
    const SIZE: usize = 64 * 1024;
    let full = |piece: &str| piece.repeat(SIZE / piece.len());
    let cells = SIZE / 6;
    let wide = format!("{}\n{}\n{}", "|a".repeat(cells), "|-".repeat(cells), "|\n".repeat(cells));
    let pieces = "[;![;[![;](;[a](;[a](b;*;*a_ ;`a;> ;>;- ;<;<a ;<!--;&#;\\;[a]: b\n;[a][;a\u{301};| ;~~;\u{202E};\
                  <https://;![](;a\n===\n;> a\n;- a\n  ";
    let mut texts: Vec<String> = pieces.split(';').map(full).collect();
    texts.push(wide);
    texts.push("![".repeat(SIZE / 8) + &"](https://a)".repeat(SIZE / 16));
    texts.push("a".repeat(4 * 1024 * 1024));
    for said in texts {
        let start = Instant::now();
        let shown = html(&said);
        let took = start.elapsed();
        // It takes a tenth of a second, and longer beside other tests; what grows with the square takes minutes.
        assert!(took < Duration::from_secs(60), "{took:?} for {:?}", said.get(..20));
        let quotes =
            shown.split("</blockquote>").next().map_or(0, |first| first.matches("<blockquote>").count());
        assert!(quotes <= MOST_DEEP, "{quotes} quotes for {:?}", said.get(..20));
    }
}

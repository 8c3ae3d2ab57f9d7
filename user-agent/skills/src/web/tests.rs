use net::frames::Sheet;
use proptest::prelude::*;

use super::*;

fn base() -> Address {
    Address::parse("https://example.org/a/b.html").unwrap()
}

fn text(html: &str) -> String {
    page::text(html, Some(&base()))
}

#[test]
fn a_page_becomes_its_title_headings_lists_and_links() {
    let html = "<!DOCTYPE html><html><head><meta charset=utf-8><TITLE>A &amp; B</TITLE>\
        <style>p{color:red}</style><script>if (a < b) document.write('<p>no</p>')</script></head>\
        <body><nav><a href='/home'>Home</a></nav><h2>Caf&eacute;s</h2><p>One\n  two<br>three.\
        <!-- <p>unseen</p> --><ul><li>first<li>second</ul>\
        <p>See <a class=\"x > y\" href=\"c.html?x=1&amp;y=2#z\">the <b>list</b></a>, or <a href='javascript:x()'>run</a>.\
        <table><tr><th>a<th>b<tr><td>1<td>2</table><img src=x alt='A cat'>";
    let shown = "# A & B\n\nHome <https://example.org/home>\n## Cafés\n\nOne two\nthree.\n- first\n- second\n\n\
        See the list <https://example.org/a/c.html?x=1&y=2>, or run.\na | b\n1 | 2\n\n[A cat]";
    let lines = |text: &str| -> Vec<String> {
        text.lines().filter(|l| !l.trim().is_empty()).map(str::to_owned).collect()
    };
    assert_eq!(lines(&text(html)), lines(shown), "{}", text(html));
}

#[test]
fn nothing_of_what_is_not_shown_comes_through() {
    for html in [
        "<script>canary</script>",
        "<SCRIPT type=x>canary</ScRiPt >",
        "<script>canary",
        "<script>a</scripty>canary</script>",
        "<style>canary</style>",
        "<!-- canary -->",
        "<!-- > canary -->",
        "<!-- canary",
        "<noscript>canary</noscript><template>canary</template>",
        "<p title='canary'>x</p>",
        "<a href='javascript:canary()'>x</a>",
        "<a href='data:text/html,canary'>x</a>",
        "<svg><text>canary</text></svg>",
        "<iframe src=x>canary</iframe>",
        "<?canary ?>",
        "<!canary>",
    ] {
        assert!(!text(html).contains("canary"), "{html}: {}", text(html));
    }
}

#[test]
fn broken_markup_still_gives_its_text() {
    for (html, part) in [
        ("a < b and c > d", "a < b and c > d"),
        ("<p>one<p>two", "one"),
        ("<p title=\"x>one</p>two", "two"),
        ("<b>bold", "bold"),
        ("&notanentity; &amp &lt;script&gt; &#x41;&#65;&#0;", "&notanentity; &amp <script> AA\u{fffd}"),
        ("<svg/>after", "after"),
    ] {
        assert!(text(html).contains(part), "{html}: {}", text(html));
    }
    assert_eq!(text(""), "");
    assert_eq!(text("<"), "<");
    assert_eq!(text("<pre>a\n  b</pre>c"), "a\n  b\nc");
}

#[test]
fn hostile_pages_take_no_longer_than_long_ones() {
    let million = 1_000_000;
    let pages = [
        "<".repeat(million),
        "<div>".repeat(million / 5),
        "<a href='".repeat(million / 9),
        "<a b=\">".repeat(million / 7),
        "<a b='><a b=\">".repeat(million / 14),
        "<!--".repeat(million / 4),
        "<script>".repeat(million / 8),
        "<script></".to_owned() + &"</".repeat(million / 2),
        "&".repeat(million),
        "&#x41".repeat(million / 5),
        "<a ".to_owned() + &"=".repeat(million) + ">",
        "<a ".to_owned() + &"x = ' ".repeat(million / 6) + ">",
        "<a href=x>".repeat(million / 10),
        "<pre>".to_owned() + &"\n<br>".repeat(million / 5),
    ];
    for html in pages {
        let begun = std::time::Instant::now();
        let text = text(&html);
        // It takes less than a second, and longer beside other tests; what grows with the square takes minutes.
        assert!(begun.elapsed().as_secs() < 60, "{} took {:?}", &html[..20], begun.elapsed());
        assert!(text.len() < 2 * million, "{}", &html[..20]);
    }
}

fn visited(status: u16, kind: &str, body: &str, cut: bool) -> Visited {
    let sheet = Sheet { url: "https://example.org/x".to_owned(), kind: kind.to_owned(), cut };
    Visited { status, body: body.to_owned(), sheet }
}

#[test]
fn a_long_text_is_told_in_pieces_and_a_cut_is_always_said() {
    let long = "ä".repeat(20_000);
    let Outcome::Said(first) = said(&visited(200, "text/plain", &long, false), 0) else { panic!("nothing") };
    assert!(first.contains("[bytes 0 to 12288 of 40000 of the text; more with offset 12288]"), "{first}");
    let Outcome::Said(last) = said(&visited(200, "text/plain", &long, true), 36_865) else {
        panic!("nothing")
    };
    assert!(last.contains("[bytes 36864 to 40000 of 40000 of the text]"), "{last}");
    assert!(last.ends_with("[the page is longer than 1 MB; the rest was not read]"), "{last}");
    let Outcome::Failed(why) = said(&visited(404, "text/html", "<h1>Gone</h1>", false), 0) else {
        panic!("a missing page is a failure")
    };
    assert!(why.contains("HTTP 404") && why.contains("# Gone"), "{why}");
}

proptest! {
    #[test]
    fn any_text_is_taken_and_no_tag_of_a_script_comes_through(
        html in "(<[a-z!/]{0,6}[ a-z=\"'>]{0,8}|[a-z &;#<>]{0,9}|<script>|</script>|<!--|-->|\\PC{0,4}){0,40}",
    ) {
        let shown = text(&html);
        prop_assert!(shown.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\t')), "{shown:?}");
        let hidden = text(&format!("<script>{}CANARY</script>", html.replace("</", "")));
        prop_assert!(!hidden.contains("CANARY"), "{hidden}");
    }

    #[test]
    fn a_text_without_markup_comes_through_word_by_word(words in "[a-zäöü0-9 ]{0,200}") {
        let expected: Vec<&str> = words.split_whitespace().collect();
        prop_assert_eq!(text(&words), expected.join(" "));
    }
}

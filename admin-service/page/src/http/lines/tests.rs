use super::super::words::ALL;
use super::*;

fn page_of(lines: impl FnOnce(&mut Page)) -> Page {
    let mut page = Page::new("summary", "SUMMARY (made by this program)");
    lines(&mut page);
    page
}

fn shown(lines: impl FnOnce(&mut Page)) -> String {
    page(&ALL[0], &page_of(lines), true).into_string()
}

/// What stands in each list of facts.
fn lists(html: &str) -> String {
    html.split("<dl class=\"facts\">").skip(1).filter_map(|rest| rest.split("</dl>").next()).collect()
}

#[test]
fn labels_become_a_list_with_the_lines_of_each_value() {
    let html = shown(|page| {
        page.add(Origin::Facts, Tone::Plain, "granted", "first\nsecond");
        page.add(Origin::Facts, Tone::Good, "scan", "clean");
        page.lines.push(Line::new(Origin::Facts, Tone::Quiet, "no label"));
    });
    let expected = "<dl class=\"facts\"><dt>granted</dt><dd><p>first</p><p>second</p></dd>\
        <dt>scan</dt><dd><p><span class=\"good\">clean</span></p></dd></dl>\
        <p class=\"fact\"><span class=\"quiet\">no label</span></p>";
    assert!(html.contains(expected), "{html}");
    assert!(html.contains("<h2>SUMMARY</h2> <span class=\"hint\">made by this program</span>"), "{html}");
    assert!(html.starts_with("<details class=\"page\" id=\"page-summary\" open>"), "{html}");
}

/// Regardless of its label and its place, what others wrote is in a box that says so.
#[test]
fn words_are_never_among_the_facts() {
    let html = shown(|page| {
        page.add(Origin::Facts, Tone::Plain, "granted", "none");
        page.add(Origin::Words, Tone::Good, "granted", "forged-1\nforged-2");
        page.add(Origin::Words, Tone::Good, "", "forged-3");
        page.lines.push(Line::new(Origin::Words, Tone::Bad, "forged-4"));
        page.add(Origin::Facts, Tone::Plain, "", "goes on");
        page.lines.push(Line::new(Origin::Words, Tone::Plain, "granted     forged-5"));
    });
    let boxes: Vec<&str> = html.split("<div class=\"words\">").collect();
    assert_eq!(boxes.len(), 3, "words that follow each other are one box: {html}");
    assert_eq!(html.matches(ALL[0].by_others).count(), 2, "{html}");
    for forged in ["forged-1", "forged-2", "forged-3", "forged-4"] {
        assert!(boxes[1].contains(forged), "{html}");
        assert!(!lists(&html).contains(forged), "{html}");
    }
    assert!(boxes[2].contains("forged-5"), "{html}");
    assert!(
        !html.contains("class=\"good\"") && !html.contains("class=\"bad\""),
        "tones are the program's: {html}"
    );
    // A fact that continues another one across a box belongs to no label of the box.
    assert!(html.contains("</div><p class=\"fact\">goes on</p>"), "{html}");
}

#[test]
fn markup_and_hidden_characters_stay_text() {
    let attack = "</div><script>alert(1)</script>\u{202E}a\u{200B}b";
    let raw = |origin| Line { spans: vec![Span { text: attack.to_owned(), tone: Tone::Bad }], origin };
    for origin in [Origin::Facts, Origin::Words, Origin::Code] {
        let html = shown(|page| page.lines.push(raw(origin)));
        assert!(html.contains("&lt;/div&gt;&lt;script&gt;alert(1)"), "{html}");
        assert!(html.contains("\\u{202e}a\\u{200b}b"), "{html}");
        assert!(!html.contains("<script") && !html.contains(['\u{202E}', '\u{200B}']), "{html}");
    }
    let quoted = quoted("x", attack).into_string();
    assert!(!quoted.contains("<script") && !quoted.contains('\u{202E}'), "{quoted}");
    let mut page = page_of(|_| ());
    (page.title, page.heading) = (attack.into(), attack.into());
    assert!(!super::page(&ALL[0], &page, false).into_string().contains("<script"));
}

/// Who sees no colours reads what is to be weighed.
#[test]
fn what_is_to_be_weighed_says_so_in_words() {
    for words in ALL.iter() {
        let warned = page_of(|page| {
            page.add(Origin::Facts, Tone::Bad, "finding", "one");
            page.add(Origin::Facts, Tone::Caution, "finding", "two");
        });
        let html = page(words, &warned, true).into_string();
        assert!(html.contains(&format!("<span class=\"sign\">{}</span> one", words.bad)), "{html}");
        assert!(html.contains(&format!("<span class=\"sign\">{}</span> two", words.caution)), "{html}");
    }
}

#[test]
fn a_source_has_numbers_and_colours_and_a_difference_its_signs() {
    let numbered = |number: &str, text: &str| Line {
        spans: vec![
            Span { text: number.to_owned(), tone: Tone::Quiet },
            Span { text: text.to_owned(), tone: Tone::Plain },
        ],
        origin: Origin::Code,
    };
    let mut source = Page::new("source", "SOURCE");
    source.lines =
        vec![numbered("   1  ", "fn a() {"), numbered("   2  ", "/* <b>"), numbered("   3  ", "*/ }")];
    let html = page(&ALL[0], &source, false).into_string();
    assert!(
        html.contains("<pre class=\"code\"><span class=\"line\"><span class=\"number\">1</span>"),
        "{html}"
    );
    assert!(html.contains("<span class=\"keyword\">fn</span> a() {\n</span>"), "{html}");
    assert!(html.contains("<span class=\"comment\">/* &lt;b&gt;</span>\n"), "{html}");
    assert!(html.contains("<span class=\"comment\">*/</span> }\n"), "a comment goes on: {html}");
    assert_eq!(html.matches("<pre").count(), 1, "{html}");
    let mut changed = Page::new("diff", "DIFF");
    changed.lines =
        vec![Line::new(Origin::Code, Tone::Good, "+ new"), Line::new(Origin::Code, Tone::Bad, "- old")];
    let html = page(&ALL[0], &changed, false).into_string();
    assert!(
        html.contains("<span class=\"line good\">+ new\n</span><span class=\"line bad\">- old\n</span>"),
        "{html}"
    );
}

use super::*;

#[test]
fn a_page_stands_in_its_frame_and_its_texts_are_escaped() {
    let frame = Frame {
        language: "de",
        title: "<b>",
        server: "TameClaw",
        skip: "Zum Inhalt",
        top: top("TameClaw", Some("<i>"), &leave("Abmelden")),
        notices: html! {},
        main: html! { p { "x" } },
        footer: "unten",
    };
    let html = frame.whole().into_string();
    assert!(html.starts_with("<!DOCTYPE html><html lang=\"de\"><head>"), "{html}");
    assert!(
        html.contains("<title>&lt;b&gt; - TameClaw</title>") && html.contains("<span>&lt;i&gt;</span>"),
        "{html}"
    );
    assert!(
        html.contains("<main id=\"main\" tabindex=\"-1\"><p>x</p></main><footer><p>unten</p></footer>"),
        "{html}"
    );
    // What a page would run or show on its own is nowhere: the policy refuses it.
    assert!(!html.contains("<style") && !html.contains(" style="), "{html}");
}

#[test]
fn the_section_that_is_shown_is_marked() {
    let html = sections("Pages", "/b", &[("/a", "A"), ("/b", "B")]).into_string();
    let expected =
        "<nav aria-label=\"Pages\"><a href=\"/a\">A</a><a href=\"/b\" aria-current=\"page\">B</a></nav>";
    assert_eq!(html, expected);
}

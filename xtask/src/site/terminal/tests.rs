use super::*;

#[test]
fn each_block_of_a_record_is_a_frame() {
    let found = frames("\n=== init\nmade\n\nnext\n\n\n=== up\n> hi\n");
    assert_eq!(
        found,
        [
            Frame { title: "init", lines: vec!["made", "", "next"] },
            Frame { title: "up", lines: vec!["> hi"] }
        ]
    );
    assert_eq!(frames("words\n=== a\n")[0], Frame { title: "a terminal", lines: vec!["words"] });
}

#[test]
fn an_empty_record_has_no_frame_and_an_empty_frame_has_a_picture() {
    assert_eq!(frames("\n\n"), []);
    let svg = frames("=== nothing\n\n\n")[0].svg();
    assert!(svg.contains("viewBox=\"0 0 664 41\"") && !svg.contains("<text"), "{svg}");
}

#[test]
fn what_a_terminal_showed_is_text_and_never_markup() {
    let svg = frames("=== a <b> & \"c\"\n</text><script>alert(1)</script> &lt; \u{1b}[1m\n")[0].svg();
    assert!(svg.contains("<title>a &lt;b&gt; &amp; &quot;c&quot;</title>"), "{svg}");
    assert!(
        svg.contains(">&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp;lt; \u{fffd}[1m</text>"),
        "{svg}"
    );
    assert!(!svg.contains("<script") && !svg.contains('\u{1b}'), "{svg}");
}

#[test]
fn a_picture_has_eighty_columns_and_a_longer_line_continues_in_the_next_row() {
    let svg = |line: &str| frames(&format!("=== a\n{line}\n"))[0].svg();
    assert!(svg("x").contains("viewBox=\"0 0 664 41\""));
    // Letters are counted, not bytes.
    assert!(svg(&"ä".repeat(80)).contains("viewBox=\"0 0 664 41\""));
    let long = svg(&format!("{}yz", "x".repeat(80)));
    assert!(
        long.contains("viewBox=\"0 0 664 58\"") && long.contains("y=\"25\" textLength=\"640\""),
        "{long}"
    );
    assert!(long.contains("y=\"42\" textLength=\"16\" xml:space=\"preserve\">yz</text>"), "{long}");
}

#[test]
fn blanks_stay_and_no_line_of_the_picture_is_empty() {
    let svg = frames("=== a\n  b  c\n\n> typed\n")[0].svg();
    assert!(svg.contains("x=\"28\" y=\"25\" textLength=\"32\" xml:space=\"preserve\">b  c</text>"), "{svg}");
    assert!(svg.contains("terminal-line terminal-typed\" x=\"12\" y=\"59\""), "{svg}");
    assert!(svg.lines().all(|line| !line.trim().is_empty()) && svg.ends_with("</svg>\n"), "{svg}");
}

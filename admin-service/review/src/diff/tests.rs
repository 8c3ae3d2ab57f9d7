use super::*;

fn shown(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{}\n", line.text())).collect()
}

#[test]
fn a_difference_has_marks_and_context_and_hides_nothing() {
    let old: String = (1..=40).map(|n| format!("let a{n} = {n};\n")).collect();
    let new = old.replace("let a20 = 20;\n", "let a20 = 21;\nlet evil = 1;\u{202e}\n");
    let text = shown(&sources(&old, &new));
    for line in [
        "@@ -17,7 +17,8 @@",
        "  let a19 = 19;",
        "- let a20 = 20;",
        "+ let a20 = 21;",
        "+ let evil = 1;\\u{202e}",
    ] {
        assert!(text.lines().any(|l| l == line), "no `{line}` in\n{text}");
    }
    assert!(!text.contains("let a3 = "), "{text}");
    assert!(sources(&old, &old).is_empty());
    assert!(sources("a\tb\n", "a    c").iter().any(|l| l.text() == "- a    b"));
}

#[test]
fn every_line_that_comes_or_goes_is_marked_whatever_it_looks_like() {
    let old = "- a\n+ b\n@@ c\nsame\n";
    let new = "+ b\n- d\n@@ c\nsame\nlast";
    let (mut came, mut went) = (vec![], vec![]);
    for line in sources(old, new) {
        let text = line.text();
        match text.chars().next() {
            Some('+') => came.push(text[2..].to_owned()),
            Some('-') => went.push(text[2..].to_owned()),
            _ => {}
        }
    }
    assert_eq!(went, ["- a"]);
    assert_eq!(came, ["- d", "last"]);
}

#[test]
fn a_hostile_pair_of_sources_is_told_apart_in_time() {
    let lines =
        |n: usize, salt: usize| -> String { (0..n).map(|i| format!("{}\n", (i * salt) % 977)).collect() };
    let start = std::time::Instant::now();
    assert!(!sources(&lines(16_000, 7), &lines(16_000, 11)).is_empty());
    assert!(start.elapsed() < LONGEST * 20, "{:?}", start.elapsed());
}

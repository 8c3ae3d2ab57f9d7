use super::*;
use crate::check::root;

const LIST: &str =
    "[TameClaw](../README.md)\n- [Using it](USING.md)\n- [A plugin](guides/write-a-plugin.md)\n";

fn translated(path: &str, text: &str) -> String {
    Pages::of(root(), LIST).page(path, text).expect("every link holds").text
}

#[test]
fn the_readme_is_the_first_page_and_the_documents_are_the_top() {
    let pages = Pages::of(root(), LIST);
    let places: Vec<(&str, &str)> = pages.places().collect();
    let expected = [
        ("README.md", "index.md"),
        ("docs/USING.md", "USING.md"),
        ("docs/guides/write-a-plugin.md", "guides/write-a-plugin.md"),
    ];
    assert_eq!(places, expected);
    let summary = translated(SUMMARY, LIST);
    assert!(summary.starts_with("[TameClaw](index.md)\n- [Using it](USING.md)"), "{summary}");
}

#[test]
fn links_between_pages_hold_from_every_folder() {
    assert_eq!(translated("README.md", "[a](docs/USING.md#the-gate)."), "[a](USING.md#the-gate).");
    let guide = "docs/guides/write-a-plugin.md";
    assert_eq!(
        translated(guide, "[a](../USING.md), [b](../../README.md)"),
        "[a](../USING.md), [b](../index.md)"
    );
    let elsewhere = "[a](#here) and [b](https://example.org/x.md)";
    assert_eq!(translated(guide, elsewhere), elsewhere);
}

#[test]
fn a_link_to_a_file_without_a_page_becomes_its_text() {
    assert_eq!(translated("README.md", "[MIT](LICENSE-MIT) or\n[a\nb](Cargo.toml)."), "MIT or\na\nb.");
}

#[test]
fn a_link_to_nothing_names_the_page() {
    let fault = Pages::of(root(), LIST).page("docs/USING.md", "[a](NOTHING.md)").expect_err("it is refused");
    assert_eq!(
        fault.to_string(),
        "docs/USING.md links to `NOTHING.md`, which does not exist: correct the link"
    );
}

#[test]
fn code_stays_as_it_is() {
    let text =
        "`[a](LICENSE-MIT)` and `x\n[b](LICENSE-MIT)`\n```text\n[c](LICENSE-MIT)\n```\n[d](LICENSE-MIT)\n";
    assert_eq!(translated("README.md", text), text.replace("[d](LICENSE-MIT)", "d"));
}

#[test]
fn a_line_that_links_to_a_record_becomes_pictures_and_a_link_within_a_line_text() {
    let line = "[What a child sees](../tests/snapshots/ten-minutes-child.txt)\n";
    let page = Pages::of(root(), LIST).page("docs/USING.md", line).expect("the record is there");
    assert!(
        page.text.starts_with("What a child sees:\n\n<figure style=\"margin:1em 0\">\n<svg "),
        "{}",
        page.text
    );
    assert!(page.text.contains("<code>cl-bot --profile anna agent</code>"), "{}", page.text);
    assert_eq!(page.pictures.len(), 1);
    assert_eq!(page.pictures[0].0, "ten-minutes-child-1.svg");
    let within = "See [it](../tests/snapshots/ten-minutes-child.txt).";
    assert_eq!(translated("docs/USING.md", within), "See it.");
}

//! An HTML page of a stranger, made into text for a model.

use skills::web::text_of_page;

use crate::harness::{Verdict, target};

#[test]
fn a_page_of_any_form_becomes_bounded_text_without_controls() {
    target!(text holds);
}

fn holds(html: &str) -> Verdict {
    let text = text_of_page(html, "https://example.org/a/b?c");
    assert!(text.len() <= 640 * 1024 + 16 * html.len(), "{} bytes of {}", text.len(), html.len());
    let odd = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
    assert_eq!(odd, None, "a control character is left");
    for address in
        text.split(" <").skip(1).filter_map(|rest| rest.split_once('>')).map(|(address, _)| address)
    {
        // What a page writes between such signs itself is its own text; an address of ours is one of the web.
        if address.contains("://") && !html.contains('&') && !html.contains("< ") {
            assert!(!address.starts_with("javascript:") && !address.starts_with("file:"), "{address}");
        }
    }
    if text.is_empty() { Verdict::Refused } else { Verdict::Taken }
}

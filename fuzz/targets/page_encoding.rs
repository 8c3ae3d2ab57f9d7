//! The bytes of a page made into text: the first line of an input is what the server says of them.

use models::http::charset::decode;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn bytes_become_text_without_controls_and_the_same_wherever_they_are_cut() {
    target!(bytes holds);
}

/// How far a page's own word about its encoding is looked for.
const HEAD: usize = 1024;

fn holds(input: &[u8]) -> Verdict {
    let end = input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len());
    let said = String::from_utf8_lossy(&input[..end]).into_owned();
    let bytes = input.get(end + 1..).unwrap_or_default();
    let whole = decode(bytes, &said, false);
    match &whole {
        Ok(text) => {
            let odd = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'));
            assert_eq!(odd, None, "a control character is left");
            assert!(text.len() <= 3 * bytes.len() + 3, "{} bytes of {}", text.len(), bytes.len());
            // Where the encoding is settled by the beginning, a cut takes nothing but the end.
            for end in (HEAD..bytes.len()).rev().take(4) {
                if std::str::from_utf8(bytes).is_ok() {
                    let part = decode(&bytes[..end], &said, true).expect("the same encoding");
                    assert!(text.starts_with(&part), "cut at {end}");
                }
            }
        }
        Err(why) => is_safe_to_show(&why.to_string()),
    }
    Verdict::of(&whole)
}

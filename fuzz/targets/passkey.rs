//! The public key of a passkey, a text, and what the signing page gave for it: a line each.

use shared_types::approvers::check_key;
use shared_types::passkey::Passkey;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_passkey_has_one_spelling_and_signs_its_texts_alone() {
    target!(text holds);
}

fn holds(input: &str) -> Verdict {
    let mut lines = input.lines();
    let (line, text, signature) = (lines.next(), lines.next(), lines.next());
    let (line, text, signature) =
        (line.unwrap_or_default(), text.unwrap_or_default(), signature.unwrap_or_default());
    let key: Passkey = match line.parse() {
        Ok(key) => key,
        Err(error) => {
            is_safe_to_show(&error.to_string());
            assert!(!line.starts_with("passkey ") || check_key(line).is_err());
            return Verdict::Refused;
        }
    };
    assert_eq!(key.to_string(), line);
    assert_eq!(check_key(line), Ok(()));
    if let Err(fault) = key.verify(signature, text.as_bytes()) {
        is_safe_to_show(&fault.to_string());
        return Verdict::Refused;
    }
    let other = format!("{text} ");
    assert!(key.verify(signature, other.as_bytes()).is_err(), "it is for another text as well");
    Verdict::Taken
}

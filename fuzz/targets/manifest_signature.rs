//! A manifest with its signature: `trust.pub`, `skills_manifest.yaml.sig` and the text, divided by lines of `====`.

use documents::manifest;

use crate::harness::{Verdict, is_safe_to_show, target};

/// A key, a signature by that key, and the text that it is of.
pub(crate) const GENUINE: &str = include_str!("__fuzz__/manifest_signature/corpus/valid-signed.txt");

#[test]
fn only_the_genuine_key_signature_and_text_open_a_manifest() {
    target!(text holds);
}

fn holds(input: &str) -> Verdict {
    let [trust, signature, text] = parts(input);
    let opened = manifest::open(text, signature, trust, 0);
    match &opened {
        Ok(_) => {
            let [genuine_trust, genuine_signature, genuine_text] = parts(GENUINE);
            assert_eq!(text, genuine_text);
            assert_eq!(key(trust), key(genuine_trust));
            // The comment of the first line is not part of what is signed.
            let signed = |signature: &str| -> Vec<String> {
                signature.lines().skip(1).take(3).map(|line| line.trim().to_owned()).collect()
            };
            assert_eq!(signed(signature), signed(genuine_signature));
        }
        Err(error) => is_safe_to_show(&error.to_string()),
    }
    Verdict::of(&opened)
}

/// Key, signature and text of one input.
pub(crate) fn parts(input: &str) -> [&str; 3] {
    let mut parts = input.splitn(3, "====\n");
    std::array::from_fn(|_| parts.next().unwrap_or_default())
}

/// The key itself, which stands alone or below a comment.
fn key(trust: &str) -> &str {
    let mut lines = trust.trim().lines();
    let first = lines.next().unwrap_or_default();
    lines.next().unwrap_or(first).trim()
}

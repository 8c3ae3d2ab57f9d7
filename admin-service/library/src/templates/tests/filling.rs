//! A proposal's text cannot leave its literal.

use builder::scan;
use proptest::prelude::*;

use super::*;

/// Every wish with the tokens that it needs.
pub(super) const WISHES: &[(&str, &[&str])] = &[
    ("roll dice", &[]),
    ("convert units of measurement", &[]),
    ("quiz me on capitals", &["user:input"]),
    ("the Caesar cipher", &[]),
    ("count the days until Christmas", &[]),
    ("tell leap years", &[]),
    ("convert Roman numerals", &[]),
    ("do unit prices", &[]),
    ("split a bill", &[]),
    ("keep a homework list", &["memory:read", "memory:write"]),
    ("calculate percentages", &[]),
    ("do arithmetic", &[]),
    ("count words and letters", &[]),
    ("flip a coin", &[]),
    ("make strong passwords", &[]),
    ("check prime numbers, factors, gcd and lcm", &[]),
    ("convert binary and hex numbers", &[]),
    ("write words backwards, and check palindromes and anagrams", &[]),
    ("calculate somebody's age", &[]),
    ("calculate the BMI", &[]),
    ("play rock paper scissors", &[]),
    ("check ISBN and IBAN numbers", &[]),
    ("the NATO phonetic alphabet", &[]),
    ("calculate the average of numbers", &[]),
    ("read my calendar", &["file:read"]),
];

/// Text as a proposal cannot even hold it, put in place of its description.
fn with_description(wish: &str, tokens: &[&str], description: &str) -> Proposal {
    Proposal { description: description.to_owned(), ..proposal(wish, tokens) }
}

/// The string literals and the tree around them, of a source that passes the scan.
fn parts(source: &str) -> (Vec<String>, String) {
    struct Literals(Vec<String>);
    impl syn::visit::Visit<'_> for Literals {
        fn visit_lit_str(&mut self, literal: &syn::LitStr) {
            self.0.push(literal.value());
        }
    }
    let scanned = scan::scan(source).unwrap_or_else(|v| panic!("{v:#?}"));
    let file = syn::parse_file(&scanned.source).unwrap();
    let mut literals = Literals(Vec::new());
    syn::visit::Visit::visit_file(&mut literals, &file);
    (literals.0, scanned.source)
}

const HOSTILE: &[&str] = &[
    "\" ); fn evil() {} //",
    "\\\" ; loop {} \\",
    "*/ unsafe { } /*",
    "\\u{202e} and \u{202e}\u{2066}reversed",
    "{} {0} {hidden} {{}}",
    "line\nend\r\nand\ttab\u{0}",
    "r#\"raw\"# b\"bytes\" '\\'' //! doc",
    "@about @code @topic // @include german // @end // @if x",
    "\\",
    "\"",
    "#![allow(unsafe_code)] extern crate std;",
    "Ünïcödé 漢字 🎲 \u{feff}\u{200b}\u{3164}",
];

#[test]
fn hostile_text_stays_in_its_literal_and_is_kept_whole() {
    for (at, (wish, tokens)) in WISHES.iter().enumerate() {
        let (_, tame) = parts(&written(&with_description(wish, tokens, "ABOUT")).source);
        // Three texts in turn for each, so that every text meets several templates.
        for text in HOSTILE.iter().cycle().skip(3 * at).take(3) {
            let (literals, source) = parts(&written(&with_description(wish, tokens, text)).source);
            assert!(literals.iter().any(|literal| literal == text), "{wish}: {text:?}");
            // But for that one literal the source is the same.
            let printed = source.replace(&format!("\"{}\"", fill::escaped(text)), "\"ABOUT\"");
            assert_eq!(squeezed(&printed), squeezed(&tame), "{wish}: {text:?}");
        }
    }
}

/// Without layout: a longer literal may break a line elsewhere.
fn squeezed(source: &str) -> String {
    source.split_whitespace().collect()
}

#[test]
fn a_hostile_line_gives_no_more_than_a_plain_word() {
    for text in HOSTILE {
        let line = format!("keep a {text} list");
        let proposal = Proposal {
            user_context: line,
            ..proposal("keep a homework list", &["memory:read", "memory:write"])
        };
        if let Answer::Written(written) = write(&proposal) {
            parts(&written.source);
            let author = written.author.text();
            let subject = author.strip_prefix("template list (subject=").unwrap().strip_suffix(')').unwrap();
            assert!(subject.chars().all(|c| c.is_alphanumeric() || c == ' ' || c == '-'), "{subject}");
        }
    }
}

#[test]
fn templates_leave_no_placeholder_behind() {
    for (wish, tokens) in WISHES {
        let source = written(&proposal(wish, tokens)).source;
        assert!(!source.contains("// @"), "{wish}");
        let (literals, _) = parts(&source);
        let left: Vec<&String> = literals.iter().filter(|literal| literal.contains('@')).collect();
        assert!(left.is_empty(), "{wish}: {left:?}");
    }
}

proptest! {
    #[test]
    fn an_escaped_text_reads_back_as_itself(text in any::<String>()) {
        let literal: syn::LitStr = syn::parse_str(&format!("\"{}\"", fill::escaped(&text))).unwrap();
        prop_assert_eq!(literal.value(), text);
    }
}

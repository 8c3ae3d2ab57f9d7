use super::*;

/// A line that asks to remember or to forget is answered in its language, and nothing else is.
#[test]
fn what_a_program_wants_kept_or_forgotten_is_refused_in_words() {
    let said = |line: &str, code: &str| {
        let language = Language::of_code(code).expect("a language");
        of(&language::intent(line).expect("it means something").intent, language)
    };
    assert_eq!(said("remember that my cat is Tom", "en"), Some(EN.remember));
    assert_eq!(said("forget everything", "en"), Some(EN.forget));
    assert_eq!(said("merk dir, dass meine Katze Tom heißt", "de"), Some(DE.remember));
    assert_eq!(said("hello", "en"), None);
}

use std::string::ToString;

use super::*;

#[test]
fn letters_become_small_as_in_unicode_or_stay_as_they_are() {
    for letter in '\0'..=char::MAX {
        let (ours, unicode) = (lower(&letter.to_string()), letter.to_lowercase().to_string());
        let known = matches!(letter, '\0'..='į' | 'Ĳ'..='ķ' | 'Ĺ'..='ŷ' | 'Ź'..='ž' | 'Α'..='ώ' | 'Ѐ'..='џ');
        assert!(ours == unicode || (!known && ours == letter.to_string()), "{letter:?}: {ours}");
    }
    assert_eq!(lower("WÜRFLE 2W6, ÉCOLE, ΑΘΉΝΑ, МОЛОКО, ŁÓDŹ"), "würfle 2w6, école, αθΉνα, молоко, łódź");
}

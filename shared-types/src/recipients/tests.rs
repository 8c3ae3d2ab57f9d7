use super::*;

fn recipients(words: &str) -> Recipients {
    words.parse().unwrap()
}

#[test]
fn a_profile_gets_a_skill_by_its_audience_or_by_its_name() {
    let (anna, ben): (ProfileId, ProfileId) = ("anna".parse().unwrap(), "ben".parse().unwrap());
    for (words, anna_who_is_a_child, ben_who_is_an_adult) in [
        ("everyone", true, true),
        ("adult", false, true),
        ("child,teen", true, false),
        ("work", false, false),
        ("profile:ben", false, true),
        ("work, profile:anna", true, false),
    ] {
        let recipients = recipients(words);
        assert_eq!(recipients.include(&anna, Audience::Child), anna_who_is_a_child, "{words}");
        assert_eq!(recipients.include(&ben, Audience::Adult), ben_who_is_an_adult, "{words}");
    }
}

#[test]
fn words_that_name_nobody_are_refused_by_name() {
    for (words, named) in
        [("grown-ups", "grown-ups"), ("adult,", "\"\""), ("adult,everyone", "everyone"), ("", "\"\"")]
    {
        let error = words.parse::<Recipients>().unwrap_err().to_string();
        assert!(error.contains(named), "{words}: {error}");
    }
    assert!(matches!("profile:../x".parse::<Recipients>(), Err(UnknownRecipient::Profile(_))));
}

#[test]
fn what_is_written_is_read_back_in_one_order() {
    for words in ["everyone", "adult", "teen,adult,profile:anna"] {
        let read = recipients(words);
        assert_eq!(read.to_string(), words);
        let json = serde_json::to_string(&read).unwrap();
        assert_eq!(serde_json::from_str::<Recipients>(&json).unwrap(), read);
    }
    assert_eq!(recipients("profile:anna,adult,teen,adult").to_string(), "teen,adult,profile:anna");
    assert!(serde_json::from_str::<Recipients>(r#"["nobody"]"#).is_err());
}

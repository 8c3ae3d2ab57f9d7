use super::Walk;
use crate::phrases::slots::Slot;
use crate::phrases::{Language, Phrases};

/// A walk whose tokens are the signs of a text.
fn walk(list: &str, language: Language) -> Walk {
    let phrases = Phrases::of_any_words(list).expect("phrases");
    let tokens = |text: &str| -> Result<Vec<i32>, std::convert::Infallible> {
        Ok(text.chars().map(|c| i32::try_from(u32::from(c)).expect("a sign")).collect())
    };
    Walk::of(&phrases, language, tokens).expect("no fault")
}

/// Whether a text is a beginning, and whether a phrase may end behind it.
fn follow(walk: &Walk, text: &str) -> Option<bool> {
    let (mut places, mut last) = (walk.start(), None);
    for sign in text.chars().map(|c| i32::try_from(u32::from(c)).expect("a sign")) {
        places = walk.after(&places, last).remove(&sign)?;
        last = Some(sign);
    }
    Some(walk.is_end(&places))
}

/// Phrases are followed as a transcript has them: with capitals, figures, signs and commas, and nothing else is.
#[test]
fn a_list_is_followed_token_by_token() {
    let list = "what is <number> plus <number>\n[please] roll|throw <dice> [for me]\ndays until <date>\n\
                how far is <number> <unit>\n[what is] the news\n";
    let walk = walk(list, Language::English);
    for whole in [
        " What is 6 plus 7",
        " what's forty five + 9",
        " what is 6+ one hundred",
        " Please, roll 3d6",
        " throw two D six for me",
        " Roll five dice",
        " roll d20",
        " Days until March 3rd",
        " days until the twenty first of May",
        " days until Next Friday",
        " days until Christmas",
        " How far is 12 km",
        " The news",
        " What is the news",
    ] {
        assert_eq!(follow(&walk, whole), Some(true), "{whole}");
    }
    for part in ["", " What", " what is 6 plus", " roll", " roll 3d", " days until", " please,"] {
        assert_eq!(follow(&walk, part), Some(false), "{part}");
    }
    for other in [
        " what is the time",
        " roll me",
        " roll,, 3d6",
        ", roll 3d6",
        " days until 32nd",
        "What",
        " what is 101",
    ] {
        assert_eq!(follow(&walk, other), None, "{other}");
    }
}

/// German numbers and days are followed as well.
#[test]
fn german_is_followed() {
    let walk = walk(
        "stell einen timer auf <number> minuten\nwürfle <dice>\nwie viele tage bis <date>\n",
        Language::German,
    );
    for whole in [
        " Stell einen Timer auf einundzwanzig Minuten",
        " stell einen timer auf 21 minuten",
        " Würfle 3W6",
        " Würfle zwei würfel",
        " Wie viele Tage bis 3. März",
        " Wie viele tage bis nächsten Freitag",
    ] {
        assert_eq!(follow(&walk, whole), Some(true), "{whole}");
    }
    assert_eq!(follow(&walk, " Würfle 3D7"), None);
}

/// What each way to write a slot comes to is read from a transcript again.
#[test]
fn what_can_be_followed_can_be_read() {
    for (language, slot) in [Language::English, Language::German]
        .into_iter()
        .flat_map(|language| ["<number>", "<date>", "<dice>", "<unit>"].map(|slot| (language, slot)))
    {
        let list = Phrases::of_any_words(&format!("zzz {slot}\n")).expect("phrases");
        for text in language.all(Slot::named(slot).expect("a slot")) {
            assert!(list.is(&format!("zzz{text}"), language).is_some(), "{slot}: {text}");
        }
    }
}

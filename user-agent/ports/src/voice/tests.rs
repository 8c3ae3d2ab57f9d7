use super::*;

/// A voice that notes what is asked of it.
#[derive(Default)]
struct Noted(Mutex<Vec<String>>);

impl Voice for Noted {
    fn say(&self, _: &SkillName, text: &str) -> Result<(), NoVoice> {
        self.0.lock().unwrap().push(text.to_owned());
        Ok(())
    }

    fn listen(&self, _: &SkillName, at_most: Duration, _: &AtomicBool) -> Result<Option<String>, NoVoice> {
        Ok(Some(format!("{at_most:?}")))
    }
}

fn audio(voice: Option<Arc<Noted>>, hears: bool, speaks: bool) -> Audio {
    let voice = voice.map(|voice| voice as Arc<dyn Voice>);
    Audio::new(voice, "talk".parse().unwrap(), hears, speaks)
}

#[test]
fn each_right_is_its_own_token() {
    let (noted, cancel) = (Arc::new(Noted::default()), AtomicBool::new(false));
    let hears = audio(Some(noted.clone()), true, false);
    assert!(matches!(hears.say("hello"), Err(NoVoice::NotGranted(Token::AudioWrite))));
    assert_eq!(hears.listen(3, &cancel).unwrap().as_deref(), Some("3s"));
    let speaks = audio(Some(noted.clone()), false, true);
    assert!(matches!(speaks.listen(3, &cancel), Err(NoVoice::NotGranted(Token::AudioRead))));
    speaks.say("hello").unwrap();
    assert_eq!(*noted.0.lock().unwrap(), ["hello"]);
}

#[test]
fn a_written_conversation_neither_speaks_nor_hears() {
    let audio = audio(None, true, true);
    assert!(audio.say("hello").unwrap_err().to_string().contains("start `cl-bot voice`"));
    assert!(matches!(audio.listen(3, &AtomicBool::new(false)), Err(NoVoice::Written)));
}

#[test]
fn length_time_and_rate_are_limited() {
    let (noted, cancel) = (Arc::new(Noted::default()), AtomicBool::new(false));
    let audio = audio(Some(noted.clone()), true, true);
    for text in ["", "  ", &"a".repeat(MOST_BYTES + 1)] {
        assert!(matches!(audio.say(text), Err(NoVoice::Length)), "{text}");
    }
    for seconds in [i64::MIN, -1, 0, MOST_SECONDS + 1, i64::MAX] {
        assert!(matches!(audio.listen(seconds, &cancel), Err(NoVoice::Seconds)), "{seconds}");
    }
    for _ in 0..MOST_SAID {
        audio.say("hello").unwrap();
    }
    assert!(matches!(audio.say("hello"), Err(NoVoice::TooOften)));
    assert_eq!(noted.0.lock().unwrap().len(), MOST_SAID);
    for _ in 0..MOST_HEARD {
        audio.listen(1, &cancel).unwrap();
    }
    assert!(matches!(audio.listen(1, &cancel), Err(NoVoice::TooOften)));
}

use proptest::prelude::*;

use crate::{Event, Fault, Format, LONGEST_LINE, MOST_PAYLOAD, Program, Voice, read, write};

const MONO: Format = Format { rate: 16_000, width: 2, channels: 1 };

fn from(bytes: &[u8]) -> Result<Option<Event>, Fault> {
    read(&mut &*bytes)
}

fn again(event: &Event) -> Event {
    let mut bytes = Vec::new();
    write(&mut bytes, event).expect("a Vec takes it");
    let mut input = bytes.as_slice();
    let event = read(&mut input).expect("it is valid").expect("it is there");
    assert!(input.is_empty(), "nothing is left behind");
    event
}

fn words() -> impl Strategy<Value = Option<String>> {
    proptest::option::of(any::<String>())
}

fn events() -> impl Strategy<Value = Event> {
    let sound = proptest::collection::vec(any::<[u8; 2]>(), 0..50).prop_map(|samples| samples.concat());
    prop_oneof![
        Just(Event::Describe),
        Just(Event::AudioStart(MONO)),
        Just(Event::AudioStop),
        sound.prop_map(|sound| Event::AudioChunk(MONO, sound)),
        (any::<String>(), words(), words()).prop_map(|(text, voice, language)| Event::Synthesize {
            text,
            voice,
            language
        }),
        words().prop_map(|language| Event::Transcribe { language }),
        any::<String>().prop_map(Event::Phrases),
        (any::<String>(), words()).prop_map(|(text, language)| Event::Transcript { text, language }),
        words().prop_map(Event::Ping),
        words().prop_map(Event::Pong),
        (any::<String>(), words()).prop_map(|(text, code)| Event::Error { text, code }),
        "[a-z]{1,9}-[a-z]{1,9}s".prop_map(Event::Other),
    ]
}

proptest! {
    /// What is written is read back as it was, and one event ends where the next one begins.
    #[test]
    fn each_event_is_read_as_it_was_written(event in events()) {
        prop_assert_eq!(again(&event), event);
    }

    /// No bytes bring the reader down, and what is refused is said without a byte of it that could steer a terminal.
    #[test]
    fn no_bytes_bring_the_reader_down(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        if let Err(fault) = from(&bytes) {
            prop_assert!(!fault.to_string().chars().any(char::is_control));
        }
    }
}

#[test]
fn what_is_offered_is_read_as_it_was_written() {
    let voice = |name: &str, language: &str| Voice { name: name.into(), language: language.into() };
    let program = |name: &str, voices: Vec<Voice>| Program {
        name: name.into(),
        description: "speaks or hears".into(),
        made_by: ("somebody".into(), "https://example.org".into()),
        voices,
    };
    let speak = vec![program("pico", vec![voice("a", "de-DE"), voice("b", "en-GB")])];
    let event = Event::Info { speak, hear: vec![program("sphinx", vec![voice("c", "en-US")])] };
    assert_eq!(again(&event), event);
}

/// Data may stand in the header and behind it; what stands behind it takes precedence.
#[test]
fn data_behind_the_header_takes_precedence() {
    let bytes = b"{\"type\": \"transcript\", \"data\": {\"text\": \"a\", \"language\": \"de\"}, \"data_length\": 13}\n{\"text\": \"b\"}";
    let event = Event::Transcript { text: "b".into(), language: Some("de".into()) };
    assert_eq!(from(bytes).expect("it is valid"), Some(event));
}

/// A stream that ends before an event is at its end; one that ends within an event is broken.
#[test]
fn a_stream_that_ends_within_an_event_is_broken() {
    let whole = b"{\"type\": \"audio-chunk\", \"data\": {\"rate\": 16000, \"width\": 2, \"channels\": 1}, \"payload_length\": 4}\nabcd";
    assert!(matches!(from(b""), Ok(None)));
    assert!(matches!(from(whole), Ok(Some(Event::AudioChunk(MONO, _)))));
    for end in 1..whole.len() {
        assert!(matches!(from(&whole[..end]), Err(Fault::Torn)), "{end}");
    }
}

/// No length that a header names is believed beyond its limit: nothing is reserved for it.
#[test]
fn lengths_have_limits() {
    for (part, most) in [("data_length", u64::MAX), ("payload_length", MOST_PAYLOAD + 1)] {
        let bytes = format!("{{\"type\": \"describe\", \"{part}\": {most}}}\n");
        assert!(matches!(from(bytes.as_bytes()), Err(Fault::TooLong { .. })), "{part}");
    }
    let long = vec![b' '; LONGEST_LINE as usize + 1];
    assert!(matches!(from(&long), Err(Fault::TooLong { part: "header", .. })));
}

/// What an event needs must be there and make sense: a rate of 0 or half a sample is refused.
#[test]
fn fields_that_make_no_sense_are_refused() {
    for (kind, data) in [
        ("synthesize", "{\"text\": 5}"),
        ("transcript", "{}"),
        ("audio-start", "{\"rate\": 0, \"width\": 2, \"channels\": 1}"),
        ("audio-start", "{\"rate\": 16000, \"width\": 5, \"channels\": 1}"),
        ("audio-start", "{\"rate\": 16000, \"width\": 2, \"channels\": 300}"),
        ("audio-start", "{\"rate\": 16000.5, \"width\": 2, \"channels\": 1}"),
    ] {
        let bytes = format!("{{\"type\": \"{kind}\", \"data\": {data}}}\n");
        assert!(matches!(from(bytes.as_bytes()), Err(Fault::Field { .. })), "{kind} {data}");
    }
    let half = b"{\"type\": \"audio-chunk\", \"data\": {\"rate\": 16000, \"width\": 2, \"channels\": 1}, \"payload_length\": 3}\nabc";
    assert!(matches!(from(half), Err(Fault::Field { field: "payload", .. })));
    for malformed in ["{}\n", "[]\n", "nonsense\n", "{\"type\": \"describe\", \"data\": []}\n"] {
        assert!(matches!(from(malformed.as_bytes()), Err(Fault::Malformed { .. })), "{malformed}");
    }
}

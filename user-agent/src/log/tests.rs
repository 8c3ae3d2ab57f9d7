use super::*;

fn every() -> Vec<Event<'static>> {
    let (name, took) = (Name::of("weather.now"), Duration::from_millis(7));
    vec![
        Event::Start,
        Event::ConfigLoaded { providers: 2 },
        Event::ManifestVerified { serial: 3, skills: 5, left_out: 0 },
        Event::Confined { role: Name::of("mind"), tier: Some(Tier::Full) },
        Event::TurnStarted { turn: 1 },
        Event::TurnFinished { turn: 1, rounds: 2, took },
        Event::ProviderCall { provider: name, status: Some(200), received: 9, took },
        Event::ProviderFallback { from: name, to: name },
        Event::ToolCall { tool: name, done: true, took },
        Event::ToolDenied { tool: name, rule: name },
        Event::ReceiptWritten { id: name, tool: name, status: "allowed" },
        Event::MemoryStored { records: 1 },
        Event::ProposalWritten { id: name },
        Event::GuardNoticed { rule: name, verdict: name },
        Event::Stopped { code: 0 },
    ]
}

#[test]
fn each_of_the_fifteen_has_a_name_and_fields_of_its_own() {
    let mut names: Vec<_> = every().iter().map(Event::name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 15);
    for event in every() {
        let mut keys: Vec<_> = event.fields().into_iter().map(|(key, _)| key).collect();
        assert!(keys.iter().all(|key| !["time", "level", "event"].contains(key)), "{keys:?}");
        keys.dedup();
        assert_eq!(keys.len(), event.fields().len());
    }
}

#[test]
fn a_line_for_people_and_one_as_json_say_the_same() {
    let event = Event::Confined { role: Name::of("net"), tier: None };
    let time = "2026-01-02T03:04:05.678Z";
    assert_eq!(
        line(&event, time, Format::Human),
        "2026-01-02T03:04:05.678Z info  confined role=net tier=null\n"
    );
    let value: Value = serde_json::from_str(&line(&event, time, Format::Json)).unwrap();
    let expected =
        serde_json::json!({"time": time, "level": "info", "event": "confined", "role": "net", "tier": null});
    assert_eq!(value, expected);
    for event in every() {
        for format in [Format::Human, Format::Json] {
            assert_eq!(line(&event, time, format).matches('\n').count(), 1);
        }
    }
}

#[test]
fn what_is_no_name_gets_into_no_line() {
    let long = "a".repeat(81);
    for text in ["", "two words", "a\u{1b}[2J", "a\nb", "\u{202e}", "Bearer sk-1", "https://x/y?z=1", &long] {
        assert_eq!(Name::of(text), Name("?"), "{text:?}");
    }
    assert_eq!(Name::of("0193a-b_c.d:E"), Name("0193a-b_c.d:E"));
}

#[test]
fn a_level_tells_itself_and_what_weighs_more() {
    assert_eq!("info".parse(), Ok(Level::Info));
    for word in ["INFO", "trace", ""] {
        assert_eq!(word.parse::<Level>(), Err(UnknownLevel));
    }
    // The one test that sets it, since it is set for the whole process.
    tell(Level::Warn, Format::Json);
    assert!(tells(Level::Error) && tells(Level::Warn) && !tells(Level::Info) && !tells(Level::Off));
    tell(Level::Off, Format::Human);
    assert!(!tells(Level::Error) && !tells(Level::Off));
}

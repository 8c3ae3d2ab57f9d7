use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use super::*;

fn every() -> Vec<Event<'static>> {
    let (name, took, path) = (Name::of("weather.now"), Duration::from_millis(7), Path::new("/home/x"));
    let call = CallId { tool: name, conversation: Name::of("c"), number: 1 };
    vec![
        Event::Startup,
        Event::ConfigLoaded { path, providers: 2 },
        Event::WorkspaceOpened { path, profile: name },
        Event::ProviderSelected { provider: name, kind: name },
        Event::ChannelStarted { channel: name, profile: name },
        Event::ConversationStarted { conversation: name },
        Event::ManifestVerified { serial: 3, skills: 5, left_out: 0 },
        Event::Confined { role: Name::of("mind"), tier: Some(Tier::Full) },
        Event::TurnStarted { turn: 1, conversation: name },
        Event::TurnFinished { turn: 1, conversation: name, rounds: 2, took },
        Event::ProviderCall { provider: name, status: Some(200), received: 9, took },
        Event::ProviderFallback { from: name, to: name },
        Event::ToolRequested { call },
        Event::ToolApproved { call, risk: name, by: name },
        Event::ToolDenied { call, rule: name },
        Event::ToolCompleted { call, took },
        Event::ToolFailed { call, took },
        Event::ReceiptWritten { id: name, call },
        Event::MemoryPersisted { records: 1, conversation: name },
        Event::MemoryAged { facts: 1, messages: 2 },
        Event::ProposalWritten { id: name },
        Event::GuardNoticed { rule: name, verdict: name },
        Event::StopTriggered { by: name },
        Event::Stopped { code: 0 },
    ]
}

#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<Record>>>);

impl events::Writer for Kept {
    fn wants(&self, _: &tracing::Level) -> bool {
        true
    }

    fn write(&self, told: &Record) {
        let Record { level, name, fields, spans } = told;
        let told = Record { level: *level, name, fields: fields.clone(), spans: spans.clone() };
        self.0.lock().unwrap().push(told);
    }
}

/// What is logged within.
fn told(work: impl FnOnce()) -> Vec<Record> {
    let kept = Kept::default();
    tracing::subscriber::with_default(events::subscriber(kept.clone()), work);
    // Another thread that meets an event for the first time may hold it too, for a moment.
    std::mem::take(&mut *kept.0.lock().unwrap())
}

fn line_of(of: Event<'_>, time: &str, format: Format) -> String {
    let told = told(|| event(of));
    assert_eq!(told.len(), 1);
    line(&told[0], time, format)
}

#[test]
fn each_event_has_a_name_and_fields_of_its_own() {
    let all = told(|| every().into_iter().for_each(event));
    let names: BTreeSet<_> = all.iter().map(|told| told.name).collect();
    assert_eq!((names.len(), all.len()), (every().len(), every().len()));
    for told in all {
        let keys: BTreeSet<_> = told.fields.iter().map(|(key, _)| *key).collect();
        assert!(["time", "level", "event"].iter().all(|key| !keys.contains(key)), "{keys:?}");
        assert_eq!(keys.len(), told.fields.len());
    }
}

/// Every line that there is, as it was before anybody else could listen.
#[test]
fn the_lines_are_these() {
    let lines: String = every().into_iter().map(|event| line_of(event, "t", Format::Human)).collect();
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!(
        "t info  startup version={version}
t info  config_loaded path=/home/x providers=2
t info  workspace_opened path=/home/x profile=weather.now
t info  provider_selected provider=weather.now kind=weather.now
t info  channel_started channel=weather.now profile=weather.now
t info  conversation_started conversation=weather.now
t info  manifest_verified serial=3 skills=5 left_out=0
t info  confined role=mind tier=full
t debug turn_started turn=1 conversation=weather.now
t info  turn_finished turn=1 conversation=weather.now rounds=2 ms=7
t info  provider_call provider=weather.now status=200 bytes=9 ms=7
t warn  provider_fallback from=weather.now to=weather.now
t info  tool_requested tool=weather.now call=1 conversation=c
t info  tool_approved tool=weather.now call=1 conversation=c risk=weather.now by=weather.now
t warn  tool_denied tool=weather.now call=1 conversation=c rule=weather.now
t info  tool_completed tool=weather.now call=1 conversation=c ms=7
t warn  tool_failed tool=weather.now call=1 conversation=c ms=7
t info  receipt_written tool=weather.now call=1 conversation=c receipt=weather.now
t info  memory_persisted records=1 conversation=weather.now
t info  memory_aged facts=1 messages=2
t info  proposal_written id=weather.now
t warn  guard_noticed rule=weather.now verdict=weather.now
t warn  stop_triggered by=weather.now
t info  stopped code=0
"
    );
    assert_eq!(lines, expected);
    let json = line_of(Event::Stopped { code: 3 }, "t", Format::Json);
    assert_eq!(json, "{\"code\":3,\"event\":\"stopped\",\"level\":\"info\",\"time\":\"t\"}\n");
    let left_out = Event::ManifestVerified { serial: 3, skills: 5, left_out: 1 };
    assert_eq!(
        line_of(left_out, "t", Format::Human),
        "t warn  manifest_verified serial=3 skills=5 left_out=1\n"
    );
}

#[test]
fn a_line_for_people_and_one_as_json_say_the_same() {
    let confined = || Event::Confined { role: Name::of("net"), tier: None };
    let time = "2026-01-02T03:04:05.678Z";
    assert_eq!(
        line_of(confined(), time, Format::Human),
        "2026-01-02T03:04:05.678Z info  confined role=net tier=null\n"
    );
    let value: Value = serde_json::from_str(&line_of(confined(), time, Format::Json)).unwrap();
    let expected =
        serde_json::json!({"time": time, "level": "info", "event": "confined", "role": "net", "tier": null});
    assert_eq!(value, expected);
    for event in every() {
        for format in [Format::Human, Format::Json] {
            assert_eq!(line_of(event.clone(), time, format).matches('\n').count(), 1);
        }
    }
}

#[test]
fn what_happens_within_a_turn_and_a_call_lies_in_their_spans() {
    let call = CallId { tool: Name::of("time.now"), conversation: Name::of("c"), number: 7 };
    let told = told(|| {
        let _turn = in_turn(3, Name::of("c"));
        let _call = in_call(&call);
        event(Event::ToolRequested { call });
    });
    let spans = vec![
        ("turn", vec![("turn", Value::from(3)), ("conversation", Value::from("c"))]),
        ("call", vec![("tool", Value::from("time.now")), ("call", Value::from(7))]),
    ];
    assert_eq!(told[0].spans, spans);
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

#[test]
fn the_variable_names_a_level_a_format_or_both() {
    let configured = (Level::Error, Format::Human);
    assert_eq!(wish("", configured), Ok(configured));
    assert_eq!(wish("debug", configured), Ok((Level::Debug, Format::Human)));
    assert_eq!(wish("json", configured), Ok((Level::Info, Format::Json)));
    assert_eq!(wish("json,debug", configured), Ok((Level::Debug, Format::Json)));
    assert_eq!(wish("human", (Level::Debug, Format::Json)), Ok((Level::Debug, Format::Human)));
    assert_eq!(wish("off", (Level::Debug, Format::Json)), Ok((Level::Off, Format::Json)));
    for words in ["JSON", "loud", "json;debug"] {
        assert_eq!(wish(words, configured), Err(UnknownLevel), "{words}");
    }
}

#[test]
fn a_path_with_control_characters_stays_on_its_line() {
    let path = Path::new("/home/a\n\u{1b}[2J\u{202e}b");
    let line = line_of(Event::ConfigLoaded { path, providers: 1 }, "t", Format::Human);
    assert!(line.matches('\n').count() == 1 && !line.contains(['\u{1b}', '\u{202e}']), "{line:?}");
}

use super::*;

fn step(name: &str) -> StepId {
    name.parse().unwrap()
}

fn record(what: Event) -> Record {
    Record { at: "2026-02-07T14:30:00Z".to_owned(), what }
}

fn begun(place: Place) -> State {
    let what = Event::Begun {
        run: "0193".parse().unwrap(),
        workflow: "brief".parse().unwrap(),
        place,
        sha256: Digest::of(b"x"),
        scheduled: false,
    };
    State::first(&record(what)).unwrap()
}

fn done(name: &str, holds: Provenance) -> Event {
    Event::Done { step: step(name), text: "text".to_owned(), holds }
}

#[test]
fn a_finished_step_stays_finished_and_an_ended_run_stays_ended() {
    let mut state = begun(Place::Admin);
    state.take(&record(Event::Started { step: step("a") })).unwrap();
    state.take(&record(done("a", Provenance::NONE))).unwrap();
    for what in [
        Event::Started { step: step("a") },
        done("a", Provenance::NONE),
        Event::Resolved { step: step("a"), again: true, by: "x".to_owned() },
        Event::Answered { step: step("b"), yes: true, by: "x".to_owned() },
        done("b", Provenance::NONE),
    ] {
        assert!(state.clone().take(&record(what.clone())).is_err(), "{what:?}");
    }
    state.take(&record(Event::Ended { how: End::Done })).unwrap();
    assert!(state.take(&record(Event::Started { step: step("b") })).is_err());
    assert_eq!(state.word(), "done");
}

#[test]
fn only_an_approval_that_waits_can_be_answered_and_only_once() {
    let mut state = begun(Place::Admin);
    let answered = |yes| record(Event::Answered { step: step("ask"), yes, by: "user 1".to_owned() });
    assert!(state.take(&answered(true)).is_err());
    state.take(&record(Event::Waits { step: step("ask") })).unwrap();
    assert_eq!(state.word(), "waiting");
    state.take(&answered(false)).unwrap();
    assert_eq!(state.step(&step("ask")), Some(&Progress::No("user 1".to_owned())));
    assert!(state.take(&answered(true)).is_err());
}

#[test]
fn what_a_run_holds_only_grows_and_begins_with_where_the_workflow_lies() {
    assert_eq!(begun(Place::Admin).holds, Provenance::NONE);
    let mut state = begun(Place::Workspace);
    assert_eq!(state.holds, Provenance::BOTH);
    state.take(&record(Event::Started { step: step("a") })).unwrap();
    state.take(&record(done("a", Provenance::NONE))).unwrap();
    assert_eq!(state.holds, Provenance::BOTH);
}

#[test]
fn a_record_survives_its_way_through_the_file() {
    for what in [
        Event::Started { step: step("a") },
        done("a", Provenance::OUTSIDE),
        Event::Failed { step: step("a"), why: "w".to_owned(), denied: true, holds: Provenance::NONE },
        Event::Answered { step: step("a"), yes: false, by: "b".to_owned() },
        Event::Ended { how: End::Refused },
    ] {
        let text = serde_json::to_string(&record(what.clone())).unwrap();
        assert!(!text.contains('\n'));
        assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record(what));
    }
}

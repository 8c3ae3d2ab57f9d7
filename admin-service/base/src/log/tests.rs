use serde_json::json;

use super::*;

fn told(spans: Vec<(&'static str, events::Fields)>) -> Record {
    let fields = vec![
        ("event", json!("proposal_moved")),
        ("proposal", json!("p")),
        ("nothing", Value::Null),
        ("message", json!("dice: accepted")),
    ];
    Record { level: Level::INFO, name: "proposal_moved", fields, spans }
}

#[test]
fn people_read_a_line_and_programs_the_event_with_its_ids_and_spans() {
    let spans = vec![
        ("request", vec![("request", json!("approve"))]),
        ("stage", vec![("stage", json!("new\u{1b}[2J")), ("proposal", json!("another"))]),
    ];
    assert_eq!(line(&told(spans.clone()), "t", false), "cl-admin: dice: accepted\n");
    let value: Value = serde_json::from_str(&line(&told(spans), "t", true)).unwrap();
    let expected = json!({
        "time": "t", "level": "info", "event": "proposal_moved", "text": "dice: accepted",
        "proposal": "p", "request": "approve", "stage": "new\\u{1b}[2J", "spans": ["request", "stage"],
    });
    assert_eq!(value, expected);
    let value: Value = serde_json::from_str(&line(&told(vec![]), "t", true)).unwrap();
    assert!(value.get("spans").is_none() && value.get("nothing").is_none());
}

#[test]
fn a_full_log_is_put_aside_when_it_is_opened_and_only_one_is_kept() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("service.log");
    for round in 1..=3 {
        let mut log = open_service_log(&path).unwrap();
        assert_eq!(log.metadata().unwrap().len(), 0, "round {round}");
        writeln!(log, "round {round}").unwrap();
        log.set_len(MOST - 1).unwrap();
        assert_eq!(open_service_log(&path).unwrap().metadata().unwrap().len(), MOST - 1, "it is not full");
        log.set_len(MOST).unwrap();
    }
    let mut names: Vec<_> = fs::read_dir(place.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["service.log", "service.log.1"]);
    assert!(fs::read(aside(&path)).unwrap().starts_with(b"round 2"));
}

#[test]
fn a_log_that_was_put_aside_in_vain_is_still_known_and_another_file_is_not() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("service.log");
    let log = open_service_log(&path).unwrap();
    let facts = fstat(log.as_fd()).unwrap();
    assert!(is_log(&path, &facts));
    fs::rename(&path, aside(&path)).unwrap();
    assert!(is_log(&path, &facts), "the next try opens a new one");
    fs::rename(aside(&path), place.path().join("mine")).unwrap();
    assert!(!is_log(&path, &facts), "a file of somebody else is left alone");
}

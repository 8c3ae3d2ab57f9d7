use std::path::Path;

use bot_base::paths::Folder;
use serde_json::Value;

use super::*;

fn home(dir: &Path) -> Home {
    Home::new(dir.to_owned(), Some(dir.to_owned()))
}

fn open(dir: &Path) -> Records {
    Records::new(RecordFiles::open(&home(dir), &"anna".parse().unwrap(), None).unwrap())
}

fn written(dir: &Path) -> Vec<Value> {
    let [first, _] = home(dir).net_logs(&"anna".parse().unwrap());
    durable::replay(&first).unwrap().map(|record| record.unwrap().1).collect()
}

const LEAVING: Leaving<'_> =
    Leaving { by: By::Skill, of: "weather", method: "GET", host: "api.example:443", out: 0 };

#[test]
fn an_exchange_is_recorded_before_and_after() {
    let dir = tempfile::tempdir().unwrap();
    let records = open(dir.path());
    let running = records.begin(&LEAVING).unwrap();
    assert_eq!(written(dir.path()).len(), 1, "before anything leaves");
    running.end(Ok((200, 17)));
    let rows = written(dir.path());
    assert_eq!(rows[0]["by"], "skill");
    assert_eq!(rows[0]["of"], "weather");
    assert_eq!(rows[0]["host"], "api.example:443");
    assert_eq!(rows[0]["exchange"], rows[1]["exchange"]);
    assert_eq!((&rows[1]["status"], &rows[1]["in"]), (&Value::from(200), &Value::from(17)));
    assert!(rows[1]["time"].as_str().unwrap().ends_with('Z'), "{rows:?}");
}

#[test]
fn a_failure_and_a_cancel_leave_their_kind_and_not_their_words() {
    let dir = tempfile::tempdir().unwrap();
    let records = open(dir.path());
    records.begin(&LEAVING).unwrap().end(Err(&TransportError::Timeout("https://x/secret".to_owned())));
    drop(records.begin(&LEAVING).unwrap());
    let rows = written(dir.path());
    assert_eq!(
        (&rows[1]["failure"], &rows[3]["failure"]),
        (&Value::from("timeout"), &Value::from("cancelled"))
    );
    assert!(!format!("{rows:?}").contains("secret"));
}

#[test]
fn what_cannot_be_recorded_does_not_happen() {
    let dir = tempfile::tempdir().unwrap();
    let folder = Folder::root(dir.path()).unwrap();
    folder.log("log").unwrap();
    // Descriptors that cannot be written stand for a full disk.
    let part = |name: &str| (folder.file("log").unwrap(), dir.path().join(name));
    let records = Records::new(RecordFiles([part("0"), part("1")]));
    match records.begin(&LEAVING) {
        Err(TransportError::Network(why)) => assert!(why.contains("nothing is sent"), "{why}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn hostile_names_stay_short_and_plain() {
    let dir = tempfile::tempdir().unwrap();
    let records = open(dir.path());
    let (long, escape) = ("x".repeat(9000), "\u{1b}[2J\n");
    let leaving = Leaving { by: By::Skill, of: &long, method: escape, host: &long, out: 1 };
    records.begin(&leaving).unwrap().end(Ok((200, 0)));
    let rows = written(dir.path());
    assert_eq!(rows.len(), 2);
    assert!(rows[0]["host"].as_str().unwrap().len() < 200);
    assert!(!rows[0]["method"].as_str().unwrap().contains('\u{1b}'));
}

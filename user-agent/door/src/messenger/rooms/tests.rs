use serde_json::json;

use super::*;
use crate::messenger::words;

#[test]
fn only_a_line_of_that_one_word_is_a_stop() {
    assert!(["stop", " STOP! ", "Stopp.", "halt"].into_iter().all(is_stop));
    assert!(!["stop the music", "don't stop", "stopwatch", ""].into_iter().any(is_stop));
}

#[test]
fn a_yes_names_its_question() {
    assert_eq!(word("y 3", false), Some((Some(3), true)));
    assert_eq!(word("Nein 12.", true), Some((Some(12), false)));
    assert_eq!(word("ja", true), Some((None, true)));
    // Where nothing is asked, a yes is a line like any other.
    assert_eq!(word("ja", false), None);
    for line in ["y 3 4", "yes please", "y three", "3", "y -1", "no way"] {
        assert_eq!(word(line, true), None, "{line}");
    }
}

#[test]
fn a_question_shows_what_is_asked_and_how_it_is_answered() {
    let facts =
        json!({"question": 9, "tool": "file_write", "risk": "medium", "reason": "it writes", "to": null});
    let said = question(words::of(Some("de")), 4, &facts, "{\"path\":\"a.txt\"}");
    assert_eq!(
        said,
        "Frage 4: Darf ich file_write aufrufen?\nmedium · it writes\n{\"path\":\"a.txt\"}\nAntwort: j 4 oder n 4. Ohne Antwort \
         binnen zehn Minuten gilt es als Nein."
    );
}

/// The rooms of a profile of Anna, their other end, and the folder in which they keep what they keep.
fn rooms() -> (Rooms, std::os::unix::net::UnixStream, tempfile::TempDir) {
    let (ours, theirs) = std::os::unix::net::UnixStream::pair().unwrap();
    let people = vec![Person { id: "@anna:x".to_owned(), may_confirm: false }];
    let parts = |text: &str| vec![text.to_owned()];
    let channel = Channel { name: "test", title: "Test", people, parts, repeats: true, has_commands: true };
    let rooms = Rooms::new(channel, words::of(None), ours.into());
    let place = tempfile::tempdir().unwrap();
    rooms.folder.set(Arc::new(Folder::root(place.path()).unwrap())).unwrap();
    (rooms, theirs, place)
}

#[test]
fn the_file_decides_who_is_heard() {
    let (rooms, _theirs, _place) = rooms();
    let asked = Mutex::new(Vec::new());
    let heard = |one: Asked| asked.lock().unwrap().push(one.ask);
    let long = "$".repeat(LONGEST_ID + 1);
    for (event, sender) in [
        (long.as_str(), "@anna:x"),
        ("$1", "@mallory:x"),
        ("$2", "@anna:x.evil"),
        ("$3", "@anna:x"),
        ("$3", "@anna:x"),
    ] {
        let what = What::Line { text: "hello".to_owned(), quotes: false };
        let (event, room, sender) = (event.to_owned(), "!r:x".to_owned(), sender.to_owned());
        rooms.heard(Heard::Said(Said { event, room, sender, age: 0, what }), &heard);
    }
    let asked = asked.into_inner().unwrap();
    assert!(matches!(asked.as_slice(), [Ask::Chat { asks: false, .. }]), "{asked:?}");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the folder goes while it is used")]
fn what_cannot_be_written_down_is_not_done() {
    let (rooms, _theirs, place) = rooms();
    std::fs::remove_dir_all(place.path()).unwrap();
    let heard = |one: Asked| panic!("{one:?}");
    let what = What::Line { text: "hello".to_owned(), quotes: false };
    let said =
        Said { event: "$1".to_owned(), room: "!r:x".to_owned(), sender: "@anna:x".to_owned(), age: 0, what };
    rooms.heard(Heard::Said(said), &heard);
    assert!(rooms.state().kept.takes("$1"), "it may come again");
}

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

/// The rooms of a profile of Anna, and their other end.
fn unkept() -> (Rooms, std::os::unix::net::UnixStream) {
    let (ours, theirs) = std::os::unix::net::UnixStream::pair().unwrap();
    let people = vec![Person { id: "@anna:x".to_owned(), may_confirm: false }];
    let parts = |text: &str| vec![text.to_owned()];
    let channel = Channel {
        name: "test",
        title: "Test",
        people,
        parts,
        repeats: true,
        has_commands: true,
        drafts: true,
    };
    (Rooms::new(channel, words::of(None), ours.into()), theirs)
}

/// The same with the folder in which they keep what they keep.
fn rooms() -> (Rooms, std::os::unix::net::UnixStream, tempfile::TempDir) {
    let (rooms, theirs) = unkept();
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
    rooms.heard(said("$1", "hello"), &heard);
    assert!(rooms.state().kept.takes("$1"), "it may come again");
}

/// What the other process has been sent since this was asked last.
fn told(theirs: &mut std::os::unix::net::UnixStream) -> Vec<ToMessenger> {
    theirs.set_nonblocking(true).unwrap();
    let (mut received, mut frames) = (Vec::new(), Vec::new());
    let _ = theirs.read_to_end(&mut received);
    while let Some(frame) = decode(&mut received).unwrap() {
        frames.push(frame);
    }
    frames
}

fn said(event: &str, text: &str) -> Heard {
    let what = What::Line { text: text.to_owned(), quotes: false };
    Heard::Said(Said {
        event: event.to_owned(),
        room: "!r:x".to_owned(),
        sender: "@anna:x".to_owned(),
        age: 0,
        what,
    })
}

#[test]
fn one_message_is_on_its_way_at_a_time_and_the_next_start_marks_it() {
    let (rooms, mut theirs, place) = rooms();
    rooms.say_to(&mut rooms.state(), "!r:x", "one");
    rooms.say_to(&mut rooms.state(), "!r:x", "two");
    let frames = told(&mut theirs);
    let [ToMessenger::Send(one)] = frames.as_slice() else { panic!("{frames:?}") };
    assert_eq!(one.text, "one");
    rooms.heard(Heard::Sent { key: "another".to_owned(), refused: None }, &|_| {});
    assert_eq!(told(&mut theirs), []);
    rooms.heard(Heard::Sent { key: one.key.clone(), refused: None }, &|_| {});
    assert!(matches!(told(&mut theirs).as_slice(), [ToMessenger::Send(two)] if two.text == "two"));
    rooms.say_to(&mut rooms.state(), "!r:x", "three");
    // The next start, in the same folder.
    let (again, mut theirs) = unkept();
    again.folder.set(Arc::new(Folder::root(place.path()).unwrap())).unwrap();
    again.lock.set(tempfile::tempfile().unwrap()).unwrap();
    assert!(again.begin());
    let frames = told(&mut theirs);
    let [ToMessenger::Begin { since: None }, ToMessenger::Send(two)] = frames.as_slice() else {
        panic!("{frames:?}")
    };
    assert_eq!(two.text, format!("{}\ntwo", words::of(None).again));
    again.heard(Heard::Sent { key: two.key.clone(), refused: None }, &|_| {});
    assert!(matches!(told(&mut theirs).as_slice(), [ToMessenger::Send(three)] if three.text == "three"));
}

#[test]
fn what_is_not_taken_is_not_confirmed() {
    let (rooms, mut theirs, _place) = rooms();
    let asked = Mutex::new(0);
    let heard = |_: Asked| *asked.lock().unwrap() += 1;
    rooms.heard(said("$1", "hello"), &heard);
    rooms.heard(Heard::Since { since: "5".to_owned() }, &heard);
    let taken = told(&mut theirs);
    assert_eq!(taken.last(), Some(&ToMessenger::Taken));
    assert!(!rooms.leave(), "a line is being answered");
    rooms.heard(said("$2", "hello"), &heard);
    rooms.heard(Heard::Since { since: "6".to_owned() }, &heard);
    assert_eq!(told(&mut theirs), []);
    assert_eq!(rooms.state().kept.since.as_deref(), Some("5"));
    assert_eq!(asked.into_inner().unwrap(), 1);
}

#[test]
fn a_start_waits_until_no_message_is_on_its_way() {
    let (rooms, mut theirs, _place) = rooms();
    rooms.say_to(&mut rooms.state(), "!r:x", "one");
    let frames = told(&mut theirs);
    let [ToMessenger::Send(one)] = frames.as_slice() else { panic!("{frames:?}") };
    assert!(!rooms.leave());
    rooms.heard(Heard::Sent { key: one.key.clone(), refused: None }, &|_| {});
    assert!(rooms.has_left());
}

#[test]
fn a_command_is_a_greeting_or_the_stop() {
    let (rooms, _theirs, _place) = rooms();
    let asked = Mutex::new(Vec::new());
    let heard = |one: Asked| asked.lock().unwrap().push(one.ask);
    for (event, line) in [("$1", "/start"), ("$2", "/start from-a-link"), ("$3", "/stop"), ("$4", "/started")]
    {
        rooms.heard(said(event, line), &heard);
    }
    let greetings = rooms.state().kept.outbox.iter().filter(|one| one.text == words::of(None).hello).count();
    assert_eq!(greetings, 2);
    let asked = asked.into_inner().unwrap();
    assert!(matches!(asked.as_slice(), [Ask::Stop { .. }, Ask::Chat { .. }]), "{asked:?}");
}

/// Rooms in which Anna has said something that is being answered, with the number of the request.
fn answering() -> (Rooms, std::os::unix::net::UnixStream, tempfile::TempDir) {
    let (rooms, mut theirs, place) = rooms();
    rooms.heard(said("$1", "tell me a story"), &|_| {});
    assert_eq!(told(&mut theirs), [ToMessenger::Typing { room: "!r:x".to_owned(), on: true }]);
    (rooms, theirs, place)
}

/// A part of the answer, two seconds after the one before.
fn comes(rooms: &Rooms, part: Part) {
    std::thread::sleep(Duration::from_millis(2_050));
    tells(rooms, part);
}

fn tells(rooms: &Rooms, part: Part) {
    rooms.tell(&Answer::Answered(Answered { id: 1, part }));
}

/// The beginning of an answer that the other process is to show.
fn draft(theirs: &mut std::os::unix::net::UnixStream) -> Outgoing {
    let mut frames = told(theirs);
    match (frames.pop(), frames.is_empty()) {
        (Some(ToMessenger::Draft(draft)), true) => draft,
        (last, _) => panic!("{frames:?} {last:?}"),
    }
}

fn whole() -> Part {
    let (reply, outcome) = (json!("Once upon a time."), json!("answered"));
    Part::Done(json!({"reply": reply, "conversation_id": "c", "seconds": 1.0, "outcome": outcome, "exit": 0}))
}

#[test]
fn an_answer_grows_in_one_message_and_ends_in_it() {
    let (rooms, mut theirs, _place) = answering();
    tells(&rooms, Part::Piece("Once ".to_owned()));
    assert_eq!(told(&mut theirs), []);
    comes(&rooms, Part::Piece("upon ".to_owned()));
    let first = draft(&mut theirs);
    assert_eq!((first.text.as_str(), first.replaces.as_ref(), first.is_private), ("Once upon …", None, true));
    // One at a time, and no other name than that of the server for it.
    comes(&rooms, Part::Piece("a ".to_owned()));
    rooms.heard(
        Heard::Drafted { key: "another".to_owned(), message: Some("9".to_owned()), more: true },
        &|_| {},
    );
    assert_eq!(told(&mut theirs), []);
    rooms.heard(Heard::Drafted { key: first.key, message: Some("7".to_owned()), more: true }, &|_| {});
    tells(&rooms, Part::Piece("time".to_owned()));
    let second = draft(&mut theirs);
    assert_eq!((second.text.as_str(), second.replaces.as_deref()), ("Once upon a time …", Some("7")));
    // The whole one waits until it is known what became of the beginning.
    tells(&rooms, whole());
    assert_eq!(told(&mut theirs), [ToMessenger::Typing { room: "!r:x".to_owned(), on: false }]);
    rooms.heard(Heard::Drafted { key: second.key, message: Some("7".to_owned()), more: true }, &|_| {});
    let frames = told(&mut theirs);
    let [ToMessenger::Send(sent)] = frames.as_slice() else { panic!("{frames:?}") };
    assert_eq!((sent.text.as_str(), sent.replaces.as_deref()), ("Once upon a time.", Some("7")));
    assert!(rooms.state().kept.drafts.is_empty());
}

#[test]
fn a_beginning_that_may_arrive_late_is_not_replaced() {
    let (rooms, mut theirs, _place) = answering();
    tells(&rooms, Part::Piece("Once ".to_owned()));
    comes(&rooms, Part::Piece("upon ".to_owned()));
    let first = draft(&mut theirs);
    tells(&rooms, whole());
    told(&mut theirs);
    let long = Some("9".repeat(LONGEST_ID + 1));
    rooms.heard(Heard::Drafted { key: first.key, message: long, more: true }, &|_| {});
    let frames = told(&mut theirs);
    let [ToMessenger::Send(sent)] = frames.as_slice() else { panic!("{frames:?}") };
    assert_eq!(sent.replaces, None);
}

#[test]
fn a_start_ends_what_was_interrupted_in_its_own_message() {
    let (rooms, mut theirs, place) = answering();
    tells(&rooms, Part::Piece("Once ".to_owned()));
    comes(&rooms, Part::Piece("upon ".to_owned()));
    let first = draft(&mut theirs);
    rooms.heard(Heard::Drafted { key: first.key, message: Some("7".to_owned()), more: true }, &|_| {});
    let (again, mut theirs) = unkept();
    again.folder.set(Arc::new(Folder::root(place.path()).unwrap())).unwrap();
    again.lock.set(tempfile::tempfile().unwrap()).unwrap();
    assert!(again.begin());
    let frames = told(&mut theirs);
    let [ToMessenger::Begin { .. }, ToMessenger::Send(sent)] = frames.as_slice() else {
        panic!("{frames:?}")
    };
    assert_eq!((sent.text.as_str(), sent.replaces.as_deref()), (words::of(None).interrupted, Some("7")));
    assert!(again.state().kept.drafts.is_empty());
}

#[test]
fn an_edit_that_may_have_arrived_is_marked_only_once_it_stands_alone() {
    let (rooms, _theirs) = unkept();
    let mut outgoing =
        Outgoing { replaces: Some("7".to_owned()), ..rooms.message("!r:x", "one".to_owned(), true) };
    outgoing.is_unsure();
    assert_eq!(outgoing.text, "one");
    outgoing.stands_alone();
    assert_eq!(outgoing.text, format!("{}\none", words::of(None).again));
    let mut outgoing =
        Outgoing { replaces: Some("7".to_owned()), ..rooms.message("!r:x", "one".to_owned(), true) };
    outgoing.stands_alone();
    assert_eq!((outgoing.text.as_str(), outgoing.replaces), ("one", None));
}

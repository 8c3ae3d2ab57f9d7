use super::*;

fn outgoing(key: usize) -> Outgoing {
    Outgoing {
        key: key.to_string(),
        room: "!r:x".to_owned(),
        text: "hello".to_owned(),
        is_private: true,
        mark: None,
        replaces: None,
        tried: false,
    }
}

#[test]
fn an_event_is_taken_once_and_the_oldest_are_forgotten() {
    let mut kept = Kept::default();
    assert!(kept.takes("$0") && !kept.takes("$0"));
    for number in 1..=MOST_SEEN {
        assert!(kept.takes(&format!("${number}")));
    }
    assert_eq!(kept.seen.len(), MOST_SEEN);
    assert!(!kept.takes("$1") && kept.takes("$0"));
    kept.open.insert("$5".to_owned(), "!r:x".to_owned());
    kept.gives_back("$5");
    assert!(kept.open.is_empty() && kept.takes("$5"));
}

#[test]
fn a_conversation_goes_on_until_it_rested() {
    let mut kept = Kept::default();
    let first = kept.conversation("@a:x", 0, 100);
    assert_eq!(kept.conversation("@a:x", 100, 100), first);
    assert_eq!(kept.conversation("@a:x", 200, 100), first);
    assert_ne!(kept.conversation("@b:x", 200, 100), first);
    assert_ne!(kept.conversation("@a:x", 301, 100), first);
}

#[test]
fn the_outbox_is_bounded_and_what_is_written_is_read_again() {
    let mut kept = Kept::default();
    (0..=MOST_WAITING).for_each(|key| kept.sends(outgoing(key)));
    assert_eq!(kept.outbox.front(), Some(&outgoing(1)));
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::root(place.path()).unwrap();
    assert!(Kept::read("matrix", &folder).unwrap().since.is_none());
    kept.since = Some("s1".to_owned());
    kept.takes("$1");
    kept.write("matrix", &folder).unwrap();
    let mut read = Kept::read("matrix", &folder).unwrap();
    assert_eq!((read.since.as_deref(), read.outbox.len()), (Some("s1"), MOST_WAITING));
    assert!(!read.takes("$1"));
}

#[test]
fn the_largest_file_is_read_again() {
    let mut kept = Kept { since: Some("\"".repeat(2_048)), ..Kept::default() };
    for number in 0..MOST_SEEN {
        assert!(kept.takes(&format!("{number:\"<255}")));
    }
    for key in 0..MOST_WAITING {
        kept.sends(Outgoing { text: "\"".repeat(16_000), room: "\"".repeat(255), ..outgoing(key) });
    }
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::root(place.path()).unwrap();
    kept.write("matrix", &folder).unwrap();
    assert_eq!(Kept::read("matrix", &folder).unwrap().outbox.len(), MOST_WAITING);
}

#[test]
fn a_damaged_file_is_named_with_the_next_step() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::root(place.path()).unwrap();
    folder.replace_secret("matrix.json", b"{").unwrap();
    let said = Kept::read("matrix", &folder).unwrap_err().to_string();
    assert!(said.contains("matrix.json") && said.contains("move it away"), "{said}");
}

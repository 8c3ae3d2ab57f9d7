use std::fs;

use base::keys;

use super::*;

fn home() -> (tempfile::TempDir, Home) {
    let place = tempfile::tempdir().unwrap();
    let home = Home::new(place.path().to_owned(), None);
    for folder in [home.keys(), home.config()] {
        fs::create_dir_all(folder).unwrap();
    }
    keys::make(&keys::manifest_key(&home), None).unwrap();
    let public = keys::open(&keys::manifest_key(&home)).unwrap().public_key().unwrap();
    fs::write(home.trust(), public).unwrap();
    (place, home)
}

/// Raises the serial by one.
fn change(ledger: &mut Ledger) {
    ledger.append(SkillRecord::Builtins { builtin: vec![] }).unwrap();
}

#[test]
fn a_book_follows_what_others_wrote_and_each_record_once() {
    let (_place, home) = home();
    let mut reader = Ledger::read(&home).unwrap();
    let mut writer = Ledger::open(&home).unwrap();
    for n in 1..=3 {
        change(&mut writer);
        reader.read_on(&home).unwrap();
        reader.read_on(&home).unwrap();
        writer.read_on(&home).unwrap();
        assert_eq!((reader.serial(), writer.serial()), (n, n));
    }
    drop(writer);
    // A writer that opens it continues after the last record.
    let mut writer = reader.open_on(&home).unwrap();
    change(&mut writer);
    assert_eq!((writer.serial(), Ledger::read(&home).unwrap().serial()), (4, 4));
}

#[test]
fn another_journal_is_read_from_its_start() {
    let (_place, home) = home();
    let mut writer = Ledger::open(&home).unwrap();
    change(&mut writer);
    change(&mut writer);
    let mut reader = Ledger::read(&home).unwrap();
    fs::remove_file(home.journal()).unwrap();
    change(&mut Ledger::open(&home).unwrap());
    reader.read_on(&home).unwrap();
    assert_eq!(reader.serial(), 1);
    fs::remove_file(home.journal()).unwrap();
    reader.read_on(&home).unwrap();
    assert_eq!(reader.serial(), 0);
}

#[test]
fn a_head_is_compared_wherever_it_was_published() {
    let (_place, home) = home();
    let mut writer = Ledger::open(&home).unwrap();
    change(&mut writer);
    writer.publish_head(&home).unwrap();
    let mut reader = Ledger::read(&home).unwrap();
    let first = fs::read(home.journal_head()).unwrap();
    change(&mut writer);
    change(&mut writer);
    reader.read_on(&home).unwrap();
    // Of the last record that was read, of the one before, and of records that the journal lost.
    writer.publish_head(&home).unwrap();
    reader.read_on(&home).unwrap();
    fs::write(home.journal_head(), first).unwrap();
    reader.read_on(&home).unwrap();
    assert_eq!(reader.serial(), 3);
    writer.published = None;
    writer.publish_head(&home).unwrap();
    let lines = fs::read_to_string(home.journal()).unwrap();
    fs::write(home.journal(), lines.split_inclusive('\n').take(2).collect::<String>()).unwrap();
    let lost = reader.read_on(&home).unwrap_err();
    assert!(matches!(lost, Error::Journal(Fault::Shorter { records: 2, signed: 3, .. })), "{lost}");
    // Nothing of what could not be compared is kept.
    assert_eq!(reader.serial(), 0);
    assert!(reader.read_on(&home).is_err());
}

//! The admin's journal as the service reads it: a chain of records, and the state that follows from them.

use std::fs::{self, File, OpenOptions};
use std::path::PathBuf;

use base::error::Error;
use base::home::Home;
use durable::RollingChain;
use ledger::Ledger;
use serde_json::Value;

use crate::harness::{Verdict, is_safe_to_show, target};

/// The input is a journal's values, one a line. They are chained as they come, since no mutation would ever find a hash.
#[test]
fn a_journal_is_replayed_up_to_its_first_bad_record_and_no_further() {
    target!(bytes holds);
}

fn holds(bytes: &[u8]) -> Verdict {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let home = Home::new(folder.path().to_owned(), None);
    fs::create_dir_all(home.journal().parent().expect("a journal has a folder")).expect("it can be made");

    // As it stands: hardly ever a chain.
    fs::write(home.journal(), bytes).expect("a file can be written");
    if let Err(error) = Ledger::read(&home) {
        assert!(matches!(error, Error::Integrity(_) | Error::Journal(_)), "{error}");
        is_safe_to_show(&error.to_string());
    }

    let values: Vec<Value> =
        bytes.split(|b| *b == b'\n').map_while(|line| serde_json::from_slice(line).ok()).take(64).collect();
    let all = chained(&home, &values);
    match Ledger::read(&home) {
        Ok(ledger) => {
            let opened = Ledger::open(&home).expect("what can be read opens");
            assert_eq!(opened.tickets().count(), ledger.tickets().count());
            assert_eq!((opened.serial(), opened.active().len()), (ledger.serial(), ledger.active().len()));
            assert!(ledger.tickets().count() + ledger.refused().len() <= all);
            if values.is_empty() { Verdict::Refused } else { Verdict::Taken }
        }
        Err(error) => {
            let said = error.to_string();
            is_safe_to_show(&said);
            // A line that is not part of the chain, or a record that no table of moves lists.
            let after = |word| said.split(word).nth(1)?.split(':').next()?.parse().ok();
            let named = after(": line ").or_else(|| after(": record "));
            let bad: usize = named.unwrap_or_else(|| panic!("it names no line: {said}"));
            assert!((1..=all).contains(&bad), "{said}");
            assert!(Ledger::open(&home).is_err(), "what cannot be read does not open");
            // All before it is good, and it is the first that is not.
            chained(&home, &values[..bad - 1]);
            assert!(Ledger::read(&home).is_ok(), "{said}");
            chained(&home, &values[..bad]);
            assert!(Ledger::read(&home).is_err(), "{said}");
            Verdict::Refused
        }
    }
}

/// Writes a journal of these values; answers how many records it has.
fn chained(home: &Home, values: &[Value]) -> usize {
    let path = home.journal();
    let open = |path: PathBuf| -> (File, PathBuf) {
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path);
        (file.expect("a file can be opened"), path)
    };
    fs::write(&path, b"").expect("a file can be written");
    let mut chain = RollingChain::adopt([open(path.clone()), open(path.with_extension("other"))], u64::MAX);
    values.iter().take_while(|value| chain.append(value).is_ok()).count()
}

//! One line of a memory's export, as `memory import` reads it.

use memory::Record;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_record_that_is_taken_reads_back_the_same() {
    target!(bytes holds);
}

fn holds(line: &[u8]) -> Verdict {
    let parsed = Record::parse(line);
    match &parsed {
        Ok(record) => {
            let written = serde_json::to_vec(record).expect("a record can be written");
            assert_eq!(&Record::parse(&written).expect("and read"), record);
        }
        Err(error) => is_safe_to_show(&shared_types::text::line(&error.to_string())),
    }
    Verdict::of(&parsed)
}

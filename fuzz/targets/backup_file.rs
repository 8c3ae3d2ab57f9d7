//! A whole backup, as `cl-admin restore` reads it before it writes anything.

use backup::Fault;
use backup::reader;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_backup_that_is_taken_has_each_file_that_its_signed_index_names() {
    target!(bytes holds);
}

fn holds(bytes: &[u8]) -> Verdict {
    let mut seen = vec![];
    let read = reader::read::<Fault>(
        bytes,
        |_| Ok(()),
        |file| {
            let mut content = Vec::new();
            file.content.read_to_end(&mut content).map_err(Fault::Read)?;
            seen.push((file.name.clone(), content.len() as u64));
            Ok(())
        },
    );
    match &read {
        Ok(whole) => {
            let listed: Vec<_> =
                whole.index.files.iter().map(|file| (file.name.clone(), file.size)).collect();
            assert_eq!(seen, listed);
        }
        Err(fault) => is_safe_to_show(&fault.to_string()),
    }
    Verdict::of(&read)
}

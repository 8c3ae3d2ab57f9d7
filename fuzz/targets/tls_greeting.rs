//! The first bytes of a connection of a plugin, as the plugin writes them.

use models::http::relay::hello::{Greeting, greeting};

use crate::harness::{Verdict, target};

#[test]
fn a_greeting_reads_the_same_however_its_bytes_arrive() {
    target!(bytes holds);
}

fn holds(bytes: &[u8]) -> Verdict {
    let whole = greeting(bytes);
    // What is known of a beginning is not taken back by what follows.
    for length in (0..bytes.len()).step_by(bytes.len() / 16 + 1) {
        let begun = greeting(&bytes[..length]);
        assert!(
            begun == Greeting::Unfinished || begun == whole,
            "{length} of {}: {begun:?} {whole:?}",
            bytes.len()
        );
    }
    if let Greeting::Named(name) = &whole {
        assert!(name.len() < bytes.len());
    }
    Verdict::of(&if whole == Greeting::Broken { Err(()) } else { Ok(()) })
}

//! The certificate of the door and its key, from the files of the profile to the process that answers.
//!
//! The key is in the memory of two processes alone: of one that looks whether it can be used, and ends; and of the one that becomes
//! the door. The starter, which `mind` is forked from, gets the certificate alone, also where one file holds both.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;

use bot_base::error::{Error, say};
use certificates::{Certificate, Fault, Files, Pair};
use confine::Forked;
use documents::profile_file::Door;
use jiff::Timestamp;
use nix::sys::wait::waitpid;
use nix::unistd::Pid;
use shared_types::home::Home;

use crate::life::handed_over as handed;

/// The most bytes of what the process that looks says: a fault, or a certificate.
const MOST: u64 = 64 * 1024;
/// The first byte of a fault; a certificate begins with the one of a sequence.
const FAULT: u8 = b'!';

/// The files of the door, by their whole paths.
pub fn files(home: &Home, door: &Door) -> Option<Files> {
    let tls = door.tls.as_ref()?;
    Some(Files { certificate: home.root().join(&tls.certificate), key: home.root().join(&tls.key) })
}

/// Looks whether a door can answer with these files, and answers what everybody may know. Another process reads the key.
///
/// # Errors
/// What is wrong with them.
pub fn check(files: &Files) -> Result<Certificate, Error> {
    let failed = |source| Error::System { what: "the key of the door could not be looked at", source };
    match confine::fork_pair().map_err(failed)? {
        Forked::Child { socket } => {
            let said = match Pair::read(files) {
                Ok(pair) => pair.certificate().der().to_vec(),
                Err(fault) => format!("{}{fault}\0{}", char::from(FAULT), fault.next()).into_bytes(),
            };
            // A starter that is gone hears nothing more.
            let _ = File::from(socket).write_all(&said);
            std::process::exit(0)
        }
        Forked::Parent { child, socket } => {
            let mut said = Vec::new();
            File::from(socket).take(MOST).read_to_end(&mut said).map_err(failed)?;
            let _ = waitpid(Pid::from_raw(child), None);
            if let Some(certificate) = Certificate::of_der(&said) {
                return Ok(certificate);
            }
            let fault = said.strip_prefix(&[FAULT]).map(String::from_utf8_lossy);
            let ended = || failed(io::Error::other("the process that looked at it has ended"));
            let (what, hint) = fault.as_deref().and_then(|fault| fault.split_once('\0')).ok_or_else(ended)?;
            Err(Error::Usage { what: what.to_owned(), hint: hint.to_owned() })
        }
    }
}

/// Both files in one that no path leads to, and that outlasts the exec to come.
///
/// # Errors
/// What is wrong with them.
pub fn handed_over(files: &Files) -> Result<OwnedFd, Error> {
    let failed = |source| Error::System { what: "the certificate could not be handed over", source };
    let pair = Pair::read(files).map_err(usage)?;
    handed(&pair.packed()).map_err(failed)
}

/// Says which certificate is shown, and when its end is near.
pub fn announce(certificate: &Certificate) {
    say(&format!("certificate SHA-256 {}", certificate.fingerprint()));
    if let Some(warning) = certificate.warning(Timestamp::now()) {
        say(&format!("warning: {warning}; `cl-admin doctor` says the next step"));
    }
}

fn usage(fault: Fault) -> Error {
    Error::Usage { hint: fault.next(), what: fault.to_string() }
}

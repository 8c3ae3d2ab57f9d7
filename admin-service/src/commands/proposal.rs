//! `cl-admin proposal check`

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde_json::json;
use shared_types::id::Digest;
use shared_types::proposal::Fault;
use shared_types::yaml::MAX_BYTES;

use crate::commands::out::outln;
use crate::error::Error;
use crate::intake::open::Snapshot;
use crate::intake::take::parse;

/// Work with proposal files
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    Check(Args),
}

/// Say whether proposal files would pass intake, and if not, why; nothing is taken in.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// One JSON object a line, a line per file
    #[arg(long)]
    json: bool,
}

/// Checks the files; exit 3 when one would be refused.
///
/// # Errors
/// A file that cannot be read at all.
pub fn run(verb: &Verb) -> Result<u8, Error> {
    let Verb::Check(args) = verb;
    let mut worst = shared_types::exit::DONE;
    for path in &args.files {
        let faults = match check(path)? {
            Ok(name) => {
                if args.json {
                    outln!("{}", json!({"file": path, "valid": true, "name": name, "faults": []}));
                } else {
                    outln!("{}: valid ({name})", path.display());
                }
                continue;
            }
            Err(faults) => faults,
        };
        worst = shared_types::exit::REFUSED;
        if args.json {
            outln!("{}", json!({"file": path, "valid": false, "faults": faults}));
        } else {
            outln!("{}: refused", path.display());
            for fault in &faults {
                outln!("  {fault}");
            }
        }
    }
    Ok(worst)
}

fn check(path: &Path) -> Result<Result<String, Vec<Fault>>, Error> {
    let whole = |message: &str| Ok(Err(vec![Fault::new("", message)]));
    let facts = std::fs::symlink_metadata(path).map_err(Error::io(path))?;
    if !facts.is_file() {
        return whole("is not a regular file");
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|f| f.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes))
        .map_err(Error::io(path))?;
    if bytes.len() > MAX_BYTES {
        return whole(&format!("has more than {MAX_BYTES} bytes"));
    }
    let digest = Digest::of(&bytes);
    let text = match String::from_utf8(bytes) {
        Ok(text) if !text.contains(['\0', '\u{feff}']) => text,
        _ => return whole("is not UTF-8 text without NUL and byte order mark"),
    };
    match parse(&Snapshot { text, digest }, &AtomicBool::new(false)) {
        Ok(Err(faults)) => Ok(Err(faults)),
        Ok(Ok(document)) => {
            let name = document.proposal.name;
            if crate::install::shipped_builtin()?.iter().any(|b| b.name == name) {
                let message = format!("`{name}` is the name of a built-in skill");
                return Ok(Err(vec![Fault::new("proposal.name", message)]));
            }
            Ok(Ok(name.to_string()))
        }
        Err(fault) => Err(Error::Failed(fault.to_string())),
    }
}

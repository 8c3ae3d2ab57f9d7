//! `cl-admin skill import`

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use api::Request;
use base::error::Error;
use base::home::Home;
use pipeline::lifecycle::export::MAX_BYTES;
use service::session::submit;
use shared_types::id::{ApproverId, ProfileId};

use crate::commands::out::outln;

/// A file that holds no exported skill.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{} has more than {MAX_BYTES} bytes: no exported skill is that large", .0.display())]
    TooLarge(PathBuf),
    #[error("{} is not UTF-8 text", .0.display())]
    NotText(PathBuf),
}

/// Propose a skill that `skill export` wrote, here or elsewhere; it is scanned, compiled and reviewed as any other.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file; `-` is stdin
    file: PathBuf,
    /// The profile that asks for it
    #[arg(long, value_name = "PROFILE", default_value = "default")]
    profile: ProfileId,
    /// Who asks
    #[arg(long, value_name = "NAME", default_value = "owner")]
    approver: ApproverId,
}

/// Imports the skill.
///
/// # Errors
/// A file that cannot be read, that is not an exported skill, or whose digests are wrong.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let by = args.approver.clone();
    let mut bytes = Vec::new();
    let most = MAX_BYTES as u64 + 1;
    let read = if args.file.as_os_str() == "-" {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        File::open(&args.file).and_then(|file| file.take(most).read_to_end(&mut bytes))
    };
    read.map_err(Error::io(&args.file))?;
    if bytes.len() > MAX_BYTES {
        return Err(Error::refused(Fault::TooLarge(args.file.clone())));
    }
    let text = String::from_utf8(bytes).map_err(|_| Error::refused(Fault::NotText(args.file.clone())))?;
    outln!("{}", submit(home, Request::ImportSkill { text, profile: args.profile.clone(), by })?);
    Ok(shared_types::exit::DONE)
}

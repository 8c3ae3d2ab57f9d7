//! `cl-admin metrics`

use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use base::error::Error;
use base::home::Home;
use beneath::{Kind, NotOpened};
use nix::sys::stat::{Mode, umask};
use shared_types::exit;

use crate::commands::out;

/// The mode of a file of figures: a program of another user reads the file, which holds nothing but figures.
const FOR_ALL: u32 = 0o644;

/// Why the figures are not written into a file.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("the file of figures needs a name that is text")]
    Nameless,
    #[error("{} is within the home, whose files are not replaced: name a file in a folder elsewhere", .0.display())]
    WithinHome(PathBuf),
    #[error("{} is a link, and it is not followed: name the file to which it leads", .0.display())]
    Link(PathBuf),
    #[error("{} {why}", .path.display())]
    NotAFile { path: PathBuf, why: NotOpened },
}

/// Print figures for Prometheus: what waits, what was decided, the stop, the disk, backups.
///
/// The running service is asked. Without one they are read from the home, which changes nothing. No figure holds a word of a proposal.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// In the format OpenMetrics instead of Prometheus' text format
    #[arg(long)]
    openmetrics: bool,
    /// Replace this file outside of the home, readable for all, instead of printing; a reader never sees a part of it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Prints them, or writes them to a file.
///
/// # Errors
/// A journal that cannot be read, a service that does not answer, or a file that cannot be replaced.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let text = service::session::metrics(home, args.openmetrics)?;
    match &args.out {
        None => out::bytes(text.as_bytes()),
        Some(file) => write(home, file, &text)?,
    }
    Ok(exit::DONE)
}

fn write(home: &Home, file: &Path, text: &str) -> Result<(), Error> {
    let above = file.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| Error::usage(Fault::Nameless))?;
    let folder = backup::place::open_folder(above)?;
    if backup::place::is_within(home, &folder)? {
        return Err(Error::usage(Fault::WithinHome(file.to_owned())));
    }
    match folder.facts_of(name).map(|facts| facts.kind) {
        Ok(Kind::File) | Err(NotOpened::Gone) => {}
        Ok(Kind::Link) => {
            return Err(Error::refused(Fault::Link(file.to_owned())));
        }
        Ok(other) => {
            return Err(Error::usage(Fault::NotAFile {
                path: file.to_owned(),
                why: NotOpened::NotAFile(other),
            }));
        }
        Err(why) => return Err(Error::NotOpened { path: file.to_owned(), why }),
    }
    // Every other file of this program is closed to others.
    umask(Mode::from_bits_truncate(0o022));
    let folder = File::from(OwnedFd::from(folder));
    durable::replace_at(&folder, name, text.as_bytes(), FOR_ALL).map_err(Error::io(file))
}

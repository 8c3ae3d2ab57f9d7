//! `cl-admin edit`

use std::io::Read;
use std::path::{Path, PathBuf};

use shared_types::home::Home;

use crate::commands::out::outln;
use crate::error::Error;
use crate::pipeline::edit::LARGEST;
use crate::review::desk::Desk;

/// Hand in a source of your own for a package that waits for a decision; it takes agent-review again.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its id, the first characters of it, or its name
    id: String,
    /// The file with the source, or `-` for stdin
    #[arg(long, value_name = "FILE")]
    file: PathBuf,
    /// Who edits
    #[arg(long, value_name = "NAME", default_value = "owner")]
    approver: String,
}

/// Hands the source in.
///
/// # Errors
/// A file that is no source, or a proposal that does not wait for a decision.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let source = read(&args.file)?;
    let desk = Desk::new(home, &super::approve::parse_approver(&args.approver)?);
    let package = desk.package(&desk.find(&args.id)?)?;
    outln!("{}", desk.edit(&package, &source)?);
    Ok(shared_types::exit::DONE)
}

/// A source from a file or from stdin.
///
/// # Errors
/// A file that cannot be read, is too large or is no text.
pub fn read(path: &Path) -> Result<String, Error> {
    let mut bytes = vec![];
    let most = LARGEST as u64 + 1;
    if path == Path::new("-") {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes))
    }
    .map_err(Error::io(path))?;
    if bytes.len() > LARGEST {
        return Err(Error::Usage(format!("{} has more than {LARGEST} bytes", path.display())));
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        Error::Usage(format!("{} is no UTF-8 text (byte {at})", path.display()))
    })
}

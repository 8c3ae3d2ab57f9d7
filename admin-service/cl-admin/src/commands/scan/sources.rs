//! What is to be scanned: files, folders, stdin.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The largest source that is looked at, in bytes; the scan's own cap is lower and says so.
const MAX_SOURCE: u64 = 1 << 20;
/// The most files that are taken from folders.
const MAX_FILES: usize = 10_000;

/// One source, or why it cannot be had.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) content: Result<Vec<u8>, Unread>,
}

/// Why a source cannot be had.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unread {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("{}: {source}", folder.display())]
    Folder { folder: PathBuf, source: std::io::Error },
    #[error("is neither a file nor a folder")]
    NotPlain,
    #[error("no .rs file is beneath it")]
    Empty,
    #[error("more than {MAX_FILES} files are beneath it; name fewer")]
    TooMany,
}

/// The sources in the order in which they were named; those of a folder by name. Each is read when its turn comes.
pub(super) fn gather(files: &[PathBuf]) -> impl Iterator<Item = Source> {
    files.iter().flat_map(|path| -> Box<dyn Iterator<Item = Source>> {
        if path.as_os_str() == "-" {
            return Box::new(std::iter::once(Source { name: "-".into(), content: read(std::io::stdin()) }));
        }
        if !path.is_dir() {
            return Box::new(std::iter::once(open(path)));
        }
        let mut found = vec![];
        let fault = |why| Source { name: path.display().to_string(), content: Err(why) };
        match beneath(path, &mut found) {
            Err(why) => Box::new(std::iter::once(fault(why))),
            Ok(()) if found.is_empty() => Box::new(std::iter::once(fault(Unread::Empty))),
            Ok(()) => Box::new(found.into_iter().map(|path| open(&path))),
        }
    })
}

/// Collects the .rs files of a folder and of those within; a link is not followed.
fn beneath(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Unread> {
    let told = |source| Unread::Folder { folder: folder.to_owned(), source };
    let mut entries =
        std::fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(told)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type().map_err(told)?;
        let path = entry.path();
        if kind.is_dir() {
            beneath(&path, found)?;
        } else if kind.is_file() && path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
        if found.len() > MAX_FILES {
            return Err(Unread::TooMany);
        }
    }
    Ok(())
}

fn open(path: &Path) -> Source {
    let content = std::fs::metadata(path).map_err(Unread::Io).and_then(|facts| {
        // A pipe or a device might never end, or never begin.
        if facts.is_file() { read(File::open(path)?) } else { Err(Unread::NotPlain) }
    });
    Source { name: path.display().to_string(), content }
}

fn read(from: impl Read) -> Result<Vec<u8>, Unread> {
    let mut bytes = Vec::new();
    from.take(MAX_SOURCE).read_to_end(&mut bytes)?;
    Ok(bytes)
}

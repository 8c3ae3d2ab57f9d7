//! Reads a container from an untrusted source: regular files alone, with names that belong in a home, within limits; the index must
//! say the same of each.

use std::collections::BTreeMap;
use std::io::{self, Read};

use sha2::{Digest as _, Sha256};
use shared_types::id::Digest;
use shared_types::{signature, text};
use tar::{Archive, Entries, Entry, EntryType};

use crate::fault::Fault;
use crate::index::{HEADER, Header, INDEX, Index, MOST_HEADER, MOST_INDEX, SIGNATURE};
use crate::name::{LONGEST, Name};
use crate::{MOST_FILE, MOST_FILES, MOST_TOTAL};

/// The largest signature, in bytes.
const MOST_SIGNATURE: u64 = 4096;
/// The first line of a signature, which is the one that nothing signs.
const COMMENT: &str = "untrusted comment: signature from rsign secret key";
/// The most zeros behind the end of a container, in bytes: writers fill up their last block.
const MOST_PADDING: u64 = 1 << 20;

/// A file as it comes.
pub struct File<'a> {
    pub name: &'a Name,
    /// Its size in bytes.
    pub size: u64,
    pub mode: u32,
    /// Its content; what is not read is skipped.
    pub content: &'a mut dyn Read,
}

/// What was read of a whole backup.
#[derive(Debug, Clone)]
pub struct Whole {
    pub index: Index,
    /// SHA-256 of the index.
    pub digest: Digest,
}

/// Reads all of a container, hands each file to `take`, and compares all with the signed index.
///
/// What `take` was given counts only when this answers without an error.
///
/// # Errors
/// The first thing that is wrong, or what `take` answers.
pub fn read<E: From<Fault>>(
    input: impl Read,
    mut begin: impl FnMut(&Header) -> Result<(), E>,
    mut take: impl FnMut(File<'_>) -> Result<(), E>,
) -> Result<Whole, E> {
    let mut archive = Archive::new(input);
    let mut walk = Walk { entries: archive.entries().map_err(Fault::Read)?.raw(true) };
    let mut first = walk.next()?.ok_or_else(|| Fault::NotABackup("it is empty".to_owned()))?;
    if first.name != HEADER {
        return Err(Fault::NotABackup(format!("it does not begin with {HEADER}")).into());
    }
    let header = Header::read(&first.small("header", MOST_HEADER)?)?;
    drop(first);
    begin(&header)?;
    let mut seen: BTreeMap<Name, (u64, Digest)> = BTreeMap::new();
    let mut total = 0_u64;
    loop {
        let mut next = walk.next()?.ok_or_else(|| Fault::NotABackup("it has no index".to_owned()))?;
        if next.name == INDEX {
            let bytes = next.small("index", MOST_INDEX)?;
            drop(next);
            let whole = compared(&mut walk, &header, &bytes, seen)?;
            ended(archive.into_inner())?;
            return Ok(whole);
        }
        let name = Name::parse(&next.name).map_err(Fault::Name)?;
        total = total.saturating_add(next.size);
        for (what, most, found) in [
            ("bytes in one file", MOST_FILE, next.size),
            ("bytes", MOST_TOTAL, total),
            ("files", MOST_FILES, seen.len() as u64 + 1),
        ] {
            if found > most {
                return Err(Fault::TooMuch { what, most }.into());
            }
        }
        if seen.contains_key(&name) {
            return Err(Fault::Twice(name.to_string()).into());
        }
        let (size, mode) = (next.size, next.mode);
        let mut hashing = Hashing { inner: &mut next.entry, hash: Sha256::new(), read: 0, failed: None };
        let taken = take(File { name: &name, size, mode, content: &mut hashing });
        // A fault of the container is the cause of what came of it.
        if let Some(kind) = hashing.failed {
            return Err(Fault::Read(kind.into()).into());
        }
        taken?;
        io::copy(&mut hashing, &mut io::sink()).map_err(Fault::Read)?;
        if hashing.read != size {
            return Err(Fault::Read(io::ErrorKind::UnexpectedEof.into()).into());
        }
        let digest = Digest::from(hashing.hash);
        seen.insert(name, (size, digest));
    }
}

/// Reads the signature that follows on the index, and compares.
fn compared<R: Read>(
    walk: &mut Walk<'_, R>,
    header: &Header,
    bytes: &[u8],
    mut seen: BTreeMap<Name, (u64, Digest)>,
) -> Result<Whole, Fault> {
    let mut last = walk.next()?.ok_or_else(|| Fault::NotABackup("its index is not signed".to_owned()))?;
    if last.name != SIGNATURE {
        return Err(Fault::NotABackup("its index is not signed".to_owned()));
    }
    let signed = last.small("signature", MOST_SIGNATURE)?;
    drop(last);
    let signed = String::from_utf8_lossy(&signed);
    if signed.lines().next() != Some(COMMENT) {
        return Err(Fault::NotABackup("its signature is not one of a service".to_owned()));
    }
    signature::verify(&header.trust, &signed, bytes)?;
    let index = Index::read(bytes)?;
    if index.header != *header {
        return Err(Fault::Differs(HEADER.to_owned()));
    }
    for listed in &index.files {
        match seen.remove(&listed.name) {
            None => return Err(Fault::Missing(listed.name.to_string())),
            Some((size, sha256)) if size == listed.size && sha256 == listed.sha256 => {}
            Some(_) => return Err(Fault::Differs(listed.name.to_string())),
        }
    }
    if let Some((name, _)) = seen.pop_first() {
        return Err(Fault::Differs(name.to_string()));
    }
    if let Some(more) = walk.next()? {
        return Err(Fault::NotABackup(format!("`{}` follows on the index", text::cut(&more.name, 80))));
    }
    Ok(Whole { index, digest: Digest::of(bytes) })
}

/// The rest must be the zeros with which a container ends. Reading it shows too that an encrypted one is whole.
fn ended(rest: impl Read) -> Result<(), Fault> {
    let mut rest = rest.take(MOST_PADDING + 1);
    let mut buffer = vec![0; 64 * 1024];
    let mut all = 0;
    loop {
        let read = rest.read(&mut buffer).map_err(Fault::Read)?;
        if read == 0 {
            return Ok(());
        }
        all += read as u64;
        if all > MOST_PADDING || buffer[..read].iter().any(|byte| *byte != 0) {
            return Err(Fault::NotABackup("something follows on its end".to_owned()));
        }
    }
}

/// The entries of a stream of files that a child of ours writes: the same rules, without header and index.
pub(crate) fn stream<E: From<Fault>>(
    input: impl Read,
    mut take: impl FnMut(&str, u64, u32, &mut dyn Read) -> Result<(), E>,
) -> Result<(), E> {
    let mut archive = Archive::new(input);
    let mut walk = Walk { entries: archive.entries().map_err(Fault::Read)?.raw(true) };
    while let Some(mut next) = walk.next()? {
        let name = std::mem::take(&mut next.name);
        take(&name, next.size, next.mode, &mut next.entry)?;
    }
    Ok(())
}

struct Walk<'a, R: Read> {
    entries: Entries<'a, R>,
}

struct Next<'a, R: Read> {
    name: String,
    size: u64,
    mode: u32,
    entry: Entry<'a, R>,
}

impl<'a, R: Read> Walk<'a, R> {
    /// The next regular file; a long name before it is taken along. Anything else is refused.
    fn next(&mut self) -> Result<Option<Next<'a, R>>, Fault> {
        let mut long: Option<Vec<u8>> = None;
        loop {
            let Some(entry) = self.entries.next() else {
                return match long {
                    None => Ok(None),
                    Some(_) => Err(Fault::NotABackup("it ends behind a long name".to_owned())),
                };
            };
            let mut entry = entry.map_err(Fault::Read)?;
            let header = entry.header();
            let size = header.entry_size().map_err(Fault::Read)?;
            let mode = header.mode().map_err(Fault::Read)?;
            let kind = header.entry_type();
            let bytes = long.clone().unwrap_or_else(|| header.path_bytes().into_owned());
            if kind == EntryType::GNULongName && long.is_none() {
                if size > LONGEST as u64 + 1 {
                    return Err(Fault::TooMuch { what: "bytes in a name", most: LONGEST as u64 });
                }
                let mut name = Vec::new();
                entry.read_to_end(&mut name).map_err(Fault::Read)?;
                if name.last() == Some(&0) {
                    name.pop();
                }
                long = Some(name);
                continue;
            }
            let shown = || text::cut(&String::from_utf8_lossy(&bytes), 120);
            if kind != EntryType::Regular {
                return Err(Fault::Kind { kind: word(kind), name: shown() });
            }
            let name = match String::from_utf8(bytes.clone()) {
                Ok(name) => name,
                Err(_) => return Err(Fault::NotABackup(format!("the name `{}` is not text", shown()))),
            };
            return Ok(Some(Next { name, size, mode, entry }));
        }
    }
}

impl<R: Read> Next<'_, R> {
    /// All of a small entry.
    fn small(&mut self, what: &'static str, most: u64) -> Result<Vec<u8>, Fault> {
        if self.size > most {
            return Err(Fault::NotABackup(format!("its {what} has more than {most} bytes")));
        }
        let mut bytes = Vec::new();
        self.entry.read_to_end(&mut bytes).map_err(Fault::Read)?;
        if bytes.len() as u64 == self.size {
            Ok(bytes)
        } else {
            Err(Fault::Read(io::ErrorKind::UnexpectedEof.into()))
        }
    }
}

fn word(kind: EntryType) -> &'static str {
    match kind {
        EntryType::Link => "a hard link",
        EntryType::Symlink => "a symbolic link",
        EntryType::Char | EntryType::Block => "a device",
        EntryType::Directory => "a folder",
        EntryType::Fifo => "a pipe",
        _ => "an entry of another kind",
    }
}

struct Hashing<'a, R> {
    inner: &'a mut R,
    hash: Sha256,
    read: u64,
    failed: Option<io::ErrorKind>,
}

impl<R: Read> Read for Hashing<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.inner.read(buffer) {
            Ok(read) => {
                self.hash.update(&buffer[..read]);
                self.read += read as u64;
                Ok(read)
            }
            Err(error) => {
                self.failed.get_or_insert(error.kind());
                Err(error)
            }
        }
    }
}

#[cfg(test)]
mod tests;

//! Writes the container: a tar file of regular files, each with its digest in the index.

use std::io::{self, Read, Write};

use sha2::{Digest as _, Sha256};
use shared_types::id::Digest;
use tar::{Builder, EntryType, Header as TarHeader};

use crate::index::{HEADER, Header, INDEX, Index, Left, Listed, MOST_INDEX, SIGNATURE};
use crate::name::Name;
use crate::{MOST_FILES, MOST_TOTAL};

/// What an entry of the index has beside its name, in bytes: a digest, a size, and their names.
const LISTED: u64 = 140;

/// A container that is being written.
pub struct Writer<W: Write> {
    tar: Builder<W>,
    index: Index,
    /// What is left out.
    pub left: Left,
    /// The bytes of all files.
    total: u64,
    /// About as many bytes as the index has.
    index_bytes: u64,
}

/// A stream of exactly as many bytes as were promised: what is missing at its end is zeros.
struct Exact<R> {
    inner: R,
    left: u64,
    hash: Sha256,
    is_short: bool,
}

impl<W: Write> Writer<W> {
    /// Begins a container.
    ///
    /// # Errors
    /// What the operating system refuses.
    pub fn begin(output: W, header: Header) -> io::Result<Writer<W>> {
        let mut tar = Builder::new(output);
        let text = serde_json::to_vec_pretty(&header)?;
        entry(&mut tar, HEADER, text.len() as u64, 0o600, text.as_slice())?;
        let index = Index { header, files: vec![], skipped: vec![] };
        Ok(Writer { tar, index, left: Left::default(), total: 0, index_bytes: 0 })
    }

    /// Adds a file of `size` bytes. One that turns out to be shorter is filled with zeros, and named as such.
    ///
    /// # Errors
    /// More than a reader takes, or what the operating system refuses.
    pub fn add(&mut self, name: Name, size: u64, mode: u32, content: impl Read) -> io::Result<()> {
        self.total = self.total.saturating_add(size);
        self.index_bytes += name.as_str().len() as u64 + LISTED;
        let is_too_much = self.index.files.len() as u64 >= MOST_FILES
            || self.total > MOST_TOTAL
            || self.index_bytes > MOST_INDEX;
        if is_too_much {
            return Err(io::Error::other(format!(
                "a backup holds at most {MOST_FILES} files and {MOST_TOTAL} bytes, and no reader takes more"
            )));
        }
        let mut exact = Exact { inner: content, left: size, hash: Sha256::new(), is_short: false };
        entry(&mut self.tar, name.as_str(), size, mode, &mut exact)?;
        if exact.is_short {
            self.left.skip(name.as_str(), "it became shorter while it was read");
        }
        self.index.files.push(Listed { name, size, sha256: Digest::from(exact.hash) });
        Ok(())
    }

    /// What was written so far.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Writes the index and its signature, and ends the container; answers the index, its digest, and what was written to.
    ///
    /// # Errors
    /// What the operating system refuses, or a key that cannot sign.
    pub fn end<E: From<io::Error>>(
        mut self,
        sign: impl FnOnce(&[u8]) -> Result<String, E>,
    ) -> Result<(Index, Digest, W), E> {
        self.index.skipped = self.left.skipped;
        let text = serde_json::to_vec(&self.index).map_err(io::Error::from)?;
        entry(&mut self.tar, INDEX, text.len() as u64, 0o600, text.as_slice())?;
        let signed = sign(&text)?;
        entry(&mut self.tar, SIGNATURE, signed.len() as u64, 0o600, signed.as_bytes())?;
        let output = self.tar.into_inner()?;
        Ok((self.index, Digest::of(&text), output))
    }
}

/// Writes one entry, the same bytes for the same content.
pub(crate) fn entry<W: Write>(
    tar: &mut Builder<W>,
    name: &str,
    size: u64,
    mode: u32,
    content: impl Read,
) -> io::Result<()> {
    let mut header = TarHeader::new_gnu();
    header.set_entry_type(EntryType::Regular);
    header.set_size(size);
    header.set_mode(mode);
    header.set_mtime(0);
    header.set_uid(0);
    header.set_gid(0);
    tar.append_data(&mut header, name, content)
}

impl<R: Read> Read for Exact<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        if most == 0 {
            return Ok(0);
        }
        let mut read = if self.is_short { 0 } else { self.inner.read(&mut buffer[..most])? };
        if read == 0 {
            self.is_short = true;
            read = most.min(8192);
            buffer[..read].fill(0);
        }
        self.hash.update(&buffer[..read]);
        self.left -= read as u64;
        Ok(read)
    }
}

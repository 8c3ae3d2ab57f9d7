//! The archive that the kernel unpacks into its memory at start: cpio in its `newc` format.

use std::io::{self, Write};

const FOLDER: u32 = 0o040_000;
const FILE: u32 = 0o100_000;
const LINK: u32 = 0o120_000;
const CHARACTER_DEVICE: u32 = 0o020_000;

/// An archive that is being written. Everything in it belongs to root; a folder is added before its content.
#[derive(Debug)]
pub(crate) struct Archive<W> {
    out: W,
    entries: u32,
}

impl<W: Write> Archive<W> {
    pub(crate) fn new(out: W) -> Archive<W> {
        Archive { out, entries: 0 }
    }

    pub(crate) fn folder(&mut self, path: &str, mode: u32) -> io::Result<()> {
        self.entry(path, FOLDER | mode, (0, 0), &[])
    }

    pub(crate) fn file(&mut self, path: &str, mode: u32, content: &[u8]) -> io::Result<()> {
        self.entry(path, FILE | mode, (0, 0), content)
    }

    pub(crate) fn link(&mut self, path: &str, target: &str) -> io::Result<()> {
        self.entry(path, LINK | 0o777, (0, 0), target.as_bytes())
    }

    pub(crate) fn device(&mut self, path: &str, mode: u32, major: u32, minor: u32) -> io::Result<()> {
        self.entry(path, CHARACTER_DEVICE | mode, (major, minor), &[])
    }

    /// Writes the end. Another archive may follow: the kernel unpacks one after the other.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.entry("TRAILER!!!", 0, (0, 0), &[])?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn entry(&mut self, path: &str, mode: u32, device: (u32, u32), content: &[u8]) -> io::Result<()> {
        self.entries += 1;
        let size = u32::try_from(content.len()).map_err(|_| {
            io::Error::other(format!("{path} is too large for an archive in the newc format"))
        })?;
        let name_size = u32::try_from(path.len() + 1).map_err(io::Error::other)?;
        // Number, mode, user, group, links, time, size, the device it is on, the device it is, name, checksum.
        let fields = [self.entries, mode, 0, 0, 1, 0, size, 0, 0, device.0, device.1, name_size, 0]
            .map(|field| format!("{field:08X}"));
        let header = format!("070701{}{path}\0", fields.concat());
        self.padded(header.as_bytes())?;
        self.padded(content)
    }

    /// Each part ends at a multiple of four bytes.
    fn padded(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.out.write_all(&[0; 3][..(4 - bytes.len() % 4) % 4])
    }
}

#[cfg(test)]
mod tests;

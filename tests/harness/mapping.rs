//! A file changed through a mapping of its pages, as a program could that keeps away from `write`.

use std::fs::File;
use std::os::fd::AsRawFd as _;
use std::path::Path;

/// A whole file, mapped for writing and shared with everybody who reads it.
#[derive(Debug)]
pub struct Mapping {
    start: *mut u8,
    length: usize,
}

impl Mapping {
    /// Maps a file that is not empty.
    pub fn of(path: &Path) -> Mapping {
        let file = File::options().read(true).write(true).open(path).expect("it can be opened");
        let length = usize::try_from(file.metadata().expect("it has a length").len()).expect("it is short");
        // SAFETY: a new mapping of a file of this length; the value keeps it until it is dropped.
        // JUSTIFICATION: std and nix offer no safe mapping, and the attack is one.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                length,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            )
        };
        assert!(start != libc::MAP_FAILED, "a file can be mapped");
        Mapping { start: start.cast(), length }
    }

    /// Writes one byte.
    pub fn set(&self, at: usize, byte: u8) {
        assert!(at < self.length);
        // SAFETY: within the mapping, which nobody else in this process knows.
        // JUSTIFICATION: as above.
        unsafe { self.start.add(at).write_volatile(byte) };
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping that `of` made, and nothing of it is used any more.
        // JUSTIFICATION: as above.
        unsafe { libc::munmap(self.start.cast(), self.length) };
    }
}

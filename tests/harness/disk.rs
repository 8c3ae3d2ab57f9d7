//! A small disk of its own for a home, which can be filled.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::skip;
use crate::world::World;

/// A mounted disk; unmounted when it is dropped.
#[derive(Debug)]
pub struct Disk(PathBuf);

impl Disk {
    /// Mounts a disk of this many MiB where a home is to be made; `None` where nothing can be mounted, which counts as skipped.
    ///
    /// # Panics
    /// There is a home already.
    pub fn for_home(world: &World, mebibytes: u32) -> Option<Disk> {
        Disk::at(world.home().root(), mebibytes)
    }

    /// A disk at a folder that is made for it.
    pub fn at(root: &Path, mebibytes: u32) -> Option<Disk> {
        fs::create_dir(root).expect("the folder can be made");
        let options = format!("size={mebibytes}m,mode=0750");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(root).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Disk(root.to_owned()));
        }
        skip("nothing can be mounted here");
        None
    }

    /// Where it is mounted.
    pub fn path(&self) -> &Path {
        &self.0
    }

    fn filler(&self) -> PathBuf {
        self.0.join("filler")
    }

    /// Leaves not a byte.
    ///
    /// # Panics
    /// A disk that takes more all the same.
    pub fn fill(&self) {
        let mut file =
            OpenOptions::new().create(true).append(true).open(self.filler()).expect("a file can be made");
        let block = vec![1u8; 1 << 20];
        for size in [1 << 20, 4096, 1] {
            while file.write_all(&block[..size]).is_ok() {}
        }
        let other = fs::write(self.0.join("one-more"), "x");
        assert!(other.is_err(), "the disk is full");
        let _ = fs::remove_file(self.0.join("one-more"));
    }

    /// Takes away what filled it.
    ///
    /// # Panics
    /// It was not filled.
    pub fn make_room(&self) {
        fs::remove_file(self.filler()).expect("it can be removed");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).output();
    }
}

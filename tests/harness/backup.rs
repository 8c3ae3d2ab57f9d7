//! Backups of a test's home: made, taken apart, put together again.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::run::Ran;
use crate::world::World;

/// The passphrase of every backup of the tests.
pub const PASSPHRASE: &str = "correct horse battery";

/// A public key of the tests', and the identity that belongs to it.
pub const RECIPIENT: &str = "age1s3595nfqpkfjstazv8rd6p3yjc2wwwzwu5zgm3f78qh9ew2lte2qxrcz4c";
/// See [`RECIPIENT`].
pub const IDENTITY: &str = "AGE-SECRET-KEY-18HLQLJLF453PR2HXXMLSF92A7YZQSPRXD94VK9YVQJYSXHA2FDEQ74X4YP";
/// An identity that belongs to another key.
pub const OTHER_IDENTITY: &str = "AGE-SECRET-KEY-183HVG92D4P39LCG4SHRQE6H2KYUUJVNKNG6387KW9X6YPL2YRGKQY05NDZ";

impl World {
    /// A file of this text that only its owner reads.
    pub fn secret_file(&self, name: &str, text: &str) -> String {
        let path = self.outside().join(name);
        fs::write(&path, text).expect("it can be written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("its mode can be set");
        path.display().to_string()
    }

    /// Backs the home up, encrypted, into a file beside it.
    pub fn back_up(&self, name: &str, more: &[&str]) -> PathBuf {
        let file = self.outside().join(name);
        let passphrase = self.secret_file("backup-passphrase", PASSPHRASE);
        let place = file.display().to_string();
        self.admin(&[&["backup", &place, "--passphrase-file", &passphrase], more].concat()).done();
        file
    }

    /// Backs the home up as a plain tar file beside it.
    pub fn back_up_plain(&self, name: &str) -> PathBuf {
        let file = self.outside().join(name);
        self.admin(&["backup", &file.display().to_string(), "--plain"]).done();
        file
    }

    /// Restores an encrypted backup into this home.
    pub fn restore(&self, file: &Path, more: &[&str]) -> Ran {
        let passphrase = self.secret_file("backup-passphrase", PASSPHRASE);
        let file = file.display().to_string();
        self.admin(&[&["restore", &file, "--yes", "--passphrase-file", &passphrase], more].concat())
    }

    /// Restores a plain backup into this home.
    pub fn restore_plain(&self, file: &Path, more: &[&str]) -> Ran {
        let file = file.display().to_string();
        self.admin(&[&["restore", &file, "--yes"], more].concat())
    }

    /// Takes everything of the home away but the bot's data, as a broken card does whose data lay on another disk.
    pub fn lose_all_but_data(&self) {
        let root = self.home().root().to_owned();
        for entry in fs::read_dir(&root).expect("a home").flatten() {
            if entry.file_name() != "data" {
                fs::remove_dir_all(entry.path()).expect("it can be removed");
            }
        }
    }

    /// The serial of the manifest.
    pub fn serial(&self) -> u64 {
        let text = fs::read_to_string(self.home().manifest()).expect("a manifest");
        documents::manifest::read(&text).expect("it can be read").serial
    }
}

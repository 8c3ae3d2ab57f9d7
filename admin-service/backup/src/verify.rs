//! Reads a backup whole, and changes nothing.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use base::error::Error;

use crate::fault::Fault;
use crate::index::Header;
use crate::place::{makers, unopened};
use crate::reader::{self, Whole};
use crate::seal::{self, Key};

/// A backup's file.
#[derive(Debug)]
pub struct Opened {
    file: File,
    sealed: bool,
}

impl Opened {
    /// Opens a file. No link of another user on the way is followed: it could lead root to another home's backup, whose memories
    /// a restore would hand to the users of this one.
    ///
    /// # Errors
    /// A file that cannot be read, or such a link.
    pub fn open(path: &Path) -> Result<Opened, Error> {
        let opened = beneath::Opened::open_by(path, &makers()).map_err(|why| unopened(path, why))?;
        let mut file = opened.into_file();
        let sealed = seal::is_sealed(&mut file).map_err(Error::io(path))?;
        Ok(Opened { file, sealed })
    }

    /// Whether it is encrypted.
    pub fn is_sealed(&self) -> bool {
        self.sealed
    }

    /// Whether a passphrase opens it.
    ///
    /// # Errors
    /// A file that cannot be read, or whose beginning is damaged.
    pub fn takes_passphrase(&self) -> Result<bool, Fault> {
        Ok(self.sealed && seal::takes_passphrase(&self.file)?)
    }

    /// A reader from its beginning.
    ///
    /// # Errors
    /// Another key, or none where one is needed.
    pub fn read(&self, key: Option<&Key>) -> Result<Box<dyn Read>, Fault> {
        if self.sealed {
            let key = key.ok_or(Fault::Passphrase)?;
            return Ok(Box::new(seal::open(&self.file, key)?));
        }
        let mut again = self.file.try_clone().map_err(Fault::Read)?;
        io::Seek::seek(&mut again, io::SeekFrom::Start(0)).map_err(Fault::Read)?;
        Ok(Box::new(BufReader::new(again)))
    }

    /// Reads all of it: every digest, and the signature of the index.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn verify(&self, key: Option<&Key>) -> Result<Whole, Fault> {
        reader::read::<Fault>(self.read(key)?, |_: &Header| Ok(()), |_| Ok(()))
    }
}

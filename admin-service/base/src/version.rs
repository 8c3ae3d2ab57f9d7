//! The version that a home carries, in `config/home.yaml`.

use std::fs::File;
use std::io::{ErrorKind, Read};

use documents::home_file::{self, HomeFile};
use documents::yaml;

use crate::error::Error;
use crate::folders::READABLE_FILE;
use crate::home::Home;

/// The file; nothing where the home was made before there was one.
///
/// # Errors
/// A newer version, or a file that cannot be read or understood.
pub fn read(home: &Home) -> Result<Option<HomeFile>, Error> {
    let path = home.config().join(home_file::NAME);
    let mut text = String::new();
    match File::open(&path).and_then(|file| file.take(home_file::MAX_BYTES + 1).read_to_string(&mut text)) {
        Ok(read) if read as u64 > home_file::MAX_BYTES => {
            let why = format!("it has more than {} bytes", home_file::MAX_BYTES);
            Err(home_file::Unusable::Invalid(why).into())
        }
        Ok(_) => Ok(Some(HomeFile::read(Some(&text))?)),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Error::Io { path, source }),
    }
}

/// Refuses a home that a later release made, and one into which a restore has not ended.
///
/// # Errors
/// As [`read`], or such a restore.
pub fn check(home: &Home) -> Result<(), Error> {
    Ok(read(home)?.map_or(Ok(()), |file| file.check())?)
}

/// Writes the file.
///
/// # Errors
/// A failing disk.
pub fn write(home: &Home, file: &HomeFile) -> Result<(), Error> {
    let path = home.config().join(home_file::NAME);
    let text = yaml::to_string(file)?;
    durable::replace(&path, text.as_bytes(), READABLE_FILE).map_err(Error::io(&path))
}

/// Writes the present version, where the home has no file yet.
///
/// # Errors
/// As [`read`] and [`write`].
pub fn write_missing(home: &Home) -> Result<(), Error> {
    match read(home)? {
        Some(_) => Ok(()),
        None => write(home, &HomeFile::current()),
    }
}

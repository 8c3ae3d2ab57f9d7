//! The key that a server of this machine asks for: made once, at random.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use base::error::Error;
use base::home::Home;
use base::keys;
use shared_types::secret::Secret;

/// Its file in `admin/`, and the name of the credential by which systemd hands it to the unit.
const FILE: &str = "model.key";
/// Random bytes.
const LENGTH: usize = 32;
/// The longest file.
const MOST: u64 = 4096;

/// A missing or damaged key.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("the server has no key yet: the home's owner makes it with `cl-admin model connect NAME`")]
    Missing,
    #[error("{} holds no key; remove it and run `cl-admin model connect NAME`", .0.display())]
    NoKey(PathBuf),
}

fn file(home: &Home) -> PathBuf {
    home.admin().join(FILE)
}

/// The key: from the credential of the unit, or from the home.
pub(super) fn read(home: &Home) -> Result<Secret, Error> {
    let credential = std::env::var_os("CREDENTIALS_DIRECTORY").map(|folder| Path::new(&folder).join(FILE));
    if let Some(path) = credential.filter(|path| path.is_file()) {
        return of(&path);
    }
    let path = file(home);
    match keys::from_file(&path) {
        Ok(key) => fitting(key, &path),
        Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            Err(Error::failed(Fault::Missing))
        }
        Err(error) => Err(error),
    }
}

/// The credential of a unit: who may read it is systemd's business.
fn of(path: &Path) -> Result<Secret, Error> {
    let mut text = String::with_capacity(256);
    let opened = File::open(path).and_then(|file| file.take(MOST).read_to_string(&mut text));
    opened.map_err(Error::io(path))?;
    fitting(Secret::new(text.trim().to_owned()), path)
}

fn fitting(key: Secret, path: &Path) -> Result<Secret, Error> {
    let fits = key.expose().len() >= LENGTH && key.expose().bytes().all(|b| b.is_ascii_alphanumeric());
    if fits { Ok(key) } else { Err(Error::failed(Fault::NoKey(path.to_owned()))) }
}

/// The key, which is made if it does not exist.
pub(super) fn make(home: &Home) -> Result<Secret, Error> {
    let path = file(home);
    if path.exists() {
        return read(home);
    }
    let source = Path::new("/dev/urandom");
    let mut bytes = [0; LENGTH];
    File::open(source).and_then(|mut file| file.read_exact(&mut bytes)).map_err(Error::io(source))?;
    let key: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    durable::create_new(&path, key.as_bytes(), 0o600).map_err(Error::io(&path))?;
    Ok(Secret::new(key))
}

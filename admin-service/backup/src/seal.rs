//! Encryption by age, with a passphrase or for public keys: what is written here the `age` program opens too.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::iter;

use age::secrecy::SecretString;
use age::stream::StreamWriter;
use age::{DecryptError, Decryptor, Encryptor, IdentityFile, scrypt};
use shared_types::secret::Secret;

use crate::fault::Fault;

/// The work of trying one passphrase: 64 MiB of memory, which a machine with 512 MB has.
const WORK: u8 = 16;
/// The most work that a backup may ask for: 256 MiB, what the `age` program itself uses.
const MOST_WORK: u8 = 18;
/// How every encrypted backup begins.
const MAGIC: &[u8] = b"age-encryption.org/v1\n";

/// A public key, `age1...`. It encrypts a backup and cannot decrypt it.
pub use age::x25519::Recipient;

/// How a backup is encrypted.
#[derive(Default)]
pub enum Seal {
    /// Not at all.
    #[default]
    Plain,
    /// With a passphrase.
    Passphrase(Secret),
    /// For public keys; one of the identities that belong to them opens it.
    Recipients(Vec<Recipient>),
}

/// What opens an encrypted backup.
pub enum Key {
    Passphrase(Secret),
    /// The identities of a file, `AGE-SECRET-KEY-1...`.
    Identities(Vec<Box<dyn age::Identity + Send + Sync>>),
}

impl Seal {
    /// Whether nobody can read the backup without a key.
    pub fn is_encrypted(&self) -> bool {
        !matches!(self, Seal::Plain)
    }

    fn encryptor(&self) -> io::Result<Option<Encryptor>> {
        let begun = match self {
            Seal::Plain => return Ok(None),
            Seal::Passphrase(passphrase) => {
                let mut recipient = scrypt::Recipient::new(SecretString::from(passphrase.expose()));
                recipient.set_work_factor(WORK);
                Encryptor::with_recipients(iter::once(&recipient as &dyn age::Recipient))
            }
            Seal::Recipients(all) => {
                Encryptor::with_recipients(all.iter().map(|one| one as &dyn age::Recipient))
            }
        };
        begun.map(Some).map_err(io::Error::other)
    }
}

impl Key {
    /// Reads the text of an identity file, as `age-keygen` makes it.
    ///
    /// # Errors
    /// A text without an identity.
    pub fn identities(text: &Secret) -> Result<Key, Fault> {
        let file = IdentityFile::from_buffer(text.expose().as_bytes()).map_err(|_| Fault::NoIdentity)?;
        match file.into_identities() {
            Ok(identities) if !identities.is_empty() => Ok(Key::Identities(identities)),
            _ => Err(Fault::NoIdentity),
        }
    }
}

/// What is written to: encrypted or plain.
pub enum Output<W: Write> {
    /// As it is.
    Plain(W),
    /// Encrypted.
    Sealed(Box<StreamWriter<W>>),
}

impl<W: Write> Output<W> {
    /// Begins to write; unless the seal is plain everything is encrypted.
    ///
    /// # Errors
    /// What the operating system refuses.
    pub fn begin(output: W, seal: &Seal) -> io::Result<Output<W>> {
        Ok(match seal.encryptor()? {
            None => Output::Plain(output),
            Some(encryptor) => Output::Sealed(Box::new(encryptor.wrap_output(output)?)),
        })
    }

    /// Writes what is left; answers what was written to.
    ///
    /// # Errors
    /// What the operating system refuses.
    pub fn end(self) -> io::Result<W> {
        match self {
            Output::Plain(output) => Ok(output),
            Output::Sealed(writer) => writer.finish(),
        }
    }
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Plain(output) => output.write(bytes),
            Output::Sealed(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Plain(output) => output.flush(),
            Output::Sealed(writer) => writer.flush(),
        }
    }
}

/// Whether a file is encrypted; it is read again from its beginning afterwards.
///
/// # Errors
/// A file that cannot be read.
pub fn is_sealed(file: &mut File) -> io::Result<bool> {
    let mut start = Vec::new();
    Read::by_ref(file).take(MAGIC.len() as u64).read_to_end(&mut start)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(start == MAGIC)
}

/// Whether a passphrase opens an encrypted file; else it was encrypted for public keys.
///
/// # Errors
/// A file that cannot be read, or whose beginning is damaged.
pub fn takes_passphrase(file: &File) -> Result<bool, Fault> {
    Ok(begin(file)?.is_scrypt())
}

/// Opens an encrypted file.
///
/// # Errors
/// Another passphrase or identity, or one where the other is needed.
pub fn open(file: &File, key: &Key) -> Result<impl Read + use<>, Fault> {
    let decryptor = begin(file)?;
    match (key, decryptor.is_scrypt()) {
        (Key::Passphrase(passphrase), true) => {
            let mut identity = scrypt::Identity::new(SecretString::from(passphrase.expose()));
            identity.set_max_work_factor(MOST_WORK);
            decryptor.decrypt(iter::once(&identity as &dyn age::Identity)).map_err(fault)
        }
        (Key::Identities(all), false) => {
            decryptor.decrypt(all.iter().map(|one| &**one as &dyn age::Identity)).map_err(fault)
        }
        (Key::Passphrase(_), false) => Err(Fault::WantsIdentity),
        (Key::Identities(_), true) => Err(Fault::WantsPassphrase),
    }
}

fn begin(file: &File) -> Result<Decryptor<BufReader<File>>, Fault> {
    let mut again = file.try_clone().map_err(Fault::Read)?;
    again.seek(SeekFrom::Start(0)).map_err(Fault::Read)?;
    Decryptor::new_buffered(BufReader::new(again)).map_err(fault)
}

fn fault(error: DecryptError) -> Fault {
    match error {
        DecryptError::DecryptionFailed | DecryptError::KeyDecryptionFailed | DecryptError::InvalidMac => {
            Fault::Passphrase
        }
        DecryptError::NoMatchingKeys => Fault::Identity,
        DecryptError::Io(source) => Fault::Read(source),
        other => Fault::Sealed(shared_types::text::cut(&other.to_string(), 200)),
    }
}

#[cfg(test)]
mod tests;

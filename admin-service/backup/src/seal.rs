//! Encryption with a passphrase, by age: what is written here the `age` program opens too.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::iter;

use age::scrypt::{Identity, Recipient};
use age::secrecy::SecretString;
use age::stream::StreamWriter;
use age::{DecryptError, Decryptor, Encryptor};
use shared_types::secret::Secret;

use crate::fault::Fault;

/// The work of trying one passphrase: 64 MiB of memory, which a machine with 512 MB has.
const WORK: u8 = 16;
/// The most work that a backup may ask for: 256 MiB, what the `age` program itself uses.
const MOST_WORK: u8 = 18;
/// How every encrypted backup begins.
const MAGIC: &[u8] = b"age-encryption.org/v1\n";

/// What is written to: encrypted or plain.
pub enum Output<W: Write> {
    /// As it is.
    Plain(W),
    /// Encrypted.
    Sealed(Box<StreamWriter<W>>),
}

impl<W: Write> Output<W> {
    /// Begins to write; with a passphrase everything is encrypted.
    ///
    /// # Errors
    /// Whatever the operating system refuses.
    pub fn begin(output: W, passphrase: Option<&Secret>) -> io::Result<Output<W>> {
        let Some(passphrase) = passphrase else { return Ok(Output::Plain(output)) };
        let mut recipient = Recipient::new(SecretString::from(passphrase.expose()));
        recipient.set_work_factor(WORK);
        let recipients = iter::once(&recipient as &dyn age::Recipient);
        let encryptor = Encryptor::with_recipients(recipients).map_err(io::Error::other)?;
        Ok(Output::Sealed(Box::new(encryptor.wrap_output(output)?)))
    }

    /// Writes what is left; answers what was written to.
    ///
    /// # Errors
    /// Whatever the operating system refuses.
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

/// Opens an encrypted file.
///
/// # Errors
/// Another passphrase, or not a file that a passphrase opens.
pub fn open(file: &File, passphrase: &Secret) -> Result<impl Read + use<>, Fault> {
    let mut again = file.try_clone().map_err(Fault::Read)?;
    again.seek(SeekFrom::Start(0)).map_err(Fault::Read)?;
    let fault = |error: DecryptError| match error {
        DecryptError::DecryptionFailed | DecryptError::KeyDecryptionFailed | DecryptError::InvalidMac => {
            Fault::Passphrase
        }
        DecryptError::Io(source) => Fault::Read(source),
        other => Fault::Sealed(shared_types::text::cut(&other.to_string(), 200)),
    };
    let decryptor = Decryptor::new_buffered(BufReader::new(again)).map_err(fault)?;
    let mut identity = Identity::new(SecretString::from(passphrase.expose()));
    identity.set_max_work_factor(MOST_WORK);
    decryptor.decrypt(iter::once(&identity as &dyn age::Identity)).map_err(fault)
}

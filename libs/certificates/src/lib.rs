//! The certificate of a server and its key: read, held against each other, and shown.
//!
//! - [`Certificate`]: what everybody may know of it: its fingerprint, and until when it is valid
//! - [`Pair`]: the certificate with its key, and how it crosses from one process to another
//! - [`Fault`]: why a pair cannot be used, with the next step
#![forbid(unsafe_code)]

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use shared_types::id::Digest;
use zeroize::Zeroizing;

mod der;

/// The most bytes of a file.
const LARGEST: u64 = 64 * 1024;
/// What the mode of a key must not have: others, and a group that writes.
const TOO_OPEN: u32 = 0o027;
/// How long before its end a certificate is warned of.
const SOON: SignedDuration = SignedDuration::from_hours(30 * 24);
/// A file that is opened must not keep this process waiting, as a pipe would.
const O_NONBLOCK: i32 = 0o4000;

/// Why a certificate and a key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The system refuses.
    #[error("{file}: {why}", file = file.display(), why = durable::words(source))]
    Unread {
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Something else than a regular file, or one with more than is read.
    #[error("{file} is not a regular file of at most 64 KiB", file = .0.display())]
    NotAFile(PathBuf),
    /// A key that others can read or change.
    #[error("{file} has mode {mode:04o}: other users can use this key", file = file.display())]
    TooOpen { file: PathBuf, mode: u32 },
    /// Not a certificate.
    #[error("{file} holds no certificate in PEM that can be read", file = .0.display())]
    NoCertificate(PathBuf),
    /// Not a key.
    #[error("{file} holds no private key in PEM that is without a passphrase", file = .0.display())]
    NoKey(PathBuf),
    /// The key belongs to another certificate, or is of a kind that TLS does not use.
    #[error("the key {key} does not fit the certificate {certificate}: {why}", key = key.display(), certificate = certificate.display())]
    Misfit {
        /// The certificate's file.
        certificate: PathBuf,
        /// The key's file.
        key: PathBuf,
        /// What the library for TLS says.
        why: rustls::Error,
    },
}

impl Fault {
    /// The next step.
    pub fn next(&self) -> String {
        match self {
            Fault::Unread { .. } | Fault::NotAFile(_) => {
                "name the files anew by `cl-admin door listen ADDRESS --tls-certificate FILE --tls-key FILE`, give the user who \
                 starts the door the right to read them, or have a pair made by `--tls-made`"
                    .to_owned()
            }
            Fault::TooOpen { file, .. } => {
                format!("`chmod o=,g-w {}` keeps it to its owner and its group", file.display())
            }
            Fault::NoCertificate(_) => {
                "a certificate begins with the line -----BEGIN CERTIFICATE-----, and those that sign it come after it"
                    .to_owned()
            }
            Fault::NoKey(_) => "a key begins with the line -----BEGIN PRIVATE KEY-----; one with a passphrase cannot be used"
                .to_owned(),
            Fault::Misfit { .. } => {
                "name the two files of one pair; the server's own certificate comes first in its file".to_owned()
            }
        }
    }
}

/// Where a certificate and its key are: in two files, or both in one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// The certificate, and after it those that sign it, in PEM.
    pub certificate: PathBuf,
    /// The key, in PEM.
    pub key: PathBuf,
}

/// A certificate, without its key.
#[derive(Debug, Clone)]
pub struct Certificate {
    chain: Vec<CertificateDer<'static>>,
    ends: Timestamp,
}

/// Whether a certificate is valid for some time yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Term {
    /// For more than 30 days.
    Long,
    /// For this number of days.
    Soon(i64),
    /// No more.
    Over,
}

impl Certificate {
    /// Reads the first certificate of a file, and those that sign it.
    ///
    /// # Errors
    /// A file that cannot be read, or that holds no certificate.
    pub fn read(file: &Path) -> Result<Certificate, Fault> {
        let (text, _) = read(file)?;
        Certificate::parse(&text).ok_or_else(|| Fault::NoCertificate(file.to_owned()))
    }

    fn parse(pem: &[u8]) -> Option<Certificate> {
        let chain = CertificateDer::pem_slice_iter(pem).collect::<Result<Vec<_>, _>>().ok()?;
        let ends = der::ends(chain.first()?)?;
        Some(Certificate { chain, ends })
    }

    /// The certificate that [`Certificate::der`] made bytes of, without those that sign it; nothing where they are not one.
    pub fn of_der(bytes: &[u8]) -> Option<Certificate> {
        let ends = der::ends(bytes)?;
        Some(Certificate { chain: vec![CertificateDer::from(bytes.to_vec())], ends })
    }

    /// The server's own certificate as it crosses the network.
    pub fn der(&self) -> &[u8] {
        &self.chain[0]
    }

    /// The SHA-256 of the certificate as it crosses the network.
    pub fn digest(&self) -> Digest {
        Digest::of(self.der())
    }

    /// The same as browsers show it: pairs of hexadecimal digits, upper case, with colons.
    pub fn fingerprint(&self) -> String {
        let pairs: Vec<String> = self.digest().bytes().iter().map(|byte| format!("{byte:02X}")).collect();
        pairs.join(":")
    }

    /// For how long it is valid yet.
    pub fn term(&self, now: Timestamp) -> Term {
        let left = self.ends.duration_since(now);
        match left {
            left if left.is_negative() => Term::Over,
            left if left < SOON => Term::Soon(left.as_hours() / 24),
            _ => Term::Long,
        }
    }

    /// The day of its end, in UTC, as in 2027-01-31.
    pub fn last_day(&self) -> String {
        self.ends.to_zoned(TimeZone::UTC).date().to_string()
    }

    /// What is to be said about its end, from 30 days before on.
    pub fn warning(&self, now: Timestamp) -> Option<String> {
        let day = self.last_day();
        match self.term(now) {
            Term::Long => None,
            Term::Soon(days) => Some(format!("the certificate ends on {day}, in {days} days")),
            Term::Over => Some(format!("the certificate ended on {day}: clients refuse it, or ask")),
        }
    }
}

/// A certificate with its key. The key is wiped with the value.
pub struct Pair {
    certificate: Certificate,
    text: Zeroizing<Vec<u8>>,
    key: Zeroizing<Vec<u8>>,
}

impl Pair {
    /// Reads both files, or the one that holds both, and holds key and certificate against each other.
    ///
    /// # Errors
    /// A file that cannot be read, a key that other users can read, or two that do not belong together.
    pub fn read(files: &Files) -> Result<Pair, Fault> {
        let (key, mode) = read(&files.key)?;
        // One file is read once: another one may take its place at any moment.
        let text = if files.certificate == files.key { key.clone() } else { read(&files.certificate)?.0 };
        if mode & TOO_OPEN != 0 {
            return Err(Fault::TooOpen { file: files.key.clone(), mode });
        }
        let certificate =
            Certificate::parse(&text).ok_or_else(|| Fault::NoCertificate(files.certificate.clone()))?;
        let pair = Pair { certificate, text, key };
        let private =
            PrivateKeyDer::from_pem_slice(&pair.key).map_err(|_| Fault::NoKey(files.key.clone()))?;
        let misfit =
            |why| Fault::Misfit { certificate: files.certificate.clone(), key: files.key.clone(), why };
        config(pair.certificate.chain.clone(), private).map_err(misfit)?;
        Ok(pair)
    }

    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// Both as bytes for another process.
    pub fn packed(&self) -> Zeroizing<Vec<u8>> {
        let length = u32::try_from(self.text.len()).expect("a file has at most 64 KiB");
        Zeroizing::new([&length.to_be_bytes(), self.text.as_slice(), &self.key].concat())
    }
}

/// How a server answers by TLS with the pair that [`Pair::packed`] made bytes of; nothing where they are not one.
pub fn unpacked(bytes: &[u8]) -> Option<Arc<ServerConfig>> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (text, key) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
    let certificate = Certificate::parse(text)?;
    let key = PrivateKeyDer::from_pem_slice(key).ok()?;
    config(certificate.chain, key).ok().map(Arc::new)
}

fn config(
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
) -> Result<ServerConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let mut config = builder.with_no_client_auth().with_single_cert(chain, key)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

/// The content of a file, and its mode.
fn read(file: &Path) -> Result<(Zeroizing<Vec<u8>>, u32), Fault> {
    let unread = |source| Fault::Unread { file: file.to_owned(), source };
    let opened: File = OpenOptions::new().read(true).custom_flags(O_NONBLOCK).open(file).map_err(unread)?;
    let facts = opened.metadata().map_err(unread)?;
    if !facts.is_file() || facts.len() > LARGEST {
        return Err(Fault::NotAFile(file.to_owned()));
    }
    // With room for all of it, no copy is left behind by a buffer that grew.
    let mut text = Zeroizing::new(Vec::with_capacity(LARGEST as usize + 1));
    opened.take(LARGEST).read_to_end(&mut text).map_err(unread)?;
    Ok((text, facts.mode() & 0o7777))
}

#[cfg(test)]
mod tests;

//! Checksums, the index of releases, and the signatures over both.

use std::fs;
use std::path::{Path, PathBuf};

use base::keys::{self, Signer};
use documents::releases::{self, File, Index};
use sha2::{Digest, Sha256};

use crate::error::Fault;
use crate::plan::{self, Processor};

/// The file with the checksums of all others.
pub(crate) const SUMS: &str = "SHA256SUMS";

/// Opens the release key.
pub(crate) fn signer(key: Option<&Path>, passphrase: Option<&Path>) -> Result<Signer, Fault> {
    let key = key.ok_or(Fault::NoKey)?;
    let signer = match passphrase {
        Some(file) => keys::unlock(key, &keys::from_file(file)?)?,
        None => keys::open(key)?,
    };
    Ok(signer)
}

/// Writes the checksums of these files.
pub(crate) fn sums(files: &[PathBuf], out: &Path) -> Result<PathBuf, Fault> {
    let mut text = String::new();
    for path in files {
        text.push_str(&format!("{}  {}\n", sha256(path)?, name(path)));
    }
    let path = out.join(SUMS);
    fs::write(&path, text).map_err(Fault::io(&path))?;
    Ok(path)
}

/// Writes the index that `cl-admin update --check` reads.
pub(crate) fn index(files: &[PathBuf], serial: u64, out: &Path) -> Result<PathBuf, Fault> {
    let mut listed = Vec::new();
    for path in files {
        let facts = fs::metadata(path).map_err(Fault::io(path))?;
        let name = name(path);
        let architecture = Processor::ALL.into_iter().find(|processor| {
            name.contains(&format!("_{processor}.")) || name.contains(&format!("-{}", processor.rust_name()))
        });
        listed.push(File {
            architecture: architecture.map(|processor| processor.rust_name().to_owned()),
            bytes: facts.len(),
            sha256: sha256(path)?,
            name,
        });
    }
    let version = plan::VERSION.parse().expect("Cargo checks the version of a package");
    let index = Index::new(serial, jiff::Timestamp::now(), version, listed);
    let path = out.join(releases::FILE);
    let text = index.to_text().map_err(|why| Fault::content(&path, why))?;
    fs::write(&path, text).map_err(Fault::io(&path))?;
    Ok(path)
}

/// Signs a file; the signature is put beside it.
pub(crate) fn sign(signer: &Signer, path: &Path) -> Result<PathBuf, Fault> {
    let signature = signer.sign(&fs::read(path).map_err(Fault::io(path))?)?;
    let beside = path.with_file_name(format!("{}.minisig", name(path)));
    fs::write(&beside, signature).map_err(Fault::io(&beside))?;
    Ok(beside)
}

fn sha256(path: &Path) -> Result<String, Fault> {
    let digest = Sha256::digest(fs::read(path).map_err(Fault::io(path))?);
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

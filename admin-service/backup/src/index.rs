//! What a backup says of itself: the header, which comes first, and the index of its files, which comes last.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared_types::id::{Digest, ProfileId};

use crate::fault::Fault;
use crate::name::Name;

/// The format of a backup that this release writes, and the newest that it reads.
pub const FORMAT: u32 = 1;
/// The name of the header's entry.
pub const HEADER: &str = "backup.json";
/// The name of the index' entry.
pub const INDEX: &str = "index.json";
/// The name of the signature's entry.
pub const SIGNATURE: &str = "index.json.sig";
/// The largest header, in bytes.
pub const MOST_HEADER: u64 = 1 << 20;
/// The largest index, in bytes.
pub const MOST_INDEX: u64 = 64 << 20;
/// The most files that are named as left out.
const MOST_LEFT: usize = 10_000;

/// What comes first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The format of the backup.
    pub format: u32,
    /// The version of the home.
    pub home: u32,
    /// The version of the program that made it.
    pub program: String,
    /// When it was begun, in RFC 3339.
    pub made_at: String,
    /// Whether keys, secrets, logins and PINs are in it.
    pub with_keys: bool,
    /// The public key of the home's service.
    pub trust: String,
    /// The serial of the manifest that follows from the journal.
    pub serial: u64,
    /// The learned skills and plugins that were active.
    pub active: Vec<String>,
    pub approvers: Vec<String>,
}

/// What comes last: the header again, and every file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Index {
    /// The header, word for word.
    pub header: Header,
    /// Every file, in the order in which they come.
    pub files: Vec<Listed>,
    /// What was not taken along, with the reason.
    pub skipped: Vec<Skipped>,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    pub name: Name,
    /// Its size in bytes.
    pub size: u64,
    /// SHA-256 of its content.
    pub sha256: Digest,
}

/// Something that was not taken along.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skipped {
    /// Its name, safe to show.
    pub name: String,
    pub why: String,
}

impl Skipped {
    /// Names something that is not taken along; both texts are cut to what an index holds.
    pub fn new(name: &str, why: &str) -> Skipped {
        Skipped { name: shared_types::text::cut(name, 200), why: shared_types::text::cut(why, 200) }
    }

    /// Whether it is a profile's memory, or a file in one.
    fn is_of_a_memory(&self) -> bool {
        let parts: Vec<&str> = self.name.trim_end_matches('/').split('/').collect();
        matches!(parts[..], ["data", "profiles", _, "memory", ..])
    }
}

/// What a backup leaves out, noted while it is made.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Left {
    /// All of it, as far as it is named.
    pub skipped: Vec<Skipped>,
    /// What keeps the backup from being whole, and why: the first file that could not be read, that is of a memory, or that is one
    /// too many to be named.
    pub lacks: Option<Skipped>,
}

impl Left {
    /// Notes a file that has no place in a backup.
    pub fn skip(&mut self, name: &str, why: &str) {
        let one = Skipped::new(name, why);
        if self.skipped.len() >= MOST_LEFT {
            let why = format!("more than {MOST_LEFT} files are left out, and no more are named");
            self.lacks.get_or_insert(Skipped { why, ..one });
            return;
        }
        if one.is_of_a_memory() {
            self.lacks.get_or_insert_with(|| one.clone());
        }
        self.skipped.push(one);
    }

    /// Notes a file or folder that could not be read, or not to its end.
    pub fn unread(&mut self, name: &str, why: &str) {
        self.lacks.get_or_insert_with(|| Skipped::new(name, why));
        self.skip(name, why);
    }

    /// Takes over what another process noted.
    pub fn take(&mut self, other: Left) {
        other.skipped.iter().for_each(|one| self.skip(&one.name, &one.why));
        if let Some(Skipped { name, why }) = other.lacks {
            self.lacks.get_or_insert_with(|| Skipped::new(&name, &why));
        }
    }
}

impl Header {
    /// Reads a header; a newer format is refused before anything else is looked at.
    ///
    /// # Errors
    /// A newer format, or not a header.
    pub fn read(bytes: &[u8]) -> Result<Header, Fault> {
        let value: Value = serde_json::from_slice(bytes).map_err(not_one)?;
        known(&value)?;
        serde_json::from_value(value).map_err(not_one)
    }
}

impl Index {
    /// Reads an index.
    ///
    /// # Errors
    /// A newer format, a file twice, or not an index.
    pub fn read(bytes: &[u8]) -> Result<Index, Fault> {
        let index: Index = serde_json::from_slice(bytes).map_err(not_one)?;
        let mut names: Vec<&Name> = index.files.iter().map(|file| &file.name).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Fault::Twice(pair[0].to_string()));
        }
        Ok(index)
    }

    /// The profiles of which it holds something.
    pub fn profiles(&self) -> Vec<ProfileId> {
        use crate::name::Part;
        let mut found: Vec<ProfileId> = self
            .files
            .iter()
            .filter_map(|file| match file.name.part() {
                Part::Profile(id) | Part::ProfileFile(id) => Some(id),
                _ => None,
            })
            .collect();
        found.sort();
        found.dedup();
        found
    }

    /// How many bytes its files have together.
    pub fn bytes(&self) -> u64 {
        self.files.iter().fold(0, |sum, file| sum.saturating_add(file.size))
    }
}

fn known(header: &Value) -> Result<(), Fault> {
    match header.get("format").and_then(Value::as_u64) {
        None | Some(0) => Err(Fault::NotABackup("it has no format".to_owned())),
        Some(found) if found > u64::from(FORMAT) => Err(Fault::Newer { found, known: FORMAT }),
        Some(_) => Ok(()),
    }
}

fn not_one(error: serde_json::Error) -> Fault {
    Fault::NotABackup(shared_types::text::cut(&error.to_string(), 200))
}

#[cfg(test)]
mod tests;

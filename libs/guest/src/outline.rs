//! The sections of a module as its headers tell them, and the module without those that never run.

use serde::{Deserialize, Serialize};

use crate::error::LoadError;

/// The largest module that is read, in bytes.
pub const MAX_MODULE_BYTES: usize = 2 << 20;

/// How large the parts of a module are, as its bytes declare them; nothing of it has run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// The functions that it brings along, imports not counted.
    pub functions: u32,
    /// Its global variables.
    pub globals: u32,
    /// The entries that its table starts with; each is a function that can be called by number.
    pub table_min: u32,
    /// The most entries that its table declares; nothing if it declares none, or has no table.
    pub table_max: Option<u32>,
    /// The pieces of data that are copied into its memory at the start.
    pub data_segments: u32,
    /// The bytes of its code section.
    pub code_bytes: u32,
    /// The bytes of its data section.
    pub data_bytes: u32,
}

/// What the section headers say, which the interpreter does not tell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Outline {
    pub(crate) start: bool,
    pub(crate) memories: u32,
    pub(crate) tables: u32,
    pub(crate) custom_sections: Vec<String>,
    pub(crate) bounds: Bounds,
}

/// Walks the section headers; what a section means stays the interpreter's business.
pub(crate) fn outline(bytes: &[u8]) -> Result<Outline, LoadError> {
    let mut outline = Outline::default();
    for section in Sections::of(bytes)? {
        let Section { id, size, mut content, .. } = section?;
        let bounds = &mut outline.bounds;
        match id {
            CUSTOM => {
                let length = content.number()?;
                let name = String::from_utf8_lossy(content.take(length as usize)?);
                if outline.custom_sections.len() < MAX_CUSTOM_SECTIONS {
                    outline.custom_sections.push(shared_types::text::cut(&name, 80));
                }
            }
            FUNCTION => bounds.functions = content.number()?,
            TABLE => {
                outline.tables = content.number()?;
                if outline.tables == 1 {
                    (bounds.table_min, bounds.table_max) = content.table()?;
                }
            }
            MEMORY => outline.memories = content.number()?,
            GLOBAL => bounds.globals = content.number()?,
            START => outline.start = true,
            CODE => bounds.code_bytes = size,
            DATA => (bounds.data_bytes, bounds.data_segments) = (size, content.number()?),
            _ => {}
        }
    }
    Ok(outline)
}

/// The module without its custom sections: names, producers and everything else that a compiler notes and nothing runs.
///
/// What is kept is kept byte for byte, so stripping twice changes nothing.
///
/// # Errors
/// If the bytes are not a row of sections, or more than [`MAX_MODULE_BYTES`] are left.
pub fn strip(bytes: &[u8]) -> Result<Vec<u8>, LoadError> {
    let mut kept = Vec::with_capacity(bytes.len().min(MAX_MODULE_BYTES));
    kept.extend_from_slice(MAGIC);
    for section in Sections::of(bytes)? {
        let section = section?;
        if section.id != CUSTOM {
            kept.extend_from_slice(section.whole);
        }
    }
    if kept.len() > MAX_MODULE_BYTES {
        return Err(LoadError::TooLarge { size: kept.len(), limit: MAX_MODULE_BYTES });
    }
    Ok(kept)
}

struct Section<'a> {
    id: u8,
    /// Bytes of its content.
    size: u32,
    content: Reader<'a>,
    /// Header and content.
    whole: &'a [u8],
}

/// The sections of a module, in their order.
struct Sections<'a>(Reader<'a>);

impl<'a> Sections<'a> {
    fn of(bytes: &'a [u8]) -> Result<Sections<'a>, LoadError> {
        if bytes.get(..MAGIC.len()) != Some(MAGIC) {
            let what = "this is not a WebAssembly module of version 1";
            return Err(LoadError::Malformed { at: 0, what });
        }
        Ok(Sections(Reader { bytes, at: MAGIC.len() }))
    }

    fn section(&mut self) -> Result<Section<'a>, LoadError> {
        let reader = &mut self.0;
        let header = reader.at;
        let id = reader.take(1)?[0];
        let size = reader.number()?;
        let start = reader.at;
        reader.take(size as usize)?;
        let content = Reader { bytes: &reader.bytes[..reader.at], at: start };
        Ok(Section { id, size, content, whole: &reader.bytes[header..reader.at] })
    }
}

impl<'a> Iterator for Sections<'a> {
    type Item = Result<Section<'a>, LoadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let section = self.section();
        if section.is_err() {
            // After a broken header nothing more can be read.
            self.0.at = self.0.bytes.len();
        }
        Some(section)
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn is_empty(&self) -> bool {
        self.at >= self.bytes.len()
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], LoadError> {
        let end = self.at.checked_add(length).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or(LoadError::Malformed { at: self.at, what: "a length points beyond the end" })?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    /// A u32 of at most five LEB128 bytes.
    fn number(&mut self) -> Result<u32, LoadError> {
        let mut number = 0u64;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return u32::try_from(number)
                    .map_err(|_| LoadError::Malformed { at: self.at, what: "a number is too large" });
            }
        }
        Err(LoadError::Malformed { at: self.at, what: "a number is too long" })
    }

    /// The least and the most entries of a table of functions.
    fn table(&mut self) -> Result<(u32, Option<u32>), LoadError> {
        let unknown = LoadError::Malformed { at: self.at, what: "a table of another kind than functions" };
        match self.take(2)? {
            [FUNCREF, 0] => Ok((self.number()?, None)),
            [FUNCREF, 1] => Ok((self.number()?, Some(self.number()?))),
            _ => Err(unknown),
        }
    }
}

const MAGIC: &[u8] = b"\0asm\x01\0\0\0";
const CUSTOM: u8 = 0;
const FUNCTION: u8 = 3;
const TABLE: u8 = 4;
const MEMORY: u8 = 5;
const GLOBAL: u8 = 6;
const START: u8 = 8;
const CODE: u8 = 10;
const DATA: u8 = 11;
const FUNCREF: u8 = 0x70;
const MAX_CUSTOM_SECTIONS: usize = 32;

#[cfg(test)]
mod tests;

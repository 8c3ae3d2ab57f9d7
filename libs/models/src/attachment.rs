//! Pictures that go with a message: judged by their first bytes, bounded, and never decoded.

use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use shared_types::text;

/// The most pictures of one message.
pub const MOST_PICTURES: usize = 4;
/// The most bytes that all pictures of one message have. A frame between the two processes of the bot has 4 MiB, and base64 grows
/// by a third.
pub const MOST_BYTES: usize = 2 * 1024 * 1024;

/// The kinds of pictures that both protocols take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    /// PNG, ISO/IEC 15948, section 5.2.
    Png,
    /// JPEG, ITU-T T.81, annex B: the marker SOI, and the first byte of the next one.
    Jpeg,
    /// GIF, GIF89a specification, section 17.
    Gif,
    /// WebP, RFC 9649, section 2.4.
    WebP,
}

impl Picture {
    /// The kind of the picture that begins with these bytes. Its name is not asked.
    pub fn of(bytes: &[u8]) -> Option<Picture> {
        match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(Picture::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Picture::Jpeg),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Picture::Gif),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Picture::WebP),
            _ => None,
        }
    }

    /// The media type, as both protocols spell it.
    pub fn media_type(self) -> &'static str {
        match self {
            Picture::Png => "image/png",
            Picture::Jpeg => "image/jpeg",
            Picture::Gif => "image/gif",
            Picture::WebP => "image/webp",
        }
    }
}

/// A picture that goes with a message. A copy shares its bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct Attachment {
    name: String,
    kind: Picture,
    bytes: Arc<[u8]>,
}

/// A text that goes with a message as content from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// What it is called, for people and models.
    pub name: String,
    /// What stands in it.
    pub text: String,
}

/// Why a file does not go with a message. Each names the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AttachmentError {
    /// Its first bytes are those of no kind of picture that is taken.
    #[error(
        "{name} is not a picture: PNG, JPEG, GIF and WebP are taken, and its first bytes match none of these"
    )]
    NotAPicture {
        /// The file.
        name: String,
    },
    /// With it the pictures of the message have too many bytes.
    #[error(
        "{name} is too large: the pictures of one message have at most 2 MiB together, and {left} bytes are left"
    )]
    TooLarge {
        /// The file.
        name: String,
        /// How many bytes may still be added.
        left: usize,
    },
    /// The message has as many as it may.
    #[error("{name} is one too many: at most {MOST_PICTURES} pictures go with one message")]
    TooMany {
        /// The file.
        name: String,
    },
}

impl Attachment {
    /// A picture of these bytes beside those that go with the same message already. The name is for people.
    ///
    /// # Errors
    /// Bytes that are not a picture, and a picture beyond the bounds of a message.
    pub fn beside(others: &[Attachment], name: &str, bytes: Vec<u8>) -> Result<Attachment, AttachmentError> {
        let left = room(others, name)?;
        let name = text::cut(&text::line(name), 80);
        if bytes.len() > left {
            return Err(AttachmentError::TooLarge { name, left });
        }
        match Picture::of(&bytes) {
            Some(kind) => Ok(Attachment { name, kind, bytes: bytes.into() }),
            None => Err(AttachmentError::NotAPicture { name }),
        }
    }

    pub fn media_type(&self) -> &'static str {
        self.kind.media_type()
    }

    /// Its name, for people.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its size in thousands of bytes, rounded up.
    pub fn kilobytes(&self) -> usize {
        self.size().div_ceil(1000)
    }

    /// Its size, in bytes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes in base64, as both protocols take them.
    pub fn base64(&self) -> String {
        STANDARD.encode(&self.bytes)
    }
}

/// How many bytes a further picture of that name may have beside others.
///
/// # Errors
/// A message that has as many pictures as it may.
pub fn room(others: &[Attachment], name: &str) -> Result<usize, AttachmentError> {
    if others.len() >= MOST_PICTURES {
        return Err(AttachmentError::TooMany { name: text::cut(&text::line(name), 80) });
    }
    Ok(MOST_BYTES.saturating_sub(others.iter().map(Attachment::size).sum()))
}

/// The name and the size, as in `cat.png, 120 KB`.
impl fmt::Display for Attachment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} KB", self.name, self.kilobytes())
    }
}

/// Without the bytes, which belong into no log.
impl fmt::Debug for Attachment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Attachment({self}, {})", self.media_type())
    }
}

#[cfg(test)]
mod tests;

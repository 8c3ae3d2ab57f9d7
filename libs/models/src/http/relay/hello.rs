//! Reads which host the first message of a TLS connection names, wherever its bytes are split.

/// What the first bytes of a connection are.
#[derive(Debug, PartialEq, Eq)]
pub enum Greeting {
    /// The beginning of a greeting.
    Unfinished,
    /// A greeting that names this host.
    Named(String),
    /// A greeting that names none.
    Unnamed,
    /// One that cannot be read, or that is longer than any.
    Broken,
    /// Not TLS.
    Other,
}

/// The longest greeting that is read, in bytes; those with keys for times after quantum computers have 2 KB.
const MOST: usize = 16 * 1024;
/// The types of a record and of a message in it, of an extension, and of a name in that.
const HANDSHAKE: u8 = 22;
const CLIENT_HELLO: u8 = 1;
const SERVER_NAME: u16 = 0;
const HOST_NAME: u8 = 0;

/// Reads RFC 8446, 4.1.2: the records, the one message that they carry, its extensions, and the name in one of them (RFC 6066, 3).
pub fn greeting(bytes: &[u8]) -> Greeting {
    if bytes.first().is_some_and(|first| *first != HANDSHAKE) {
        return Greeting::Other;
    }
    let (message, broken) = message(&bytes[..bytes.len().min(MOST)]);
    let mut rest = Bytes(&message);
    let whole = rest.byte().zip(rest.long(3)).and_then(|(kind, length)| Some((kind, rest.take(length)?)));
    match whole {
        Some((CLIENT_HELLO, mut hello)) => match name(&mut hello) {
            Some(Some(name)) => Greeting::Named(name),
            Some(None) => Greeting::Unnamed,
            None => Greeting::Broken,
        },
        Some(_) => Greeting::Broken,
        None if broken || bytes.len() > MOST || message.first().is_some_and(|kind| *kind != CLIENT_HELLO) => {
            Greeting::Broken
        }
        None => Greeting::Unfinished,
    }
}

/// What the records carry as far as they are there, and whether one of them is another kind.
fn message(bytes: &[u8]) -> (Vec<u8>, bool) {
    let (mut rest, mut message) = (Bytes(bytes), Vec::new());
    while let Some(kind) = rest.byte() {
        if kind != HANDSHAKE {
            return (message, true);
        }
        let Some(length) = rest.long(2).and_then(|_| rest.long(2)) else { break };
        if length == 0 {
            return (message, true);
        }
        message.extend_from_slice(&rest.0[..length.min(rest.0.len())]);
        if rest.take(length).is_none() {
            break;
        }
    }
    (message, false)
}

/// The host that a message names, if it names one; `None` for a message that does not add up.
fn name(hello: &mut Bytes<'_>) -> Option<Option<String>> {
    // The version and the random number, the session, the ciphers, the ways to compress.
    hello.take(2 + 32)?;
    for width in [1, 2, 1] {
        hello.list(width)?;
    }
    if hello.0.is_empty() {
        return Some(None);
    }
    let mut extensions = hello.list(2)?;
    let mut found = None;
    while !extensions.0.is_empty() {
        let kind = extensions.long(2)?;
        let mut extension = extensions.list(2)?;
        if kind != usize::from(SERVER_NAME) {
            continue;
        }
        let mut names = extension.list(2)?;
        while !names.0.is_empty() {
            let kind = names.byte()?;
            let name = names.list(2)?;
            // A second name could be the one that a server takes.
            if kind != HOST_NAME || found.is_some() {
                return None;
            }
            found = Some(std::str::from_utf8(name.0).ok()?.to_owned());
        }
    }
    hello.0.is_empty().then_some(found)
}

/// What is left to read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> Option<Bytes<'a>> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(Bytes(taken))
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.0.first().copied()
    }

    /// A number of the given width in bytes.
    fn long(&mut self, width: usize) -> Option<usize> {
        Some(self.take(width)?.0.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    }

    /// The bytes after their length, which has the given width in bytes.
    fn list(&mut self, width: usize) -> Option<Bytes<'a>> {
        let length = self.long(width)?;
        self.take(length)
    }
}

#[cfg(test)]
mod tests;

//! Identifiers, names and digests: parsed once, then trusted.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A text that does not have the form of its kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{value}` is not {kind}: {rule}", value = crate::text::cut(value, 80))]
pub struct InvalidId {
    /// What the text should have been, with its article.
    pub kind: &'static str,
    /// The form that is asked for.
    pub rule: &'static str,
    /// What was rejected.
    pub value: String,
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $kind:literal, $rule:literal, $check:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(s: &str) -> Result<Self, InvalidId> {
                s.to_owned().try_into()
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;

            fn try_from(s: String) -> Result<Self, InvalidId> {
                let check: fn(&str) -> bool = $check;
                if check(&s) {
                    Ok($name(s))
                } else {
                    Err(InvalidId { kind: $kind, rule: $rule, value: s })
                }
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id!(
    /// A skill's name, which is also its slug in file names.
    SkillName,
    "a skill name",
    "2 to 63 characters, lower-case letters, digits and `-`, starting with a letter",
    |s| (2..=63).contains(&s.len()) && starts_lower(s) && s.bytes().all(|b| lower_digit(b) || b == b'-')
);

id!(
    /// A tool's name within its skill.
    ToolName,
    "a tool name",
    "1 to 63 characters, lower-case letters, digits, `-` and `_`, starting with a letter",
    |s| (1..=63).contains(&s.len())
        && starts_lower(s)
        && s.bytes().all(|b| lower_digit(b) || b == b'-' || b == b'_')
);

id!(
    /// A profile's name.
    ProfileId,
    "a profile name",
    "1 to 32 characters, lower-case letters, digits and `-`, starting with a letter",
    |s| (1..=32).contains(&s.len()) && starts_lower(s) && s.bytes().all(|b| lower_digit(b) || b == b'-')
);

id!(
    /// An approver's name.
    ApproverId,
    "an approver name",
    "1 to 32 characters, lower-case letters, digits and `-`, starting with a letter",
    |s| (1..=32).contains(&s.len()) && starts_lower(s) && s.bytes().all(|b| lower_digit(b) || b == b'-')
);

id!(
    /// A proposal's identifier: a UUID of version 7 (RFC 9562), lower-case.
    ProposalId,
    "a proposal id",
    "a UUIDv7 in lower-case, as in 0193e4a0-5b7c-7def-8123-456789abcdef",
    |s| uuid::Uuid::parse_str(s).is_ok_and(|u| u.get_version_num() == 7 && u.hyphenated().to_string() == s)
);

id!(
    /// The name of a model's file on this machine.
    ModelName,
    "a model name",
    "1 to 60 characters, lower-case letters, digits, `.`, `-` and `_`, starting with a letter or digit",
    |s| (1..=60).contains(&s.len())
        && s.bytes().next().is_some_and(lower_digit)
        && s.bytes().all(|b| lower_digit(b) || b".-_".contains(&b))
);

id!(
    /// A conversation's identifier.
    ConversationId,
    "a conversation id",
    "1 to 64 characters, lower-case letters, digits and `-`",
    |s| (1..=64).contains(&s.len()) && s.bytes().all(|b| lower_digit(b) || b == b'-')
);

id!(
    /// An event's type: a core one such as `user_input`, or `<skill>.<event>`.
    EventType,
    "an event type",
    "`word` or `skill.word`: lower-case letters, digits, `-` and `_`, at most 127 characters",
    |s| s.len() <= 127
        && s.split('.').count() <= 2
        && s.split('.').all(|part| starts_lower(part)
            && part.bytes().all(|b| lower_digit(b) || b == b'-' || b == b'_'))
);

id!(
    /// One exact ASCII host, with a port only where the configuration names that port too.
    HostName,
    "a host",
    "an ASCII host name or address such as api.example.org or 127.0.0.1:8080; no scheme, path or wildcard",
    is_host
);

id!(
    /// A secret's name.
    SecretName,
    "a secret name",
    "1 to 64 characters: A-Z, digits and `_`, starting with a letter",
    |s| (1..=64).contains(&s.len())
        && s.as_bytes().first().is_some_and(u8::is_ascii_uppercase)
        && s.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
);

id!(
    /// The name of a token with which a program uses a profile's door.
    DoorTokenName,
    "a token's name",
    "1 to 40 characters, lower-case letters, digits and `-`",
    |s| (1..=40).contains(&s.len()) && s.bytes().all(|b| lower_digit(b) || b == b'-')
);

id!(
    /// A SHA-256 digest in lower-case hexadecimal.
    Digest,
    "a SHA-256 digest",
    "64 lower-case hexadecimal digits",
    |s| s.len() == 64 && s.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
);

impl ProposalId {
    /// Makes a new identifier from the present time.
    pub fn generate() -> Self {
        ProposalId(uuid::Uuid::now_v7().hyphenated().to_string())
    }

    /// The identifier of something that a digest names: always the same.
    pub fn of(digest: &Digest) -> Self {
        let hex = digest.as_str();
        let parts = [&hex[..8], &hex[8..12], &hex[12..15], &hex[15..18], &hex[18..30]];
        ProposalId(format!("{}-{}-7{}-8{}-{}", parts[0], parts[1], parts[2], parts[3], parts[4]))
    }
}

id!(
    /// A workflow's name, which is also the name of its folder.
    WorkflowName,
    "a workflow's name",
    "2 to 63 characters, lower-case letters, digits and `-`, starting with a letter",
    |s| (2..=63).contains(&s.len()) && starts_lower(s) && s.bytes().all(|b| lower_digit(b) || b == b'-')
);

id!(
    /// The name of a step within its workflow.
    StepId,
    "a step's id",
    "1 to 63 characters, lower-case letters, digits, `-` and `_`, starting with a letter",
    |s| (1..=63).contains(&s.len())
        && starts_lower(s)
        && s.bytes().all(|b| lower_digit(b) || b == b'-' || b == b'_')
);

impl ConversationId {
    /// Makes a new identifier from the present time.
    pub fn generate() -> Self {
        ConversationId(uuid::Uuid::now_v7().hyphenated().to_string())
    }

    /// Whether it has the form of those that the program makes.
    pub fn is_generated(&self) -> bool {
        self.0.len() == uuid::fmt::Hyphenated::LENGTH && uuid::Uuid::try_parse(&self.0).is_ok()
    }
}

impl Digest {
    /// The SHA-256 of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Sha256::new_with_prefix(bytes).into()
    }

    /// Its 32 bytes.
    pub fn bytes(&self) -> [u8; 32] {
        let value = |digit: u8| if digit.is_ascii_digit() { digit - b'0' } else { digit - b'a' + 10 };
        let digits = self.0.as_bytes();
        std::array::from_fn(|at| (value(digits[2 * at]) << 4) | value(digits[2 * at + 1]))
    }

    /// That of these 32 bytes.
    pub fn of_bytes(bytes: &[u8; 32]) -> Self {
        let digit = |nibble: u8| char::from(b"0123456789abcdef"[usize::from(nibble)]);
        Digest(bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect())
    }
}

impl From<Sha256> for Digest {
    /// The digest of all that was hashed piece by piece.
    fn from(hash: Sha256) -> Self {
        Digest::of_bytes(&hash.finalize().into())
    }
}

impl HostName {
    /// The host without its port.
    pub fn host(&self) -> &str {
        self.0.rsplit_once(':').map_or(&self.0, |(host, _)| host)
    }

    /// The port, if one is named.
    pub fn port(&self) -> Option<u16> {
        self.0.rsplit_once(':').and_then(|(_, port)| port.parse().ok())
    }

    /// Whether its name tells a person anything: it is not an address of numbers, and has no letters beyond ASCII, which are
    /// written as `xn--...` (RFC 5890) and can look like a name that is known.
    pub fn is_readable(&self) -> bool {
        let mut labels = self.host().split('.');
        let is_number =
            |label: &str| label.starts_with("0x") || label.bytes().all(|byte| byte.is_ascii_digit());
        !labels.clone().any(|label| label.starts_with("xn--")) && !labels.next_back().is_some_and(is_number)
    }
}

fn starts_lower(s: &str) -> bool {
    s.as_bytes().first().is_some_and(u8::is_ascii_lowercase)
}

fn lower_digit(b: u8) -> bool {
    b.is_ascii_lowercase() || b.is_ascii_digit()
}

fn is_host(s: &str) -> bool {
    let (host, port) = match s.rsplit_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (s, None),
    };
    let port_fits = port.is_none_or(|p| !p.is_empty() && !p.starts_with('0') && p.parse::<u16>().is_ok());
    let label_fits = |l: &str| {
        (1..=63).contains(&l.len())
            && !l.starts_with('-')
            && !l.ends_with('-')
            && l.bytes().all(|b| lower_digit(b) || b == b'-')
    };
    port_fits && (1..=253).contains(&host.len()) && host.split('.').all(label_fits)
}

#[cfg(test)]
mod tests;

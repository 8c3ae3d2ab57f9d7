//! A value that cannot be printed, and the file that binds one to a host.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::id::HostName;

/// A secret text; `Debug` and `Display` never show it, and it does not serialise.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret value.
    pub fn new(value: String) -> Self {
        Secret(value)
    }

    /// Hands out the value; every use of this word is a place to look at in a review.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// A secret for skills as its file holds it: good for one host only.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoundSecret {
    /// The host, with a port if it is not that of `https`.
    pub host: HostName,
    value: String,
}

/// The fewest and the most bytes of a secret for skills: a shorter one could not be blanked in an answer without
/// blanking ordinary text, a longer one fits no header.
pub const SECRET_BYTES: std::ops::RangeInclusive<usize> = 8..=1024;

impl BoundSecret {
    /// Binds a value to a host; `None` for what is not printable ASCII of 8 to 1024 bytes without spaces.
    pub fn new(host: HostName, value: &Secret) -> Option<Self> {
        let value = value.expose();
        let fits = SECRET_BYTES.contains(&value.len()) && value.bytes().all(|b| b.is_ascii_graphic());
        fits.then(|| BoundSecret { host, value: value.to_owned() })
    }

    /// Whether it may be sent to this host and port; without a port of its own it is for that of `https`.
    pub fn is_for(&self, host: &str, port: u16) -> bool {
        self.host.host() == host && self.host.port().unwrap_or(443) == port
    }

    /// The value.
    pub fn into_secret(self) -> Secret {
        Secret::new(self.value)
    }
}

impl fmt::Debug for BoundSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoundSecret").field("host", &self.host).finish_non_exhaustive()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(***)")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        // Overwrites what it can without unsafe: the buffer is refilled before it is freed.
        let length = self.0.len();
        self.0.clear();
        self.0.extend(std::iter::repeat_n('\0', length));
        std::hint::black_box(&self.0);
    }
}

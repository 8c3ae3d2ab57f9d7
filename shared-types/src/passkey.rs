//! Passkeys that sign statements (Web Authentication, Level 3): their public keys, and what is checked of their signatures.
//!
//! A passkey never signs a text itself. It signs the page's origin, that a person was there and was recognised, and a challenge;
//! here the challenge is a digest of the texts, so that one touch signs exactly these.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{ECDSA_P256_SHA256_ASN1, UnparsedPublicKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::id::{Digest, HostName};

/// How the line of a passkey begins; no key of minisign's format has a space.
const WORD: &str = "passkey ";
/// The largest signature that is read, in bytes.
const LARGEST: usize = 64 * 1024;
/// The most texts that one touch signs.
pub const MOST_TEXTS: usize = 256;
/// The longest identifier of a credential, in bytes (the specification's bound).
const LONGEST_CREDENTIAL: usize = 1023;
/// The size of authenticator data that names no new credential and has no extension, in bytes.
const AUTHENTICATOR_DATA: usize = 37;
/// What stands before the digests in what the challenge is made of.
const CHALLENGE: &str = "tameclaw passkey 1";

/// The flags of authenticator data (section 6.1).
mod flag {
    pub const PRESENT: u8 = 0x01;
    pub const VERIFIED: u8 = 0x04;
    pub const MAY_BE_COPIED: u8 = 0x08;
    pub const COPIED: u8 = 0x10;
    pub const NEW_CREDENTIAL: u8 = 0x40;
    pub const EXTENSIONS: u8 = 0x80;
}

/// Whether a passkey can leave its device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backup {
    /// Its maker may copy it to an account and to other devices.
    Synced,
    /// It stays on one device.
    OneDevice,
}

impl Backup {
    fn as_str(self) -> &'static str {
        match self {
            Backup::Synced => "synced",
            Backup::OneDevice => "one-device",
        }
    }
}

/// The public key of a passkey, on one line: `passkey ORIGIN BACKUP CREDENTIAL POINT`.
///
/// ORIGIN is that of the signing page, `https://name` or `http://localhost`, with a port where it is not the usual one; its host
/// is the relying party. CREDENTIAL is the identifier that the browser asks for. POINT is the key, P-256 and uncompressed.
/// Both are in base64url without padding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passkey {
    origin: String,
    /// The host of the origin, which is the relying party.
    host: HostName,
    backup: Backup,
    credential: String,
    point: String,
}

/// A line that is not the public key of a passkey.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not as the signing page writes it: passkey ORIGIN synced|one-device CREDENTIAL POINT")]
pub struct InvalidPasskey(&'static str);

/// Why something is not the signature of a passkey over a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PasskeyFault {
    /// Another form.
    #[error("it is not a signature as the signing page gives it")]
    Form,
    /// The text is not among those that were signed.
    #[error("it is for another text")]
    Text,
    /// The client data is not of a signature.
    #[error("it was not made as a signature")]
    Kind,
    /// The challenge does not belong to the texts.
    #[error("its challenge belongs to other texts")]
    Challenge,
    /// Another page had it made.
    #[error("it was made on a page of another origin")]
    Origin,
    /// It was made in a frame of a foreign page.
    #[error("it was made inside a page of another origin")]
    Framed,
    /// The authenticator answered another relying party.
    #[error("it was made for another site")]
    Party,
    /// The authenticator data has parts that no signature needs.
    #[error("its authenticator data has more than a signature needs")]
    More,
    /// Nobody touched the device.
    #[error("nobody was at the device")]
    NobodyThere,
    /// The device did not recognise its owner.
    #[error("the device did not recognise its owner")]
    NotRecognised,
    /// The key is kept in another way than it was when it was added.
    #[error("the passkey is not kept as it was when it was added (on one device, or synced)")]
    Backup,
    /// Another key signed, or other bytes were signed.
    #[error("it does not belong to this passkey")]
    Mismatch,
}

/// What the signing page gives: the members of the browser's answer, and the digests of the texts that were signed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Assertion {
    authenticator_data: String,
    #[serde(rename = "clientDataJSON")]
    client_data: String,
    digests: Vec<String>,
    signature: String,
}

/// What the browser says of the signature (section 5.8.1); it may say more.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClientData {
    #[serde(rename = "type")]
    kind: String,
    challenge: String,
    origin: String,
    #[serde(default)]
    cross_origin: bool,
    top_origin: Option<serde::de::IgnoredAny>,
}

impl Passkey {
    /// Whether a public key is that of a passkey; whether it is a good one is not said.
    pub fn is_one(public_key: &str) -> bool {
        public_key.starts_with(WORD)
    }

    /// The origin of the page on which it signs.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Whether it can leave its device.
    pub fn backup(&self) -> Backup {
        self.backup
    }

    /// Checks a signature over a text (section 7.2, steps 10 to 23, but for the counter, which decides nothing).
    ///
    /// # Errors
    /// The first thing that does not hold.
    pub fn verify(&self, signature: &str, text: &[u8]) -> Result<(), PasskeyFault> {
        let assertion = Assertion::read(signature)?;
        if !assertion.digests.iter().any(|digest| digest == Digest::of(text).as_str()) {
            return Err(PasskeyFault::Text);
        }
        let client = bytes(&assertion.client_data)?;
        self.check_client(&client, &assertion.digests)?;
        let authenticator = bytes(&assertion.authenticator_data)?;
        self.check_authenticator(&authenticator)?;
        let signed = [authenticator.as_slice(), &Sha256::digest(&client)].concat();
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, bytes(&self.point)?)
            .verify(&signed, &bytes(&assertion.signature)?)
            .map_err(|_| PasskeyFault::Mismatch)
    }

    fn check_client(&self, client: &[u8], digests: &[String]) -> Result<(), PasskeyFault> {
        let client: ClientData = serde_json::from_slice(client).map_err(|_| PasskeyFault::Form)?;
        if client.kind != "webauthn.get" {
            return Err(PasskeyFault::Kind);
        }
        if client.challenge != challenge(digests) {
            return Err(PasskeyFault::Challenge);
        }
        if client.origin != self.origin {
            return Err(PasskeyFault::Origin);
        }
        if client.cross_origin || client.top_origin.is_some() {
            return Err(PasskeyFault::Framed);
        }
        Ok(())
    }

    fn check_authenticator(&self, data: &[u8]) -> Result<(), PasskeyFault> {
        let (party, rest) = data.split_at_checked(32).ok_or(PasskeyFault::Form)?;
        let flags = *rest.first().ok_or(PasskeyFault::Form)?;
        let has = |bit: u8| flags & bit != 0;
        if party != Sha256::digest(self.host.host()).as_slice() {
            return Err(PasskeyFault::Party);
        }
        if data.len() != AUTHENTICATOR_DATA || has(flag::NEW_CREDENTIAL) || has(flag::EXTENSIONS) {
            return Err(PasskeyFault::More);
        }
        if !has(flag::PRESENT) {
            return Err(PasskeyFault::NobodyThere);
        }
        if !has(flag::VERIFIED) {
            return Err(PasskeyFault::NotRecognised);
        }
        let may_be_copied = has(flag::MAY_BE_COPIED);
        if may_be_copied != (self.backup == Backup::Synced) || (has(flag::COPIED) && !may_be_copied) {
            return Err(PasskeyFault::Backup);
        }
        Ok(())
    }
}

impl Assertion {
    fn read(signature: &str) -> Result<Assertion, PasskeyFault> {
        if signature.len() > LARGEST {
            return Err(PasskeyFault::Form);
        }
        let assertion: Assertion =
            serde_json::from_slice(signature.as_bytes()).map_err(|_| PasskeyFault::Form)?;
        if assertion.digests.len() > MOST_TEXTS { Err(PasskeyFault::Form) } else { Ok(assertion) }
    }
}

/// The challenge for these texts, as it stands in the client data.
fn challenge(digests: &[String]) -> String {
    let mut hash = Sha256::new();
    hash.update(CHALLENGE);
    for digest in digests {
        hash.update("\n");
        hash.update(digest);
    }
    URL_SAFE_NO_PAD.encode(hash.finalize())
}

fn bytes(text: &str) -> Result<Vec<u8>, PasskeyFault> {
    URL_SAFE_NO_PAD.decode(text).map_err(|_| PasskeyFault::Form)
}

/// The host of an origin that may be a signing page's: a name under TLS, or this machine.
fn host(origin: &str) -> Option<HostName> {
    let (scheme, place) = origin.split_once("://")?;
    let host: HostName = place.parse().ok()?;
    let is_address =
        host.host().rsplit('.').next().is_some_and(|last| last.bytes().all(|b| b.is_ascii_digit()));
    let fits = match (scheme, host.host()) {
        ("http", "localhost") => host.port() != Some(80),
        ("https", _) => host.port() != Some(443) && !is_address,
        _ => false,
    };
    fits.then_some(host)
}

impl FromStr for Passkey {
    type Err = InvalidPasskey;

    fn from_str(line: &str) -> Result<Self, InvalidPasskey> {
        let words: Vec<&str> = line.split(' ').collect();
        let ["passkey", origin, backup, credential, point] = words.as_slice() else {
            return Err(InvalidPasskey("the line"));
        };
        let backup = match *backup {
            "synced" => Backup::Synced,
            "one-device" => Backup::OneDevice,
            _ => return Err(InvalidPasskey("synced|one-device")),
        };
        let host = host(origin).ok_or(InvalidPasskey("ORIGIN"))?;
        let read = |text: &str| URL_SAFE_NO_PAD.decode(text).ok();
        if !read(credential).is_some_and(|bytes| (1..=LONGEST_CREDENTIAL).contains(&bytes.len())) {
            return Err(InvalidPasskey("CREDENTIAL"));
        }
        if !read(point).is_some_and(|bytes| bytes.len() == 65 && bytes[0] == 4) {
            return Err(InvalidPasskey("POINT"));
        }
        let [origin, credential, point] = [origin, credential, point].map(|word| (*word).to_owned());
        Ok(Passkey { origin, host, backup, credential, point })
    }
}

impl fmt::Display for Passkey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{WORD}{} {} {} {}", self.origin, self.backup.as_str(), self.credential, self.point)
    }
}

#[cfg(test)]
mod tests;

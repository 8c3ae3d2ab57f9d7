//! A passkey in software: what an authenticator and a browser make together, honest or not.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::{SecureRandom as _, SystemRandom};
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::run::{Ran, run_answered};
use crate::world::{Program, World};

/// The flag that somebody was present.
pub const UP: u8 = 0x01;
/// The flag that the authenticator knew who it was.
pub const UV: u8 = 0x04;
/// The flag that the passkey may be copied to other devices.
pub const BE: u8 = 0x08;
/// The flag that it has been copied.
pub const BS: u8 = 0x10;
/// The flag that the data of a new passkey follow.
pub const AT: u8 = 0x40;
/// The flag that extensions follow.
pub const ED: u8 = 0x80;

/// A passkey, and the authenticator and browser of its owner.
#[derive(Debug)]
pub struct Passkey {
    origin: String,
    synced: bool,
    credential: [u8; 32],
    key: EcdsaKeyPair,
    random: SystemRandom,
}

/// A touch before it is signed. The fields are all that a hostile browser could change, if the authenticator signs anything.
#[derive(Debug, Clone)]
pub struct Assertion {
    /// `type` of the client data: `webauthn.get`.
    pub kind: String,
    /// `challenge` of the client data, in base64url; [`challenge`] makes it.
    pub challenge: String,
    /// `origin` of the client data.
    pub origin: String,
    /// `crossOrigin` of the client data, where it is there.
    pub cross_origin: Option<bool>,
    /// `topOrigin` of the client data, where it is there.
    pub top_origin: Option<String>,
    /// More members of the client data, after the others; a name may come twice.
    pub members: Vec<(String, Value)>,
    /// The client data as they are, instead of those that the fields above give.
    pub client_data: Option<Vec<u8>>,
    /// The first 32 bytes of the authenticator data: SHA-256 of the relying party's id.
    pub rp_id_hash: [u8; 32],
    /// The flags: [`UP`], [`UV`] ...
    pub flags: u8,
    /// The counter.
    pub counter: u32,
    /// More bytes at the end of the authenticator data.
    pub extra: Vec<u8>,
    /// The authenticator data as they are, instead of those that the fields above give.
    pub authenticator_data: Option<Vec<u8>>,
    /// The digests beside the signature.
    pub digests: Vec<String>,
}

impl Passkey {
    /// A passkey of an origin, as `https://sign.family.example`, that never leaves its one device.
    ///
    /// # Panics
    /// Where the system has no random bytes.
    #[track_caller]
    pub fn new(origin: &str) -> Passkey {
        let random = SystemRandom::new();
        let mut credential = [0; 32];
        random.fill(&mut credential).expect("random bytes");
        let secret =
            EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).expect("random bytes");
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, secret.as_ref(), &random)
            .expect("a key that was just made");
        Passkey { origin: origin.to_owned(), synced: false, credential, key, random }
    }

    /// A passkey that its owner's devices copy to each other.
    #[track_caller]
    pub fn synced(origin: &str) -> Passkey {
        Passkey { synced: true, ..Passkey::new(origin) }
    }

    /// The line of its public key: `passkey ORIGIN BACKUP CREDENTIAL POINT`.
    pub fn public_key(&self) -> String {
        let backup = if self.synced { "synced" } else { "one-device" };
        let [credential, point] =
            [&self.credential[..], self.key.public_key().as_ref()].map(|bytes| URL_SAFE_NO_PAD.encode(bytes));
        format!("passkey {} {backup} {credential} {point}", self.origin)
    }

    /// The line of its signature over these texts, with one touch.
    #[track_caller]
    pub fn sign(&self, texts: &[&str]) -> String {
        self.forge(texts, |_| {})
    }

    /// The line of its signature over a changed touch. What was not changed is right, and the signature is valid for all of it:
    /// only the check of what was changed can refuse it.
    ///
    /// # Panics
    /// Where the system has no random bytes.
    #[track_caller]
    pub fn forge(&self, texts: &[&str], change: impl FnOnce(&mut Assertion)) -> String {
        let mut assertion = self.assertion(texts);
        change(&mut assertion);
        let client_data = assertion.client_data();
        let data = assertion.authenticator_data();
        let signed = [&data[..], &Sha256::digest(&client_data)[..]].concat();
        let signature = self.key.sign(&self.random, &signed).expect("random bytes");
        let [data, client_data, signature] =
            [&data[..], &client_data, signature.as_ref()].map(|bytes| URL_SAFE_NO_PAD.encode(bytes));
        let digests = json!(assertion.digests);
        format!(
            r#"{{"authenticatorData":"{data}","clientDataJSON":"{client_data}","digests":{digests},"signature":"{signature}"}}"#
        )
    }

    /// An honest touch.
    fn assertion(&self, texts: &[&str]) -> Assertion {
        let digests: Vec<String> = texts.iter().map(|text| digest(text)).collect();
        Assertion {
            kind: "webauthn.get".to_owned(),
            challenge: challenge(&digests),
            origin: self.origin.clone(),
            cross_origin: Some(false),
            top_origin: None,
            members: Vec::new(),
            client_data: None,
            rp_id_hash: Sha256::digest(host(&self.origin)).into(),
            flags: if self.synced { UP | UV | BE | BS } else { UP | UV },
            counter: 0,
            extra: Vec::new(),
            authenticator_data: None,
            digests,
        }
    }
}

impl Assertion {
    /// The client data, their members in the order in which browsers write them.
    fn client_data(&self) -> Vec<u8> {
        if let Some(whole) = &self.client_data {
            return whole.clone();
        }
        let mut members = vec![
            ("type", json!(self.kind)),
            ("challenge", json!(self.challenge)),
            ("origin", json!(self.origin)),
        ];
        members.extend(self.cross_origin.map(|value| ("crossOrigin", json!(value))));
        members.extend(self.top_origin.as_ref().map(|value| ("topOrigin", json!(value))));
        members.extend(self.members.iter().map(|(name, value)| (name.as_str(), value.clone())));
        let members = members.iter().map(|(name, value)| format!("{}:{value}", json!(name)));
        format!("{{{}}}", members.collect::<Vec<_>>().join(",")).into_bytes()
    }

    fn authenticator_data(&self) -> Vec<u8> {
        if let Some(whole) = &self.authenticator_data {
            return whole.clone();
        }
        [&self.rp_id_hash[..], &[self.flags], &self.counter.to_be_bytes(), &self.extra].concat()
    }
}

/// The digest of a statement's text: SHA-256 in hexadecimal digits.
pub fn digest(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The challenge of a touch that signs the texts with these digests, in base64url.
pub fn challenge(digests: &[String]) -> String {
    let lines = format!("tameclaw passkey 1\n{}", digests.join("\n"));
    URL_SAFE_NO_PAD.encode(Sha256::digest(lines))
}

/// The line of a signature with the bytes of one part changed afterwards: `authenticatorData`, `clientDataJSON` or `signature`.
///
/// # Panics
/// If the line does not have this part.
#[track_caller]
pub fn altered(line: &str, part: &str, change: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut line: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    let text = line[part].as_str().unwrap_or_else(|| panic!("no part `{part}` in {line}"));
    let mut bytes = URL_SAFE_NO_PAD.decode(text).unwrap_or_else(|e| panic!("`{part}`: {e}: {text}"));
    change(&mut bytes);
    line[part] = URL_SAFE_NO_PAD.encode(bytes).into();
    // Its names come in alphabetical order again.
    line.to_string()
}

/// The host of an origin, which is the relying party's id.
fn host(origin: &str) -> &str {
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    host.split_once(':').map_or(host, |(host, _)| host)
}

/// What the signing page would be given while a command waits: the texts to be signed.
#[derive(Debug)]
pub struct Request {
    /// The whole request.
    pub whole: Value,
    /// The texts.
    pub texts: Vec<String>,
}

impl Request {
    /// Reads a request's file.
    #[track_caller]
    fn read(path: &str) -> Request {
        let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
        let whole: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"));
        let statements = whole["statements"].as_array().expect("a request has statements");
        let texts = statements.iter().filter_map(|one| one["text"].as_str().map(str::to_owned)).collect();
        Request { whole, texts }
    }

    /// What a passkey answers.
    #[track_caller]
    pub fn signed(&self, key: &Passkey) -> String {
        key.sign(&self.texts.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

impl World {
    /// Runs `cl-admin`, and answers for each request that it writes.
    #[track_caller]
    pub fn admin_asks(&self, arguments: &[&str], answer: impl FnMut(&Request) -> String) -> Ran {
        run_answered(
            self.command(Program::Admin, arguments),
            |line| {
                let path = line.strip_suffix('\n')?.split("the file ").nth(1)?;
                Some(Request::read(path))
            },
            answer,
        )
    }

    /// Runs `cl-admin`, whose requests this passkey signs.
    #[track_caller]
    pub fn admin_signed(&self, arguments: &[&str], key: &Passkey) -> Ran {
        self.admin_asks(arguments, |request| request.signed(key))
    }

    /// Makes a passkey of an approver known; `owner` signs that.
    #[track_caller]
    pub fn adds_passkey(&self, name: &str, key: &Passkey) {
        let file = self.outside().join(format!("{name}.passkey"));
        std::fs::write(&file, key.public_key() + "\n").expect("a file can be written");
        self.admin(&["approver", "add", name, "--passkey", &file.display().to_string()]).done();
    }
}

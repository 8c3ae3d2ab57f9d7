use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};

use super::*;

const ORIGIN: &str = "https://sign.family.example";
const TEXT: &str = r#"{"verdict":"approve"}"#;
const OK: u8 = flag::PRESENT | flag::VERIFIED;

/// A device with one passkey, and what it says when it is asked.
struct Device {
    key: EcdsaKeyPair,
    line: String,
    client: Value,
    party: String,
    flags: u8,
    more: Vec<u8>,
    digests: Vec<String>,
}

impl Device {
    fn new() -> Device {
        let random = SystemRandom::new();
        let algorithm = &ECDSA_P256_SHA256_ASN1_SIGNING;
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(algorithm, pkcs8.as_ref(), &random).unwrap();
        let point = URL_SAFE_NO_PAD.encode(key.public_key().as_ref());
        let digests = vec![Digest::of(TEXT.as_bytes()).to_string()];
        Device {
            line: format!("passkey {ORIGIN} one-device AQID {point}"),
            key,
            client: json!({"type": "webauthn.get", "challenge": challenge(&digests), "origin": ORIGIN,
                "crossOrigin": false, "other_keys_can_be_added_here": "see the specification"}),
            party: "sign.family.example".into(),
            flags: OK,
            more: vec![],
            digests,
        }
    }

    fn signature(&self) -> String {
        let client = self.client.to_string();
        let counter = [0; 4];
        let party = Sha256::digest(&self.party);
        let data = [party.as_slice(), &[self.flags], &counter, &self.more].concat();
        let signed = [data.as_slice(), &Sha256::digest(&client)].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        let coded = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        json!({"authenticatorData": coded(&data), "clientDataJSON": coded(client.as_bytes()),
            "digests": self.digests, "signature": coded(signature.as_ref())})
        .to_string()
    }

    fn judged(&self) -> Result<(), PasskeyFault> {
        self.line.parse::<Passkey>().unwrap().verify(&self.signature(), TEXT.as_bytes())
    }
}

/// What comes of a device that was altered.
fn after(change: impl FnOnce(&mut Device)) -> Result<(), PasskeyFault> {
    let mut device = Device::new();
    change(&mut device);
    device.judged()
}

#[test]
fn a_signature_holds_for_its_text_and_one_touch_for_several() {
    assert_eq!(after(|_| {}), Ok(()));
    let two = |device: &mut Device| {
        device.digests.push(Digest::of(b"another").to_string());
        device.client["challenge"] = challenge(&device.digests).into();
    };
    assert_eq!(after(two), Ok(()));
    // Browsers of the first edition leave the member out.
    assert_eq!(after(|device| drop(device.client.as_object_mut().unwrap().remove("crossOrigin"))), Ok(()));
}

#[test]
fn each_part_that_differs_is_refused_by_its_name() {
    use PasskeyFault as Fault;
    type Change = fn(&mut Device);
    let rows: [(&str, Change, Fault); 20] = [
        ("another kind", |d| d.client["type"] = "webauthn.create".into(), Fault::Kind),
        ("another challenge", |d| d.client["challenge"] = challenge(&[]).into(), Fault::Challenge),
        (
            "padding",
            |d| d.client["challenge"] = format!("{}=", challenge(&d.digests)).into(),
            Fault::Challenge,
        ),
        ("another origin", |d| d.client["origin"] = "https://sign.family.example.evil".into(), Fault::Origin),
        ("another port", |d| d.client["origin"] = "https://sign.family.example:8443".into(), Fault::Origin),
        ("no encryption", |d| d.client["origin"] = "http://sign.family.example".into(), Fault::Origin),
        ("a frame", |d| d.client["crossOrigin"] = true.into(), Fault::Framed),
        ("a frame's page", |d| d.client["topOrigin"] = "https://evil.example".into(), Fault::Framed),
        ("another party", |d| d.party = "family.example".into(), Fault::Party),
        ("nobody there", |d| d.flags = flag::VERIFIED, Fault::NobodyThere),
        ("not recognised", |d| d.flags = flag::PRESENT, Fault::NotRecognised),
        ("synced by now", |d| d.flags = OK | flag::MAY_BE_COPIED, Fault::Backup),
        ("copied, which it cannot be", |d| d.flags = OK | flag::COPIED, Fault::Backup),
        ("an extension's flag", |d| d.flags = OK | flag::EXTENSIONS, Fault::More),
        ("a new credential's flag", |d| d.flags = OK | flag::NEW_CREDENTIAL, Fault::More),
        ("bytes behind", |d| d.more = vec![0], Fault::More),
        ("other digests", |d| d.digests = vec![Digest::of(b"another").to_string()], Fault::Text),
        ("one more digest", |d| d.digests.push(Digest::of(b"another").to_string()), Fault::Challenge),
        ("too many", |d| d.digests = vec![d.digests[0].clone(); MOST_TEXTS + 1], Fault::Form),
        ("another key", |d| d.key = Device::new().key, Fault::Mismatch),
    ];
    for (name, change, fault) in rows {
        assert_eq!(after(change), Err(fault), "{name}");
    }
}

#[test]
fn what_was_altered_after_the_signature_does_not_hold() {
    let device = Device::new();
    let key: Passkey = device.line.parse().unwrap();
    let judged = |text: &str| key.verify(text, TEXT.as_bytes());
    let honest = device.signature();
    assert_eq!(judged(&honest), Ok(()));
    assert_eq!(key.verify(&honest, b"another text"), Err(PasskeyFault::Text));
    for (member, fault) in [
        ("authenticatorData", PasskeyFault::Mismatch),
        ("clientDataJSON", PasskeyFault::Mismatch),
        ("signature", PasskeyFault::Mismatch),
    ] {
        let mut altered: Value = serde_json::from_str(&honest).unwrap();
        let mut inner = bytes(altered[member].as_str().unwrap()).unwrap();
        // A byte that no other check looks at: of the counter, of a member that counts for nothing, of the last number.
        let at = match member {
            "clientDataJSON" => inner.windows(4).position(|part| part == b"here").unwrap(),
            _ => inner.len() - 1,
        };
        inner[at] ^= 1;
        altered[member] = URL_SAFE_NO_PAD.encode(&inner).into();
        assert_eq!(judged(&altered.to_string()), Err(fault), "{member}");
    }
    for text in ["", "{}", "null", &honest.replacen('{', r#"{"more":1,"#, 1), &" ".repeat(LARGEST + 1)] {
        assert_eq!(judged(text), Err(PasskeyFault::Form), "{}", crate::text::cut(text, 40));
    }
    // A member that stands twice could be read in two ways.
    let client = device.client.to_string().replacen('{', r#"{"origin":"https://evil.example","#, 1);
    let mut twice: Value = serde_json::from_str(&honest).unwrap();
    twice["clientDataJSON"] = URL_SAFE_NO_PAD.encode(client).into();
    assert_eq!(judged(&twice.to_string()), Err(PasskeyFault::Form));
}

#[test]
fn a_synced_passkey_signs_as_such() {
    let synced = |flags: u8| {
        after(|device| {
            device.line = device.line.replace("one-device", "synced");
            device.flags = flags;
        })
    };
    assert_eq!(synced(OK | flag::MAY_BE_COPIED), Ok(()));
    assert_eq!(synced(OK | flag::MAY_BE_COPIED | flag::COPIED), Ok(()));
    assert_eq!(synced(OK), Err(PasskeyFault::Backup));
}

#[test]
fn the_line_of_a_passkey_has_one_form() {
    let line = Device::new().line;
    let key: Passkey = line.parse().unwrap();
    assert_eq!((key.to_string(), key.origin(), key.backup()), (line.clone(), ORIGIN, Backup::OneDevice));
    let origin = |origin: &str| line.replace(ORIGIN, origin).parse::<Passkey>().is_ok();
    for good in ["https://a.example:8443", "http://localhost", "http://localhost:8080", "https://localhost"] {
        assert!(origin(good), "{good}");
    }
    for bad in [
        "http://a.example",
        "https://a.example/",
        "https://a.example:443",
        "http://localhost:80",
        "https://A.example",
        "https://192.0.2.7",
        "https://192.0.2.7:8443",
        "https://[::1]",
        "https://user@a.example",
        "https://",
        "a.example",
    ] {
        assert!(!origin(bad), "{bad}");
    }
    for bad in [
        line.replace("passkey ", "passkey  "),
        format!("{line} "),
        format!("{line}\n"),
        line.replace("one-device", "many"),
        line.replace("AQID", ""),
        line.replace("AQID", "AQID="),
        line[..line.len() - 2].to_owned(),
        "passkey".into(),
    ] {
        assert!(bad.parse::<Passkey>().is_err(), "{bad}");
    }
}

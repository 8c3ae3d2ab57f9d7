use std::io::Cursor;

use minisign::KeyPair;
use shared_types::approvers::{ApproversFile, SignedChange};
use shared_types::described::Described;
use shared_types::id::Digest;
use shared_types::manifest::{Builtin, Learned};
use shared_types::power::Power;
use shared_types::proposal::Scope;
use shared_types::signed::Signed;

use super::*;

fn sign(keys: &KeyPair, text: &str) -> String {
    minisign::sign(Some(&keys.pk), &keys.sk, Cursor::new(text.as_bytes()), None, None).unwrap().into_string()
}

fn entry(approver: &KeyPair) -> Learned {
    Learned {
        name: "dice".parse().unwrap(),
        version: 1,
        description: "Roll dice".to_owned(),
        module_sha256: Digest::of(b"module"),
        capabilities: "memory:read".parse().into_iter().collect(),
        network: vec![],
        secrets: vec![],
        memory_scope: Scope::Own,
        file_scope: Scope::Own,
        dependencies: vec!["word-count".parse().unwrap()],
        emits_events: vec![],
        handles_events: vec![],
        recipients: Default::default(),
        described: Described {
            description: "Rolls dice".into(),
            tools: vec![],
            handles: vec![],
            emits: vec![],
        },
        decision: Signed::unchecked("{}".to_owned(), sign(approver, "{}")),
    }
}

#[test]
fn a_signed_manifest_opens_and_one_changed_byte_closes_it() {
    let keys = KeyPair::generate_unencrypted_keypair().unwrap();
    let manifest = Manifest {
        serial: 7,
        signed_at: "2026-02-07T14:30:00Z".into(),
        builtin: vec![],
        learned: vec![entry(&keys)],
        plugins: vec![],
    };
    let trust = keys.pk.to_base64();
    // As it is written now, and as versions before wrote it.
    for (text, serial) in [
        (to_string(&manifest).unwrap(), "\"serial\": 7,"),
        (yaml::to_string(&manifest).unwrap(), "serial: 7"),
    ] {
        let signature = sign(&keys, &text);
        assert_eq!(open(&text, &signature, &trust, 7).unwrap(), manifest);
        let older = open(&text, &signature, &trust, 8).unwrap_err();
        assert_eq!(older, ManifestError::Older { found: 7, seen: 8 });
        assert_eq!(serial_of(&text), Some(7));
        assert!(text.contains(serial), "{text}");
        let changed = text.replacen(serial, &serial.replace('7', "9"), 1);
        assert!(matches!(open(&changed, &signature, &trust, 0), Err(ManifestError::Signature(_))));
    }
    let text = to_string(&manifest).unwrap();
    assert_eq!(yaml::from_own::<Manifest>(&text).unwrap(), manifest, "what is written is YAML as well");
    let other = KeyPair::generate_unencrypted_keypair().unwrap();
    assert!(open(&text, &sign(&other, &text), &trust, 0).is_err());
}

#[test]
fn what_is_written_is_yaml_whatever_a_text_holds() {
    let keys = KeyPair::generate_unencrypted_keypair().unwrap();
    let mut entry = entry(&keys);
    entry.description = "a\u{7f}b\u{80}c\u{85}d\u{feff}e\u{ffff}f\u{2028}\u{1f600}\"\\\n".to_owned();
    let manifest = Manifest {
        serial: 1,
        signed_at: String::new(),
        builtin: vec![],
        learned: vec![entry],
        plugins: vec![],
    };
    let text = to_string(&manifest).unwrap();
    assert_eq!(read(&text).unwrap(), manifest);
    assert_eq!(yaml::from_own::<Manifest>(&text).unwrap(), manifest);
}

#[test]
fn a_manifest_has_a_line_for_each_key_and_for_each_entry() {
    let entry = entry(&KeyPair::generate_unencrypted_keypair().unwrap());
    let manifest = Manifest {
        serial: 1,
        signed_at: String::new(),
        builtin: vec![],
        learned: vec![entry.clone(), entry],
        plugins: vec![],
    };
    let text = to_string(&manifest).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let [first, serial, signed_at, builtin, learned, dice, again, last] = lines[..] else { panic!("{text}") };
    assert_eq!((first, serial, signed_at), ("{", "  \"serial\": 1,", "  \"signed_at\": \"\","));
    assert_eq!((builtin, learned, last), ("  \"builtin\": [],", "  \"learned\": [", "}"));
    assert!(dice.starts_with("    {\"name\":\"dice\",") && dice.ends_with("},"), "{dice}");
    assert_eq!(again, dice.strip_suffix(',').unwrap().to_owned() + "]");
}

#[test]
fn a_manifest_with_a_key_twice_or_one_that_is_not_known_or_too_long_is_refused() {
    let least = r#"{"serial": 1, "signed_at": "", "builtin": [], "learned": []}"#;
    assert!(read(least).is_ok());
    for wrong in [least.replacen('{', "{\"serial\": 1,", 1), least.replacen('{', "{\"other\": 1,", 1)] {
        assert!(matches!(read(&wrong), Err(YamlError::Syntax(_))), "{wrong}");
    }
    let long = format!("{least}{}", " ".repeat(yaml::MAX_OWN_BYTES));
    assert!(matches!(read(&long), Err(YamlError::TooLarge { .. })));
}

#[test]
fn a_built_in_entry_says_nothing_of_powers_or_names_known_ones() {
    let plain = "name: clock\ncapabilities: []\n";
    let entry: Builtin = yaml::from_own(plain).unwrap();
    assert_eq!(entry.powers, None);
    assert!(!yaml::to_string(&entry).unwrap().contains("powers"));
    let named: Builtin = yaml::from_own(&format!("{plain}powers: [keep-facts, call-tools]\n")).unwrap();
    assert_eq!(named.powers, Some(vec![Power::KeepFacts, Power::CallTools]));
    assert_eq!(yaml::from_own::<Builtin>(&yaml::to_string(&named).unwrap()).unwrap(), named);
    assert!(yaml::from_own::<Builtin>(&format!("{plain}powers: [everything]\n")).is_err());
    for none in ["powers:", "powers: []", "powers: null"] {
        let read: Builtin = yaml::from_own(&format!("{plain}{none}\n")).unwrap();
        assert_eq!(read.powers, Some(vec![]), "{none} keeps none");
    }
}

#[test]
fn a_list_of_approvers_is_read_as_it_was_written() {
    let file = ApproversFile {
        changes: vec![SignedChange {
            text: "{\"serial\":1}".to_owned(),
            signatures: vec!["untrusted\nline".to_owned()],
        }],
        passphrases: vec!["anna".parse().unwrap()],
        approvers: vec![],
    };
    let text = yaml::to_string(&file).unwrap();
    assert_eq!(yaml::from_own::<ApproversFile>(&text).unwrap(), file);
}

#![expect(clippy::disallowed_methods, reason = "the tests tamper with the files that are verified")]
use bot_testing::{SignedHome, sign};

use super::*;

fn read(home: &SignedHome, seen: u64) -> Result<Verified, Error> {
    let seen = Seen { serial: seen, approvers: None };
    Verified::read(&Folder::root(&home.path("config")).unwrap(), &seen)
}

fn code(result: Result<Verified, Error>) -> u8 {
    result.unwrap_err().exit_code()
}

#[test]
fn a_signed_manifest_is_read() {
    let home = SignedHome::new();
    let verified = read(&home, 1).unwrap();
    assert_eq!(verified.manifest.serial, 1);
    assert!(verified.warnings.is_empty());
}

#[test]
fn one_changed_byte_of_manifest_or_signature_means_no_start() {
    let home = SignedHome::new();
    let (text, signature) =
        (home.read("config/skills_manifest.yaml"), home.read("config/skills_manifest.yaml.sig"));
    home.write("config/skills_manifest.yaml", &text.replacen("\"serial\": 1", "\"serial\": 2", 1));
    assert_eq!(code(read(&home, 0)), 4);
    home.write("config/skills_manifest.yaml", &text);
    home.write("config/skills_manifest.yaml.sig", &signature.replacen("RU", "RX", 1));
    assert_eq!(code(read(&home, 0)), 4);
    std::fs::remove_file(home.path("config/skills_manifest.yaml.sig")).unwrap();
    assert_eq!(code(read(&home, 0)), 4);
}

#[test]
fn a_manifest_signed_by_somebody_else_or_with_an_older_serial_means_no_start() {
    let home = SignedHome::new();
    assert_eq!(code(read(&home, 2)), 4);
    let text = home.read("config/skills_manifest.yaml");
    home.write("config/skills_manifest.yaml.sig", &sign(&home.approver, &text));
    assert_eq!(code(read(&home, 0)), 4);
}

#[test]
fn an_entry_without_the_approvers_decision_is_left_out_and_the_others_stay() {
    let home = SignedHome::new();
    let good = home.approved("good", b"module");
    let mut forged = home.approved("forged", b"module");
    forged.decision.signature = sign(&home.admin, &forged.decision.text);
    let mut wider = home.approved("wider", b"module");
    wider.capabilities.insert(shared_types::capability::Token::MemoryRead);
    home.publish(2, vec![forged, good, wider]);
    let verified = read(&home, 0).unwrap();
    let names: Vec<&str> = verified.manifest.learned.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names, ["good"]);
    assert_eq!(verified.warnings.len(), 2);
    assert!(verified.warnings[0].contains("forged") && verified.warnings[1].contains("`capabilities`"));
}

#[test]
fn only_the_bytes_that_were_approved_are_handed_out_at_the_start_and_at_the_first_call() {
    let home = SignedHome::new();
    let entry = [home.approved("dice", b"module")];
    let path = home.path("skills/dice/1/skill.wasm");
    let skills = Arc::new(Folder::root(&home.path("skills")).unwrap());
    let checked = modules(&skills, &entry).remove(0).unwrap();
    assert_eq!(checked().unwrap(), b"module");
    std::fs::write(&path, b"modulf").unwrap();
    let not_approved =
        |answer: Result<Vec<u8>, String>| answer.unwrap_err().contains("not the one that was approved");
    assert!(not_approved(checked()), "it is compared again when it is read");
    assert!(not_approved(modules(&skills, &entry).remove(0).map(|_| vec![])));
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", &path).unwrap();
    assert!(checked().is_err() && modules(&skills, &entry).remove(0).is_err());
}

#[test]
fn among_many_modules_the_wrong_ones_are_left_out_and_no_other() {
    let home = SignedHome::new();
    let names: Vec<String> = (0..23).map(|number| format!("skill-{number}")).collect();
    let entries: Vec<_> = names.iter().map(|name| home.approved(name, name.as_bytes())).collect();
    for wrong in ["skill-0", "skill-11", "skill-22"] {
        std::fs::write(home.path(&format!("skills/{wrong}/1/skill.wasm")), b"other").unwrap();
    }
    let skills = Arc::new(Folder::root(&home.path("skills")).unwrap());
    for ((name, entry), checked) in names.iter().zip(&entries).zip(modules(&skills, &entries)) {
        let wrong = ["skill-0", "skill-11", "skill-22"].contains(&name.as_str());
        assert_eq!(checked.is_err(), wrong, "{}", entry.name);
        if let Ok(bytes) = checked {
            assert_eq!(bytes().unwrap(), name.as_bytes());
        }
    }
}

#[test]
fn a_chain_of_approvers_that_does_not_hold_means_no_start_even_without_learned_skills() {
    let home = SignedHome::new();
    let text = home.read("config/approvers.yaml");
    for broken in ["approvers: []\n", "{}\n", "changes: 7\n", &text.replacen("owner", "ownes", 1)] {
        home.write("config/approvers.yaml", broken);
        assert_eq!(code(read(&home, 0)), 4, "{broken}");
    }
    let key = home.approver.pk.to_base64();
    home.write("config/approvers.yaml", &format!("approvers: [{{id: owner, public_key: {key}}}]\n"));
    let error = read(&home, 0).unwrap_err();
    assert_eq!(error.exit_code(), 4);
    assert!(error.to_string().contains("cl-admin approver seal"), "{error}");
    home.write("config/approvers.yaml", &text);
    assert!(read(&home, 0).is_ok());
}

#[test]
fn another_root_than_the_one_that_was_seen_means_no_start() {
    let (home, other) = (SignedHome::new(), SignedHome::new());
    let seen = read(&home, 0).unwrap().approvers.seen();
    let look = |home: &SignedHome| {
        let seen = Seen { serial: 0, approvers: Some(seen.clone()) };
        Verified::read(&Folder::root(&home.path("config")).unwrap(), &seen)
    };
    look(&home).unwrap();
    home.write("config/approvers.yaml", &other.read("config/approvers.yaml"));
    let error = look(&home).unwrap_err();
    assert_eq!(error.exit_code(), 4);
    assert!(error.to_string().contains("approvers_seen"), "{error}");
}

#![expect(clippy::disallowed_methods, reason = "the tests tamper with the files that are verified")]
use bot_testing::{SignedHome, sign};

use super::*;

fn read(home: &SignedHome, seen: u64) -> Result<Signed, Error> {
    let seen = Seen { serial: seen, approvers: vec![] };
    Signed::read(&Folder::root(&home.path("config")).unwrap(), &seen)
}

/// What is left of the learned entries of a home, with what is said of the others.
fn judged(home: &SignedHome) -> Verified {
    let skills = Folder::root(&home.path("skills")).unwrap();
    read(home, 0).unwrap().judge(Some(&Arc::new(skills)))
}

fn code(result: Result<Signed, Error>) -> u8 {
    result.unwrap_err().exit_code()
}

#[test]
fn a_signed_manifest_is_read() {
    let home = SignedHome::new();
    let signed = read(&home, 1).unwrap();
    assert_eq!(signed.serial(), 1);
    assert!(signed.judge(None).warnings.is_empty());
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
    let decided: Vec<String> =
        read(&home, 0).unwrap().decided(|_| true).iter().map(|e| e.name.to_string()).collect();
    assert_eq!(decided, ["good"]);
    let verified = judged(&home);
    let names: Vec<&str> = verified.manifest.learned.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names, ["good"]);
    assert_eq!(verified.warnings.len(), 2);
    assert!(verified.warnings[0].contains("forged") && verified.warnings[1].contains("`capabilities`"));
}

#[test]
fn only_the_bytes_that_were_approved_are_handed_out_at_the_start_and_at_the_first_call() {
    let home = SignedHome::new();
    home.publish(2, vec![home.approved("dice", b"module")]);
    let path = home.path("skills/dice/1/skill.wasm");
    let left_out = |expected: &str| {
        let verified = judged(&home);
        assert!(verified.modules.is_empty() && verified.manifest.learned.is_empty());
        assert!(verified.warnings[0].contains(expected), "{:?}", verified.warnings);
    };
    let module = judged(&home).modules.remove(0);
    assert_eq!(module().unwrap(), b"module");
    std::fs::write(&path, b"modulf").unwrap();
    let changed = module();
    assert!(
        matches!(changed, Err(NoModule::NotApproved)),
        "it is compared again when it is read: {changed:?}"
    );
    left_out("not the one that was approved");
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", &path).unwrap();
    assert!(module().is_err());
    left_out("the skill dice is left out");
    assert!(read(&home, 0).unwrap().judge(None).warnings[0].contains("no folder of skills"));
}

#[test]
fn among_many_modules_the_wrong_ones_are_left_out_and_no_other() {
    let home = SignedHome::new();
    let names: Vec<String> = (0..23).map(|number| format!("skill-{number}")).collect();
    home.publish(2, names.iter().map(|name| home.approved(name, name.as_bytes())).collect());
    let wrong = ["skill-0", "skill-11", "skill-22"];
    for wrong in wrong {
        std::fs::write(home.path(&format!("skills/{wrong}/1/skill.wasm")), b"other").unwrap();
    }
    let verified = judged(&home);
    assert_eq!((verified.modules.len(), verified.warnings.len()), (20, 3), "{:?}", verified.warnings);
    for (entry, module) in verified.manifest.learned.iter().zip(&verified.modules) {
        assert!(!wrong.contains(&entry.name.as_str()));
        assert_eq!(module().unwrap(), entry.name.as_str().as_bytes());
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
    let seen = read(&home, 0).unwrap().approvers().seen();
    let look = |home: &SignedHome| {
        let seen = Seen { serial: 0, approvers: vec![seen.clone()] };
        Signed::read(&Folder::root(&home.path("config")).unwrap(), &seen)
    };
    look(&home).unwrap();
    home.write("config/approvers.yaml", &other.read("config/approvers.yaml"));
    let error = look(&home).unwrap_err();
    assert_eq!(error.exit_code(), 4);
    assert!(error.to_string().contains("approvers_seen"), "{error}");
}

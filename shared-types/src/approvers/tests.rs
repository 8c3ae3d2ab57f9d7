use std::io::Cursor;

use minisign::KeyPair;

use super::*;
use crate::capability::Token;
use crate::decision::{Decision, Verdict};
use crate::id::ProposalId;
use crate::plugin::PluginDecision;
use crate::signed::{Countersignature, DecisionError, Signed};

const AT: &str = "2026-02-07T14:30:00Z";

/// Three people with keys, of whom Anna made the chain.
struct People {
    keys: Vec<(&'static str, KeyPair)>,
}

impl People {
    fn new() -> People {
        let keys = ["anna", "ben", "cleo"];
        People { keys: keys.map(|name| (name, KeyPair::generate_unencrypted_keypair().unwrap())).into() }
    }

    fn key(&self, name: &str) -> &KeyPair {
        &self.keys.iter().find(|(n, _)| *n == name).unwrap().1
    }

    fn set(&self, names: &[&str]) -> Vec<Approver> {
        let one =
            |name: &&str| Approver { id: name.parse().unwrap(), public_key: self.key(name).pk.to_base64() };
        names.iter().map(one).collect()
    }

    fn sign(&self, name: &str, text: &str) -> String {
        let key = &self.key(name).sk;
        minisign::sign(None, key, Cursor::new(text.as_bytes()), None, None).unwrap().into_string()
    }

    fn signed(&self, change: &Change) -> SignedChange {
        let text = change.text();
        let signatures = change.signers.iter().map(|s| self.sign(s.as_str(), &text)).collect();
        SignedChange { text, signatures }
    }

    fn root(&self) -> SignedChange {
        self.signed(&Change {
            serial: 1,
            previous: None,
            approvers: self.set(&["anna"]),
            rules: vec![],
            passkeys: None,
            signers: vec!["anna".parse().unwrap()],
            at: AT.into(),
        })
    }

    fn start(&self) -> Approvers {
        Approvers::replay(&[self.root()]).unwrap()
    }

    /// The chain after one more change.
    fn after(
        &self,
        before: &Approvers,
        set: &[&str],
        rules: &[TwoPersons],
        signers: &[&str],
    ) -> Result<Approvers, ChainError> {
        let signers = signers.iter().map(|s| s.parse().unwrap()).collect();
        let change = before.next(self.set(set), rules.to_vec(), signers, AT.into());
        before.clone().follow(&self.signed(&change))
    }

    fn decision(&self, approver: &str, tokens: &[Token]) -> Signed<Decision> {
        let digest = Digest::of(b"x");
        let decision = Decision {
            verdict: Verdict::Approve,
            proposal_id: ProposalId::generate(),
            profile_id: "default".parse().unwrap(),
            name: "dice".parse().unwrap(),
            version: 1,
            base_version: 0,
            manifest_serial: 1,
            spec_sha256: digest.clone(),
            source_sha256: digest.clone(),
            module_sha256: digest.clone(),
            report_sha256: digest.clone(),
            described_sha256: digest,
            capabilities: tokens.iter().copied().collect(),
            network: vec![],
            secrets: vec![],
            memory_scope: Default::default(),
            file_scope: Default::default(),
            emits_events: vec![],
            handles_events: vec![],
            recipients: Default::default(),
            approver: approver.parse().unwrap(),
            decided_at: AT.into(),
        };
        let text = serde_json_canonicalizer::to_string(&decision).unwrap();
        let signature = self.sign(approver, &text);
        Signed::unchecked(text, signature)
    }

    fn also(&self, mut signed: Signed<Decision>, name: &str) -> Signed<Decision> {
        let signature = self.sign(name, &signed.text);
        signed.others.push(Countersignature { approver: name.parse().unwrap(), signature });
        signed
    }
}

fn rule(tokens: &[Token]) -> TwoPersons {
    TwoPersons { tokens: tokens.iter().copied().collect() }
}

#[test]
fn the_set_changes_by_the_signature_of_one_who_is_in_it() {
    let people = People::new();
    let one = people.start();
    let two = people.after(&one, &["anna", "ben"], &[], &["anna"]).unwrap();
    let three = people.after(&two, &["ben"], &[], &["ben"]).unwrap();
    assert_eq!(three.serial(), 3);
    assert!(three.named(&"anna".parse().unwrap()).is_none());
    assert!(people.after(&three, &["ben", "cleo"], &[], &["anna"]).is_err(), "Anna has left");
    assert!(people.after(&one, &["anna", "ben"], &[], &["ben"]).is_err(), "Ben lets himself in");
    assert!(people.after(&one, &["anna", "ben"], &[], &[]).is_err(), "nobody signed");
}

#[test]
fn a_chain_with_any_change_altered_left_out_or_reordered_proves_nothing() {
    let people = People::new();
    let one = people.start();
    let second = people.signed(&one.next(
        people.set(&["anna", "ben"]),
        vec![],
        vec!["anna".parse().unwrap()],
        AT.into(),
    ));
    let two = one.clone().follow(&second).unwrap();
    let third = people.signed(&two.next(
        people.set(&["anna", "ben", "cleo"]),
        vec![],
        vec!["ben".parse().unwrap()],
        AT.into(),
    ));
    let good = vec![people.root(), second, third];
    assert_eq!(Approvers::replay(&good).unwrap().listed().len(), 3);
    assert_eq!(Approvers::replay(&[]), Err(ChainError::Empty));
    for (what, chain) in [
        ("without the first", good[1..].to_vec()),
        ("without the second", vec![good[0].clone(), good[2].clone()]),
        ("in another order", vec![good[0].clone(), good[2].clone(), good[1].clone()]),
        ("twice", vec![good[0].clone(), good[1].clone(), good[1].clone()]),
        ("on another root", vec![People::new().root(), good[1].clone()]),
    ] {
        assert!(Approvers::replay(&chain).is_err(), "{what}");
    }
    for at in 0..3 {
        let mut altered = good.clone();
        altered[at].text = altered[at].text.replacen("2026", "2027", 1);
        assert!(Approvers::replay(&altered).is_err(), "change {at}");
        let mut spaced = good.clone();
        spaced[at].text = format!(" {}", spaced[at].text);
        assert!(Approvers::replay(&spaced).is_err(), "change {at} with a space");
        let mut unsigned = good.clone();
        unsigned[at].signatures.clear();
        assert!(Approvers::replay(&unsigned).is_err(), "change {at} without signatures");
    }
}

#[test]
fn a_set_that_cannot_decide_is_refused() {
    let people = People::new();
    let one = people.start();
    assert!(people.after(&one, &[], &[], &["anna"]).is_err(), "nobody left");
    assert!(people.after(&one, &["anna", "anna"], &[], &["anna"]).is_err(), "twice the same");
    assert!(
        people.after(&one, &["anna"], &[rule(&[Token::NetworkWrite])], &["anna"]).is_err(),
        "a rule for one"
    );
    assert!(people.after(&one, &["anna", "ben"], &[rule(&[])], &["anna"]).is_err(), "a rule for nothing");
    let mut twin = people.set(&["anna", "ben"]);
    // The number in front of a key is anybody's choice: with another one it is still the same key.
    twin[1].public_key = format!("{}{}", &twin[1].public_key[..14], &twin[0].public_key[14..]);
    let change = one.next(twin, vec![], vec!["anna".parse().unwrap()], AT.into());
    let error = one.clone().follow(&people.signed(&change)).unwrap_err();
    assert!(error.to_string().contains("share a name or a key"), "{error}");
    let mut odd = people.set(&["anna", "ben"]);
    odd[1].public_key = "no key".into();
    let change = one.next(odd, vec![], vec!["anna".parse().unwrap()], AT.into());
    assert!(one.clone().follow(&people.signed(&change)).is_err());
}

#[test]
fn while_a_rule_holds_one_approver_alone_changes_nothing_but_further_rules() {
    let people = People::new();
    let two = people.after(&people.start(), &["anna", "ben"], &[], &["anna"]).unwrap();
    let (net, mic) = (rule(&[Token::NetworkWrite]), rule(&[Token::AudioRead]));
    let ruled = people.after(&two, &["anna", "ben"], std::slice::from_ref(&net), &["anna"]).unwrap();
    for (what, set, rules) in [
        ("the rule goes", vec!["anna", "ben"], vec![]),
        ("the rule becomes another", vec!["anna", "ben"], vec![mic.clone()]),
        ("somebody comes", vec!["anna", "ben", "cleo"], vec![net.clone()]),
        ("somebody is exchanged", vec!["anna", "cleo"], vec![net.clone()]),
    ] {
        assert!(people.after(&ruled, &set, &rules, &["anna"]).is_err(), "{what} by one");
        assert!(people.after(&ruled, &set, &rules, &["anna", "anna"]).is_err(), "{what} by one twice");
        assert!(people.after(&ruled, &set, &rules, &["anna", "ben"]).is_ok(), "{what} by two");
    }
    assert!(
        people.after(&ruled, &["anna"], std::slice::from_ref(&net), &["anna", "ben"]).is_err(),
        "too few are left"
    );
    assert!(people.after(&ruled, &["anna", "ben"], &[net, mic], &["ben"]).is_ok(), "a further rule");
}

#[test]
fn a_later_look_finds_what_was_seen_or_refuses() {
    let people = People::new();
    let one = people.start();
    let two = people.after(&one, &["anna", "ben"], &[], &["anna"]).unwrap();
    let other = people.after(&one, &["anna", "cleo"], &[], &["anna"]).unwrap();
    assert_eq!(two.check_seen(&one.seen()), Ok(()));
    assert_eq!(two.check_seen(&two.seen()), Ok(()));
    assert_eq!(one.check_seen(&two.seen()), Err(ChainError::Older { found: 1, seen: 2 }));
    assert_eq!(other.check_seen(&two.seen()), Err(ChainError::Another { serial: 2 }));
    assert_eq!(People::new().start().check_seen(&one.seen()), Err(ChainError::Another { serial: 1 }));
    assert_eq!(two.seen().to_string().parse(), Ok(two.seen()));
    assert_eq!("2".parse::<SeenChain>(), Err(()));
    let nothing = SeenChain { serial: 0, head: one.head().clone() };
    assert!(one.check_seen(&nothing).is_err());
}

#[test]
fn tokens_under_a_rule_need_two_different_present_approvers() {
    let people = People::new();
    let two = people.after(&people.start(), &["anna", "ben"], &[], &["anna"]).unwrap();
    let ruled = people
        .after(&two, &["anna", "ben"], &[rule(&[Token::NetworkRead, Token::MemoryRead])], &["anna"])
        .unwrap();
    let half = people.decision("anna", &[Token::NetworkRead]);
    assert!(half.verify(&ruled).is_ok(), "a part of the rule's tokens is none of its business");
    let whole = people.decision("anna", &[Token::NetworkRead, Token::MemoryRead, Token::LlmCall]);
    assert!(whole.verify(&two).is_ok());
    assert_eq!(whole.verify(&ruled), Err(DecisionError::NeedsSecond("anna".parse().unwrap())));
    assert!(people.also(whole.clone(), "anna").verify(&ruled).is_err(), "twice the same");
    assert!(people.also(whole.clone(), "cleo").verify(&ruled).is_err(), "no approver");
    assert!(people.also(whole, "ben").verify(&ruled).is_ok());
}

#[test]
fn what_somebody_signed_who_left_counts_once_a_present_approver_signs_it_too() {
    let people = People::new();
    let two = people.after(&people.start(), &["anna", "ben"], &[], &["anna"]).unwrap();
    let signed = people.decision("anna", &[]);
    let left = people.after(&two, &["ben"], &[], &["ben"]).unwrap();
    assert_eq!(signed.verify(&left), Err(DecisionError::UnknownApprover("anna".parse().unwrap())));
    let mut forged = people.also(signed.clone(), "ben");
    forged.others[0].signature = people.sign("anna", &signed.text);
    assert!(forged.verify(&left).is_err());
    assert!(people.also(signed, "ben").verify(&left).is_ok());
}

#[test]
fn the_file_reads_back_the_same_and_an_unsigned_list_is_named() {
    let people = People::new();
    let file = ApproversFile {
        changes: vec![people.root()],
        passphrases: vec!["anna".parse().unwrap()],
        approvers: vec![],
    };
    let text = serde_json::to_string(&file).unwrap();
    assert_eq!(serde_json::from_str::<ApproversFile>(&text).unwrap(), file);
    assert_eq!(file.verify().unwrap().all_have_passphrases(), Ok(()));
    let open = ApproversFile { passphrases: vec![], ..file };
    assert_eq!(open.verify().unwrap().all_have_passphrases(), Err(&"anna".parse().unwrap()));
    let old = r#"{"approvers": [{"id": "owner", "public_key": "RWQ", "passphrase": true}]}"#;
    assert_eq!(serde_json::from_str::<ApproversFile>(old).unwrap().verify(), Err(ChainError::Unsigned));
    assert_eq!(ApproversFile::default().verify(), Err(ChainError::Empty));
}

#[test]
fn what_one_person_says_takes_no_signature_beside_theirs() {
    let people = People::new();
    let both = people.after(&people.start(), &["anna", "ben"], &[], &["anna"]).unwrap();
    let decision = PluginDecision {
        verdict: Verdict::Approve,
        plugin: "dice".parse().unwrap(),
        version: "1".into(),
        capabilities: Default::default(),
        offered_sha256: Digest::of(b"x"),
        facts_sha256: Digest::of(b"x"),
        recipients: Default::default(),
        approver: "anna".parse().unwrap(),
        decided_at: AT.into(),
    };
    let of = |name: &str| Signed::by(&decision, |text| Ok::<_, ()>(people.sign(name, text))).unwrap();
    assert_eq!(of("anna").verify(&both).as_ref(), Ok(&decision));
    // Ben's signature under what Anna says is nobody's word, in whichever place it stands.
    assert!(matches!(of("ben").verify(&both), Err(DecisionError::Signature { .. })));
    let by = Countersignature { approver: "ben".parse().unwrap(), signature: of("ben").signature };
    for mut signed in [of("anna"), of("ben")] {
        signed.others.push(by.clone());
        assert_eq!(signed.verify(&both), Err(DecisionError::Together("decision")));
    }
    let bytes = serde_json::to_string(&of("anna")).unwrap();
    assert!(bytes.starts_with("{\"text\":") && !bytes.contains("others"), "{bytes}");
}

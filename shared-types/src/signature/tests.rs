use std::io::Cursor;

use minisign::KeyPair;
use proptest::prelude::*;

use super::*;

/// The line of a public key, a text, and the key's signature over it.
fn signed(text: &str) -> (String, String, String) {
    let keys = KeyPair::generate_unencrypted_keypair().unwrap();
    let signature =
        minisign::sign(Some(&keys.pk), &keys.sk, Cursor::new(text.as_bytes()), None, None).unwrap();
    (keys.pk.to_base64(), signature.into_string(), text.to_owned())
}

fn claim((key, signature, text): &(String, String, String)) -> Claim<'_> {
    Claim { key, signature, bytes: text.as_bytes() }
}

#[test]
fn what_holds_alone_holds_in_a_batch_and_is_not_checked_again() {
    let all: Vec<_> = ["one", "two", ""].map(signed).into();
    let claims: Vec<Claim<'_>> = all.iter().map(claim).collect();
    let verifier = Verifier::of_batch(claims.clone());
    assert_eq!(verifier.hold.len(), 3);
    for claim in claims {
        assert_eq!(verifier.verify(&claim), Ok(()));
        // Another key, signature or text was not in the batch.
        assert!(verifier.verify(&Claim { bytes: b"three", ..claim }).is_err());
    }
}

#[test]
fn one_wrong_claim_leaves_the_others_to_be_checked_one_by_one() {
    let all: Vec<_> = ["one", "two", "three"].map(signed).into();
    let mut claims: Vec<Claim<'_>> = all.iter().map(claim).collect();
    claims[1].bytes = b"too";
    let verifier = Verifier::of_batch(claims.clone());
    assert_eq!(verifier.hold.len(), 0);
    let verdicts: Vec<_> = claims.iter().map(|claim| verifier.verify(claim)).collect();
    assert_eq!(verdicts, [Ok(()), Err(SignatureError::Mismatch), Ok(())]);
}

#[test]
fn a_key_under_which_anything_is_signed_is_never_checked_in_a_batch() {
    // The neutral point: with it, a signature of `R = sB` holds for every text.
    let neutral: Vec<u8> = [&b"Ed01234567\x01"[..], &[0; 31]].concat();
    let key = STANDARD.encode(neutral);
    let base = "5866666666666666666666666666666666666666666666666666666666666666";
    let base: Vec<u8> =
        (0..64).step_by(2).map(|at| u8::from_str_radix(&base[at..at + 2], 16).unwrap()).collect();
    let one: Vec<u8> = [&[1][..], &[0; 31]].concat();
    let of_anything = [base, one].concat();
    let first = STANDARD.encode([b"ED01234567", &of_anything[..]].concat());
    let signature =
        format!("untrusted comment: x\n{first}\ntrusted comment: x\n{}\n", STANDARD.encode(&of_anything));
    let forged = Claim { key: &key, signature: &signature, bytes: b"anything" };
    let honest = signed("one");
    let verifier = Verifier::of_batch(vec![forged, claim(&honest)]);
    assert!(verifier.verify(&forged).is_err());
}

proptest! {
    /// For any change in a claim, its verdict beside a claim that holds is the same as its verdict alone.
    #[test]
    fn a_batch_accepts_no_change_that_would_be_refused_alone(part in 0..3_usize, at in any::<prop::sample::Index>(), by in 1..128_u8) {
        let mut changed = signed("a decision");
        let text = [&mut changed.0, &mut changed.1, &mut changed.2].into_iter().nth(part).unwrap();
        let at = at.index(text.len());
        let other = char::from(text.as_bytes()[at] ^ by);
        text.replace_range(at..=at, other.to_string().as_str());
        let honest = signed("another");
        let verifier = Verifier::of_batch(vec![claim(&honest), claim(&changed)]);
        let alone = claim(&changed);
        prop_assert_eq!(verifier.verify(&alone), verify(alone.key, alone.signature, alone.bytes));
    }
}

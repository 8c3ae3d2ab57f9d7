use std::io::Cursor;

use minisign::KeyPair;

use super::*;

fn key() -> (KeyPair, String) {
    let pair = KeyPair::generate_unencrypted_keypair().unwrap();
    let trust = pair.pk.to_base64();
    (pair, trust)
}

fn head(count: u64, acknowledged: u64) -> Head {
    Head {
        log: Log::Admin,
        end: Place { count, ..Place::start() },
        begin: None,
        acknowledged,
        at: String::new(),
    }
}

fn place(head: &Head, key: &KeyPair) -> Vec<u8> {
    let line = head.line();
    let signed = minisign::sign(None, &key.sk, Cursor::new(&line), None, None).unwrap();
    slot(&format!("{line}\n{}", signed.into_string())).unwrap()
}

fn empty() -> Vec<u8> {
    slot("").unwrap()
}

/// Of two heads the later one is read, in whichever place it is; an acknowledgement makes a head later than any count.
#[test]
fn the_later_head_is_read() {
    let (key, trust) = key();
    let [four, five, accepted] = [head(4, 0), head(5, 0), head(1, 1)];
    let [at_four, at_five, at_accepted] = [&four, &five, &accepted].map(|head| place(head, &key));
    let read = |places: &[Vec<u8>]| Head::read(&places.concat(), &trust, &Log::Admin);
    for (places, expected) in [
        (vec![at_four.clone(), at_five.clone()], &five),
        (vec![at_five.clone(), at_four.clone()], &five),
        (vec![at_five.clone(), empty()], &five),
        (vec![empty(), at_five.clone()], &five),
        (vec![at_accepted.clone(), at_five.clone()], &accepted),
        // As files were before, with one head and nothing behind it.
        (vec![at_four.trim_ascii_end().to_vec()], &four),
    ] {
        assert_eq!(read(&places).as_ref(), Ok(expected));
    }
    assert!(read(&[empty(), empty()]).is_err());
    assert!(read(&[]).is_err());
    let net = Log::Net("default".parse().unwrap());
    assert!(matches!(Head::read(&[at_four, at_five].concat(), &trust, &net), Err(HeadError::Other)));
}

/// A write that was torn anywhere, or that somebody forged, leaves the head of before.
#[test]
fn a_torn_place_leaves_the_other_head() {
    let (key, trust) = key();
    let (four, five, six) = (head(4, 0), head(5, 0), head(6, 0));
    let (before, after) = (place(&four, &key), place(&six, &key));
    for torn in (0..SLOT_BYTES).step_by(64) {
        let half = [&after[..torn], &before[torn..]].concat();
        let read = Head::read(&[half, place(&five, &key)].concat(), &trust, &Log::Admin).unwrap();
        assert!(read == five || read == six, "torn at {torn}: {read:?}");
    }
    let forged = String::from_utf8(after).unwrap().replace("\"count\":6", "\"count\":9").into_bytes();
    for damaged in [forged, vec![0xff; SLOT_BYTES]] {
        assert_eq!(Head::read(&[damaged, before.clone()].concat(), &trust, &Log::Admin).as_ref(), Ok(&four));
    }
}

/// The latest head is never written over, and a head that would not be read then gets no place.
#[test]
fn a_head_is_written_over_the_one_before_the_latest() {
    let (key, trust) = key();
    let second = SLOT_BYTES as u64;
    let [four, five] = [head(4, 0), head(5, 0)].map(|head| place(&head, &key));
    let place_in = |next: &Head, places: &[Vec<u8>]| next.place_in(&places.concat(), &trust);
    assert_eq!(place_in(&head(6, 0), &[four.clone(), five.clone()]), Some(0));
    assert_eq!(place_in(&head(6, 0), &[five.clone(), four.clone()]), Some(second));
    assert_eq!(place_in(&head(6, 0), &[five.clone(), empty()]), Some(second));
    assert_eq!(place_in(&head(6, 0), &[empty(), five.clone()]), Some(0));
    assert_eq!(place_in(&head(0, 1), &[four.clone(), five.clone()]), Some(0));
    assert_eq!(place_in(&head(5, 0), &[four.clone(), five.clone()]), None);
    assert_eq!(place_in(&head(6, 0), &[empty(), empty()]), None);
    assert_eq!(place_in(&head(6, 0), std::slice::from_ref(&four)), None);
    let (_, other) = self::key();
    assert_eq!(head(6, 0).place_in(&[four, five].concat(), &other), None);
}

#[test]
fn a_text_that_is_too_long_gets_no_place() {
    assert_eq!(slot(&"x".repeat(SLOT_BYTES + 1)), None);
    assert_eq!(slot(&"x".repeat(SLOT_BYTES)).unwrap().len(), SLOT_BYTES);
}

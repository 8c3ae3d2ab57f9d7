use std::string::ToString;
use std::vec;
use std::vec::Vec;

use super::*;

fn sample() -> Value {
    Value::map([
        ("nothing", Value::Null),
        ("yes", true.into()),
        ("least", i64::MIN.into()),
        ("fraction", 2.5.into()),
        ("text", "Grüße \u{1F40C}".into()),
        ("list", Value::list([1, 2, 3])),
        ("", Value::Map(vec![])),
    ])
}

fn nested(depth: usize) -> Value {
    (1..depth).fold(Value::Null, |inner, _| Value::List(vec![inner]))
}

#[test]
fn every_kind_of_value_survives_the_round_trip() {
    let bytes = encode(&sample()).unwrap();
    assert_eq!(decode(&bytes), Ok(sample()));
}

#[test]
fn the_bytes_are_a_tag_and_little_endian_numbers() {
    assert_eq!(encode(&Value::Int(258)).unwrap(), [2, 2, 1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(encode(&"hi".into()).unwrap(), [4, 2, 0, 0, 0, b'h', b'i']);
}

#[test]
fn nesting_is_allowed_up_to_the_limit_on_both_sides() {
    let bytes = encode(&nested(MAX_DEPTH)).unwrap();
    assert_eq!(decode(&bytes), Ok(nested(MAX_DEPTH)));
    assert_eq!(encode(&nested(MAX_DEPTH + 1)), Err(CodecError::TooDeep));
    let mut deeper = vec![5, 1, 0, 0, 0];
    deeper.extend(bytes);
    assert_eq!(decode(&deeper), Err(CodecError::TooDeep));
}

#[test]
fn the_number_of_values_is_bounded_on_both_sides() {
    let many = Value::List(vec![Value::Null; MAX_VALUES]);
    assert_eq!(encode(&many), Err(CodecError::TooMany));
    let mut bytes = vec![5];
    bytes.extend(u32::try_from(MAX_VALUES).unwrap().to_le_bytes());
    bytes.extend(vec![0; MAX_VALUES]);
    assert_eq!(decode(&bytes), Err(CodecError::TooMany));
}

#[test]
fn every_shortened_message_is_refused() {
    let bytes = encode(&sample()).unwrap();
    for length in 0..bytes.len() {
        assert!(decode(&bytes[..length]).is_err(), "{length} bytes were accepted");
    }
}

#[test]
fn trailing_bytes_wrong_tags_and_broken_text_are_refused() {
    assert_eq!(decode(&[0, 0]), Err(CodecError::Trailing));
    assert_eq!(decode(&[7]), Err(CodecError::BadTag(7)));
    assert_eq!(decode(&[1, 2]), Err(CodecError::BadTag(2)));
    assert_eq!(decode(&[4, 1, 0, 0, 0, 0xff]), Err(CodecError::BadText));
}

#[test]
fn a_length_beyond_the_rest_is_refused_before_anything_is_allocated() {
    for tag in [4, 5, 6] {
        assert_eq!(decode(&[tag, 0xff, 0xff, 0xff, 0xff]), Err(CodecError::Truncated));
    }
}

#[test]
fn hostile_bytes_never_panic() {
    // Every byte of a good message is replaced by every other, then pseudo-random bytes follow.
    let bytes = encode(&sample()).unwrap();
    for index in 0..bytes.len() {
        for byte in 0..=255 {
            let mut changed = bytes.clone();
            changed[index] = byte;
            let _ = decode(&changed);
        }
    }
    let mut state = 1u64;
    for length in 0..2_000usize {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 60) as u8
        };
        let noise: Vec<u8> = (0..length % 64).map(|_| next()).collect();
        let _ = decode(&noise);
    }
}

#[test]
fn the_errors_say_what_is_wrong() {
    assert_eq!(CodecError::BadTag(9).to_string(), "the message holds the unknown tag 9");
}

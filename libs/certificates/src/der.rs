//! Until when a certificate is valid (RFC 5280, 4.1): the one field that no library of the tree tells.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

const SEQUENCE: u8 = 0x30;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
/// The version, where it is not the first one.
const VERSION: u8 = 0xA0;

/// The end of the validity of a certificate; nothing where it is not one.
pub(crate) fn ends(certificate: &[u8]) -> Option<Timestamp> {
    let (SEQUENCE, certificate, _) = element(certificate)? else { return None };
    let (SEQUENCE, mut fields, _) = element(certificate)? else { return None };
    let (first, _, rest) = element(fields)?;
    if first == VERSION {
        fields = rest;
    }
    // The serial number, the algorithm, and who signed it.
    for _ in 0..3 {
        fields = element(fields)?.2;
    }
    let (SEQUENCE, validity, _) = element(fields)? else { return None };
    let (_, _, rest) = element(validity)?;
    let (kind, text, _) = element(rest)?;
    moment(kind, std::str::from_utf8(text).ok()?)
}

/// The first element: its kind, its content, and what follows it.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&[kind, first], rest) = bytes.split_first_chunk()?;
    let (length, rest) = match usize::from(first) {
        short @ 0..=0x7F => (short, rest),
        // Two bytes are 64 KiB, which no file has.
        0x81 => (usize::from(*rest.first()?), &rest[1..]),
        0x82 => {
            let (length, rest) = rest.split_first_chunk()?;
            (usize::from(u16::from_be_bytes(*length)), rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((kind, content, rest))
}

/// `YYMMDDhhmmssZ`, or the same with four digits of the year.
fn moment(kind: u8, text: &str) -> Option<Timestamp> {
    let full = match kind {
        UTC_TIME => {
            let year: u8 = text.get(..2)?.parse().ok()?;
            format!("{}{text}", if year < 50 { "20" } else { "19" })
        }
        GENERALIZED_TIME => text.to_owned(),
        _ => return None,
    };
    let read = DateTime::strptime("%Y%m%d%H%M%SZ", &full).ok()?;
    // One without an end says 99991231235959Z (RFC 5280, 4.1.2.5), a day later than the last moment that is known here.
    Some(read.to_zoned(TimeZone::UTC).map_or(Timestamp::MAX, |end| end.timestamp()))
}

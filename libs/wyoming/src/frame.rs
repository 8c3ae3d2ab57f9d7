//! Events as bytes.

use std::io::{self, BufRead, Read, Write};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::event::Event;
use crate::fault::Fault;

/// The longest header, in bytes, its end included: the reader of the Python library takes no longer one.
pub const LONGEST_LINE: u64 = 64 * 1024;
/// The most data behind a header, in bytes.
pub const MOST_DATA: u64 = 256 * 1024;
/// The most sound of one event, in bytes: two seconds in stereo at 48 kHz with 32 bits a sample come to 768,000.
pub const MOST_PAYLOAD: u64 = 1024 * 1024;

#[derive(Deserialize)]
struct Header {
    #[serde(rename = "type")]
    kind: String,
    data: Option<Map<String, Value>>,
    data_length: Option<u64>,
    payload_length: Option<u64>,
}

/// Reads the next event; nothing at the end of the stream. Nothing beyond the event is taken from it.
///
/// # Errors
/// A stream that cannot be read, ends within an event, or holds something else. It has to be given up then: where the next event
/// begins is not known.
pub fn read(input: &mut impl BufRead) -> Result<Option<Event>, Fault> {
    let mut line = Vec::new();
    if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') {
        let is_full = line.len() as u64 == LONGEST_LINE;
        return Err(if is_full {
            Fault::TooLong { part: "header", most: LONGEST_LINE }
        } else {
            Fault::Torn
        });
    }
    let header: Header = parsed(&line, "header")?;
    let mut data = header.data.unwrap_or_default();
    let more = exactly(input, header.data_length, "data", MOST_DATA)?;
    if !more.is_empty() {
        data.extend(parsed::<Map<String, Value>>(&more, "data")?);
    }
    let payload = exactly(input, header.payload_length, "payload", MOST_PAYLOAD)?;
    Event::of(header.kind, &data, payload).map(Some)
}

fn parsed<'a, T: Deserialize<'a>>(bytes: &'a [u8], part: &'static str) -> Result<T, Fault> {
    serde_json::from_slice(bytes).map_err(|why| Fault::Malformed { part, why })
}

fn exactly(
    input: &mut impl BufRead,
    length: Option<u64>,
    part: &'static str,
    most: u64,
) -> Result<Vec<u8>, Fault> {
    let length = length.unwrap_or(0);
    if length > most {
        return Err(Fault::TooLong { part, most });
    }
    let mut bytes = Vec::new();
    input.by_ref().take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(Fault::Torn) }
}

/// Writes an event and flushes the stream. A payload or data beyond the limits of [`read`] is the caller's fault.
///
/// # Errors
/// The stream cannot be written.
pub fn write(output: &mut impl Write, event: &Event) -> io::Result<()> {
    let (kind, data, payload) = event.parts();
    let data = serde_json::to_vec(&data)?;
    let header = serde_json::json!({
        "type": kind,
        "version": env!("CARGO_PKG_VERSION"),
        "data_length": data.len(),
        "payload_length": payload.len(),
    });
    let mut bytes = serde_json::to_vec(&header)?;
    bytes.push(b'\n');
    bytes.extend(data);
    output.write_all(&bytes)?;
    output.write_all(payload)?;
    output.flush()
}

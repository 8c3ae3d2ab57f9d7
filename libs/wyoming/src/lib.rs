//! The Wyoming protocol, which voice services speak with each other: events, each one line of JSON, then data, then sound.
//!
//! - [`Event`]: what the parts of TameClaw say and understand; all else is [`Event::Other`]
//! - [`read`], [`write`]: one event from and to a stream
//! - [`Fault`]: why a stream is given up
//!
//! By the description of the protocol's version 1.10 (<https://github.com/OHF-Voice/wyoming>, the part "Format"): a header is a JSON object
//! on one line, with `type` and perhaps `data`, `data_length` and `payload_length`; that number of bytes of a JSON object
//! follows, whose keys take precedence over those of `data`, and then that number of bytes of sound. The protocol has no login
//! and no encryption: it is spoken over unix sockets alone.
#![forbid(unsafe_code)]

mod event;
mod fault;
mod frame;

pub use event::{Event, Format, Program, Voice};
pub use fault::Fault;
pub use frame::{LONGEST_LINE, MOST_DATA, MOST_PAYLOAD, read, write};

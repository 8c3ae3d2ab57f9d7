//! What a TameClaw skill is written against.
//!
//! A skill is one file: a unit struct that implements [`Skill`]. It says what it offers in
//! [`Skill::describe`], answers in [`Skill::call_tool`], and reaches the world only by the host calls
//! of [`host`], [`memory`], [`llm`], [`files`], [`http`], [`events`], [`ask`] and [`say`]. Each of those
//! needs a capability token: a call that was not granted does not even link.
//!
//! The crate has no dependency and builds with Rust 1.63, so that the compilers of Debian and
//! Raspberry Pi OS serve. The host uses its [`codec`] and [`Value`] as well.
#![no_std]
#![warn(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]
#![cfg_attr(not(target_arch = "wasm32"), forbid(unsafe_code))]

extern crate alloc;
#[cfg(test)]
extern crate std;

#[doc(hidden)]
pub mod abi;
#[forbid(unsafe_code)]
pub mod base64;
#[forbid(unsafe_code)]
mod call;
#[forbid(unsafe_code)]
pub mod codec;
#[forbid(unsafe_code)]
mod date;
#[forbid(unsafe_code)]
mod describe;
#[doc(hidden)]
#[forbid(unsafe_code)]
pub mod entry;
#[forbid(unsafe_code)]
mod float;
#[cfg(any(target_arch = "wasm32", test))]
#[forbid(unsafe_code)]
mod heap;
#[forbid(unsafe_code)]
pub mod hex;
#[forbid(unsafe_code)]
mod imports;
#[forbid(unsafe_code)]
pub mod json;
#[forbid(unsafe_code)]
mod number;
#[forbid(unsafe_code)]
mod text;
#[forbid(unsafe_code)]
mod unread;
#[forbid(unsafe_code)]
mod value;

pub use call::{Answer, Call, Event, Refusal};
pub use date::{Date, Weekday};
pub use describe::{Description, Param, Tool};
pub use imports::{ask, audio, events, files, gpio, host, http, llm, memory, say, HostError};
pub use number::{fixed, grouped};
pub use text::{lower, words};
pub use unread::Unread;
pub use value::Value;

/// One skill: what it offers and how it answers.
pub trait Skill {
    /// Says what the skill offers; must not call the host.
    fn describe(&self) -> Description;

    /// Answers one tool call with text for the person, or refuses.
    fn call_tool(&mut self, call: &Call) -> Answer {
        Err(Refusal::unknown_tool(call))
    }

    /// Reacts to an event named in the description's `handles`.
    fn handle(&mut self, _event: &Event) -> Option<Value> {
        None
    }
}

/// Everything a skill's file needs but the trait [`Skill`], whose name the skill itself takes.
pub mod prelude {
    pub use crate::{ask, audio, events, files, gpio, host, http, json, llm, memory, say};
    pub use crate::{base64, fixed, grouped, hex, lower, words};
    pub use crate::{
        Answer, Call, Date, Description, Event, HostError, Param, Refusal, Tool, Unread, Value, Weekday,
    };
}

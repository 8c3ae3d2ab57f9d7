//! What `cl-ear` is made of: it finds which of a list of phrases was said, on this machine.
//!
//! - [`command`]: the command line
//! - [`serve`]: a voice service behind a socket file, by the Wyoming protocol
//! - [`phrases`]: what may be said, as a grammar
//! - [`listener`]: sound to a phrase, or to nothing where something else was said
//! - `dictionary`: the sounds of words
//! - `noise`: less of a steady noise, before anything is heard
//! - `sphinx`: PocketSphinx, the only `unsafe` here
//! - [`model`]: the file of a model of whisper.cpp, by its digest
//! - `whisper`: whisper.cpp, where it is built with it
//!
//! It loads the library and the model, reads the dictionary, and makes the grammar. Then it confines itself as a door does, before it
//! reads a byte of sound: it accepts connections, and opens, connects and starts nothing.

pub mod command;
mod dictionary;
pub mod listener;
pub mod model;
mod noise;
pub mod phrases;
pub mod serve;
mod sphinx;
#[cfg(feature = "whisper")]
mod whisper;

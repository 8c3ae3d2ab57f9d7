//! What `cl-mouth` is made of: it makes speech of text on this machine, and hands the sound back.
//!
//! - [`command`]: the command line
//! - [`serve`]: a voice service behind a socket file, by the Wyoming protocol
//! - [`pico`]: text to samples
//!
//! Its voices are part of the program. `serve` opens its socket file, loads its voices, and then confines itself as a door does: it
//! accepts connections, and opens, connects and starts nothing. `say` opens its output and confines itself likewise.

pub mod command;
pub mod pico;
pub mod serve;

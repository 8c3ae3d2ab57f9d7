//! cl-door: the bot as programs see it, over HTTP, in an editor, or as tools. It lies above everything of `cl-bot`, which becomes
//! it by `cl-bot serve`, `matrix`, `telegram`, `acp` and `mcp`.
//!
//! Over HTTP there are four processes: the starter holds the listening socket and starts the others anew when something was installed; the
//! *door* reads HTTP and may accept connections and do nothing else; `mind` judges who asks and answers; `net` has the network. For an
//! editor or a client of MCP there are `mind` and `net` alone.
//!
//! - [`start`]: the command line, the starter, and the forks; `life` what every starter does
//! - [`listener`]: the one socket that listens
//! - [`tls`]: its certificate, and the key
//! - [`frames`]: what the door asks and `mind` answers
//! - [`driver`]: `mind`'s side, in the place of the terminal; [`duties`] what it answers, [`tokens`] who may ask,
//!   `untaught` what a program is answered that wants something kept or forgotten
//! - [`side`]: the other side of the driver: the door behind a socket, or [`acp`], an editor at standard input and output
//! - `messenger`: a messenger's server as the other side; [`matrix`] and [`telegram`] what each has of its own
//! - [`mcp`]: the approved skills as tools of another program; [`rpc`] what it and `acp` read alike
//! - [`bodies`]: what is sent over HTTP, by types
//! - [`http`]: the door's side
#![forbid(unsafe_code)]

pub mod acp;
pub mod bodies;
pub mod driver;
pub mod duties;
pub mod frames;
pub mod http;
mod life;
pub mod listener;
pub mod matrix;
pub mod mcp;
mod messenger;
pub mod rpc;
pub mod side;
pub mod start;
pub mod telegram;
pub mod tls;
pub mod tokens;
mod untaught;

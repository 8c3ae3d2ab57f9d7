//! cl-door: the bot as programs see it, over HTTP, in an editor, or as tools. It is above everything of `cl-bot`, which becomes
//! it by `cl-bot serve`, `matrix`, `telegram`, `voice`, `acp` and `mcp`.
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
//!   [`guesses`] which PINs are tried, `untaught` what a program is answered that wants something kept or forgotten
//! - [`side`]: the other side of the driver: the door behind a socket, or [`acp`], an editor at standard input and output
//! - [`messenger`]: a messenger's server as the other side; [`matrix`] and [`telegram`] what each has of its own
//! - `voice`: a person who speaks as the other side, by services that hear and speak
//! - [`mcp`]: the approved skills as tools of another program; [`rpc`] what it and `acp` read alike
//! - [`bodies`]: what is sent over HTTP, by types
//! - [`http`]: the door's side
//!
//! # How it works
//!
//! `cl-bot serve` becomes `cl-door` (`user-agent/door`), which holds the same library beside an HTTP server. Its
//! *starter* opens the one socket and starts the others anew after code 75. Its certificate (`libs/certificates`) and
//! the key reach the *door* in a sealed file in memory (`tls.rs`); neither the starter nor `mind` ever has the key. The
//! *door* reads HTTP: it accepts, and opens, connects and starts nothing. It passes requests on as frames, with the
//! token that came; `mind` judges the token by its digest in the profile's file (`tokens.rs`), answers looks at once
//! (`duties.rs`) and lines one after the other (`driver.rs`, in the terminal's place). See
//! `docs/adr/0014-the-door-is-a-program-of-its-own.md`.
//!
//! `cl-bot acp` becomes the same program with another side of the driver (`side.rs`): an editor at standard input and
//! output (`acp/`), by the Agent Client Protocol. Only `mind` and `net` run then, without a starter and a door. Its
//! lines count as a program's, so a call that needs a yes is refused. `cl-bot mcp` becomes the same program (`mcp.rs`),
//! without a driver: its calls go to the gate. Both read JSON-RPC by `rpc.rs`.
//!
//! `cl-bot matrix` and `cl-bot telegram` become it with a messenger's server as the other side. What both need is in
//! `messenger/`; `matrix/` and `telegram/` hold the calls of each server. A process of its own polls it, behind the
//! walls of `net`: its order, with the access token, reaches it in a sealed file, and it sees no file of the home.
//! `mind` alone judges who is heard, and writes each event down as taken before it is answered and each answer before
//! it is sent (`matrix.json` or `telegram.json` in the profile's folder, which no backup holds).
//!
//! `cl-bot voice` becomes it with sound as the other side, without a starter (`voice/`). It connects to the socket files of
//! an ear and a mouth before it is confined, and reads and writes them as files from then on.
#![forbid(unsafe_code)]

pub mod acp;
pub mod bodies;
pub mod driver;
pub mod duties;
pub mod frames;
pub mod guesses;
pub mod http;
mod life;
pub mod listener;
pub mod matrix;
pub mod mcp;
pub mod messenger;
pub mod rpc;
pub mod side;
pub mod start;
pub mod telegram;
pub mod tls;
pub mod tokens;
mod untaught;
mod voice;

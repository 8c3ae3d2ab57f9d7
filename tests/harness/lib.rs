//! What the whole-program tests stand on: nothing in here knows more of the programs than a person at a terminal does.
//!
//! - [`world`]: a temporary home and the shipped programs
//! - [`backup`]: backups of a test's home
//! - [`authenticator`]: a passkey in software, and what asks for its signature; [`site`]: a static site under TLS
//! - [`browser`]: a browser, driven as a person does; `axe` what it is checked by
//! - [`points`]: a `cl-admin` that kills itself at a point that a test names
//! - [`run`]: one program from start to end, or in the background
//! - [`transcript`]: what a program has said so far
//! - [`pty`]: a program at a terminal; [`console`]: the review on it
//! - [`container`]: both programs in containers, as `compose.yaml` and `Dockerfile` say
//! - [`model`], [`weather`], [`login`]: scripted servers on the loopback, over [`http`]
//! - [`door`]: a running `cl-bot serve`, and a client of it; [`socket`]: a client of its WebSocket
//! - [`flood`]: many clients of a server at once
//! - [`disk`]: a small disk that can be filled
//! - [`mapping`]: a file changed through its mapped pages
//! - [`acp`]: an editor at `cl-bot acp`
//! - [`mcp`]: plugins that misbehave, and how a person installs one
//! - [`npm`]: programs and libraries from npm
//! - [`smtp`]: a scripted mail server
//! - [`session_key`]: a key in the session of a program
//! - [`skill`]: hand-written skills, compiled as a person would compile them
//! - [`pins`]: lines of a chip that is not there, behind the service of `cl-pins`
//! - [`landlock`]: a kernel without Landlock
//! - [`tls`]: a client that knows the server's certificate
//! - [`swap`]: two names that change places meanwhile
//! - [`tracer`]: system calls injected into a running process

pub mod acp;
pub mod action;
pub mod authenticator;
mod axe;
pub mod backup;
pub mod browser;
pub mod calls;
pub mod console;
pub mod container;
pub mod digest;
pub mod disk;
pub mod door;
pub mod flood;
pub mod http;
pub mod landlock;
pub mod limits;
pub mod login;
pub mod mapping;
pub mod matrix;
pub mod mcp;
pub mod model;
pub mod npm;
pub mod obedient;
pub mod page;
pub mod pins;
pub mod points;
pub mod pty;
pub mod run;
pub mod session_key;
pub mod site;
pub mod skill;
pub mod smtp;
pub mod socket;
pub mod speech;
pub mod swap;
pub mod synapse;
pub mod telegram;
pub mod tls;
pub mod tracer;
pub mod transcript;
pub mod weather;
pub mod world;

/// Says that a test does not run here, past the test runner's capture, so that nobody takes it for a pass.
pub fn skip(reason: &str) {
    use std::io::Write as _;
    let name = std::thread::current().name().unwrap_or("a test").to_owned();
    // A closed stderr is not a reason to fail.
    let _ = writeln!(std::io::stderr(), "skipped: {name}: {reason}");
}

/// Whether tests of many cases try all of them; else they try one. `cargo xtask check --all` and `cargo xtask cut` set the
/// variable.
#[must_use]
pub fn long() -> bool {
    std::env::var_os("TAMECLAW_LONG").is_some()
}

/// Asks again and again until there is an answer; panics with `what` after `limit`.
#[track_caller]
pub fn eventually<T>(limit: std::time::Duration, what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let start = std::time::Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(start.elapsed() < limit, "after {} s still not: {what}", limit.as_secs());
        std::thread::sleep(std::time::Duration::from_millis(30));
    }
}

//! `cl-admin model ready`: waits until a server of this machine answers, and asks for its key.

use std::time::{Duration, Instant};

use base::error::Error;
use models::Endpoint;
use models::http::Caps;
use models::http::blocking::Outbox;

use super::serve::PORT;

/// For one question.
const CAPS: Caps = Caps { timeout: Duration::from_secs(5), max_bytes: 256 << 10 };
/// Between two questions.
const PAUSE: Duration = Duration::from_millis(200);

/// What `ready` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The port of 127.0.0.1
    #[arg(long, value_name = "PORT", default_value_t = PORT)]
    port: u16,
    /// How long to wait
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    seconds: u64,
}

/// Why it is not ready.
#[derive(Debug, thiserror::Error)]
pub(in crate::commands) enum Fault {
    #[error("no model server answers on 127.0.0.1:{port} after {seconds} s")]
    Silent { port: u16, seconds: u64 },
    #[error(
        "what answers on 127.0.0.1:{0} asks for no key, so it is not the server that `cl-admin model serve` starts"
    )]
    Open(u16),
}

/// Waits for the server of the flags.
pub(super) fn run(args: &Args) -> Result<(), Error> {
    wait(args.port, Duration::from_secs(args.seconds), &mut || true)
}

/// Waits until the server on a port has loaded its model, while `goes_on` says so, and sees that it asks for a key.
///
/// # Errors
/// It does not answer in time, or answers anybody.
pub(in crate::commands) fn wait(
    port: u16,
    limit: Duration,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<(), Error> {
    let outbox = Outbox::new().map_err(Error::step("the HTTP client"))?;
    let status = |path: &str| {
        let address: Endpoint = format!("http://127.0.0.1:{port}/{path}").parse().ok()?;
        outbox.get(&address, CAPS).ok().map(|answer| answer.status)
    };
    let until = Instant::now() + limit;
    // It answers 503 while it loads the model; neither question carries a key.
    while status("health") != Some(200) {
        if Instant::now() >= until || !goes_on() {
            return Err(Error::failed(Fault::Silent { port, seconds: limit.as_secs() }));
        }
        std::thread::sleep(PAUSE);
    }
    // Of llama.cpp's paths some need no key, by version; this one always does.
    match status("props") {
        Some(401) => Ok(()),
        _ => Err(Error::refused(Fault::Open(port))),
    }
}

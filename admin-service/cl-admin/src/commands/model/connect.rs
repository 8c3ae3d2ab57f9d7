//! Makes a fetched model the one that a server of this machine runs, and starts that server for a trial.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

use base::error::Error;
use base::home::Home;
use models::Endpoint;
use serde::{Deserialize, Serialize};
use shared_types::secret::Secret;

use super::list::ModelName;
use super::place::{Place, Unfit};
use super::{key, ready};

/// Loading gigabytes from a card takes its time.
const LOADING: Duration = Duration::from_secs(300);
/// The file in `models/` that names the model.
const FILE: &str = "connected";
/// The most of a log that is kept, in bytes.
const KEPT: usize = 8192;

/// What the unit and `serve` without a name run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Chosen {
    model: ModelName,
}

/// The model that was connected last, if one was.
pub(in crate::commands) fn connected(home: &Home) -> Result<Option<ModelName>, Error> {
    Ok(Place::of(home).read(FILE)?.map(|chosen: Chosen| chosen.model))
}

/// Chooses a fetched model, and hands out where it will answer and the key that it will ask for.
///
/// # Errors
/// A model that is not here, or a failing disk.
pub(in crate::commands) fn choose(
    home: &Home,
    name: &ModelName,
    port: u16,
) -> Result<(Endpoint, Secret), Error> {
    let place = Place::of(home);
    if place.known(name)?.is_none() {
        return Err(Error::failed(Unfit::Missing(name.clone())));
    }
    let key = key::make(home)?;
    let path = place.folder().join(FILE);
    let text = shared_types::json::line(&Chosen { model: name.clone() }) + "\n";
    durable::replace(&path, text.as_bytes(), 0o644).map_err(Error::io(&path))?;
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o644))
        .map_err(Error::io(&path))?;
    let address = format!("http://127.0.0.1:{port}/v1").parse().map_err(Error::option("--port"))?;
    Ok((address, key))
}

/// A server that runs for a trial; it ends with the value.
#[derive(Debug)]
pub(in crate::commands) struct Trial {
    child: Child,
    /// The end of what it logs; it is read all the time, since a server whose log is not read stops.
    log: Option<JoinHandle<Vec<u8>>>,
}

impl Trial {
    /// Starts the server of a model and waits until it has loaded it, while `goes_on` says so.
    ///
    /// # Errors
    /// It cannot be started, ends, or does not answer in time.
    pub(in crate::commands) fn start(
        home: &Home,
        name: &ModelName,
        port: u16,
        program: Option<&PathBuf>,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Trial, Error> {
        let own = std::env::current_exe().map_err(Error::step("finding this program"))?;
        let mut command = Command::new(own);
        command.arg("--home").arg(home.root()).args(["model", "serve", &name.to_string()]);
        command.args(["--port", &port.to_string()]);
        if let Some(program) = program {
            command.arg("--program").arg(program);
        }
        // What a server logs would hide what the person is asked.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child =
            confine::end_with_us(&mut command).spawn().map_err(Error::step("starting the server"))?;
        let errors = child.stderr.take();
        let mut trial = Trial { child, log: Some(std::thread::spawn(move || end_of(errors))) };
        let waited = ready::wait(port, LOADING, &mut || goes_on() && trial.runs());
        match waited {
            Ok(()) => Ok(trial),
            Err(_) if !trial.runs() => Err(Error::failed(Ended(trial.last_words()))),
            Err(error) => Err(error),
        }
    }

    fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// What a server that has ended said at its end.
    fn last_words(&mut self) -> String {
        let said = self.log.take().and_then(|log| log.join().ok()).unwrap_or_default();
        let said = String::from_utf8_lossy(&said).into_owned();
        let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
        shared_types::text::line(&lines[lines.len().saturating_sub(3)..].join("; "))
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads a log until it ends, and keeps the last part.
fn end_of(log: Option<ChildStderr>) -> Vec<u8> {
    let (mut kept, mut piece) = (Vec::new(), [0; 4096]);
    let Some(mut log) = log else { return kept };
    while let Ok(count @ 1..) = log.read(&mut piece) {
        kept.extend_from_slice(&piece[..count]);
        kept.drain(..kept.len().saturating_sub(KEPT));
    }
    kept
}

#[derive(Debug, thiserror::Error)]
#[error("the server ended: {0}")]
struct Ended(String);

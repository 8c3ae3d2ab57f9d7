//! One run of the chat program: with a clean environment, nobody to ask, and a limit of time.

use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use base::error::Error;
use base::home::Home;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::{Pid, geteuid};
use serde::{Deserialize, Serialize};
use shared_types::exit;
use shared_types::id::ProfileId;
use shared_types::text::block;

use super::order::{Order, Run};

/// A chat program that is missing beside this one.
#[derive(Debug, thiserror::Error)]
#[error("cl-bot is not beside {}", .0.display())]
struct NoBot(PathBuf);

/// How much of what a run says is kept, in bytes.
const KEPT: usize = 2048;
/// How often a run is looked at.
const TICK: Duration = Duration::from_millis(50);

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOutcome {
    /// The exit code; none where it was ended, or could not begin.
    pub exit: Option<u8>,
    /// The last words of the run, safe to show. Of a run that ended well, its answer alone, if it printed one.
    pub words: String,
    /// Whether it said more before that.
    #[serde(default)]
    pub cut: bool,
}

impl RunOutcome {
    /// A run that did not come to an exit code.
    pub(super) fn without_exit(words: String) -> RunOutcome {
        RunOutcome { exit: None, words, cut: false }
    }
}

/// Runs the chat program as this user, or from root as the owner of the profile's data, until its end or until `cancelled`.
///
/// # Errors
/// No chat program, or one that cannot be started.
pub(super) fn here(
    home: &Home,
    profile: &ProfileId,
    order: &Order,
    cancelled: &dyn Fn() -> bool,
) -> Result<RunOutcome, Error> {
    let mut command = Command::new(bot_program()?);
    command.arg("--home").arg(home.root()).args(["--profile", profile.as_str()]);
    match &order.what {
        Run::Workflow { name, sha256, check } => {
            command.args(["sop", "run", name.as_str(), "--scheduled"]);
            command.args(check.then_some("--check"));
            if let Some(sha256) = sha256 {
                command.args(["--sha256", sha256.as_str()]);
            }
        }
        Run::Message { text } => {
            command.args(["agent", "-m", text]);
        }
    }
    command.env_clear().env("TAMECLAW_SCHEDULED", "1").env("TZ", zone()).current_dir("/");
    // If the data is elsewhere the chat program has to know it too, and where the service manager put its keys.
    for name in ["TAMECLAW_DATA_DIR", "CREDENTIALS_DIRECTORY"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    if geteuid().is_root() {
        let folder = home.profile(profile).present()?;
        // This gives up the further groups as well.
        command.uid(folder.facts().user).gid(folder.facts().group);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn().map_err(Error::step("starting the chat"))?;
    let said = (child.stdout.take().map(tail_of), child.stderr.take().map(tail_of));
    let ended = wait(&mut child, order.limit(), cancelled);
    let text = |reader: Option<std::thread::JoinHandle<Tail>>| {
        let Tail { bytes, cut } = reader.and_then(|r| r.join().ok()).unwrap_or_default();
        (String::from_utf8_lossy(&bytes).into_owned(), cut)
    };
    let ((out, out_cut), (aside, aside_cut)) = (text(said.0), text(said.1));
    let mut words = format!("{aside}{out}");
    let exit = match ended {
        Ok(status) => exit_of(status, &mut words),
        Err(why) => {
            words.push_str(why);
            None
        }
    };
    let answers = exit == Some(exit::DONE) && !out.trim().is_empty();
    let (words, cut) = if answers { (out, out_cut) } else { (words, out_cut || aside_cut) };
    let words = block(words.trim());
    let kept = last(&words);
    Ok(RunOutcome { exit, cut: cut || kept.len() < words.len(), words: kept })
}

fn exit_of(status: ExitStatus, words: &mut String) -> Option<u8> {
    if let Some(signal) = status.signal() {
        words.push_str(&format!("ended by signal {signal}"));
    }
    status.code().and_then(|code| u8::try_from(code).ok())
}

/// Waits for the end of a run; one that takes too long is ended with all that it started.
fn wait(
    child: &mut Child,
    limit: Duration,
    cancelled: &dyn Fn() -> bool,
) -> Result<ExitStatus, &'static str> {
    let end = Instant::now() + limit;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) => {}
            Err(_) => return Err("it could not be waited for"),
        }
        let stopped = cancelled();
        if stopped || Instant::now() >= end {
            // The id is that of a child that was not reaped yet, so no other process has it.
            let _ = killpg(Pid::from_raw(child.id().cast_signed()), Signal::SIGKILL);
            let _ = child.wait();
            return Err(if stopped {
                "ended by the emergency stop or with the service"
            } else {
                "it took too long and was ended"
            });
        }
        std::thread::sleep(TICK);
    }
}

/// The last of what a run says.
#[derive(Debug, Default)]
struct Tail {
    bytes: Vec<u8>,
    /// Whether there was more before that.
    cut: bool,
}

/// Reads to the end and keeps the last of it, so that a run that says much costs nothing.
fn tail_of(mut from: impl Read + Send + 'static) -> std::thread::JoinHandle<Tail> {
    std::thread::spawn(move || {
        let (mut kept, mut part) = (Tail::default(), [0; 4096]);
        while let Ok(read) = from.read(&mut part) {
            if read == 0 {
                break;
            }
            kept.bytes.extend_from_slice(&part[..read]);
            if kept.bytes.len() > 2 * KEPT {
                kept.bytes.drain(..kept.bytes.len() - KEPT);
                kept.cut = true;
            }
        }
        kept
    })
}

fn last(text: &str) -> String {
    let mut start = text.len().saturating_sub(KEPT);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text[start..].to_owned()
}

fn zone() -> String {
    std::env::var("TZ").unwrap_or_else(|_| ":/etc/localtime".to_owned())
}

/// The chat program, which is installed beside this one.
fn bot_program() -> Result<PathBuf, Error> {
    let own = std::env::current_exe().map_err(Error::io("this program".as_ref()))?;
    let bot = own.with_file_name("cl-bot");
    match bot.is_file() {
        true => Ok(bot),
        false => Err(Error::failed(NoBot(own))),
    }
}

//! `cl-admin up`

mod chat;
mod restarts;

use std::fs::File;
use std::io::IsTerminal;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use base::config::Config;
use base::error::Error;
use base::home::Home;
use base::lock;
use builder::toolchain::Toolchain;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use review::ask::Source;
use review::words::Words;
use service::init::Region;
use shared_types::id::{ConversationId, ProfileId};

use base::log::{open_service_log, service_log};
/// Start everything: the home if it is missing, the service, and the chat in this window.
///
/// Ctrl-G opens the review of what waits for you; the chat cannot see or draw on it. Ctrl-C never ends the service.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Whose chat
    #[arg(long, value_name = "ID", default_value = "default")]
    profile: ProfileId,
    /// The file (mode 0600) that holds the profile's PIN; without it the chat asks in this window
    #[arg(long, value_name = "FILE")]
    pin_file: Option<PathBuf>,
    /// The file (mode 0600) that holds the passphrase of the approver's key; without it the review asks in this window
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

/// Starts everything and relays the chat until it is left.
///
/// # Errors
/// A home, service or chat that cannot be started.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let region = Region::of_locale();
    if service::init::make(home, None, &region)? {
        let (place, words) = (home.root().display().to_string(), Words::of_home(home));
        eprintln!("{}", words.fill("up-made", &[("place", &place)]));
        eprintln!("{}", region.words());
    }
    let config = Config::read(home)?;
    let words = Words::of(&config.language);
    if let Err(why) = Toolchain::find(&config.compiler) {
        eprintln!("note: {why}");
        eprintln!("{}", words.say("up-waits"));
    }
    // In the review and between two chats Ctrl-C is a key like others: neither the service nor this window ends by it.
    let interrupted =
        confine::stop::on_signals(&[Signal::SIGINT]).map_err(Error::step("catching signals"))?;
    let on_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    // A window that is closed, or a stop from outside, ends everything as `q` does, with the terminal as it was.
    let stops: &[Signal] = if on_terminal { &[Signal::SIGTERM, Signal::SIGHUP] } else { &[] };
    let ending = confine::stop::on_ending(stops).map_err(Error::step("catching signals"))?;
    let service = Service::start(home)?;
    let chat = chat::Chat {
        program: bot_program()?,
        home: home.clone(),
        profile: args.profile.clone(),
        pin_file: args.pin_file.clone(),
        conversation: ConversationId::generate(),
        approver: service::init::owner(),
        words,
        passphrase: Source::passphrase(args.passphrase_file.clone()),
        interrupted,
        ending,
        ends_service: service.own.is_some(),
    };
    let code = if on_terminal { chat.on_terminal() } else { chat.on_pipes() };
    if !on_terminal && code.is_ok() {
        tell(
            "the chat read standard input to its end, so `up` ends as well; `cl-admin run` keeps the service running",
        );
    }
    service.stop();
    code
}

/// Why the service or the chat program does not start.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("cl-bot is not beside {}; build or install both", .0.display())]
    NoBot(PathBuf),
    #[error("the service ended ({status}); its last words:\n{last}")]
    Ended { status: ExitStatus, last: String },
    #[error("the service does not come up; see {}", .0.display())]
    Silent(PathBuf),
}

/// The chat program, which is installed beside this one.
pub(super) fn bot_program() -> Result<PathBuf, Error> {
    let own = std::env::current_exe().map_err(Error::io("this program".as_ref()))?;
    let bot = own.with_file_name("cl-bot");
    if bot.is_file() {
        return Ok(bot);
    }
    Err(Error::failed(Fault::NoBot(own)))
}

/// The service: found running, or started by us and then ended by us.
pub(super) struct Service {
    home: Home,
    own: Option<Child>,
}

impl Service {
    pub(super) fn start(home: &Home) -> Result<Service, Error> {
        if let Some(pid) = lock::holder(home) {
            let words = Words::of_home(home);
            eprintln!("{}", words.fill("up-runs", &[("pid", &pid.to_string())]));
            return Ok(Service { home: home.clone(), own: None });
        }
        let path = service_log(home);
        let log = open_service_log(&path).map_err(Error::io(&path))?;
        let own = std::env::current_exe().map_err(Error::io("this program".as_ref()))?;
        let errors = log.try_clone().map_err(Error::io(&path))?;
        let mut command = Command::new(own);
        command.arg("--home").arg(home.root()).arg("run");
        // A group of its own: what is typed at this terminal is not for the service.
        command.stdin(Stdio::null()).stdout(log).stderr(errors).process_group(0);
        let mut child = command.spawn().map_err(Error::step("starting the service"))?;
        let end = Instant::now() + Duration::from_secs(15);
        while lock::holder(home).is_none() || !home.admin().join("service.sock").exists() {
            if let Ok(Some(status)) = child.try_wait() {
                return Err(Error::failed(Fault::Ended { status, last: tail(&path) }));
            }
            if Instant::now() > end {
                return Err(Error::failed(Fault::Silent(path)));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(Service { home: home.clone(), own: Some(child) })
    }

    /// Whether it was started by us and ended on its own.
    pub(super) fn has_ended(&mut self) -> bool {
        self.own.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(Some(_))))
    }

    pub(super) fn stop(self) {
        let words = Words::of_home(&self.home);
        let Some(mut child) = self.own else {
            if let Some(pid) = lock::holder(&self.home) {
                tell(&words.fill("up-goes-on", &[("pid", &pid.to_string())]));
            }
            return;
        };
        // The id is that of a child that was not reaped yet, so no other process has it.
        let _ = kill(Pid::from_raw(child.id() as i32), Signal::SIGTERM);
        let end = Instant::now() + Duration::from_secs(10);
        while Instant::now() < end {
            if matches!(child.try_wait(), Ok(Some(_))) {
                tell(words.say("up-stopped"));
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = child.kill();
        let _ = child.wait();
        tell(words.say("up-killed"));
    }
}

/// Says something on stderr; a window that was closed hears nothing.
fn tell(words: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{words}");
}

pub(super) fn tail(path: &std::path::Path) -> String {
    use std::io::{Read, Seek, SeekFrom};
    let mut text = String::new();
    if let Ok(mut file) = File::open(path) {
        let length = file.metadata().map_or(0, |m| m.len());
        let _ = file.seek(SeekFrom::Start(length.saturating_sub(2_000)));
        let _ = file.read_to_string(&mut text);
    }
    shared_types::text::block(&text)
}

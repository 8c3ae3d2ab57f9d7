//! The machine: compiler, clock, disk, and what writes skills.

use std::fs;
use std::net::{TcpStream, ToSocketAddrs};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

use base::config::Config;
use base::credentials;
use base::home::Home;
use base::stop::may_start;
use builder::compile::{CompileFault, compile};
use builder::toolchain::{ADVICE, Toolchain};
use ledger::Ledger;
use library::Library;
use nix::sys::statvfs::statvfs;

use super::look::Look;
use crate::commands::model::connect::connected;
use crate::commands::model::place::Place;

/// Free bytes below which nothing can be promised, and below which it is time to make room.
const ROOM: [u64; 2] = [64 << 20, 512 << 20];
/// The same for inodes.
const INODES: [u64; 2] = [1_000, 10_000];
/// How far a clock may be behind without a warning.
const SLACK: Duration = Duration::from_secs(60);
/// How long a model server may take to be reached.
const PATIENCE: Duration = Duration::from_secs(3);

/// A skill that does nothing, to see the compiler work in its jail.
const TINY: &str = "use skill_sdk::prelude::*;\npub struct Skill;\nimpl skill_sdk::Skill for Skill {\n    \
    fn describe(&self) -> Description {\n        Description::new(\"Nothing\")\n    }\n    \
    fn call_tool(&mut self, _: &Call) -> Answer {\n        Ok(String::new())\n    }\n}\n";

/// Room on the disks of the admin and of the bot.
pub(super) fn disk(home: &Home) -> Vec<Look> {
    let mut places = vec![("admin", home.admin()), ("data", home.data().unguarded_path())];
    let device = |path: &Path| fs::metadata(path).map(|facts| facts.dev()).ok();
    if device(&places[0].1) == device(&places[1].1) {
        places.truncate(1);
    }
    places.into_iter().map(|(name, path)| room(name, &path)).collect()
}

fn room(name: &str, path: &Path) -> Look {
    // A home that is not there yet will be on the disk of what is above it.
    let path = path.ancestors().find(|p| p.exists()).unwrap_or(Path::new("/"));
    let disk = match statvfs(path) {
        Ok(disk) => disk,
        Err(e) => {
            return Look::fail("disk", format!("{}: {e}", path.display()), "run this as the home's owner");
        }
    };
    let bytes = disk.blocks_available().saturating_mul(disk.fragment_size());
    let (inodes, counted) = (disk.files_available(), disk.files() > 0);
    let words = format!("{name}: {} MiB and {} free", bytes >> 20, files(inodes, counted));
    let below = |at: usize| bytes < ROOM[at] || (counted && inodes < INODES[at]);
    if below(0) {
        Look::fail(
            "disk",
            words,
            "make room: below 64 MiB or 1,000 files proposals wait and records may fail",
        )
    } else if below(1) {
        Look::warn("disk", words, "make room before it is needed")
    } else {
        Look::pass("disk", words)
    }
}

fn files(inodes: u64, counted: bool) -> String {
    if counted { format!("{inodes} files") } else { "any number of files".to_owned() }
}

/// Whether the clock can be right: not before this program was built nor before what the journal has seen.
pub(super) fn clock(home: &Home) -> Vec<Look> {
    const NEXT: &str =
        "set the clock, for example by `timedatectl set-ntp true`: one-time codes and records need it";
    let now = SystemTime::now();
    let built = std::env::current_exe().and_then(fs::metadata).and_then(|facts| facts.modified());
    let last = Ledger::read(home).ok().and_then(|ledger| ledger.last_at().parse::<jiff::Timestamp>().ok());
    let shown = format!("{:.0}", jiff::Timestamp::try_from(now).unwrap_or_default());
    if built.is_ok_and(|built| built > now + SLACK) {
        return vec![Look::fail("clock", format!("{shown} is before this program was built"), NEXT)];
    }
    if let Some(last) = last.filter(|last| SystemTime::from(*last) > now + SLACK) {
        let words = format!("{shown} is before the journal's last record, of {last:.0}");
        return vec![Look::fail("clock", words, NEXT)];
    }
    // What systemd's own client leaves; other clients are not asked.
    let client = Path::new("/run/systemd/timesync");
    if client.is_dir() && !client.join("synchronized").exists() {
        return vec![Look::warn(
            "clock",
            format!("{shown}, not synchronised since the start of this machine"),
            NEXT,
        )];
    }
    vec![Look::pass("clock", shown)]
}

/// Whether there is a compiler, and whether it really makes a module in its jail.
pub(super) fn compiler(home: &Home) -> Look {
    let config = match Config::read(home) {
        Ok(config) => config,
        Err(error) => return Look::of("compiler", &error, "put admin.yaml right"),
    };
    let found = match Toolchain::find(&config.compiler) {
        Ok(found) => found,
        Err(why) => {
            return Look::fail(
                "compiler",
                why.to_string(),
                format!("until then proposals wait; install {ADVICE}"),
            );
        }
    };
    let words = format!("{} at {}", found.version, found.rustc.display());
    if let Err(stopped) = may_start(home, None) {
        return Look::warn(
            "compiler",
            format!("{words}; not tried: {stopped}"),
            "ask again once that is over",
        );
    }
    match compile(home, &found, TINY, &config.limits, &AtomicBool::new(false)) {
        Ok(made) if made.module.starts_with(b"\0asm") => {
            Look::pass("compiler", format!("{words}; it makes a module in its jail"))
        }
        Ok(_) => Look::fail("compiler", format!("{words} makes something that is not a module"), ADVICE),
        // The compiler is there and was not started: installing it again helps nobody.
        Err(CompileFault::NoJail(_)) => Look::fail(
            "compiler",
            format!("{words}; not started, since it cannot be confined here"),
            "see `children` above: what helps there helps here",
        ),
        Err(CompileFault::Source { words: why, .. } | CompileFault::Waits(why)) => Look::fail(
            "compiler",
            format!("{words} does not work in its jail: {}", shared_types::text::cut(&why, 300)),
            format!("install {ADVICE}; or raise `limits` in admin.yaml"),
        ),
        Err(CompileFault::Own(error)) => {
            Look::of("compiler", &error, "`cl-admin init` makes missing folders")
        }
    }
}

/// Who writes skills, and with `online` whether their servers can be reached.
pub(super) fn models(home: &Home, online: bool) -> Vec<Look> {
    writers(home, online).into_iter().chain(files_of_models(home)).collect()
}

/// Whether the skill library is as this program was built with it, and what the household added to it.
pub(super) fn templates(home: &Home) -> Vec<Look> {
    let (shipped, own) = (Library::shipped(), Library::of_household(home));
    let (many, added) = (shipped.names().count(), own.names().count());
    let mut looks = vec![];
    if shipped.faults().is_empty() {
        let of_own = if added > 0 { format!(", {added} of this home") } else { String::new() };
        looks.push(Look::pass("templates", format!("{many} families of wishes{of_own}")));
    }
    looks.extend(
        shipped.faults().iter().map(|fault| Look::fail("templates", fault.to_string(), fault.next())),
    );
    looks.extend(own.faults().iter().map(|fault| Look::warn("templates", fault.to_string(), fault.next())));
    looks
}

/// The files of models that were fetched; nothing if none was fetched.
fn files_of_models(home: &Home) -> Option<Look> {
    let here = Place::of(home).fetched();
    let bytes: u64 = here.iter().map(|known| known.bytes).sum();
    let names: Vec<String> = here.iter().map(|known| known.name.to_string()).collect();
    let words = format!("{} MB in {}: {}", bytes / 1_000_000, home.models().display(), names.join(" "));
    let connected = match connected(home) {
        Ok(connected) => connected,
        Err(error) => return Some(Look::of("models", &error, "cl-admin model connect NAME")),
    };
    match connected.filter(|name| !here.iter().any(|known| known.name == *name)) {
        Some(gone) => Some(Look::warn(
            "models",
            format!("the model {gone} is connected, and its file is not there"),
            format!("cl-admin model fetch {gone}"),
        )),
        None => (!here.is_empty()).then(|| Look::pass("models", words)),
    }
}

/// The models that write skills.
fn writers(home: &Home, online: bool) -> Vec<Look> {
    let config = match Config::read(home) {
        Ok(config) => config,
        Err(error) => return vec![Look::of("config", &error, "put admin.yaml right")],
    };
    if config.implementers.iter().all(|i| i == "templates") {
        return vec![Look::warn(
            "models",
            "skills are written by the offline templates alone",
            "name a model in admin.yaml for wishes that no template knows",
        )];
    }
    let mut looks = vec![];
    for provider in config.providers.iter().filter(|p| config.implementers.contains(&p.name)) {
        let name = &provider.name;
        let lacks_key = provider.api_key.as_ref().filter(|key| credentials::find(key).is_none());
        if let Some(key) = lacks_key {
            looks.push(Look::warn(
                "models",
                format!("{name} wants a key, and {key} is not set here"),
                format!("set {key} in the environment of the service, or as a credential of its unit"),
            ));
        } else if !online {
            looks.push(Look::pass("models", format!("{name} is configured; `--online` tries to reach it")));
        } else if let Some(url) = &provider.base_url {
            looks.push(match reach(&url.to_string()) {
                Ok(()) => Look::pass("models", format!("{name} is reached at {url}")),
                Err(why) => Look::fail(
                    "models",
                    format!("{name} is not reached at {url}: {why}"),
                    "start the server, or put `base_url` in admin.yaml right; until then proposals wait",
                ),
            });
        }
    }
    looks
}

/// Why a server is not reached.
#[derive(Debug, thiserror::Error)]
enum Unreached {
    #[error("it is not an address")]
    Malformed,
    #[error("its name has no address")]
    NoAddress,
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Opens a connection and closes it again; nothing is sent.
fn reach(url: &str) -> Result<(), Unreached> {
    let (scheme, rest) = url.split_once("://").ok_or(Unreached::Malformed)?;
    let place = rest.split('/').next().unwrap_or_default();
    let has_port = place.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let place = match (has_port, scheme) {
        (true, _) => place.to_owned(),
        (false, "http") => format!("{place}:80"),
        (false, _) => format!("{place}:443"),
    };
    let mut last = Unreached::NoAddress;
    for address in place.to_socket_addrs()?.take(4) {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(_) => return Ok(()),
            Err(e) => last = e.into(),
        }
    }
    Err(last)
}

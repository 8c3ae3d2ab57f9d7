//! `cl-admin secret`

use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;

use actions::plugins::credential;
use base::error::Error;
use base::folders::{READABLE, READABLE_FILE, make_folder};
use base::home::Home;
use ledger::Ledger;
use nix::sys::termios::{LocalFlags, SetArg, tcgetattr, tcsetattr};
use serde_json::json;
use shared_types::exit;
use shared_types::id::{HostName, SecretName};
use shared_types::secret::{BoundSecret, Secret};

use crate::commands::out::{self, outln};

/// Why a secret is not set or removed.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("there is no secret {0}; `cl-admin secret list` shows them")]
    NoSecret(SecretName),
    #[error("the value of {0} must be 8 to 1024 bytes of printable ASCII without spaces")]
    Value(SecretName),
}

/// Secrets for skills and for plugins' servers: each belongs to one host, and no skill ever sees its value.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Set a secret: its value is read from a file, or else from stdin
    Set {
        /// Its name, as a skill or a plugin writes it: {{secret:NAME}}
        name: SecretName,
        /// The one host that it is sent to, with its port unless that is 443
        #[arg(long = "for", value_name = "HOST")]
        host: HostName,
        /// The file that holds the value [default: stdin]
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// List the names, the hosts, and the skills and plugins that were granted them; never a value
    List {
        /// Print one JSON value a line
        #[arg(long)]
        json: bool,
    },
    /// Remove a secret
    Remove {
        /// Its name
        name: SecretName,
    },
}

/// Far more than a secret may have.
const MOST_READ: u64 = 64 * 1024;

/// Sets, lists or removes.
///
/// # Errors
/// An invalid value, an unknown secret, or a file that cannot be read, written or removed.
pub fn run(home: &Home, verb: &Verb) -> Result<u8, Error> {
    match verb {
        Verb::Set { name, host, file } => set(home, name, host, file.as_ref())?,
        Verb::List { json } => list(home, *json)?,
        Verb::Remove { name } => {
            let path = home.secret(name);
            match fs::remove_file(&path) {
                Ok(()) => outln!("removed {name}"),
                Err(e) if e.kind() == io::ErrorKind::NotFound => {
                    return Err(Error::failed(Fault::NoSecret(name.clone())));
                }
                Err(source) => return Err(Error::Io { path, source }),
            }
        }
    }
    Ok(exit::DONE)
}

fn set(home: &Home, name: &SecretName, host: &HostName, file: Option<&PathBuf>) -> Result<(), Error> {
    let value = match file {
        Some(path) => File::open(path).and_then(read).map_err(Error::io(path))?,
        None if io::stdin().is_terminal() => typed(name).map_err(Error::io("the terminal".as_ref()))?,
        None => read(io::stdin()).map_err(Error::io("stdin".as_ref()))?,
    };
    let bound = BoundSecret::new(host.clone(), &Secret::new(value.expose().trim().to_owned()))
        .ok_or_else(|| Error::usage(Fault::Value(name.clone())))?;
    let text = serde_json::to_string(&bound)?;
    make_folder(&home.secrets(), READABLE)?;
    let path = home.secret(name);
    durable::replace(&path, text.as_bytes(), READABLE_FILE).map_err(Error::io(&path))?;
    outln!("set {name} for {host}; if it is the first one, start the bot again");
    Ok(())
}

fn list(home: &Home, as_json: bool) -> Result<(), Error> {
    let folder = home.secrets();
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(Error::Io { path: folder, source }),
    };
    let ledger = Ledger::read(home)?;
    let named = |entry: fs::DirEntry| {
        let name: SecretName = entry.file_name().to_str()?.strip_suffix(".json")?.parse().ok()?;
        Some(name)
    };
    let mut names: Vec<SecretName> = entries.flatten().filter_map(named).collect();
    names.sort_unstable_by(|a, b| a.as_str().cmp(b.as_str()));
    for name in names {
        let path = home.secret(&name);
        let text = File::open(&path).and_then(read).map_err(Error::io(&path))?;
        let host = serde_json::from_str::<BoundSecret>(text.expose()).map(|bound| bound.host);
        let skills: Vec<&str> =
            ledger.active().values().filter(|l| l.secrets.contains(&name)).map(|l| l.name.as_str()).collect();
        let plugins: Vec<&str> = ledger
            .plugins()
            .values()
            .filter(|p| credential::secrets(&p.facts).contains(&name))
            .map(|p| p.facts.name.as_str())
            .collect();
        let users = [skills.as_slice(), plugins.as_slice()].concat();
        match (host, as_json) {
            (Ok(host), true) => {
                out::json(&json!({"name": name, "host": host, "skills": skills, "plugins": plugins}))
            }
            (Ok(host), false) if users.is_empty() => {
                outln!("{:<32} {host}  (no skill or plugin may use it)", name.as_str());
            }
            (Ok(host), false) => outln!("{:<32} {host}  for {}", name.as_str(), users.join(" ")),
            (Err(_), _) => eprintln!("{name}: the file is damaged; set it again"),
        }
    }
    Ok(())
}

fn read(source: impl Read) -> io::Result<Secret> {
    let mut text = String::with_capacity(2048);
    source.take(MOST_READ).read_to_string(&mut text)?;
    Ok(Secret::new(text))
}

/// One line from the terminal, which does not show it.
fn typed(name: &SecretName) -> io::Result<Secret> {
    let stdin = io::stdin();
    let before = tcgetattr(&stdin)?;
    let mut silent = before.clone();
    // Ctrl-C becomes a character, and with it the line is not a value: ending here would leave the terminal silent.
    silent.local_flags.remove(LocalFlags::ECHO | LocalFlags::ISIG);
    let _ = write!(io::stderr(), "value of {name} (not shown): ");
    tcsetattr(&stdin, SetArg::TCSAFLUSH, &silent)?;
    let mut line = String::with_capacity(2048);
    let result = stdin.read_line(&mut line);
    tcsetattr(&stdin, SetArg::TCSAFLUSH, &before)?;
    let _ = writeln!(io::stderr());
    result.map(|_| Secret::new(line))
}

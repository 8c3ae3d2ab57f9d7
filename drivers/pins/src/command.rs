//! The command line of `cl-pins`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use clap::{Parser, Subcommand};
use confine::{FileRules, Limits, Manner, Role};
use nix::sys::stat::{Mode, umask};
use pin_protocol::{Ask, Edge, LONGEST_WAIT, Reply, read_told, write_ask};
use shared_types::exit;

use crate::lines::{self, Direction, Line};
use crate::{board, serve, stops};

/// The longest file of lines, in bytes.
const LONGEST_FILE: u64 = 64 * 1024;

/// Reads and switches lines of a GPIO chip that a file names, without a network.
#[derive(Debug, Parser)]
#[command(name = "cl-pins", version, max_term_width = 100)]
pub struct CommandLine {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Answer clients at a socket file, until a signal ends it; then every output is at its safe level
    Serve {
        /// The socket file; this user alone may connect to it
        #[arg(long)]
        socket: PathBuf,
        /// The file that names the lines, as docs/guides/pins.md describes it
        #[arg(long, value_name = "FILE")]
        lines: PathBuf,
        /// A file that sets every output to its safe level while it is there, such as ~/.tameclaw/config/stop
        #[arg(long, value_name = "FILE", required = true)]
        stop: Vec<PathBuf>,
    },
    /// Check the file that names the lines, and print them; no line is opened
    Check {
        /// The file
        #[arg(long, value_name = "FILE")]
        lines: PathBuf,
    },
    /// Ask a running service: a question a line on standard input, until that ends; outputs are safe then
    ///
    /// A question is `list`, `read NAME`, `on NAME`, `off NAME`, or `wait NAME` for a change within 30 seconds.
    Ask {
        /// Its socket file
        #[arg(long)]
        socket: PathBuf,
    },
}

/// Why the command failed.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The file of lines cannot be read.
    #[error("{}: {why}", path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// The file of lines says what it may not.
    #[error("{}:{}", path.display(), faults.iter().map(|fault| format!("\n  {}: {}", fault.key, fault.message)).collect::<String>())]
    Lines {
        /// The file.
        path: PathBuf,
        /// Every fault.
        faults: Vec<shared_types::proposal::Fault>,
    },
    /// A line cannot be opened.
    #[error(transparent)]
    Board(#[from] board::Fault),
    /// A stop file cannot be watched.
    #[error(transparent)]
    Stop(#[from] stops::Fault),
    /// No socket, or no confinement.
    #[error(transparent)]
    Service(#[from] voice_service::Fault),
    /// A client of a service cannot be confined.
    #[error(transparent)]
    Confine(#[from] confine::ConfineError),
    /// The service does not answer.
    #[error("the service: {0}")]
    Client(#[from] pin_protocol::Fault),
    /// Nobody answers at the socket file.
    #[error("{}: {why}", path.display())]
    Nobody {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// What is asked is not a question.
    #[error("{0:?} is not a question")]
    Question(String),
    /// Standard input or output, or signals.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Fault {
    /// What to do, where that is known.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Fault::Unread { .. } | Fault::Lines { .. } => {
                Some("docs/guides/pins.md describes the file; `cl-pins check --lines FILE` reads it alone")
            }
            Fault::Board(_) => Some(
                "`gpiodetect` and `gpioinfo` of the package gpiod show the chips and who has a line; your user must be in the group of \
                 the device, which is `gpio` on a Raspberry Pi",
            ),
            Fault::Stop(_) => Some("its folder must be there and readable: name the stop file of a home"),
            Fault::Nobody { .. } => Some("start it: cl-pins serve --socket FILE --lines FILE --stop FILE"),
            Fault::Question(_) => Some("ask `list`, `read NAME`, `on NAME`, `off NAME` or `wait NAME`"),
            Fault::Service(fault) => fault.hint(),
            _ => None,
        }
    }

    /// The exit code.
    pub fn exit(&self) -> u8 {
        match self {
            Fault::Lines { .. } | Fault::Question(_) => exit::USAGE,
            Fault::Service(fault) if fault.is_confinement() => exit::REFUSED,
            _ => exit::FAILED,
        }
    }
}

/// Does what the command line says.
///
/// # Errors
/// Why it was not done.
pub fn run(line: CommandLine) -> Result<(), Fault> {
    umask(Mode::from_bits_truncate(0o177));
    confine::refuse_tracing()?;
    match line.verb {
        Verb::Serve { socket, lines, stop } => {
            let ending = serve::signals()?;
            let lines = read(lines)?;
            let stops = stops::Stops::watch(&stop)?;
            let open = |line: Line| board::open(&line).map(|open| (line, open));
            let open: Vec<_> = lines.into_iter().map(open).collect::<Result<_, _>>()?;
            let listening = voice_service::open(&socket)?;
            Ok(serve::serve(listening, open, stops, ending, &socket)?)
        }
        Verb::Check { lines } => {
            for line in read(lines)? {
                let (name, offset, chip) = (&line.name, line.offset, line.chip.display());
                let way = match line.direction {
                    Direction::In { .. } => "an input",
                    Direction::Out { safe: true, .. } => "an output, on where nobody switches it",
                    Direction::Out { safe: false, .. } => "an output, off where nobody switches it",
                };
                writeln!(io::stdout(), "{name}: number {offset} of {chip}, {way}")?;
            }
            Ok(())
        }
        Verb::Ask { socket } => ask(socket),
    }
}

fn read(path: PathBuf) -> Result<Vec<Line>, Fault> {
    let mut text = String::new();
    let read = File::open(&path).and_then(|file| file.take(LONGEST_FILE + 1).read_to_string(&mut text));
    match read {
        Ok(length) if length as u64 <= LONGEST_FILE => {}
        Ok(_) => return Err(Fault::Unread { path, why: io::ErrorKind::FileTooLarge.into() }),
        Err(why) => return Err(Fault::Unread { path, why }),
    }
    lines::parse(&text).map_err(|faults| Fault::Lines { path, faults })
}

fn ask(path: PathBuf) -> Result<(), Fault> {
    let stream = UnixStream::connect(&path).map_err(|why| Fault::Nobody { path, why })?;
    confine::confine_as(Role::Door, &FileRules::default(), &Limits::default(), &Manner::default())?;
    let (mut input, mut output) = (BufReader::new(&stream), &stream);
    for question in io::stdin().lock().lines() {
        let question = question?;
        let asked = parse(question.trim()).ok_or(Fault::Question(question))?;
        write_ask(&mut output, &asked)?;
        let Some(told) = read_told(&mut input)? else {
            return Err(pin_protocol::Fault::Io(io::ErrorKind::UnexpectedEof.into()).into());
        };
        let level = |on| if on { "on" } else { "off" };
        let said = match told {
            Reply::Lines(lines) => {
                let way = |out| if out { "out" } else { "in" };
                lines.iter().map(|(name, out)| format!("{name} {}", way(*out))).collect::<Vec<_>>().join(", ")
            }
            Reply::Level(Some(on)) => level(on).to_owned(),
            Reply::Level(None) => "no change".to_owned(),
            Reply::Refused(why) => format!("refused: {}", shared_types::text::line(&why)),
        };
        writeln!(io::stdout(), "{said}")?;
    }
    Ok(())
}

/// A question as a person types it.
fn parse(question: &str) -> Option<Ask> {
    let (verb, name) = question.split_once(' ').unwrap_or((question, ""));
    let line = || pin_protocol::is_name(name).then(|| name.to_owned());
    Some(match verb {
        "list" if name.is_empty() => Ask::List,
        "read" => Ask::Read(line()?),
        "on" => Ask::Write(line()?, true),
        "off" => Ask::Write(line()?, false),
        "wait" => Ask::Wait { line: line()?, edge: Edge::Any, ms: LONGEST_WAIT, new: true },
        _ => return None,
    })
}

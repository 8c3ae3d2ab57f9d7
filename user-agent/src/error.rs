//! What went wrong, by culprit; each error has its exit code and, where the next step is known, a hint.

use std::error::Error as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use shared_types::exit;
use shared_types::id::ProfileId;
use shared_types::manifest::ManifestError;
use shared_types::proposal::Fault;

use crate::kernel::paths::PathError;

/// Why the program ends without having done what was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nothing names a home.
    #[error("no home folder: neither --home, TAMECLAW_HOME nor HOME is set")]
    NoHome,
    /// The home has not been made.
    #[error("{path} is not a home yet", path = .0.display())]
    NotAHome(PathBuf),
    /// A component of the home can be changed by somebody who must not.
    #[error("{path} can be changed by {who}, so nothing in it can be trusted", path = path.display())]
    OpenHome {
        /// The component.
        path: PathBuf,
        /// Who could change it.
        who: String,
    },
    /// The configuration has faults.
    #[error("{file} has {count} fault(s):\n{list}", file = file.display(), count = faults.len(), list = lines(faults))]
    Config {
        /// The file.
        file: PathBuf,
        /// Every fault.
        faults: Vec<Fault>,
    },
    /// The profile is not configured.
    #[error("there is no profile `{id}`; configured: {known}")]
    NoProfile {
        /// What was asked for.
        id: ProfileId,
        /// What there is.
        known: String,
    },
    /// The operating system grants less isolation than the configuration asks for.
    #[error("isolation `{found}` is less than `security.minimum_isolation: {wanted}`: missing is {missing}")]
    Isolation {
        /// The tier that holds.
        found: confine::Tier,
        /// The tier that is asked for.
        wanted: confine::Tier,
        /// Which part is missing.
        missing: String,
    },
    /// The process could not be confined.
    #[error("the process could not be confined")]
    Confine(#[from] confine::ConfineError),
    /// The manifest proves nothing.
    #[error("{path}: {source}", path = path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// Why.
        source: ManifestError,
    },
    /// A signed or pinned file is missing or unreadable.
    #[error("{path} cannot be trusted: {what}", path = path.display())]
    Integrity {
        /// The file.
        path: PathBuf,
        /// Why.
        what: String,
    },
    /// No active skill can talk with a person.
    #[error("no active skill has user:input, so nobody could talk to this agent")]
    NoDriver,
    /// A proposal that is not there.
    #[error("there is no proposal `{0}` in this profile")]
    NoProposal(String),
    /// The provider is not configured.
    #[error("there is no provider `{name}`; configured: {known}")]
    NoProvider {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// No active skill may ask a model.
    #[error("the skill `reasoning` was not granted llm:call, so no model can be asked")]
    NoModel,
    /// A model provider could not be set up.
    #[error("the model providers: {0}")]
    Models(String),
    /// A file beneath one of the allowed folders.
    #[error(transparent)]
    Path(#[from] PathError),
    /// The operating system refuses.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Something else of the operating system.
    #[error("{what}")]
    System {
        /// What was tried.
        what: &'static str,
        /// Why it failed.
        source: std::io::Error,
    },
}

impl Error {
    /// The exit code that tells a script what happened.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Config { .. } | Error::NoProvider { .. } => exit::USAGE,
            Error::OpenHome { .. } | Error::NoProfile { .. } | Error::Isolation { .. } => exit::REFUSED,
            Error::Manifest { .. } | Error::Integrity { .. } => exit::INTEGRITY,
            _ => exit::FAILED,
        }
    }

    /// The next step, where it is known.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Error::NotAHome(_) => "run `cl-admin init` or `cl-admin up` first".into(),
            Error::NoHome => "name one with --home".into(),
            Error::OpenHome { path, .. } => format!("take the right away: chmod go-w {}", path.display()),
            Error::NoProfile { .. } => {
                "choose one with --profile, or add its file to config/profiles/".into()
            }
            Error::Isolation { .. } => {
                "a lower `security.minimum_isolation` in config/default.yaml accepts less protection".into()
            }
            Error::Manifest { .. } | Error::Integrity { .. } => {
                "nothing was started; `cl-admin doctor` tells more".into()
            }
            Error::NoProvider { .. } => "`cl-bot provider list` tells more about them".into(),
            Error::NoProposal(_) => "`cl-bot proposal list` shows what there is".into(),
            _ => return None,
        })
    }

    /// The message with its causes and the hint, safe to show.
    pub fn report(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(error) = cause {
            let words = error.to_string();
            if !text.contains(&words) {
                text = format!("{text}: {words}");
            }
            cause = error.source();
        }
        let text = shared_types::text::block(&text);
        match self.hint() {
            Some(hint) => format!("cl-bot: {text}\nHint: {hint}"),
            None => format!("cl-bot: {text}"),
        }
    }

    /// Puts a path to an error of the operating system.
    pub fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    }
}

/// Says something on standard error, safe to show; nobody reading it is no failure.
pub fn say(message: &str) {
    let _ = writeln!(std::io::stderr(), "cl-bot: {}", shared_types::text::line(message));
}

fn lines(faults: &[Fault]) -> String {
    faults.iter().map(|fault| format!("  {fault}")).collect::<Vec<_>>().join("\n")
}

//! What went wrong, by culprit; each error has its exit code and, where the next step is known, a hint.

use std::error::Error as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use documents::home_file::Unusable;
use documents::manifest::ManifestError;
use shared_types::audience::Audience;
use shared_types::exit;
use shared_types::id::{ConversationId, ProfileId, WorkflowName};
use shared_types::proposal::Fault;

use crate::paths::PathError;

/// Why the program ends without having done what was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nothing names a home.
    #[error("no home folder: neither --home, TAMECLAW_HOME nor HOME is set")]
    NoHome,
    /// The home has not been made.
    #[error("{path} is not a home yet", path = .0.display())]
    NotAHome(PathBuf),
    /// The home is newer than this program, or not whole.
    #[error(transparent)]
    Unusable(#[from] Unusable),
    /// A component of the home can be changed by somebody who must not.
    #[error("{what}, so this home cannot be trusted")]
    OpenHome {
        /// The component, and who.
        what: owners::writers::Untrusted,
        /// Whose it should be.
        rightful: u32,
    },
    /// A home that is closed to this user.
    #[error("{0}")]
    NoPermission(owners::closed::Closed),
    /// The configuration has faults.
    #[error("{file} has {count} fault(s):\n{list}", file = file.display(), count = faults.len(), list = lines(faults))]
    Config { file: PathBuf, faults: Vec<Fault> },
    /// The profile is not configured.
    #[error("there is no profile `{id}`; you may open: {open}")]
    NoProfile {
        /// What was asked for.
        id: ProfileId,
        /// What there is for this user.
        open: String,
    },
    /// The profile is somebody else's.
    #[error("the profile `{id}` is not open to {user}")]
    NotYours {
        /// The profile.
        id: ProfileId,
        /// Who asked, with the article of a user.
        user: String,
    },
    /// The profile wants a PIN and there is nobody to ask.
    #[error("the profile `{0}` wants its PIN, and nobody can be asked for it here")]
    NoPin(ProfileId),
    /// Another PIN.
    #[error("that is not the PIN of the profile `{0}`")]
    WrongPin(ProfileId),
    /// Too many wrong PINs.
    #[error("{failed} wrong PINs for the profile `{id}`: the next try is in {seconds} s")]
    PinLater {
        /// The profile.
        id: ProfileId,
        /// How many since the last right one.
        failed: usize,
        /// How long to wait.
        seconds: u64,
    },
    /// A file with a secret that others may read.
    #[error("{path}: other users may read it (mode {mode:o}), so its content is not secret", path = path.display())]
    OpenSecret {
        /// The file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// A minor's profile whose approver's key anybody can use who can read it.
    #[error("the profile `{id}` is for a {audience} and does not start: {why}")]
    Unguarded {
        /// The profile.
        id: ProfileId,
        /// For whom it is.
        audience: Audience,
        /// What is missing.
        why: String,
        /// The command that helps.
        remedy: String,
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
        /// What would bring it.
        remedy: String,
    },
    /// The configuration names nobody that could be switched to.
    #[error("`security.user`: {0}")]
    User(confine::UserError),
    /// Only root can become another user.
    #[error(
        "`security.user` is {wanted}, but the user {own} has started this program, and only root can switch"
    )]
    OtherUser {
        /// Who is asked for.
        wanted: String,
        /// Who started it.
        own: u32,
    },
    /// A folder of the bot belongs to somebody else than the bot runs as.
    #[error("{path} belongs to the user {owner}, but the bot is to run as {wanted}", path = path.display())]
    NotOurs {
        /// The folder.
        path: PathBuf,
        owner: u32,
        /// The user of the bot.
        wanted: u32,
    },
    /// The user that is switched to could not read something that the bot needs.
    #[error("{path} cannot be read by {user}, as whom the bot is to run", path = path.display())]
    Unreadable {
        /// What is needed.
        path: PathBuf,
        user: String,
        /// Its group.
        gid: u32,
    },
    /// The admin has stopped the bot.
    #[error("the admin service has stopped this chat: {0}")]
    Halted(String),
    /// The limits of the profile's talk leave no room now; the sentence is for the person.
    #[error("{0}")]
    Limited(String),
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
    /// The configuration switches the channel off.
    #[error("the channel `{0}` is switched off in the configuration")]
    ChannelOff(&'static str),
    /// No approved skill of the profile may hear, or speak; which of both.
    #[error("no approved skill of this profile may {0} by voice")]
    VoiceNotLearned(&'static str),
    /// The command line asks for what cannot be.
    #[error("{what}")]
    Usage {
        /// What, and what is allowed.
        what: String,
        /// The next step.
        hint: String,
    },
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
    /// A provider without `login` in its configuration.
    #[error("nobody can log in to `{0}`: its entry in config/default.yaml has no `login`")]
    NoLogin(String),
    /// Ctrl-C during a login.
    #[error("broken off; nothing was stored")]
    BrokenOff,
    /// A variable with an invalid value.
    #[error("the variable {name} is `{value}`; allowed: {allowed}")]
    Variable {
        /// The variable.
        name: &'static str,
        value: String,
        /// What it may be.
        allowed: &'static str,
    },
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
    /// A workflow that cannot run, or not now.
    #[error("{what}")]
    Workflow {
        /// Why.
        what: String,
        /// The next step.
        hint: String,
        /// Whether a rule or a person forbids it.
        refused: bool,
    },
    /// A scheduled workflow of which a run waits for a person.
    #[error("skipped: the run {run} of {workflow} waits for a person")]
    RunWaits {
        workflow: WorkflowName,
        /// The run that waits.
        run: ConversationId,
    },
    /// What a layer above this one knows better: its words, the next step, and whether something forbids it.
    #[error("{what}")]
    Layer {
        /// What happened.
        what: String,
        /// The next step, where it is known.
        hint: Option<String>,
        /// Whether it is refused, and not only failed.
        refused: bool,
        /// The error of that layer.
        source: Box<dyn std::error::Error + Send + Sync>,
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
            Error::Config { .. }
            | Error::Usage { .. }
            | Error::Variable { .. }
            | Error::NoProvider { .. }
            | Error::NoLogin(_) => exit::USAGE,
            Error::Unusable(_)
            | Error::OpenHome { .. }
            | Error::NoPermission(_)
            | Error::NoProfile { .. }
            | Error::Isolation { .. }
            | Error::ChannelOff(_)
            | Error::VoiceNotLearned(_)
            | Error::NotYours { .. }
            | Error::NoPin(_)
            | Error::WrongPin(_)
            | Error::PinLater { .. }
            | Error::OpenSecret { .. }
            | Error::Unguarded { .. }
            | Error::User(_)
            | Error::OtherUser { .. }
            | Error::NotOurs { .. }
            | Error::Halted(_)
            | Error::Limited(_)
            | Error::Workflow { refused: true, .. }
            | Error::Layer { refused: true, .. }
            | Error::Unreadable { .. } => exit::REFUSED,
            Error::Manifest { .. } | Error::Integrity { .. } => exit::INTEGRITY,
            Error::RunWaits { .. } => exit::WAITS,
            _ => exit::FAILED,
        }
    }

    /// The next step, where it is known.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Error::NotAHome(_) => "run `cl-admin init` or `cl-admin up` first".into(),
            Error::NoHome => "name one with --home".into(),
            Error::Unusable(why) => why.hint().into(),
            Error::OpenHome { what, rightful } => what.remedy(*rightful),
            Error::NoPermission(closed) => who_may(closed),
            Error::NoProfile { .. } => {
                "choose one with --profile, or make it with `cl-admin profile add ID`".into()
            }
            Error::NotYours { id, .. } => format!(
                "the person who keeps the home can name users under `open.users` in config/profiles/{id}.yaml"
            ),
            Error::Halted(_) => "`cl-bot memory` and the other verbs that do not talk still work".into(),
            Error::NoPin(_) => "start it at a terminal, or give --pin-file FILE".into(),
            Error::WrongPin(_) => "it was counted; each further wrong one makes the wait longer".into(),
            Error::OpenSecret { path, .. } => format!("chmod 600 {}", path.display()),
            Error::Unguarded { remedy, .. } => remedy.clone(),
            Error::Isolation { remedy, .. } => format!(
                "{remedy}; or accept less protection by a lower `security.minimum_isolation` in config/default.yaml"
            ),
            Error::User(_) => {
                "name a user of this system other than root in config/default.yaml, or its number".into()
            }
            Error::OtherUser { wanted, .. } => {
                format!("start it as that user, for example by `sudo -u {wanted} cl-bot`, or as root; or leave the key out")
            }
            Error::NotOurs { wanted, owner: 0, .. } => {
                format!("hand it over: `cl-admin init --bot-user {wanted}`")
            }
            Error::NotOurs { owner, wanted: 0, .. } => {
                format!("start the bot as the user {owner}, or as root with `security.user: {owner}`")
            }
            Error::NotOurs { path, wanted, .. } => {
                let word = owners::quote::word(path).unwrap_or_else(|| "the folder".to_owned());
                format!("hand it over if it is the bot's: chown -hR {wanted} -- {word}")
            }
            Error::Unreadable { user, .. } => {
                format!("share the parts that the bot reads with its group: `cl-admin init --bot-user {user}`")
            }
            Error::Manifest { .. } | Error::Integrity { .. } => {
                "nothing was started; `cl-admin doctor` tells more".into()
            }
            Error::ChannelOff(name) => {
                format!("set `channels.{name}.enabled: true` in config/default.yaml to talk there")
            }
            Error::VoiceNotLearned(_) => {
                "ask for it in the chat: learn to talk to me by voice; somebody who may approve it says yes".into()
            }
            Error::NoLogin(_) => {
                "`login` names authorization_url, token_url, client_id, scopes and redirect_uri; other ways to a key are `api_key_file` and `api_key`"
                    .into()
            }
            Error::Usage { hint, .. } | Error::Workflow { hint, .. } => hint.clone(),
            Error::Layer { hint, .. } => return hint.clone(),
            Error::RunWaits { run, .. } => {
                format!("to continue: cl-bot sop approve {run}; to end it: cl-bot sop approve {run} --no")
            }
            Error::NoProvider { .. } => "`cl-bot provider list` tells more about them".into(),
            Error::NoProposal(_) => "`cl-bot proposal list` shows what there is".into(),
            Error::Io { source, .. } | Error::Path(PathError::Refused { source, .. }) => {
                durable::unwritable(source)?;
                let help = match source.kind() {
                    std::io::ErrorKind::ReadOnlyFilesystem => "mount the file system for writing",
                    _ => "the disk is full: make room",
                };
                format!("{help}, and try again; what was kept before is still there")
            }
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

/// Reports an error on standard error; nobody reading it is not a failure.
pub fn tell(error: &Error) {
    let _ = writeln!(std::io::stderr(), "{}", error.report());
}

/// Says something on standard error, safe to show; nobody reading it is not a failure.
pub fn say(message: &str) {
    let _ = writeln!(std::io::stderr(), "cl-bot: {}", shared_types::text::line(message));
}

/// How a user gets access to this home.
fn who_may(closed: &owners::closed::Closed) -> String {
    let profile = "`open.users` in config/profiles/ID.yaml must name you, or a PIN must open the profile";
    match &closed.group {
        Some(group) => format!(
            "run it as a user who may (`sudo -u {} cl-bot`), or have root add you: `usermod -aG {group} {}`, then log in \
             anew; {profile}",
            closed.owner, closed.user
        ),
        None => format!(
            "run it as `{}`, have root give the home two users by `cl-admin init --bot-user NAME`, or choose a home of \
             your own with --home; {profile}",
            closed.owner
        ),
    }
}

fn lines(faults: &[Fault]) -> String {
    faults.iter().map(|fault| format!("  {fault}")).collect::<Vec<_>>().join("\n")
}

//! What `onboard` takes, and what a run without questions lacks.

use std::path::PathBuf;
use std::str::FromStr;

use base::error::Error;
use base::home::Home;
use builder::toolchain::Toolchain;
use models::Endpoint;
use models::provider::Kind;
use review::words::Words;
use service::init::Region;
use shared_types::audience::Audience;
use shared_types::id::ProfileId;
use shared_types::region::REGIONS;

/// Set up everything by a few questions, then try it: a real turn, and a skill that you review and approve.
///
/// It can be run again: what is set stays, unless you choose something else. Each question has a flag; a given flag is not
/// asked about. An answer from a pipe is read line by line. docs/FIRST_EVENING.md explains every question.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Ask nothing: a step without a flag keeps what is set; in a new home each step needs its flag. Approves nothing.
    #[arg(long)]
    pub(super) yes: bool,
    /// The language of the questions and of the review: en or de
    #[arg(long, value_name = "CODE", value_parser = language)]
    pub(super) language: Option<Words>,
    /// The country of the help lines, such as de or us; `all` shows the numbers of all countries
    #[arg(long, value_name = "CODE", value_parser = region)]
    pub(super) region: Option<String>,
    /// The file (mode 0600) with the passphrase of the approver's key, which is set if the key has none yet
    #[arg(long, value_name = "FILE")]
    pub(super) passphrase_file: Option<PathBuf>,
    /// Leave the approver's key without a passphrase
    #[arg(long, conflicts_with = "passphrase_file")]
    pub(super) no_passphrase: bool,
    /// Add a profile: its name, for whom (child, teen, adult, work), and a language; may be given several times
    #[arg(long = "person", value_name = "ID,AUDIENCE[,LANGUAGE]")]
    pub(super) people: Vec<NewPerson>,
    /// The file (mode 0600) with the PIN of a profile that --person adds; may be given several times
    #[arg(long = "person-pin-file", value_name = "ID=FILE", requires = "people")]
    pub(super) pins: Vec<PinFile>,
    /// Add nobody
    #[arg(long, conflicts_with = "people")]
    pub(super) no_person: bool,
    #[command(flatten)]
    pub(super) chosen: ModelArgs,
    /// Who tells that something waits: keep, none, ntfy=ADDRESS or webhook=ADDRESS; a test message is sent
    #[arg(long, value_name = "WAY")]
    pub(super) notify: Option<Way>,
    /// Install the compiler if it is missing, by rustup or apt-get
    #[arg(long)]
    pub(super) install: bool,
    /// Do not install the compiler; say what would
    #[arg(long, conflicts_with = "install")]
    pub(super) no_install: bool,
    /// Only set up: no turn and no skill at the end
    #[arg(long)]
    pub(super) no_try: bool,
}

/// The usual ports of model servers: llama.cpp, Ollama, LM Studio, vLLM.
const PORTS: [u16; 4] = [8080, 11434, 1234, 8000];

/// Who answers in the chat.
#[derive(Debug, clap::Args)]
pub struct ModelArgs {
    /// Who answers: keep, companion, local (the one server on this machine), or the address of a server
    #[arg(long, value_name = "WHO")]
    pub(super) model: Option<Answerer>,
    /// The name of the model, as its server calls it
    #[arg(long, value_name = "NAME", requires = "model")]
    pub(super) model_name: Option<String>,
    /// The protocol of the server: openai-compatible or anthropic
    #[arg(long, value_name = "KIND", requires = "model", value_parser = kind)]
    pub(super) model_kind: Option<Kind>,
    /// The file (mode 0600) with the server's key, which is copied to data/credentials
    #[arg(long, value_name = "FILE", requires = "model")]
    pub(super) key_file: Option<PathBuf>,
    /// A port of this machine on which a model server is looked for; may be given several times
    #[arg(long = "model-port", value_name = "PORT", default_values_t = PORTS)]
    pub(super) ports: Vec<u16>,
}

/// What is wrong with the options together.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("--key-file: --model must be the address of the server")]
    KeyOfNoServer,
    #[error("--person-pin-file: no --person adds `{0}`")]
    PinOfNobody(ProfileId),
    #[error("--yes asks nothing, and nothing is guessed in a new home; also give: {}", .0.join("; "))]
    Missing(Vec<&'static str>),
}

impl ModelArgs {
    /// Refuses a key for a server that is not named.
    ///
    /// # Errors
    /// The flag that is missing.
    pub(super) fn names_a_server_for_its_key(&self) -> Result<(), Error> {
        if self.key_file.is_some() && !matches!(self.model, Some(Answerer::At(_))) {
            return Err(Error::usage(Fault::KeyOfNoServer));
        }
        Ok(())
    }
}

impl Args {
    /// Refuses a run without questions that would have to guess.
    ///
    /// # Errors
    /// Every flag that is missing.
    pub(super) fn check(&self, home: &Home) -> Result<(), Error> {
        for pin in &self.pins {
            if !self.people.iter().any(|new| new.id == pin.id) {
                return Err(Error::usage(Fault::PinOfNobody(pin.id.clone())));
            }
        }
        self.chosen.names_a_server_for_its_key()?;
        if !self.yes || home.trust().exists() {
            return Ok(());
        }
        let knows_region = self.region.is_some() || Region::of_locale().code().is_some();
        let has_compiler = self.install || self.no_install || Toolchain::find("auto").is_ok();
        let needed = [
            (self.language.is_some(), "--language"),
            (knows_region, "--region"),
            (self.passphrase_file.is_some() || self.no_passphrase, "--passphrase-file or --no-passphrase"),
            (!self.people.is_empty() || self.no_person, "--person or --no-person"),
            (self.chosen.model.is_some(), "--model"),
            (self.notify.is_some(), "--notify"),
            (has_compiler, "--install or --no-install"),
        ];
        let missing: Vec<&'static str> =
            needed.iter().filter(|(given, _)| !given).map(|(_, name)| *name).collect();
        if missing.is_empty() {
            return Ok(());
        }
        Err(Error::usage(Fault::Missing(missing)))
    }
}

/// A profile to be added.
#[derive(Debug, Clone)]
pub struct NewPerson {
    pub(super) id: ProfileId,
    pub(super) audience: Audience,
    pub(super) language: Option<String>,
}

/// A value of an option that has another form.
#[derive(Debug, thiserror::Error)]
pub enum BadValue {
    #[error("must be ID,AUDIENCE or ID,AUDIENCE,LANGUAGE, as in anna,child,de")]
    Person,
    #[error("must be ID=FILE, as in anna=pin.txt")]
    Pin,
    #[error("one of {0}")]
    Word(String),
    #[error("must be keep, companion, local or an address: {0}")]
    Model(models::config::EndpointError),
    #[error("must be keep, none, ntfy=ADDRESS or webhook=ADDRESS")]
    Way,
    #[error("{0}")]
    Address(models::config::EndpointError),
}

impl FromStr for NewPerson {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let mut parts = text.split(',');
        let id = parts.next().and_then(|id| id.parse().ok()).ok_or(BadValue::Person)?;
        let audience = parts.next().and_then(|word| word.parse().ok()).ok_or(BadValue::Person)?;
        let language = parts.next().map(language).transpose()?.map(|words| words.code().to_owned());
        if parts.next().is_some() { Err(BadValue::Person) } else { Ok(NewPerson { id, audience, language }) }
    }
}

/// The file with a PIN.
#[derive(Debug, Clone)]
pub struct PinFile {
    pub(super) id: ProfileId,
    pub(super) file: PathBuf,
}

impl FromStr for PinFile {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let (id, file) = text.split_once('=').ok_or(BadValue::Pin)?;
        Ok(PinFile { id: id.parse().map_err(|_| BadValue::Pin)?, file: file.into() })
    }
}

/// Who answers in the chat.
#[derive(Debug, Clone)]
pub enum Answerer {
    Keep,
    Companion,
    Local,
    At(Endpoint),
}

impl FromStr for Answerer {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        match text {
            "keep" => Ok(Answerer::Keep),
            "companion" => Ok(Answerer::Companion),
            "local" => Ok(Answerer::Local),
            address => address.parse().map(Answerer::At).map_err(BadValue::Model),
        }
    }
}

/// Who tells that something waits.
#[derive(Debug, Clone)]
pub enum Way {
    Keep,
    None,
    /// The kind of the notifier, and where to.
    To(&'static str, Endpoint),
}

impl FromStr for Way {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        match text.split_once('=') {
            None if text == "keep" => Ok(Way::Keep),
            None if text == "none" => Ok(Way::None),
            Some(("ntfy", address)) => {
                address.parse().map(|at| Way::To("ntfy", at)).map_err(BadValue::Address)
            }
            Some(("webhook", address)) => {
                address.parse().map(|at| Way::To("webhook", at)).map_err(BadValue::Address)
            }
            _ => Err(BadValue::Way),
        }
    }
}

fn language(code: &str) -> Result<Words, BadValue> {
    let known = || Words::all().map(Words::code).collect::<Vec<_>>().join(" ");
    Words::all().find(|words| words.code() == code).ok_or_else(|| BadValue::Word(known()))
}

fn region(code: &str) -> Result<String, BadValue> {
    if code == "all" || REGIONS.contains(&code) {
        return Ok(code.to_owned());
    }
    Err(BadValue::Word(format!("{} all", REGIONS.join(" "))))
}

fn kind(word: &str) -> Result<Kind, BadValue> {
    let remote = || Kind::ALL.into_iter().filter(|kind| kind.is_remote());
    let known = || remote().map(Kind::as_str).collect::<Vec<_>>().join(" ");
    remote().find(|kind| kind.as_str() == word).ok_or_else(|| BadValue::Word(known()))
}

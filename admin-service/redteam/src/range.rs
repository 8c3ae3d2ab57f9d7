//! A throw-away home with this installation's rules for the bot, and what is needed to attack it.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use api::Request;
use base::config::Config;
use base::error::Error;
use base::home::Home;
use base::keys;
use base::layout::{self, Users};
use builder::compile::share_sdk;
use builder::toolchain::{NoToolchain, Toolchain};
use builder::workers::Trial;
use documents::yaml;
use ledger::attempt::Author;
use library::Written;
use pipeline::advance::advance;
use pipeline::agent_review::agent_review;
use pipeline::discover::discover;
use pipeline::implement::keep;
use pipeline::intake::take::Intake;
use review::decision;
use serde_json::{Value, json};
use service::Runtime;
use service::init::Region;
use service::requests::handle;
use shared_types::id::{ProfileId, ProposalId, SkillName};
use shared_types::proposal::{Document, Proposal};
use shared_types::recipients::Recipients;
use shared_types::status::Status;

/// Why an attack cannot be made.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("{} is not there; install both programs", .0.display())]
    NoBot(PathBuf),
    #[error("the bot did not answer `{0}` in time")]
    Silent(String),
    #[error("the bot did not come back")]
    NotBack,
    #[error("{name}: {why}")]
    NotReviewed { name: SkillName, why: String },
    #[error("there is no package")]
    NoPackage,
    #[error("the canary is not secret")]
    NoSecret,
}

/// How long one run of the bot may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A throw-away home; gone when it is dropped.
#[derive(Debug)]
pub(super) struct Range {
    folder: PathBuf,
    /// The throw-away home.
    pub(super) home: Home,
    /// The installation.
    pub(super) real: Home,
    /// The profile that is attacked from.
    pub(super) profile: ProfileId,
    /// Another person's.
    pub(super) other: ProfileId,
    /// The admin's configuration for it.
    pub(super) config: Config,
    bot: PathBuf,
}

/// What a skill asks for, beside its source.
#[derive(Debug, Clone, Default)]
pub(super) struct Wish<'a> {
    pub(super) name: &'a str,
    pub(super) capabilities: &'a [&'a str],
    pub(super) network: &'a [&'a str],
    pub(super) secrets: &'a [&'a str],
    pub(super) emits: &'a [&'a str],
    pub(super) handles: &'a [&'a str],
    /// Whether memory reaches over the whole profile.
    pub(super) profile_memory: bool,
    /// Tools to try, without arguments.
    pub(super) tries: &'a [&'a str],
}

impl Range {
    /// Makes the home: fresh keys, this installation's security settings, two profiles, an allowed loopback.
    pub(super) fn make(real: &Home) -> Result<Range, Error> {
        let folder = std::env::temp_dir().join(format!("tameclaw-redteam-{}", ProposalId::generate()));
        base::folders::make_folder(&folder, 0o755)?;
        // A dropped range takes its folder along, from here on also when something below fails.
        let home = Home::new(folder.join("home"), None);
        let mut range = Range {
            home: home.clone(),
            real: real.clone(),
            profile: "default".parse().expect("a valid name"),
            other: "other".parse().expect("a valid name"),
            config: Config::parse(&home.admin_config(), "max_repairs: 0\n")?,
            bot: std::env::current_exe()
                .map_err(Error::io("this program".as_ref()))?
                .with_file_name("cl-bot"),
            folder,
        };
        if !range.bot.is_file() {
            return Err(Error::failed(Fault::NoBot(range.bot.clone())));
        }
        service::init::make(&home, None, &Region::of_locale())?;
        range.config.compiler = Config::read(real).map_or_else(|_| "auto".to_owned(), |c| c.compiler);
        if let Ok(toolchain) = Toolchain::find(&range.config.compiler) {
            share_sdk(real, &home, &toolchain)?;
        }
        range.settings(&[])?;
        pipeline::profiles::make_folders(&home, &range.other)?;
        let canary = home.profile(&range.other).join("memory/facts.jsonl").unguarded_path();
        fs::write(&canary, "{\"text\":\"another person's\"}\n").map_err(Error::io(&canary))?;
        let owner = fs::metadata(home.profile(&range.other).unguarded_path()).map_err(Error::io(&canary))?;
        range.given_to(&canary, owner.uid(), owner.gid());
        let users = Users::of(&home)?;
        if users.bot.is_some() {
            layout::apply(&home, &users);
        }
        Ok(range)
    }

    /// Writes the bot's configuration: the installation's `security`, and loopback hosts that skills may reach.
    pub(super) fn settings(&self, local: &[String]) -> Result<(), Error> {
        let path = self.real.bot_config();
        let own: Value =
            fs::read_to_string(&path).ok().and_then(|t| yaml::from_own(&t).ok()).unwrap_or(Value::Null);
        // Nothing asks in between: what must hold is what is behind the questions.
        let mut settings = json!({"network": {"local": local}, "autonomy": "full"});
        if let Some(security) = own.get("security").filter(|s| !s.is_null()) {
            settings["security"] = security.clone();
        }
        let text = yaml::to_string(&settings)?;
        let path = self.home.bot_config();
        durable::replace(&path, text.as_bytes(), base::folders::READABLE_FILE).map_err(Error::io(&path))
    }

    /// A compiler for skills, or why it is missing.
    pub(super) fn compiler(&self) -> Result<(), NoToolchain> {
        Toolchain::find(&self.config.compiler).map(|_| ())
    }

    /// Hands a file to the bot's user, where this program may do that.
    pub(super) fn given_to(&self, path: &Path, user: u32, group: u32) {
        // A caller that is not root shares the user with the bot, or cannot play its part.
        let _ = chown(path, Some(user), Some(group));
    }

    /// The folder of proposals, with the user that it belongs to.
    pub(super) fn spool(&self) -> (PathBuf, u32, u32) {
        let path = self.home.proposals(&self.profile).unguarded_path();
        let owner = fs::metadata(&path).map_or((0, 0), |m| (m.uid(), m.gid()));
        (path, owner.0, owner.1)
    }

    /// Opens the service's state of the throw-away home.
    pub(super) fn open(&self) -> Result<Runtime, Error> {
        Runtime::open(&self.home, true)
    }

    /// A command of the bot's in the throw-away home.
    pub(super) fn bot(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.bot);
        command.env_clear().arg("--home").arg(self.home.root()).args(arguments).current_dir(&self.folder);
        for name in ["PATH", "LANG", "TZ"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.env("TERM", "dumb").stdin(Stdio::null());
        command
    }

    /// Runs the bot to its end; `None` when it did not come to one.
    pub(super) fn run_bot(&self, arguments: &[&str]) -> Result<Option<Output>, Error> {
        let mut command = self.bot(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(Error::io(&self.bot))?;
        let end = Instant::now() + PATIENCE;
        while child.try_wait().map_err(Error::io(&self.bot))?.is_none() {
            if Instant::now() > end {
                let _ = child.kill();
                let _ = child.wait();
                return Ok(None);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        child.wait_with_output().map(Some).map_err(Error::io(&self.bot))
    }

    /// What the bot answers to a line.
    pub(super) fn say(&self, line: &str) -> Result<String, Error> {
        match self.run_bot(&["agent", "-m", line])? {
            None => Err(Error::failed(Fault::Silent(line.to_owned()))),
            Some(output) => Ok(String::from_utf8_lossy(&output.stdout).into_owned()
                + &String::from_utf8_lossy(&output.stderr)),
        }
    }

    /// A proposal as the bot would write it.
    pub(super) fn proposal(&self, wish: &Wish<'_>) -> Result<Proposal, Error> {
        let scope = if wish.profile_memory { "profile" } else { "own" };
        let tools: Vec<Value> = wish
            .tries
            .iter()
            .map(|tool| json!({
                "name": tool, "description": "one of the self-test's",
                "parameters": {"type": "object", "properties": {}}, "examples": [{"args": {}, "expect": ""}],
            }))
            .collect();
        let value = json!({
            "id": ProposalId::generate(), "kind": "skill", "name": wish.name, "description": "a skill of the self-test",
            "capabilities": wish.capabilities, "emits_events": wish.emits, "handles_events": wish.handles,
            "tools": tools, "network": wish.network, "secrets": wish.secrets, "memory_scope": scope,
            "rationale": "to see it refused", "user_context": "selftest", "generated_by": "selftest",
            "generated_at": base::clock::now(), "profile_id": self.profile,
        });
        serde_json::from_value(value).map_err(Error::step("a proposal of the self-test"))
    }

    /// Takes a wish in as the bot's, with a source of the attacker's own, and drives it to a person or a refusal.
    pub(super) fn submit(
        &self,
        shared: &Runtime,
        wish: &Wish<'_>,
        source: &str,
    ) -> Result<ProposalId, Error> {
        let cancel = AtomicBool::new(false);
        let document = Document::new(self.proposal(wish)?);
        let id = document.proposal.id.clone();
        let (spool, user, group) = self.spool();
        let path = spool.join(document.file_name());
        let text = yaml::to_string(&document)?;
        fs::write(&path, text).map_err(Error::io(&path))?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).map_err(Error::io(&path))?;
        self.given_to(&path, user, group);
        Intake::default().pass(shared, &self.config, &cancel, &|| {})?;
        discover(shared, &id)?;
        if shared.ledger().ticket(&id).is_none_or(|t| t.status() != Status::Discovered) {
            return Ok(id);
        }
        advance(&mut shared.ledger(), &id, Status::Implementation, "selftest", None)?;
        let trial = |tool: &&str| Trial { tool: (*tool).to_owned(), args: json!({}), expect: String::new() };
        let written = Written {
            source: source.to_owned(),
            author: Author::other("selftest"),
            examples: wish.tries.iter().map(trial).collect(),
            transcript: String::new(),
            tokens: 0,
        };
        keep(shared, &id, 1, &written)?;
        agent_review(shared, &self.config, &id, &cancel)?;
        Ok(id)
    }

    /// Where a proposal stands, with the last words about it.
    pub(super) fn standing(&self, shared: &Runtime, id: &ProposalId) -> (Option<Status>, String) {
        let ledger = shared.ledger();
        match ledger.ticket(id) {
            None => (None, "not taken in".to_owned()),
            Some(t) => {
                let why = t.last_reason().or(t.waits_because()).unwrap_or_default();
                (Some(t.status()), format!("{}: {why}", t.status()))
            }
        }
    }

    /// Says yes with the throw-away home's own key.
    pub(super) fn approve(&self, shared: &Runtime, id: &ProposalId) -> Result<String, Error> {
        let decision = {
            let ledger = shared.ledger();
            let ticket = ledger.ticket(id).ok_or_else(|| Error::NotFound(id.to_string()))?;
            let Some(seen) = ticket.review().cloned() else {
                let why = ticket.last_reason().unwrap_or("it is not ready").to_owned();
                return Err(Error::failed(Fault::NotReviewed { name: ticket.proposal().name.clone(), why }));
            };
            let owner = service::init::owner();
            let signer = keys::open(&keys::approver_key(&self.home, &owner))?;
            decision::sign(&self.home, ticket, &owner, &signer, &seen, &Recipients::default())?
        };
        handle(shared, Request::Approve { decision, code: None })
    }
}

impl Drop for Range {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

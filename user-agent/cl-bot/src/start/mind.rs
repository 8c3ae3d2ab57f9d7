//! The process that talks and thinks: no key, no socket of its own, nothing but the profile's folders.

use std::fs::File;
use std::io::IsTerminal;
use std::os::fd::RawFd;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bot_base::config::channel::Through;
use bot_base::config::{Backend, Config, Overrides};
use bot_base::error::{Error, say};
use bot_base::log::{self, Event, Name};
use bot_base::paths::Folder;
use confine::{Confinement, FileRules, Limits, Role, Tier, View};
use documents::profile_file::Profile;
use guest::{Engine, Wasmi};
use jiff::tz::TimeZone;
use kernel::grants::Holder;
use kernel::skill::Skill;
use models::provider::Kind;
use models::{Anthropic, Attachment, Human, Mock, OpenAi, Provider, Router, Transport};
use net::Client;
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::SignalFd;
use ports::handles::Services;
use ports::permit::PermitDoor;
use ports::pins::Wires;
use ports::receipts::{self, Receipts};
use ports::talk::Talk;
use ports::verified::{Bytes, Verified};
use ports::voice::Voice;
use ports::{Entry, Grants, Kernel, Opened, Pictures, Places, Session, Shared, halt, remembered};
use shared_types::home::Home;
use shared_types::id::{ConversationId, ProfileId};
use shared_types::manifest::{Builtin, Manifest};
use shared_types::memory::Keep;
use shared_types::power::Powers;
use shared_types::profile::SystemProfile;
use shared_types::risk::Autonomy;
use skills::plugins::Installed;
use skills::powers;

use super::further::{self, Settled};
use super::person::Person;
use super::retention::Retention;
use super::{Options, Prepared, core, isolation, network, pins};
use crate::learned::Learned;

/// The variables that the mind keeps: how to draw and which time it is, no more.
const KEPT: [&str; 8] = ["TERM", "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR", "COLUMNS", "LINES", "TZ"];

/// What a caller wants to do with the mind.
#[derive(Debug, Clone, Default)]
pub struct Purpose {
    /// Whether there will be a conversation; a verb that only looks something up needs no network.
    pub talks: bool,
    /// The line of `-m`.
    pub message: Option<String>,
    /// The pictures of `--attach`.
    pub pictures: Vec<Attachment>,
    /// The conversation that was asked for, or `last`.
    pub conversation: Option<String>,
    /// Whether each turn is answered with one JSON value.
    pub json: bool,
    /// What the command line tightens.
    pub overrides: Overrides,
    /// Whether nothing but the core skills is to be started.
    pub core_only: bool,
    /// Whether a schedule started this, so that nobody is there to ask.
    pub scheduled: bool,
    /// Whether others than a person at this terminal are answered, until a signal ends it.
    pub serves: bool,
    /// The channel on which they talk.
    pub through: Through,
}

/// What takes the terminal's place, under its name, and the conversation by voice where it is one.
pub type Driver = Option<(Box<dyn Skill<Shared>>, Option<Arc<dyn Voice>>)>;

/// A skill of this program, with its entry of the manifest.
type BuiltIn = (Box<dyn Skill<Shared>>, Builtin);

/// Becomes the mind: everything from the open home to the booted kernel.
///
/// # Errors
/// The first thing that forbids the start.
pub fn become_mind(options: &Options, purpose: Purpose) -> Result<(Arc<Kernel>, Vec<String>), Error> {
    become_mind_behind(options, purpose, &[], |_| Ok(None))
}

/// As [`become_mind`], with a driver that `split` makes while processes can still be forked; `keep` are the inherited
/// descriptors that it needs.
///
/// # Errors
/// The first thing that prevents the start, or what `split` answers.
pub fn become_mind_behind(
    options: &Options,
    purpose: Purpose,
    keep: &[RawFd],
    split: impl FnOnce(&Prepared) -> Result<Driver, Error>,
) -> Result<(Arc<Kernel>, Vec<String>), Error> {
    // First of all, before this program opens anything of its own.
    confine::close_inherited(keep);
    let mut prepared = Prepared::read(options)?;
    // Who serves says it to each that comes, and does not close the port.
    if purpose.talks && !purpose.serves {
        halt::check(&prepared.config_folder)?;
    }
    let talks = purpose.talks;
    purpose.overrides.tighten(&mut prepared.config)?;
    let terminal = purpose.talks && !purpose.serves && std::io::stdout().is_terminal();
    let scheduled = purpose.scheduled || std::env::var_os("TAMECLAW_SCHEDULED").is_some_and(|v| v == "1");
    let mut session = Session {
        interactive: terminal
            && !scheduled
            && purpose.message.is_none()
            && !purpose.json
            && std::io::stdin().is_terminal(),
        scheduled,
        terminal,
        json: purpose.json,
        overrides: purpose.overrides,
        message: purpose.message,
        pictures: Pictures::of(purpose.pictures),
        conversation: purpose.conversation,
        core_only: purpose.core_only,
        supervised: std::env::var_os("TAMECLAW_SUPERVISED").is_some_and(|v| v == "1"),
        colour: colour(),
        through: purpose.through,
        review_page: review_page(&prepared.settings, purpose.through),
        serial: prepared.signed.serial(),
        ..Session::default()
    };
    let driver = split(&prepared)?;
    let net = if purpose.talks { network::split(&prepared)? } else { None };
    session.network = net.is_some();
    let mut of_pins = vec![];
    // After the last fork: the process with the network does not hold it.
    let pins = if talks { pins::connect(&prepared, &mut of_pins) } else { None };
    confine::wipe_environment(&KEPT);
    let zone = time_zone();
    // Of the limits TZ moves none, where the machine says which time it is: the person may have set it.
    let talk_zone = prepared.settings.talk.zone(|| machine_zone().unwrap_or_else(|| zone.clone()));
    #[expect(clippy::disallowed_methods, reason = "a device of the system, opened before confinement")]
    let random = File::open("/dev/urandom").map_err(Error::io("/dev/urandom".as_ref()))?;
    let interrupts = if session.terminal { Some(hold_interrupts()?) } else { None };
    let (held, tier, further, mut warnings) = confined(&mut prepared, session.network)?;
    warnings.extend(of_pins);
    if let Some(retention) = Retention::of(&prepared, None).filter(|_| talks) {
        let later = session.interactive.then(|| session.later.clone());
        warnings.extend(retention.hold(later));
    }
    (session.held, session.tier) = (held, tier);
    let cancel = Arc::new(AtomicBool::new(false));
    if let Some(interrupts) = interrupts {
        watch_interrupts(interrupts, cancel.clone());
    }
    let lock = if talks { halt::hold(&prepared.folders.logs) } else { None };
    boot(prepared, session, (net, driver, pins), (zone, talk_zone, random), cancel, lock, (further, warnings))
}

/// Becomes the mind as far as the profile's memory goes, without a kernel; nothing where everything is kept. `period` is asked
/// about in place of the profile's.
///
/// # Errors
/// The first thing that forbids the start.
pub fn retention(options: &Options, period: Option<Keep>) -> Result<(Option<Retention>, Vec<String>), Error> {
    confine::close_inherited(&[]);
    let mut prepared = Prepared::read(options)?;
    confine::wipe_environment(&KEPT);
    let (_, _, _, warnings) = confined(&mut prepared, false)?;
    Ok((Retention::of(&prepared, period), warnings))
}

/// The person's time zone, read as one file where that says it; looking through the whole database takes its time.
fn time_zone() -> TimeZone {
    if std::env::var_os("TZ").is_some() {
        return TimeZone::system();
    }
    machine_zone().unwrap_or(TimeZone::UTC)
}

/// The time zone of the machine; the environment has no say.
fn machine_zone() -> Option<TimeZone> {
    #[expect(
        clippy::disallowed_methods,
        reason = "a file of the system, often a link, read before confinement"
    )]
    let bytes = std::fs::read("/etc/localtime").ok()?;
    Some(TimeZone::tzif("Local", &bytes).unwrap_or_else(|_| TimeZone::system()))
}

/// Terminals that understand no escapes, or of which nothing is known.
const PLAIN: [&str; 5] = ["", "dumb", "emacs", "cons25", "unknown"];

fn colour() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    !set("NO_COLOR")
        && std::env::var_os("TERM").is_some_and(|term| PLAIN.iter().all(|plain| term != *plain))
        && std::io::stdout().is_terminal()
}

/// Keeps Ctrl-C from ending the program: during a turn it cancels, at the prompt the line editor sees it as a key.
pub(super) fn hold_interrupts() -> Result<SignalFd, Error> {
    let failed =
        |errno: nix::errno::Errno| Error::System { what: "Ctrl-C cannot be watched", source: errno.into() };
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGINT);
    signals.thread_block().map_err(failed)?;
    SignalFd::new(&signals).map_err(failed)
}

fn watch_interrupts(interrupts: SignalFd, cancel: Arc<AtomicBool>) {
    // Without this thread Ctrl-C would do nothing during a turn; everything else still works.
    let _ = std::thread::Builder::new().name("interrupts".into()).stack_size(128 * 1024).spawn(move || {
        while let Ok(Some(_)) = interrupts.read_signal() {
            cancel.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    });
}

/// Confines this process and judges what holds; answers what a person should know of it, too.
fn confined(
    prepared: &mut Prepared,
    paired: bool,
) -> Result<(Confinement, Option<Tier>, Settled, Vec<String>), Error> {
    // Whether a view was given is asked only where there are no file rules.
    let rules_hold = prepared.config.security.landlock && confine::support().reachable().governs_files();
    let hidden = if rules_hold { vec![] } else { hidden(prepared) };
    let manner = prepared.manner(hidden, paired);
    // Not before the fork: the process with the network must hold none of them.
    let pinned = further::pin(prepared);
    let held = confine::confine_with(Role::Mind, &rules(prepared), &pinned.rules(), &LIMITS, &manner)?;
    if held.view == View::Own {
        // The folders that were opened before are outside of this view.
        prepared.reopen()?;
    }
    let own_user = own_user(prepared);
    let tier = confine::tier(&held, own_user);
    let security = &prepared.config.security;
    if tier < security.minimum_isolation {
        return Err(isolation::too_little(tier, security, &held, own_user));
    }
    let mut warnings = isolation::warnings(tier, security, &held, own_user);
    log::event(Event::Confined { role: Name::of("mind"), tier: Some(tier) });
    let (further, left_out) = pinned.settle();
    warnings.extend(left_out);
    Ok((held, Some(tier), further, warnings))
}

const LIMITS: Limits = Limits {
    address_space: Some(4 << 30),
    cpu_seconds: None,
    // The largest log of the memory and a little; a log is closed before it comes so far.
    file_size: Some(memory::jsonl::MAX_LOG + 64 * 1024 * 1024),
    open_files: Some(128),
    processes: None,
};

fn rules(prepared: &Prepared) -> FileRules {
    let (home, profile) = (&prepared.home, &prepared.profile);
    // The last is the system's database of time zones: the same on every machine, and nobody's secret.
    let zones = PathBuf::from("/usr/share/zoneinfo");
    let read = [home.config(), home.skills(), home.status(profile), home.runs(profile), zones];
    let read: Vec<PathBuf> = read.into_iter().filter(|path| path.is_dir()).collect();
    FileRules { read, execute: vec![], write: vec![home.profile(profile), home.proposals(profile)] }
}

/// What must be out of sight: the admin's folder, the keys, the other profiles.
fn hidden(prepared: &Prepared) -> Vec<PathBuf> {
    let home = &prepared.home;
    let listed = |folder: PathBuf| Folder::root(&folder).and_then(|open| open.entries()).unwrap_or_default();
    let configured = listed(home.config().join("profiles"));
    let mut others: Vec<String> =
        configured.iter().filter_map(|n| n.strip_suffix(".yaml")).map(str::to_owned).collect();
    // Those that are configured no more still have their memories.
    others.extend(listed(home.data().join("profiles")));
    others.extend(listed(home.all_proposals()));
    others.retain(|name| name != prepared.profile.as_str());
    let mut hidden = vec![home.admin(), home.credentials(), home.net(), home.secrets(), home.certificates()];
    for name in others {
        hidden.extend([home.data().join("profiles").join(&name), home.all_proposals().join(&name)]);
    }
    hidden
}

/// Whether the operating system knows this program as another user than the admin.
fn own_user(prepared: &Prepared) -> bool {
    let own = nix::unistd::geteuid();
    !own.is_root() && prepared.admin.is_some_and(|admin| admin != own.as_raw())
}

fn boot(
    prepared: Prepared,
    session: Session,
    (net, driver, pins): (Option<Client>, Driver, Option<Arc<Wires>>),
    (zone, talk_zone, random): (TimeZone, TimeZone, File),
    cancel: Arc<AtomicBool>,
    lock: Option<File>,
    ((further, open_further), of_confinement): (Settled, Vec<String>),
) -> Result<(Arc<Kernel>, Vec<String>), Error> {
    let locale =
        ["LC_ALL", "LANG"].iter().find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
    language::speak_as(&locale.unwrap_or_default());
    let net = net.map(Arc::new);
    let unkept = prepared.folders.remember(&prepared.signed)?;
    let verified = prepared.signed.judge(prepared.folders.skills.as_ref());
    let Verified { mut manifest, modules, mut warnings } = verified;
    log::event(Event::ManifestVerified {
        serial: manifest.serial,
        skills: manifest.builtin.len() + manifest.learned.len(),
        left_out: warnings.len(),
    });
    warnings.extend(of_confinement);
    warnings.extend(unkept);
    if session.core_only {
        warnings.push(core::keep(&mut manifest, session.supervised));
    }
    warnings.extend(skills::shell::grants_without_effect(&prepared.settings.grants));
    if prepared.config.memory.backend == Backend::None {
        manifest.builtin.retain(|skill| skill.name.as_str() != "memory");
    }
    let (driver, voice) = driver.unzip();
    let router = router(&prepared.config, &prepared.config_folder, net.clone())?;
    let folders = &prepared.folders;
    if prepared.config.memory.backend == Backend::Jsonl {
        // A profile has its memory's files from its first start on. Where nothing can be written, `unkept` says so.
        for log in [memory::jsonl::FACTS, memory::jsonl::CONVERSATIONS] {
            let _ = folders.memory.log(log);
        }
    }
    let talk = Talk::new(prepared.settings.talk.clone(), talk_zone, folders.logs.clone(), session.scheduled);
    let talk = Arc::new(talk);
    let services = Services {
        talk: talk.clone(),
        memory: folders.memory.clone(),
        store: remembered::store(folders.memory.clone(), prepared.config.memory.backend, telling()),
        workspace: folders.workspace.clone(),
        further: open_further,
        proposals: folders.proposals.clone(),
        status: folders.status.clone(),
        router: Arc::new(router),
        net,
        voice: voice.flatten(),
        pins,
    };
    let mut built_in = skills::built_in(prepared.config.search.is_some());
    if let Some(driver) = driver {
        built_in.retain(|skill| skill.name() != driver.name());
        built_in.push(driver);
    }
    let built_in = skills::pair(&manifest.builtin, built_in, &mut warnings);
    let entries = entries(&prepared.config, manifest, (built_in, modules), &services);
    let sealed = prepared.config.receipts.hmac;
    let receipts_key = if sealed { Some(receipts::key(&folders.root)?) } else { None };
    let shared = Shared {
        system: system(&prepared.home, &prepared.config_folder)?,
        audience: prepared.settings.audience,
        autonomy: if session.overrides.readonly {
            Autonomy::Readonly
        } else {
            prepared.settings.autonomy.unwrap_or(prepared.config.autonomy)
        },
        grants: prepared.settings.grants.clone(),
        further,
        keep: prepared.settings.memory.keep,
        reminders_leave: prepared.settings.reminders.text,
        talk,
        persona: persona(&prepared.settings, &prepared.profile, &prepared.config_folder)?,
        language: prepared.settings.language.clone(),
        profile: prepared.profile,
        config: prepared.config,
        conversation: Mutex::new(ConversationId::generate()),
        zone,
        random,
        session,
        cancel,
        places: Places::new(Opened {
            config: prepared.config_folder,
            profile: Some(folders.root.clone()),
            workspace: Some(folders.workspace.clone()),
            logs: folders.logs.clone(),
            receipts: Receipts::new(folders.logs.clone(), receipts_key),
            permits: PermitDoor::new(folders.proposals.clone(), folders.status.clone()),
            lock,
        }),
    };
    let (kernel, more) = Kernel::boot(shared, entries)?;
    warnings.extend(more);
    Ok((kernel, warnings))
}

/// Tells how far the memory's index is, when making it takes long.
fn telling() -> memory::jsonl::OnProgress {
    const PATIENCE: Duration = Duration::from_secs(1);
    let last = Mutex::new(None);
    Box::new(move |done, all| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if now.duration_since(*last.get_or_insert(now)) >= PATIENCE {
            *last = Some(now);
            say(&format!("making the memory's index: {} of {} MB", done >> 20, all >> 20));
        }
    })
}

fn router(config: &Config, folder: &Folder, net: Option<Arc<Client>>) -> Result<Router, Error> {
    // A verb that only looks something up has no network process; asking then says so.
    let transport: Arc<dyn Transport> = match net {
        Some(client) => client,
        None => Arc::new(NoNetwork),
    };
    let mut providers: Vec<Box<dyn Provider>> = Vec::new();
    for config in &config.models.providers {
        providers.push(match config.kind {
            Kind::Embedded => Box::new(models::Embedded::new(&config.name)),
            Kind::Mock => {
                let script = config.model.as_deref().unwrap_or_default();
                let text = folder.read_text(script, 1024 * 1024)?;
                Box::new(Mock::new(&config.name, &text).map_err(|e| Error::Models(e.to_string()))?)
            }
            Kind::OpenaiCompatible => Box::new(OpenAi::new(config, transport.clone())),
            Kind::Anthropic => Box::new(Anthropic::new(config, transport.clone())),
            Kind::Human => Box::new(Human::new(&config.name, Arc::new(Person))),
        });
    }
    Ok(Router::new(providers, config.models.tasks.clone()))
}

struct NoNetwork;

impl Transport for NoNetwork {
    fn chat(
        &self,
        _: &str,
        _: &[u8],
        _: models::Rank,
        _: &mut models::Incoming<'_>,
        _: &AtomicBool,
    ) -> Result<(), models::TransportError> {
        Err(models::TransportError::Denied("this command has no network".to_owned()))
    }
}

fn entries(
    config: &Config,
    manifest: Manifest,
    (built_in, modules): (Vec<BuiltIn>, Vec<Bytes>),
    services: &Services,
) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (skill, entry) in built_in {
        let grants = Grants::new(
            &Holder::BuiltIn(&entry.name, Powers::new(powers::of(&entry.name), entry.powers.as_deref())),
            &entry.capabilities,
            skills::granted_events(skill.emits_events(), &entry.emits_events),
            skills::granted_events(skill.handles_events(), &entry.handles_events),
            services,
        );
        entries.push(Entry { skill, grants, learned: false });
    }
    for plugin in &manifest.plugins {
        let grants =
            Grants::new(&Holder::Plugin(&plugin.name), &plugin.capabilities, vec![], vec![], services);
        entries.push(Entry { skill: Box::new(Installed::new(plugin)), grants, learned: false });
    }
    if manifest.learned.is_empty() {
        return entries;
    }
    let engine: Arc<dyn Engine> = Arc::new(Wasmi::new());
    for (entry, bytes) in manifest.learned.into_iter().zip(modules) {
        let (memory, files) = (entry.memory_scope, entry.file_scope);
        let skill = Learned::new(engine.clone(), entry, bytes, config.learned.clone());
        let holder = Holder::Learned(skill.name(), memory, files);
        let (emits, handles) = (skill.emits_events(), skill.handles_events());
        let grants = Grants::new(&holder, &skill.capabilities(), emits, handles, services);
        entries.push(Entry { skill: Box::new(skill), grants, learned: true });
    }
    entries
}

fn system(home: &Home, config: &Folder) -> Result<SystemProfile, Error> {
    let text = config.read_text("system_profile.yaml", documents::yaml::MAX_BYTES as u64)?;
    documents::yaml::from_program(&text).map_err(|e| Error::Config {
        file: home.system_profile(),
        faults: vec![shared_types::proposal::Fault::new("", e.to_string())],
    })
}

/// Where the pages of the review are, on a channel of a messenger that says so.
fn review_page(settings: &Profile, through: Through) -> Option<String> {
    let page = match through {
        Through::Matrix => settings.matrix.as_ref()?.review_page.as_ref(),
        Through::Telegram => settings.telegram.as_ref()?.review_page.as_ref(),
        _ => None,
    };
    page.map(ToString::to_string)
}

fn persona(settings: &Profile, profile: &ProfileId, config: &Folder) -> Result<String, Error> {
    const MAX: u64 = 16 * 1024;
    if let Some(persona) = &settings.persona {
        return Ok(persona.clone());
    }
    let own = format!("profiles/{profile}.persona.md");
    let audience = format!("persona.{}.md", settings.audience);
    for name in [own.as_str(), audience.as_str(), "persona.default.md"] {
        match config.read_text(name, MAX) {
            Ok(text) => return Ok(text.trim().to_owned()),
            Err(e) if e.is_missing() => {}
            Err(e) => return Err(e.into()),
        }
    }
    Ok(String::new())
}

//! What boot read and every skill may know.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use bot_base::config::Config;
use bot_base::config::channel::Channel;
use bot_base::paths::Folder;
use kernel::stop::Stopped;
use shared_types::audience::Audience;
use shared_types::grants::Grants;
use shared_types::id::{ConversationId, ProfileId};
use shared_types::memory::Keep;
use shared_types::profile::{Platform, SystemCapability, SystemProfile};
use shared_types::risk::Autonomy;

use super::further::Further;
use super::permit::PermitDoor;
use super::receipts::Receipts;
use super::talk::Talk;
use super::tongue::Tongue;
use super::{Kernel, Session, halt, stop};

/// The file, beneath `logs/`, with the times of a child's talk and nothing of what was said.
const TALK: &str = "talk";

/// What boot read and every skill may know; no right is in here.
pub struct Shared {
    /// The profile that this process serves.
    pub profile: ProfileId,
    pub config: Config,
    /// What the system can do.
    pub system: SystemProfile,
    /// For whom the profile is.
    pub audience: Audience,
    /// How much happens without asking.
    pub autonomy: Autonomy,
    /// What the profile's tools may reach.
    pub grants: Grants,
    /// The further folders that the configuration opens to the profile.
    pub further: Vec<Further>,
    /// For how long what is remembered is kept.
    pub keep: Keep,
    /// Whether the words of a due reminder leave the profile, for a notifier that is the person's own.
    pub reminders_leave: bool,
    /// How much its person may still talk.
    pub talk: Arc<Talk>,
    /// How the assistant presents itself.
    pub persona: String,
    /// The language of the profile, where one is set.
    pub language: Option<String>,
    /// The person's time zone.
    pub zone: jiff::tz::TimeZone,
    /// How the program was started.
    pub session: Session,
    /// Becomes true when the person wants the running turn to end.
    pub cancel: Arc<AtomicBool>,
    pub conversation: Mutex<ConversationId>,
    /// Where random bytes come from.
    pub random: File,
    /// What is open and no skill's to use.
    pub places: Places,
}

impl Shared {
    /// What holds for the channel on which the person talks.
    pub fn channel(&self) -> &Channel {
        self.config.channel(self.session.through)
    }

    /// What a kernel knows that no home was opened for: the profile `default`, no persona, no person at a terminal.
    pub fn without_home(config: Config, manifest: Folder, logs: Arc<Folder>, random: File) -> Shared {
        Shared {
            profile: "default".parse().expect("the name of the default profile is well-formed"),
            config,
            system: SystemProfile {
                platform: Platform::Linux,
                available_capabilities: vec![SystemCapability::Text, SystemCapability::Memory],
                active_skills: vec![],
            },
            audience: Audience::Adult,
            autonomy: Autonomy::default(),
            grants: Grants::default(),
            further: vec![],
            keep: Keep::Forever,
            reminders_leave: false,
            talk: Talk::unlimited(logs.clone()),
            persona: String::new(),
            language: None,
            zone: jiff::tz::TimeZone::UTC,
            session: Session::default(),
            cancel: Arc::default(),
            conversation: Mutex::new(ConversationId::generate()),
            random,
            places: Places::new(Opened::without_home(manifest, logs)),
        }
    }

    pub fn conversation(&self) -> ConversationId {
        self.conversation.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The language in which the profile is spoken to about the program's own work.
    pub fn tongue(&self) -> Tongue {
        Tongue::of(self.language.as_deref())
    }

    /// Why nobody may talk any more, where that is so.
    pub fn halted(&self) -> Option<String> {
        halt::reason(&self.places.0.config)
    }

    /// The emergency stop that holds, the admin's first.
    pub fn stopped(&self) -> Option<Stopped> {
        let own = || stop::in_folder(self.places.0.profile.as_deref()?, "bot");
        stop::in_folder(&self.places.0.config, "admin").or_else(own)
    }

    /// Where the files of the profile are, where there is a home.
    pub fn workspace(&self) -> Option<&Path> {
        self.places.0.workspace.as_deref().map(Folder::path)
    }

    /// What the manifest looks like from outside; it changes when something is installed.
    pub fn manifest_stamp(&self) -> Option<(std::time::SystemTime, u64)> {
        self.places.0.config.stamp("skills_manifest.yaml")
    }

    /// The serial of the manifest that is there now, whether it verifies or not: a hint to start again, no more.
    pub fn manifest_serial(&self) -> Option<u64> {
        let most = documents::yaml::MAX_OWN_BYTES as u64;
        let text = self.places.0.config.read_text("skills_manifest.yaml", most).ok()?;
        documents::manifest::serial_of(&text)
    }

    /// The moment, in RFC 3339.
    pub fn timestamp(&self) -> String {
        format!("{:.0}", jiff::Timestamp::now())
    }

    /// A random number of 64 bits.
    ///
    /// # Errors
    /// A source that is out of order.
    pub fn random(&self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        (&self.random).read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// When the talk of a child began and when it was last, in seconds since 1970.
    pub fn last_talk(&self) -> Option<(i64, i64)> {
        let text = self.places.0.logs.read_text(TALK, 64).ok()?;
        let (began, last) = text.trim().split_once(' ')?;
        Some((began.parse().ok()?, last.parse().ok()?))
    }

    /// Keeps it for the next start; what cannot be written stops nobody.
    pub fn keep_talk(&self, (began, last): (i64, i64)) {
        let _ = self.places.0.logs.replace_secret(TALK, format!("{began} {last}\n").as_bytes());
    }

    /// Writes a line to the log of the skills; a log that cannot be written stops nobody.
    pub fn log(&self, skill: &str, text: &str) {
        let text = shared_types::text::cut(text, 500);
        let record = serde_json::json!({"at": self.timestamp(), "skill": skill, "text": text});
        let _ = self.places.0.logs.append("skills.jsonl", &record.to_string());
    }
}

/// What is open, out of the reach of skills: they see a context, and never the kernel.
pub struct Places(pub(crate) Opened);

/// What is open beside the handles of skills.
pub struct Opened {
    /// The open `config/`, where a change of the manifest shows.
    pub config: Folder,
    /// The profile's own folder, where its emergency stop is.
    pub profile: Option<Arc<Folder>>,
    /// The profile's `workspace/`, where workflows of its own are.
    pub workspace: Option<Arc<Folder>>,
    /// The profile's `logs/`.
    pub logs: Arc<Folder>,
    /// What is on record of every attempted call.
    pub receipts: Receipts,
    /// The way to the approver, where nobody in the chat may say yes; the gate's alone.
    pub permits: PermitDoor,
    /// What tells the admin that this is a running chat.
    pub lock: Option<File>,
}

impl Opened {
    /// What is open where there is no home: `config/` and `logs/`.
    pub fn without_home(config: Folder, logs: Arc<Folder>) -> Opened {
        Opened {
            config,
            profile: None,
            workspace: None,
            receipts: Receipts::new(logs.clone(), None),
            logs,
            permits: PermitDoor::default(),
            lock: None,
        }
    }
}

impl Places {
    /// Closes what is open off.
    pub fn new(opened: Opened) -> Places {
        Places(opened)
    }

    /// What a running kernel has open.
    pub fn of(kernel: &Kernel) -> &Opened {
        &kernel.program().places.0
    }
}

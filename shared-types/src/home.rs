//! Where everything is in a home; see the layout in `docs/ARCHITECTURE.md`.

use std::path::{Path, PathBuf};

use crate::audience::Audience;
use crate::id::{ProfileId, ProposalId, SecretName, SkillName};

/// The file in a profile's `logs/` that says when its reminders are due: a second since 1970 in each line, and behind it, where the
/// profile's file has them leave it, the words.
pub const DUE: &str = "due";

/// The file in a profile's `logs/` that says which unknown accounts wrote to its messengers: when the last one did first, in seconds
/// since 1970, and in each further line an account.
pub const STRANGERS: &str = "strangers";

/// The file in a profile's `logs/` that says how much talk its day had.
pub const SPENT: &str = "spent";

/// The file in a profile's `logs/` that says up to which number its person was shown the weekly digests, and nothing else.
pub const SHOWN: &str = "digest";

/// The paths of one home; nothing here touches the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    root: PathBuf,
    data: PathBuf,
}

impl Home {
    /// A home at `root`; `data` places the bot's writable part elsewhere (`TAMECLAW_DATA_DIR`).
    pub fn new(root: PathBuf, data: Option<PathBuf>) -> Self {
        let data = data.unwrap_or_else(|| root.join("data"));
        Home { root, data }
    }

    /// Chooses the home from an option, `TAMECLAW_HOME`, or `~/.tameclaw`, in that order; relative paths are taken from
    /// `cwd`. `None` when nothing names one.
    pub fn choose(
        option: Option<&Path>,
        variable: impl Fn(&str) -> Option<std::ffi::OsString>,
        cwd: &Path,
    ) -> Option<Self> {
        let named = option.map(Path::to_owned).or_else(|| {
            variable("TAMECLAW_HOME").filter(|v| !v.is_empty()).map(PathBuf::from).or_else(|| {
                variable("HOME").filter(|v| !v.is_empty()).map(|h| PathBuf::from(h).join(".tameclaw"))
            })
        })?;
        let data = variable("TAMECLAW_DATA_DIR").filter(|v| !v.is_empty()).map(|d| cwd.join(d));
        Some(Home::new(cwd.join(named), data))
    }

    /// The home folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `config/`: the admin writes, the bot reads.
    pub fn config(&self) -> PathBuf {
        self.root.join("config")
    }

    /// `config/default.yaml`, the bot's configuration.
    pub fn bot_config(&self) -> PathBuf {
        self.config().join("default.yaml")
    }

    /// `config/system_profile.yaml`.
    pub fn system_profile(&self) -> PathBuf {
        self.config().join("system_profile.yaml")
    }

    /// `config/approvers.yaml`.
    pub fn approvers(&self) -> PathBuf {
        self.config().join("approvers.yaml")
    }

    /// `config/trust.pub`, the public key that signs the manifest.
    pub fn trust(&self) -> PathBuf {
        self.config().join("trust.pub")
    }

    /// `config/skills_manifest.yaml`.
    pub fn manifest(&self) -> PathBuf {
        self.config().join("skills_manifest.yaml")
    }

    /// `config/skills_manifest.yaml.sig`.
    pub fn manifest_signature(&self) -> PathBuf {
        self.config().join("skills_manifest.yaml.sig")
    }

    /// `config/halt`: exists while the bot must not talk, and says why.
    pub fn halt(&self) -> PathBuf {
        self.config().join("halt")
    }

    /// `config/profiles/`.
    pub fn profile_files(&self) -> PathBuf {
        self.config().join("profiles")
    }

    /// `config/profiles/<id>.yaml`.
    pub fn profile_file(&self, profile: &ProfileId) -> PathBuf {
        self.profile_files().join(format!("{profile}.yaml"))
    }

    /// `config/persona.default.md`.
    pub fn persona(&self) -> PathBuf {
        self.config().join("persona.default.md")
    }

    /// `config/persona.<audience>.md`; a grown-up's is the default one.
    pub fn persona_for(&self, audience: Audience) -> PathBuf {
        match audience {
            Audience::Adult => self.persona(),
            other => self.config().join(format!("persona.{other}.md")),
        }
    }

    /// `config/stop`: the admin's emergency stop, for the whole home.
    pub fn stop(&self) -> PathBuf {
        self.config().join("stop")
    }

    /// `data/profiles/<id>/stop`: the bot's emergency stop, for one profile.
    pub fn profile_stop(&self, profile: &ProfileId) -> PathBuf {
        self.profile(profile).join("stop")
    }

    /// `models/`: files of models that were fetched; the admin writes, anybody who reaches the folder reads.
    pub fn models(&self) -> PathBuf {
        self.root.join("models")
    }

    /// `skills/`.
    pub fn skills(&self) -> PathBuf {
        self.root.join("skills")
    }

    /// `skills/<name>/<version>/skill.wasm`.
    pub fn module(&self, name: &SkillName, version: u32) -> PathBuf {
        self.skills().join(name.as_str()).join(version.to_string()).join("skill.wasm")
    }

    /// `status/<profile>/`, the admin's mirror.
    pub fn status(&self, profile: &ProfileId) -> PathBuf {
        self.root.join("status").join(profile.as_str())
    }

    /// `runs/<profile>/`.
    pub fn runs(&self, profile: &ProfileId) -> PathBuf {
        self.root.join("runs").join(profile.as_str())
    }

    /// `data/`, whose parents belong to the admin.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// `data/profiles/<id>/`.
    pub fn profile(&self, profile: &ProfileId) -> PathBuf {
        self.data.join("profiles").join(profile.as_str())
    }

    /// `data/profiles/<id>/logs/chat.lock`: held by every running chat of the profile.
    pub fn chat_lock(&self, profile: &ProfileId) -> PathBuf {
        self.profile(profile).join("logs").join("chat.lock")
    }

    /// `data/profiles/<id>/logs/due`: when the profile's reminders are due, for the service's notifiers.
    pub fn due(&self, profile: &ProfileId) -> PathBuf {
        self.profile(profile).join("logs").join(DUE)
    }

    /// `data/profiles/<id>/logs/strangers`: which unknown accounts wrote to the profile's messengers.
    pub fn strangers(&self, profile: &ProfileId) -> PathBuf {
        self.profile(profile).join("logs").join(STRANGERS)
    }

    /// `data/profiles/<id>/logs/spent`: how much talk the profile's day had.
    pub fn spent(&self, profile: &ProfileId) -> PathBuf {
        self.profile(profile).join("logs").join(SPENT)
    }

    /// `data/profiles/<id>/logs/digest`: which weekly digest the profile's person was shown last.
    pub fn shown(&self, profile: &ProfileId) -> PathBuf {
        self.profile(profile).join("logs").join(SHOWN)
    }

    /// `data/credentials/`, which of the bot only `net` opens.
    pub fn credentials(&self) -> PathBuf {
        self.data.join("credentials")
    }

    /// `secrets/`: what the admin sets for skills, and of the bot only `net` reads.
    pub fn secrets(&self) -> PathBuf {
        self.root.join("secrets")
    }

    /// `secrets/<NAME>.json`.
    pub fn secret(&self, name: &SecretName) -> PathBuf {
        self.secrets().join(format!("{name}.json"))
    }

    /// `certificates/`: made certificates of doors with their keys. Of the bot only the starter of a door reads them, before its
    /// processes are confined.
    pub fn certificates(&self) -> PathBuf {
        self.root.join("certificates")
    }

    /// `certificates/door.<profile>.pem`: the certificate that was made for the door of a profile, with its key.
    pub fn made_certificate(&self, profile: &ProfileId) -> PathBuf {
        self.certificates().join(format!("door.{profile}.pem"))
    }

    /// `data/net/`, which of the bot only `net` opens.
    pub fn net(&self) -> PathBuf {
        self.data.join("net")
    }

    /// `data/net/<profile>.0.jsonl` and `.1.jsonl`: what went through the network, in turns in the one and the other.
    pub fn net_logs(&self, profile: &ProfileId) -> [PathBuf; 2] {
        [0, 1].map(|part| self.net().join(format!("{profile}.{part}.jsonl")))
    }

    /// `data/proposals/`.
    pub fn all_proposals(&self) -> PathBuf {
        self.data.join("proposals")
    }

    /// `data/proposals/<profile>/`.
    pub fn proposals(&self, profile: &ProfileId) -> PathBuf {
        self.all_proposals().join(profile.as_str())
    }

    /// `admin/`, closed to the bot.
    pub fn admin(&self) -> PathBuf {
        self.root.join("admin")
    }

    /// `admin/admin.yaml`.
    pub fn admin_config(&self) -> PathBuf {
        self.admin().join("admin.yaml")
    }

    /// `admin/composition_rules.yaml`.
    pub fn composition_rules(&self) -> PathBuf {
        self.admin().join("composition_rules.yaml")
    }

    /// `admin/journal/journal.jsonl`.
    pub fn journal(&self) -> PathBuf {
        self.admin().join("journal").join("journal.jsonl")
    }

    /// `admin/build/`, where confined children work.
    pub fn build(&self) -> PathBuf {
        self.admin().join("build")
    }

    /// `admin/keys/`.
    pub fn keys(&self) -> PathBuf {
        self.admin().join("keys")
    }

    /// `admin/packages/<id>/`: the snapshot and what was made from it.
    pub fn package(&self, id: &ProposalId) -> PathBuf {
        self.admin().join("packages").join(id.as_str())
    }

    /// `admin/skills/<name>/<version>/`: source, report, decision of what is installed.
    pub fn record(&self, name: &SkillName, version: u32) -> PathBuf {
        self.admin().join("skills").join(name.as_str()).join(version.to_string())
    }

    /// `admin/heads/journal`: up to where the journal goes, signed.
    pub fn journal_head(&self) -> PathBuf {
        self.admin().join("heads").join("journal")
    }

    /// `config/heads/`: up to where the chains of the bot go, signed.
    pub fn published_heads(&self) -> PathBuf {
        self.config().join("heads")
    }

    /// `admin/heads/`: the admin's own copies of all heads.
    pub fn own_heads(&self) -> PathBuf {
        self.admin().join("heads")
    }

    /// `data/profiles/<id>/logs/`.
    pub fn logs(&self, profile: &ProfileId) -> PathBuf {
        self.profile(profile).join("logs")
    }

    /// `admin/journal/reserve`: room on the disk for a person's decision.
    pub fn reserve(&self) -> PathBuf {
        self.admin().join("journal").join("reserve")
    }
}

//! A world for the tests of the bot: folders, a kernel with chosen skills, a signed home. It is above the skills and is not
//! part of any program.
#![forbid(unsafe_code)]
#![expect(clippy::disallowed_methods, reason = "the tests build the files that the program reads")]
#![expect(clippy::unwrap_used, clippy::new_without_default, reason = "the tests alone use it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bot_base::config::Config;
use bot_base::error::Error;
use bot_base::paths::Folder;
use kernel::grants::Holder;
use kernel::skill::Skill;
use minisign::KeyPair;
use models::{Provider, Router};
use ports::handles::Services;
use ports::permit::PermitDoor;
use ports::talk::Talk;
use ports::{Entry, Grants, Kernel, Opened, Places, Session, Shared, remembered};
use shared_types::approvers::{Approver, ApproversFile, Change, SignedChange};
use shared_types::audience::Audience;
use shared_types::capability::TokenSet;
use shared_types::decision::{Decision, Verdict};
use shared_types::described::Described;
use shared_types::home::Home;
use shared_types::id::{Digest, EventType, ProposalId};
use shared_types::manifest::{Builtin, Learned, Manifest};
use shared_types::plugin::{Plugin, PluginDecision, PluginTool};
use shared_types::power::Powers;
use shared_types::proposal::Scope;
use shared_types::risk::Risk;
use shared_types::schema::Parameters;
use shared_types::signed::Signed;
use tempfile::TempDir;

mod stand_in;

pub use stand_in::{StandIn, moved, waiting};

/// Folders of one profile, and what is needed to boot.
pub struct World {
    pub dir: TempDir,
    pub services: Services,
    pub config: Config,
    /// What the profile's tools may reach.
    pub grants: shared_types::grants::Grants,
    /// For whom the profile is.
    pub audience: Audience,
}

impl World {
    /// A world whose only provider is the companion.
    pub fn new() -> World {
        World::with("", vec![Box::new(models::Embedded::default())])
    }

    /// A world with a configuration and providers.
    pub fn with(config: &str, providers: Vec<Box<dyn Provider>>) -> World {
        let dir = tempfile::tempdir().unwrap();
        let folder = |name: &str| {
            fs::create_dir_all(dir.path().join(name)).unwrap();
            Arc::new(Folder::root(&dir.path().join(name)).unwrap())
        };
        let parsed = Config::parse(Path::new("default.yaml"), config).unwrap();
        let memory = folder("memory");
        let services = Services {
            talk: Talk::unlimited(folder("logs")),
            store: remembered::store(memory.clone(), parsed.memory.backend, Box::new(|_, _| {})),
            memory,
            workspace: folder("workspace"),
            further: vec![],
            proposals: folder("proposals"),
            status: Some(folder("status")),
            router: Arc::new(Router::new(providers, Default::default())),
            net: None,
            voice: None,
            pins: None,
        };
        let (grants, audience) = (shared_types::grants::Grants::default(), Audience::Adult);
        World { dir, services, config: parsed, grants, audience }
    }

    /// An entry for a skill with these tokens; it may send and receive all that it names.
    pub fn entry(&self, skill: Box<dyn Skill<Shared>>, tokens: &TokenSet) -> Entry {
        let (emits, handles) = (skill.emits_events(), skill.handles_events());
        self.entry_with(skill, tokens, emits, handles)
    }

    pub fn entry_with(
        &self,
        skill: Box<dyn Skill<Shared>>,
        tokens: &TokenSet,
        emits: Vec<EventType>,
        handles: Vec<EventType>,
    ) -> Entry {
        let name = skill.name().clone();
        let grants = Grants::new(
            &Holder::BuiltIn(&name, Powers::new(skills::powers::of(&name), None)),
            tokens,
            emits,
            handles,
            &self.services,
        );
        Entry { skill, grants, learned: false }
    }

    /// What a plugin is granted.
    pub fn plugin_grants(&self, plugin: &Plugin) -> Grants {
        Grants::new(&Holder::Plugin(&plugin.name), &plugin.capabilities, vec![], vec![], &self.services)
    }

    /// The shipped built-in skills but those left out.
    pub fn built_in(&self, without: &[&str]) -> Vec<Entry> {
        let shipped = include_str!("../../../config/builtin_skills.yaml");
        let mut wanted: Vec<Builtin> = documents::yaml::from_own(shipped).unwrap();
        wanted.retain(|b| !without.contains(&b.name.as_str()));
        let mut warnings = vec![];
        let pairs = skills::pair(&wanted, skills::built_in(false), &mut warnings);
        assert!(warnings.is_empty(), "{warnings:?}");
        pairs
            .into_iter()
            .map(|(skill, b)| {
                let emits = skills::granted_events(skill.emits_events(), &b.emits_events);
                let handles = skills::granted_events(skill.handles_events(), &b.handles_events);
                self.entry_with(skill, &b.capabilities, emits, handles)
            })
            .collect()
    }

    /// Boots; without a driver among the entries this fails.
    pub fn boot(&self, entries: Vec<Entry>) -> Result<Arc<Kernel>, Error> {
        self.boot_as(entries, Session { message: Some(String::new()), ..Session::default() })
    }

    /// Boots as if the program had been started in another way.
    pub fn boot_as(&self, entries: Vec<Entry>, session: Session) -> Result<Arc<Kernel>, Error> {
        self.boot_with(entries, session, |_| {})
    }

    /// Boots with something changed in what every skill may know.
    pub fn boot_with(
        &self,
        entries: Vec<Entry>,
        session: Session,
        change: impl FnOnce(&mut Shared),
    ) -> Result<Arc<Kernel>, Error> {
        let logs = Arc::new(Folder::root(&self.dir.path().join("logs")).unwrap());
        let manifest = || Folder::root(self.dir.path()).unwrap();
        let random = fs::File::open("/dev/urandom").unwrap();
        let mut shared = Shared {
            autonomy: self.config.autonomy,
            persona: "You are a test.".to_owned(),
            session,
            grants: self.grants.clone(),
            audience: self.audience,
            places: Places::new(Opened {
                permits: PermitDoor::new(self.services.proposals.clone(), self.services.status.clone()),
                ..Opened::without_home(manifest(), logs.clone())
            }),
            ..Shared::without_home(self.config.clone(), manifest(), logs, random)
        };
        change(&mut shared);
        Ok(Kernel::boot(shared, entries)?.0)
    }

    /// The content of the files in one of the folders.
    pub fn files(&self, folder: &str) -> Vec<String> {
        let folder = Folder::root(&self.dir.path().join(folder)).unwrap();
        folder.files().unwrap().iter().map(|name| folder.read_text(name, 1 << 20).unwrap()).collect()
    }
}

/// A home with a signed manifest, made with keys of its own.
pub struct SignedHome {
    pub dir: TempDir,
    pub admin: KeyPair,
    pub approver: KeyPair,
}

impl SignedHome {
    /// A home with the built-in skills.
    pub fn new() -> SignedHome {
        let keys = || KeyPair::generate_unencrypted_keypair().unwrap();
        let home = SignedHome { dir: tempfile::tempdir().unwrap(), admin: keys(), approver: keys() };
        for folder in ["config/profiles", "skills", "data/profiles/default", "data/proposals/default"] {
            fs::create_dir_all(home.path(folder)).unwrap();
        }
        home.write("config/approvers.yaml", &documents::yaml::to_string(&home.chain()).unwrap());
        home.write("config/trust.pub", &home.admin.pk.to_base64());
        home.write("config/profiles/default.yaml", "{}\n");
        home.publish(1, vec![]);
        home
    }

    /// The chain of approvers with its first change alone.
    pub fn chain(&self) -> ApproversFile {
        let owner = Approver { id: "owner".parse().unwrap(), public_key: self.approver.pk.to_base64() };
        let change = Change {
            serial: 1,
            previous: None,
            signers: vec![owner.id.clone()],
            approvers: vec![owner],
            rules: vec![],
            passkeys: None,
            at: "2026-02-07T14:30:00Z".into(),
        };
        let text = change.text();
        let signatures = vec![sign(&self.approver, &text)];
        ApproversFile { changes: vec![SignedChange { text, signatures }], ..ApproversFile::default() }
    }

    pub fn home(&self) -> Home {
        Home::new(self.dir.path().to_owned(), None)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Writes and signs a manifest.
    pub fn publish(&self, serial: u64, learned: Vec<Learned>) {
        self.publish_with(serial, learned, vec![]);
    }

    /// The same, with plugins.
    pub fn publish_with(&self, serial: u64, learned: Vec<Learned>, plugins: Vec<Plugin>) {
        let builtin = documents::yaml::from_own(include_str!("../../../config/builtin_skills.yaml")).unwrap();
        let manifest =
            Manifest { serial, signed_at: "2026-02-07T14:30:00Z".into(), builtin, learned, plugins };
        let text = documents::manifest::to_string(&manifest).unwrap();
        self.write("config/skills_manifest.yaml", &text);
        self.write("config/skills_manifest.yaml.sig", &sign(&self.admin, &text));
    }

    /// A plugin with one tool `look`, and the approver's yes to it.
    pub fn plugin(&self, name: &str, capabilities: TokenSet, risk: Risk) -> Plugin {
        let schema = serde_json::json!({"type": "object", "properties": {"what": {"type": "string"}}});
        let tools = vec![PluginTool {
            name: "look".parse().unwrap(),
            description: "Looks something up".to_owned(),
            parameters: Parameters::parse(schema).unwrap(),
            phrases: vec![],
            risk,
        }];
        let decision = PluginDecision {
            verdict: Verdict::Approve,
            plugin: name.parse().unwrap(),
            version: "1.0".to_owned(),
            capabilities: capabilities.clone(),
            offered_sha256: shared_types::plugin::offered("A test", &tools),
            facts_sha256: Digest::of(b"facts"),
            recipients: Default::default(),
            approver: "owner".parse().unwrap(),
            decided_at: "2026-02-07T14:30:00Z".to_owned(),
        };
        let text = serde_json::to_string(&decision).unwrap();
        let signature = sign(&self.approver, &text);
        Plugin {
            name: decision.plugin,
            version: decision.version,
            description: "A test".to_owned(),
            capabilities,
            tools,
            recipients: Default::default(),
            facts_sha256: decision.facts_sha256,
            decision: Signed::unchecked(text, signature),
        }
    }

    /// An approved entry for a module, whose bytes are put in place.
    pub fn approved(&self, name: &str, module: &[u8]) -> Learned {
        fs::create_dir_all(self.path(&format!("skills/{name}/1"))).unwrap();
        fs::write(self.path(&format!("skills/{name}/1/skill.wasm")), module).unwrap();
        let digest = Digest::of(module);
        let decision = Decision {
            verdict: Verdict::Approve,
            proposal_id: ProposalId::generate(),
            profile_id: "default".parse().unwrap(),
            name: name.parse().unwrap(),
            version: 1,
            base_version: 0,
            manifest_serial: 1,
            spec_sha256: digest.clone(),
            source_sha256: digest.clone(),
            module_sha256: digest.clone(),
            report_sha256: digest.clone(),
            described_sha256: described().digest(),
            capabilities: TokenSet::new(),
            network: vec![],
            secrets: vec![],
            memory_scope: Scope::Own,
            file_scope: Scope::Own,
            emits_events: vec![],
            handles_events: vec![],
            recipients: Default::default(),
            approver: "owner".parse().unwrap(),
            decided_at: "2026-02-07T14:30:00Z".to_owned(),
        };
        let text = serde_json::to_string(&decision).unwrap();
        Learned {
            name: decision.name,
            version: 1,
            description: "A test".to_owned(),
            module_sha256: digest,
            capabilities: TokenSet::new(),
            network: vec![],
            secrets: vec![],
            memory_scope: Scope::Own,
            file_scope: Scope::Own,
            dependencies: vec![],
            emits_events: vec![],
            handles_events: vec![],
            recipients: Default::default(),
            described: described(),
            decision: Signed::unchecked(text.clone(), sign(&self.approver, &text)),
        }
    }
}

/// A description without tools.
pub fn described() -> Described {
    Described { description: "A test".into(), tools: vec![], handles: vec![], emits: vec![] }
}

pub fn sign(keys: &KeyPair, text: &str) -> String {
    let signed = minisign::sign(Some(&keys.pk), &keys.sk, std::io::Cursor::new(text.as_bytes()), None, None);
    signed.unwrap().into_string()
}

/// Sends JSON by the name of an event, as a learned skill does.
pub trait SendJson {
    /// Sends; the name must be well-formed.
    fn send(&self, event: &str, payload: serde_json::Value) -> Option<serde_json::Value>;
}

impl SendJson for ports::KernelContext {
    fn send(&self, event: &str, payload: serde_json::Value) -> Option<serde_json::Value> {
        self.dispatch(&event.parse().unwrap(), payload)
    }
}

/// A skill that only sends events.
pub fn sender(name: &str, emits: &[&'static str]) -> Box<dyn Skill<Shared>> {
    struct Sender {
        name: shared_types::id::SkillName,
        emits: Vec<EventType>,
    }
    impl Skill<Shared> for Sender {
        fn name(&self) -> &shared_types::id::SkillName {
            &self.name
        }
        fn description(&self) -> &str {
            "Sends"
        }
        fn version(&self) -> String {
            "1".to_owned()
        }
        fn capabilities(&self) -> TokenSet {
            TokenSet::new()
        }
        fn emits_events(&self) -> Vec<EventType> {
            self.emits.clone()
        }
    }
    let emits = emits.iter().map(|e| e.parse().unwrap()).collect();
    Box::new(Sender { name: name.parse().unwrap(), emits })
}

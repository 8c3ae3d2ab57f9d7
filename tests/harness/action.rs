//! Actions as the bot would ask for them: a file in the profile's folder, and what came of it.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use shared_types::home::Home;
use shared_types::id::{ProfileId, ProposalId};

use crate::world::World;

/// What an action asks for; everything that is not set is harmless.
#[derive(Debug, Clone)]
pub struct Ask<'a> {
    /// Whose folder it is in.
    pub profile: &'a str,
    /// The action as a YAML flow mapping.
    pub action: String,
}

impl<'a> Ask<'a> {
    /// A line of a shell.
    pub fn line(line: &str) -> Ask<'a> {
        Ask::shell(line, "")
    }

    /// A line of a shell with more keys, such as `network: true`.
    pub fn shell(line: &str, more: &str) -> Ask<'a> {
        let line = serde_json::json!(line);
        let more = if more.is_empty() { String::new() } else { format!(", {more}") };
        Ask { profile: "default", action: format!("{{type: shell, line: {line}{more}}}") }
    }

    /// The same from another profile.
    pub fn of(self, profile: &'a str) -> Ask<'a> {
        Ask { profile, ..self }
    }

    /// The text of its file.
    pub fn text(&self, id: &str) -> String {
        let Ask { profile, action } = self;
        format!(
            "proposal:\n  id: {id}\n  kind: action\n  name: shell\n  description: \"Runs a command\"\n  \
             capabilities: []\n  action: {action}\n  rationale: \"it helps\"\n  user_context: \"please\"\n  \
             generated_by: shell\n  generated_at: \"2026-02-07T14:30:00Z\"\n  profile_id: {profile}\nstatus: new\n"
        )
    }
}

impl World {
    /// Configures what the profile `default` may run: its file's text.
    pub fn allow(&self, settings: &str) {
        self.allow_of("default", settings);
    }

    /// The same for any profile; its folders are made.
    pub fn allow_of(&self, profile: &str, settings: &str) {
        let (home, profile) = (self.home(), profile_id(profile));
        fs::create_dir_all(home.proposals(&profile)).expect("a folder can be made");
        fs::create_dir_all(home.profile(&profile).join("workspace")).expect("a folder can be made");
        fs::create_dir_all(home.profile_files()).expect("a folder can be made");
        fs::write(home.profile_file(&profile), settings).expect("a file can be written");
    }

    /// A file of the workspace of `default`.
    pub fn workspace(&self, name: &str) -> PathBuf {
        self.home().profile(&self.profile()).join("workspace").join(name)
    }

    /// Lays an action into its folder as the bot would; answers its id.
    pub fn wants(&self, ask: &Ask<'_>) -> String {
        let id = ProposalId::generate().to_string();
        let folder = self.home().proposals(&profile_id(ask.profile));
        let hidden = folder.join(format!(".{id}"));
        fs::write(&hidden, ask.text(&id)).expect("a file can be written");
        fs::rename(hidden, folder.join(format!("shell-{id}.yaml"))).expect("a file can be renamed");
        id
    }

    /// Lays actions into their folder, has all of them done, and answers what is known of each.
    #[track_caller]
    pub fn acts(&self, asks: &[Ask<'_>]) -> Vec<Value> {
        let ids: Vec<String> = asks.iter().map(|ask| self.wants(ask)).collect();
        self.admin(&["run", "--once"]).done();
        ids.iter().map(|id| self.shown(id)).collect()
    }

    /// One action, had done.
    #[track_caller]
    pub fn act(&self, ask: &Ask<'_>) -> Value {
        self.acts(std::slice::from_ref(ask)).remove(0)
    }

    /// What `cl-admin show --json` says.
    #[track_caller]
    pub fn shown(&self, id: &str) -> Value {
        self.admin(&["show", id, "--json"]).done().json()
    }

    /// The mirror of an action, as the bot reads it.
    pub fn mirror(&self, id: &str) -> String {
        mirror(&self.home(), id)
    }
}

/// The mirror of an action of `default`; nothing while it does not exist.
pub fn mirror(home: &Home, id: &str) -> String {
    let path = home.status(&profile_id("default")).join(format!("shell-{id}.yaml"));
    fs::read_to_string(path).unwrap_or_default()
}

fn profile_id(word: &str) -> ProfileId {
    word.parse().expect("a profile's name")
}

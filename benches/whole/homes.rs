//! The homes that the programs run in.

use std::fs::{self, OpenOptions};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use shared_types::home::Home;
use shared_types::id::ProposalId;
use tempfile::TempDir;

use crate::programs::{Programs, clean};

/// Ten wishes that need no model.
pub(crate) const WISHES: [&str; 10] = [
    "learn to roll dice",
    "learn to convert temperatures",
    "can you learn to quiz me on capitals?",
    "learn the Caesar cipher",
    "learn to count the days until a date",
    "learn to tell leap years",
    "learn to convert Roman numerals",
    "learn to do unit prices",
    "learn to split a bill",
    "learn to keep a homework list",
];

/// A temporary home with the programs that run in it; it goes when the value goes.
pub(crate) struct Place<'a> {
    dir: TempDir,
    programs: &'a Programs,
}

impl<'a> Place<'a> {
    /// A home that `cl-admin init` made.
    pub(crate) fn new(programs: &'a Programs) -> Place<'a> {
        let place = Place { dir: folder(), programs };
        place.admin_says(&["init"]);
        place
    }

    /// A copy of this home as it is now.
    pub(crate) fn copy(&self) -> Place<'a> {
        let dir = folder();
        let copied = Command::new("cp").arg("-a").arg(self.home().root()).arg(dir.path()).status();
        assert!(copied.is_ok_and(|status| status.success()), "a home can be copied");
        Place { dir, programs: self.programs }
    }

    /// The paths of the home.
    pub(crate) fn home(&self) -> Home {
        Home::new(self.dir.path().join("home"), None)
    }

    /// Lets the bot ask this model server and nobody else.
    pub(crate) fn ask_only(&self, url: &str) {
        let text = format!(
            "providers:\n  - {{name: local, kind: openai-compatible, base_url: \"{url}\", model: scripted-1}}\n"
        );
        fs::write(self.home().bot_config(), text).expect("the configuration can be written");
    }

    /// `cl-bot` in this home.
    pub(crate) fn bot(&self, arguments: &[&str]) -> Command {
        let mut command = clean(&self.programs.bot, arguments);
        command.env("TAMECLAW_HOME", self.home().root()).current_dir(self.dir.path());
        command
    }

    /// `cl-admin` in this home.
    pub(crate) fn admin(&self, arguments: &[&str]) -> Command {
        let mut command = clean(&self.programs.admin, arguments);
        command.env("TAMECLAW_HOME", self.home().root()).current_dir(self.dir.path());
        command
    }

    /// What the bot answers to one message.
    pub(crate) fn bot_says(&self, message: &str) -> String {
        done(self.bot(&["agent", "-m", message]))
    }

    /// The same to the bot of a profile.
    pub(crate) fn bot_says_as(&self, profile: &str, message: &str) -> String {
        done(self.bot(&["--profile", profile, "-m", message]))
    }

    /// What `cl-admin` prints.
    pub(crate) fn admin_says(&self, arguments: &[&str]) -> String {
        done(self.admin(arguments))
    }

    /// Every proposal, as `cl-admin list --json` tells it.
    pub(crate) fn proposals(&self) -> Vec<Value> {
        let rows = self.admin_says(&["list", "--json"]);
        rows.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect()
    }

    /// Gives the memory this number of facts, of which every tenth is a preference.
    pub(crate) fn remember(&self, facts: usize) {
        let line = |n: usize| {
            let (kind, text) = match n % 10 {
                3 => ("preference", format!("I prefer ladder number {n} for the attic")),
                _ => ("fact", format!("the atlas number {n} is in the cellar on shelf {}", n * 7 % 93)),
            };
            let said = ("person", "2026-11-30T14:00:00Z");
            let fact = json!({"id": format!("{n:036}"), "kind": kind, "text": text, "said_by": said.0, "at": said.1});
            json!({ "fact": fact }).to_string() + "\n"
        };
        let file = self.dir.path().join("facts.jsonl");
        fs::write(&file, (0..facts).map(line).collect::<String>()).expect("there is room");
        done(self.bot(&["memory", "import", &file.to_string_lossy()]));
    }

    /// Wishes for a skill, and drives the proposal to the person.
    pub(crate) fn propose(&self, wish: &str) {
        self.bot_says(wish);
        self.admin_says(&["run", "--once"]);
    }

    /// Says yes to everything that waits for a person.
    pub(crate) fn approve_all(&self) {
        for row in self.proposals() {
            if row["status"] == "human-review" {
                let id = row["id"].as_str().expect("a row has an id");
                self.admin_says(&["approve", id, "--yes"]);
            }
        }
    }

    /// Makes the journal longer, up to `records`, by copies of what one rejected proposal leaves; answers how many there are.
    pub(crate) fn fill_journal(&self, records: usize) -> usize {
        self.bot_says(WISHES[0]);
        self.admin_says(&["run", "--once"]);
        let first = self.proposals().remove(0);
        let id = first["id"].as_str().expect("a row has an id");
        self.admin_says(&["reject", id, "--reason", "not now"]);
        let path = self.home().journal();
        let values = durable::replay(&path).expect("a home has a journal").map(|r| r.expect("it holds").1);
        let story: Vec<String> = values.map(|v| v.to_string()).filter(|v| v.contains(id)).collect();
        let open = |path: PathBuf| {
            let file = OpenOptions::new().read(true).append(true).create(true).open(&path);
            (file.expect("a log can be opened"), path)
        };
        let other = path.with_extension("other");
        let mut chain = durable::RollingChain::adopt([open(path.clone()), open(other.clone())], u64::MAX);
        let mut count = story.len() + 1;
        while count < records {
            let next = ProposalId::generate();
            for value in &story {
                let value: Value = serde_json::from_str(&value.replace(id, next.as_str())).expect("JSON");
                chain.append(&value).expect("a record can be appended");
                count += 1;
            }
        }
        fs::remove_file(other).expect("it is empty");
        let (records, _) = durable::verify(&path).expect("it holds");
        usize::try_from(records).expect("it fits")
    }

    /// How many skills were learned.
    pub(crate) fn learned(&self) -> usize {
        self.proposals().iter().filter(|row| row["status"] == "accepted").count()
    }
}

fn folder() -> TempDir {
    tempfile::Builder::new().prefix("tameclaw-bench-").tempdir().expect("a temporary folder")
}

/// Runs a command that belongs to the set-up and insists that it ends well.
fn done(mut command: Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} ended with {}:\n{said}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

//! A temporary home and the shipped programs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use serde_json::Value;
use shared_types::home::Home;
use shared_types::id::ProfileId;
use tempfile::TempDir;

use crate::run::{Background, Ran, run};

/// Compiling a skill on two busy cores takes its time; a test that hangs ends all the same.
pub const PATIENCE: Duration = Duration::from_secs(240);

/// One of the shipped programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// `cl-bot`.
    Bot,
    /// `cl-admin`.
    Admin,
    /// `cl-door`, which `cl-bot serve` becomes and looks for beside itself.
    Door,
    /// `cl-review`, which `cl-admin page serve` becomes and looks for beside itself.
    Review,
    /// `cl-mouth`, which makes speech of text.
    Mouth,
    /// `cl-pins`, which reads and switches lines of a chip.
    Pins,
    /// `cl-ear`, which finds which of a list of phrases was said.
    Ear,
}

impl Program {
    /// The path of the executable, built once in every test process.
    pub fn path(self) -> PathBuf {
        let name = match self {
            Program::Bot => "cl-bot",
            Program::Admin => "cl-admin",
            Program::Door => "cl-door",
            Program::Review => "cl-review",
            Program::Mouth => "cl-mouth",
            Program::Ear => "cl-ear",
            Program::Pins => "cl-pins",
        };
        built_programs().join(name)
    }
}

/// A temporary home; it goes when the value goes.
#[derive(Debug)]
pub struct World {
    dir: TempDir,
}

impl World {
    /// A place for a home that does not exist yet.
    pub fn empty() -> World {
        let dir = tempfile::Builder::new().prefix("tameclaw-test-").tempdir().expect("a temporary folder");
        World { dir }
    }

    /// A home that `cl-admin init` made, and the library that skills are compiled against.
    #[track_caller]
    pub fn new() -> World {
        let world = World::without_kit();
        crate::skill::lay_kit(&world);
        world
    }

    /// A home that `cl-admin init` made, with nothing else in it.
    #[track_caller]
    pub fn without_kit() -> World {
        let world = World::empty();
        world.admin(&["init"]).done();
        world
    }

    /// A new home in which the package of a wish waits for a person. Grown once in every test process, then copied: its
    /// copies have the same keys.
    #[track_caller]
    pub fn with_package(wish: &str) -> World {
        World::grown("package", wish, |world| {
            world.ask(wish);
            world.pack();
        })
    }

    /// A new home with a skill that was learned by a wish. Grown once in every test process, then copied: its copies have
    /// the same keys.
    #[track_caller]
    pub fn with_skill(wish: &str) -> World {
        World::grown("skill", wish, |world| world.learn(wish))
    }

    /// The same with the skill by which the person may talk by voice. It is learned also where nothing is installed that understands
    /// speech: the profile names a service then.
    #[track_caller]
    pub fn with_voice() -> World {
        World::grown("voice", crate::speech::WISH, |world| {
            let ear = crate::speech::Fake::saying(&[]);
            let file = world.home().profile_file(&world.profile());
            let before = std::fs::read_to_string(&file).expect("a home has a profile");
            std::fs::write(&file, format!("voice: {{ear: {}}}\n", ear.socket().display()))
                .expect("it can be written");
            // The service writes down what the machine has when it starts.
            world.admin(&["run", "--once"]).done();
            world.learn(crate::speech::WISH);
            std::fs::write(&file, before).expect("it can be written");
        })
    }

    #[track_caller]
    fn grown(state: &str, wish: &str, grow: impl FnOnce(&World)) -> World {
        static GROWN: Mutex<BTreeMap<String, &'static OnceLock<World>>> = Mutex::new(BTreeMap::new());
        let cell = {
            let mut grown = GROWN.lock().unwrap_or_else(PoisonError::into_inner);
            *grown.entry(format!("{state} {wish}")).or_insert_with(|| Box::leak(Box::default()))
        };
        let first = cell.get_or_init(|| {
            sweep();
            let prefix = format!("{GROWN_PREFIX}{}-", std::process::id());
            let dir = tempfile::Builder::new().prefix(&prefix).tempdir().expect("a temporary folder");
            let world = World { dir };
            world.admin(&["init"]).done();
            crate::skill::lay_kit(&world);
            grow(&world);
            world
        });
        first.copy()
    }

    /// A folder of the test's own beside the home.
    pub fn outside(&self) -> &Path {
        self.dir.path()
    }

    /// A place with a copy of this home as it is now; nothing may run in it.
    #[track_caller]
    pub fn copy(&self) -> World {
        let copy = World::empty();
        let copied = Command::new("cp").arg("-a").arg(self.home().root()).arg(copy.outside()).status();
        assert!(copied.is_ok_and(|status| status.success()), "a home can be copied");
        copy
    }

    /// The paths of the home.
    pub fn home(&self) -> Home {
        Home::new(self.dir.path().join("home"), None)
    }

    /// The one profile of a new home.
    pub fn profile(&self) -> ProfileId {
        "default".parse().expect("`default` is a profile name")
    }

    /// The program with this home, and nothing else of this process' surroundings but the search path, and what rustup
    /// needs where the only compiler for skills is rustup's.
    pub fn command(&self, program: Program, arguments: &[&str]) -> Command {
        self.command_of(&program.path(), arguments)
    }

    /// As [`World::command`], for any executable.
    pub fn command_of(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).env_clear().current_dir(self.outside());
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        command.env("TAMECLAW_HOME", self.home().root()).env("TZ", "UTC");
        if crate::skill::compiler().is_some_and(|compiler| !compiler.of_the_distribution) {
            for name in ["HOME", "CARGO_HOME", "RUSTUP_HOME"] {
                if let Some(value) = std::env::var_os(name) {
                    command.env(name, value);
                }
            }
        }
        command
    }

    /// Runs `cl-admin` to its end, with nothing on its stdin.
    pub fn admin(&self, arguments: &[&str]) -> Ran {
        self.typed(Program::Admin, arguments, "")
    }

    /// Runs `cl-bot` to its end, with nothing on its stdin.
    pub fn bot(&self, arguments: &[&str]) -> Ran {
        self.typed(Program::Bot, arguments, "")
    }

    /// Runs a program to its end with a text on its stdin.
    pub fn typed(&self, program: Program, arguments: &[&str], input: &str) -> Ran {
        run(self.command(program, arguments), input.as_bytes(), PATIENCE)
    }

    /// Asks the bot one thing and hands out what it prints on stdout.
    #[track_caller]
    pub fn ask(&self, message: &str) -> String {
        self.bot(&["agent", "-m", message]).done().stdout
    }

    /// Starts a program in the background; it is ended with the value.
    pub fn start(&self, program: Program, arguments: &[&str]) -> Background {
        Background::start(self.command(program, arguments))
    }

    /// What `cl-admin list --json` says.
    #[track_caller]
    pub fn list(&self) -> Vec<Value> {
        self.admin(&["list", "--json"]).done().json_rows()
    }

    /// The newest proposal.
    #[track_caller]
    pub fn newest(&self) -> Value {
        let rows = self.list();
        let newest = rows.into_iter().max_by_key(|row| row["id"].as_str().map(str::to_owned));
        newest.expect("there is a proposal")
    }

    /// Drives all proposals as far as they go, and approves the newest.
    #[track_caller]
    pub fn grow(&self) {
        let id = self.pack();
        self.admin(&["approve", &id, "--yes"]).done();
    }

    /// Drives the newest proposal until it waits for a person; answers its id.
    #[track_caller]
    fn pack(&self) -> String {
        self.admin(&["run", "--once"]).done();
        let row = self.newest();
        let id = row["id"].as_str().expect("a row has an id").to_owned();
        if row["status"] != "human-review" || row["waits_for"] != "person" {
            let shown = self.admin(&["show", &id]);
            panic!("the proposal should wait for a person: {row}\n{}", shown.report());
        }
        id
    }

    /// A wish, and all that follows until the skill is installed.
    #[track_caller]
    pub fn learn(&self, wish: &str) {
        self.ask(wish);
        self.grow();
    }
}

impl Default for World {
    fn default() -> Self {
        World::new()
    }
}

/// What the folders of homes begin with that are copied; the process id follows.
const GROWN_PREFIX: &str = "tameclaw-grown-";

/// Removes the homes that earlier test processes copied from: what is kept for a whole process is not dropped at its end.
fn sweep() {
    for entry in std::fs::read_dir(std::env::temp_dir()).expect("the temporary folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let process = name.strip_prefix(GROWN_PREFIX).and_then(|rest| rest.split('-').next());
        if process.is_some_and(|id| !Path::new("/proc").join(id).exists()) {
            // Another test process may sweep at the same time.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// The folder of the executables; the first caller of this process builds them, where the check has not done so already.
fn built_programs() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| build(&["--bins"]))
}

/// Builds programs of the workspace beside this test program; answers their folder.
pub(crate) fn build(what: &[&str]) -> PathBuf {
    let me = std::env::current_exe().expect("this test program has a path");
    let folder = me.parent().and_then(Path::parent).expect("it lies in target/<profile>/deps");
    if std::env::var_os("TAMECLAW_BUILT").is_some() {
        return folder.to_owned();
    }
    let target = folder.parent().expect("a profile lies in the target folder");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--workspace", "--quiet", "--locked"]).args(what);
    cargo.arg("--target-dir").arg(target).current_dir(workspace());
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    assert!(cargo.status().expect("cargo runs").success(), "the programs do not build");
    folder.to_owned()
}

/// The root of the workspace.
pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests lie in the workspace")
}

//! The skill library is data beside the programs: a file that is not the shipped one, or that others may write, is not used.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tameclaw_tests::run::{Ran, run};
use tameclaw_tests::world::{PATIENCE, Program, World, workspace};

/// A home, and the service as it is installed: with the library beside it.
struct Installed {
    world: World,
    program: PathBuf,
    library: PathBuf,
}

fn installed() -> Installed {
    let world = World::new();
    let usr = world.outside().join("usr");
    let (program, share) = (usr.join("bin/cl-admin"), usr.join("share/tameclaw"));
    for folder in [program.parent().expect("a folder"), &share] {
        fs::create_dir_all(folder).expect("a folder can be made");
    }
    let linked = fs::hard_link(Program::Admin.path(), &program);
    linked.or_else(|_| fs::copy(Program::Admin.path(), &program).map(drop)).expect("a program can be copied");
    let copied = Command::new("cp")
        .arg("-r")
        .arg(workspace().join("admin-service/skill-library"))
        .arg(&share)
        .status();
    assert!(copied.is_ok_and(|status| status.success()));
    Installed { world, program, library: share.join("skill-library") }
}

impl Installed {
    fn admin(&self, arguments: &[&str]) -> Ran {
        run(self.world.command_of(&self.program, arguments), b"", PATIENCE)
    }

    /// What the doctor says of the templates.
    fn templates(&self) -> Vec<Value> {
        let mut looks = self.admin(&["doctor", "--json"]).json_rows();
        looks.retain(|look| look["what"] == "templates");
        looks
    }

    /// Whether a wish finds a template; what the service said meanwhile.
    fn serves(&self, wish: &str) -> (bool, Ran) {
        self.world.ask(wish);
        let ran = self.admin(&["run", "--once"]);
        let row = self.world.newest();
        (row["waits_for"] != "model", ran)
    }
}

fn change_one_byte(file: &Path) {
    let mut bytes = fs::read(file).expect("it can be read");
    let last = bytes.len() - 2;
    bytes[last] ^= 1;
    fs::write(file, bytes).expect("it can be written");
}

#[test]
fn a_shipped_file_with_a_changed_byte_is_not_used_and_the_doctor_names_it() {
    for (file, family, wish) in [
        ("dice/skill.rs", "dice", "learn to roll dice"),
        ("leap/wish.yaml", "leap", "learn to tell leap years"),
        ("roman/examples.yaml", "roman", "learn to convert Roman numerals"),
    ] {
        let installed = installed();
        change_one_byte(&installed.library.join(file));
        let looks = installed.templates();
        assert_eq!(looks.len(), 1, "{looks:?}");
        let words = looks[0]["words"].as_str().unwrap_or_default();
        assert_eq!(looks[0]["health"], "fail");
        assert!(words.contains(file) && words.contains("SHA-256 differs"), "{words}");
        assert!(looks[0]["next"].as_str().is_some_and(|next| next.contains("install")), "{looks:?}");
        let (is_served, ran) = installed.serves(wish);
        assert!(!is_served, "{family}: {}", ran.report());
        ran.says(file);
        // The others are offered.
        assert!(installed.serves("learn to do unit prices").0, "{family}");
    }
}

#[test]
fn a_missing_or_linked_file_takes_its_family_away() {
    let installed = installed();
    assert_eq!(installed.templates()[0]["health"], "pass");
    fs::remove_file(installed.library.join("dice/wish.yaml")).expect("it can be removed");
    let leap = installed.library.join("leap/skill.rs");
    fs::rename(&leap, installed.library.join("leap/other.rs")).expect("it can be moved");
    symlink("other.rs", &leap).expect("a link can be made");
    let words: Vec<String> = installed
        .templates()
        .iter()
        .map(|look| look["words"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(words.len(), 2, "{words:?}");
    assert!(words[0].ends_with("dice/wish.yaml is missing"), "{words:?}");
    assert!(words[1].ends_with("leap/skill.rs is a link"), "{words:?}");
}

/// A file beside the known ones is never read: a folder that somebody adds to the shipped ones offers nothing.
#[test]
fn a_folder_that_is_added_to_the_shipped_ones_is_not_read() {
    let installed = installed();
    let copied = Command::new("cp")
        .arg("-r")
        .args([installed.library.join("dice"), installed.library.join("further")])
        .status();
    assert!(copied.is_ok_and(|status| status.success()));
    fs::remove_file(installed.library.join("dice/wish.yaml")).expect("it can be removed");
    assert!(!installed.serves("learn to roll dice").0);
}

#[test]
fn a_folder_of_the_household_that_others_may_write_is_not_read() {
    let installed = installed();
    let own = installed.world.home().admin().join("skill-library");
    fs::create_dir(&own).expect("a folder can be made");
    let copied = Command::new("cp").arg("-r").arg(installed.library.join("dice")).arg(&own).status();
    assert!(copied.is_ok_and(|status| status.success()));
    fs::remove_file(installed.library.join("dice/wish.yaml")).expect("it can be removed");
    let modes = [(own.clone(), 0o775), (own.join("dice"), 0o777), (own.join("dice/skill.rs"), 0o664)];
    for (path, _) in &modes {
        fs::set_permissions(path, Permissions::from_mode(0o755)).expect("it can be set");
    }
    let health = || installed.templates().into_iter().map(|look| look["health"].clone()).collect::<Vec<_>>();
    for (path, mode) in &modes {
        fs::set_permissions(path, Permissions::from_mode(*mode)).expect("it can be set");
        assert_eq!(health(), ["fail", "warn"], "{}", path.display());
        assert!(!installed.serves("learn to roll dice").0, "{}", path.display());
        fs::set_permissions(path, Permissions::from_mode(0o755)).expect("it can be set");
    }
    assert_eq!(health(), ["fail"]);
}

//! What stands in for file rules, and what root gives up.

use std::{
    fs::{self, File},
    io::{ErrorKind, Read},
    path::Path,
};

use confine::{
    Confinement, FileRules, Limits, Manner, Role, Tier, User, View, Wall, confine, confine_as, support, tier,
};
use nix::unistd::{chown, geteuid, setuid};

use crate::{
    Case,
    attacks::{KERNEL, MACHINE, Open, all_refused},
};

pub(crate) const CASES: &[Case] = &[
    Case::new("a_view_holds_the_paths_of_the_rules_and_nothing_else", only),
    Case::new("a_view_is_laid_only_where_it_is_asked_for", not_asked),
    Case::new("a_rule_for_a_missing_path_makes_no_view", missing),
    Case::new("a_view_is_not_left_again", left),
    Case::new("a_program_of_the_rules_runs_in_a_view", program),
    Case::new("every_role_gives_up_all_capabilities", capabilities),
    Case::new("root_becomes_another_user_for_good", user),
];

fn rules(folder: &Path) -> FileRules {
    FileRules {
        read: vec![folder.join("shown"), folder.join("out/file")],
        write: vec![folder.join("in")],
        ..FileRules::default()
    }
}

/// `None` where this machine lets nobody make one.
fn lay(role: Role, rules: &FileRules) -> Option<Confinement> {
    let manner = Manner { wall: Wall::Namespace, ..Manner::default() };
    let held = confine_as(role, rules, &Limits::default(), &manner).expect("confinement can be laid on");
    assert_eq!(held.landlock_abi, None);
    match held.view {
        View::Own => Some(held),
        View::Refused { step, errno } => {
            println!("{step} was refused: {errno}");
            None
        }
        other => panic!("{other:?}"),
    }
}

fn only(folder: &Path) {
    let Some(held) = lay(Role::Mind, &rules(folder)) else { return };
    assert_eq!((tier(&held, true), tier(&held, false)), (Tier::Namespace, Tier::Process));
    let own = folder.join("in");
    assert_eq!(fs::read_to_string(folder.join("shown/file")).unwrap(), "shown");
    assert_eq!(fs::read_to_string(folder.join("out/file")).unwrap(), "out");
    fs::create_dir_all(own.join("deep/er")).unwrap();
    fs::write(own.join("deep/er/new"), "x").unwrap();
    fs::rename(own.join("deep/er/new"), own.join("moved")).unwrap();
    fs::write("/dev/null", "gone").unwrap();
    let missing =
        |path: &Path| assert_eq!(fs::read(path).unwrap_err().kind(), ErrorKind::NotFound, "{path:?}");
    missing(Path::new("/etc/passwd"));
    missing(Path::new("/proc/1/environ"));
    missing(&own.join("../out/other"));
    missing(&own.join("link-to-folder/other"));
    let list = |path: &Path| -> Vec<String> {
        fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    assert_eq!(list(&folder.join("out")), ["file"]);
    assert_eq!(list(Path::new("/dev")), ["null"]);
    for path in [folder.join("shown/new"), folder.join("out/new"), folder.join("new"), "/new".into()] {
        let kind = File::create(&path).unwrap_err().kind();
        assert_eq!(kind, ErrorKind::ReadOnlyFilesystem, "{}", path.display());
    }
    let read_only = fs::OpenOptions::new().write(true).open(folder.join("out/file")).unwrap_err();
    assert_eq!(read_only.kind(), ErrorKind::ReadOnlyFilesystem);
}

fn not_asked(folder: &Path) {
    let manner = Manner { wall: Wall::Either, ..Manner::default() };
    let expected = support().reachable().landlock_abi;
    let held = confine_as(Role::Mind, &rules(folder), &Limits::default(), &manner).unwrap();
    // Landlock comes first, where there is any.
    assert_eq!(held.landlock_abi.is_some(), held.view == View::Shared);
    assert_eq!(held.landlock_abi, expected);
}

fn missing(folder: &Path) {
    let rules = FileRules { write: vec![folder.join("missing")], ..FileRules::default() };
    let manner = Manner { wall: Wall::Namespace, ..Manner::default() };
    match confine_as(Role::Mind, &rules, &Limits::default(), &manner) {
        Err(confine::ConfineError::Path { path, .. }) => assert_eq!(path, folder.join("missing")),
        Ok(held) if matches!(held.view, View::Refused { .. }) => {}
        other => panic!("{other:?}"),
    }
}

fn left(folder: &Path) {
    let open = Open::new();
    let Some(_) = lay(Role::Mind, &rules(folder)) else { return };
    all_refused(KERNEL, &open);
    all_refused(MACHINE, &open);
}

fn program(folder: &Path) {
    let system = ["/usr", "/lib", "/lib64", "/bin"].map(std::path::PathBuf::from);
    let execute = system.into_iter().filter(|path| path.exists()).collect();
    let rules = FileRules { execute, write: vec![folder.join("in")], ..FileRules::default() };
    let Some(_) = lay(Role::Compiler, &rules) else { return };
    let run = |program: &Path| std::process::Command::new(program).arg("hello").output();
    assert_eq!(run(Path::new("/bin/echo")).unwrap().stdout, b"hello\n");
    let own = folder.join("in/program");
    fs::copy("/bin/true", &own).unwrap();
    assert_eq!(run(&own).unwrap_err().kind(), ErrorKind::PermissionDenied);
}

fn capabilities(folder: &Path) {
    let mut status = File::open("/proc/self/status").unwrap();
    let rules = FileRules { execute: vec![folder.join("in")], ..FileRules::default() };
    let was_root = geteuid().is_root();
    assert!(confine(Role::Compiler, &rules, &Limits::default()).unwrap().no_capabilities);
    let mut text = String::new();
    status.read_to_string(&mut text).unwrap();
    let mut sets = vec!["CapInh", "CapPrm", "CapEff", "CapAmb"];
    if was_root {
        sets.push("CapBnd");
    }
    for set in sets {
        assert!(text.contains(&format!("{set}:\t0000000000000000")), "{text}");
    }
}

fn user(folder: &Path) {
    const NOBODY: u32 = 3_042_042;
    let user = User::find("3042042", None).unwrap();
    let manner = Manner { user: Some(user.clone()), ..Manner::default() };
    if !geteuid().is_root() {
        let error = confine_as(Role::Mind, &rules(folder), &Limits::default(), &manner).unwrap_err();
        assert!(error.to_string().contains("3042042"), "{error}");
        return;
    }
    chown(&folder.join("in"), Some(NOBODY.into()), Some(NOBODY.into())).unwrap();
    let held = confine_as(Role::Mind, &rules(folder), &Limits::default(), &manner).unwrap();
    assert_eq!(held.user, Some(user));
    assert_eq!(geteuid().as_raw(), NOBODY);
    assert!(setuid(0.into()).is_err());
}

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::Command;

use clap::Parser as _;
use documents::releases;

use crate::error::Fault;
use crate::plan::{self, PACKAGES};
use crate::stage::{self, Content};
use crate::{CommandLine, debian, pages, sign, tool};

/// The files of a package, with an empty folder for the programs: nothing of them is read.
fn files(package: &plan::Package) -> stage::Files {
    stage::files(package, Path::new("/nowhere"), "notices").expect("its files can be listed")
}

/// All verbs of a command line, by the names of their pages.
fn verbs(line: &clap::Command, above: &str, found: &mut Vec<(String, String)>) {
    let name = format!("{above}{}", line.get_name());
    found.push((name.clone(), line.get_name().to_owned()));
    for verb in line.get_subcommands().filter(|verb| !verb.is_hide_set() && verb.get_name() != "help") {
        verbs(verb, &format!("{name}-"), found);
    }
}

#[test]
fn every_verb_has_a_page_and_stands_in_the_page_above_it() {
    for line in pages::command_lines() {
        let pages = pages::manual(&line);
        let mut expected = Vec::new();
        verbs(&line, "", &mut expected);
        let names: BTreeSet<String> = pages.iter().map(|(name, _)| name.clone()).collect();
        let wanted: BTreeSet<String> = expected.iter().map(|(name, _)| format!("{name}.1")).collect();
        assert_eq!(names, wanted);
        let least = if ["cl-bot", "cl-admin"].contains(&line.get_name()) { 15 } else { 2 };
        assert!(names.len() > least, "only {names:?}");
        for (name, verb) in expected.iter().skip(1) {
            let above = name.strip_suffix(&format!("-{verb}")).expect("a verb has a page above");
            let (_, page) = pages.iter().find(|(page, _)| *page == format!("{above}.1")).expect("a page");
            let page = String::from_utf8_lossy(page).replace("\\-", "-");
            assert!(page.contains(&format!("{name}(1)")), "{above} does not name {name}");
        }
    }
}

#[test]
fn each_package_holds_what_its_programs_need() {
    for package in &PACKAGES {
        let files = files(package);
        let has = |place: &str| files.contains_key(Path::new(place));
        let doc = format!("usr/share/doc/{}", package.name);
        assert!(has(&format!("{doc}/copyright")) && has(&format!("{doc}/changelog.gz")), "{doc}");
        assert_eq!(has(&format!("{doc}/THIRD-PARTY.gz")), !package.programs.is_empty(), "{doc}");
        for program in package.programs {
            // `cl-bot serve` becomes the door, and `cl-admin page serve` the page; nobody types their names.
            let is_typed = !["cl-door", "cl-review"].contains(program);
            for place in [
                format!("usr/share/man/man1/{program}.1.gz"),
                format!("usr/share/bash-completion/completions/{program}"),
                format!("usr/share/zsh/vendor-completions/_{program}"),
                format!("usr/share/fish/vendor_completions.d/{program}.fish"),
            ] {
                assert_eq!(has(&place), is_typed, "{}: {place}", package.name);
            }
        }
        let runs = files.iter().filter(|(_, entry)| entry.mode == 0o755).map(|(place, _)| place.clone());
        let programs = package.programs.iter().map(|program| Path::new("usr/bin").join(program));
        assert_eq!(runs.collect::<Vec<_>>(), programs.collect::<Vec<_>>());
    }
}

/// `cl-bot serve` looks for the door beside itself, and `cl-admin page serve` for the page.
#[test]
fn each_program_that_another_becomes_is_in_the_package_of_the_other() {
    for (typed, beside) in [("cl-bot", "cl-door"), ("cl-admin", "cl-review")] {
        let package = PACKAGES.iter().find(|package| package.programs.contains(&typed)).expect("a package");
        assert!(package.programs.contains(&beside), "{:?}", package.programs);
    }
}

/// `cl-admin` reads the skill library beside itself, and takes no file that it does not know.
#[test]
fn the_skill_library_is_in_the_package_of_the_service() {
    let package = PACKAGES.iter().find(|package| package.name == "tameclaw-admin").expect("a package");
    let files = files(package);
    let has = |file: &str| files.contains_key(&Path::new("usr/share/tameclaw/skill-library").join(file));
    assert!(has("refused.yaml") && has("shared/german.rs"));
    for file in ["wish.yaml", "examples.yaml", "skill.rs"] {
        let many = files.keys().filter(|place| place.ends_with(file)).count();
        assert_eq!(many, 31, "{file}");
        assert!(has(&format!("dice/{file}")), "{file}");
    }
}

/// systemd enables at the first boot of an image what no preset names.
#[test]
fn a_preset_keeps_the_page_of_the_review_and_the_drivers_closed() {
    let place = Path::new("usr/lib/systemd/system-preset/80-tameclaw.preset");
    let holds = |package: &&plan::Package| files(package).contains_key(place);
    let package = PACKAGES.iter().find(holds).expect("a package has it");
    assert_eq!(package.name, "tameclaw-admin");
    let path = tool::root().join("packaging/systemd/tameclaw.preset");
    let text = std::fs::read_to_string(path).expect("it is there");
    let pages = ["tameclaw-review.socket", "tameclaw-admin.socket"];
    let drivers =
        ["tameclaw-ear.socket", "tameclaw-mouth.socket", "tameclaw-pins.socket", "tameclaw-pins.service"];
    for socket in pages.into_iter().chain(drivers) {
        assert!(text.lines().any(|line| line == format!("disable {socket}")), "{socket}: {text}");
    }
}

#[test]
fn no_two_packages_hold_the_same_file_and_each_unit_is_in_one() {
    let mut seen = BTreeSet::new();
    for package in &PACKAGES {
        for (place, _) in files(package) {
            assert!(seen.insert(place.clone()), "{} is in two packages", place.display());
        }
    }
    for (from, to) in [("packaging/systemd", "system"), ("packaging/systemd/user", "user")] {
        for unit in std::fs::read_dir(tool::root().join(from)).into_iter().flatten().flatten() {
            if unit.path().extension().is_some_and(|end| end == "service" || end == "socket") {
                let place = Path::new("usr/lib/systemd").join(to).join(unit.file_name());
                assert!(seen.contains(&place), "{} is in no package", place.display());
            }
        }
    }
}

/// A machine without them has no user of theirs, and no unit.
#[test]
fn the_drivers_have_a_package_with_their_units_and_users() {
    let of = |name: &str| files(PACKAGES.iter().find(|package| package.name == name).expect("a package"));
    let (drivers, admin) = (of("tameclaw-drivers"), of("tameclaw-admin"));
    for driver in ["ear", "mouth", "pins"] {
        for unit in ["service", "socket"] {
            for whose in ["system", "user"] {
                let place = format!("usr/lib/systemd/{whose}/tameclaw-{driver}.{unit}");
                assert!(drivers.contains_key(Path::new(&place)), "{place}");
                assert!(!admin.contains_key(Path::new(&place)), "{place}");
            }
        }
    }
    assert!(drivers.contains_key(Path::new("usr/lib/sysusers.d/tameclaw-drivers.conf")));
    let text = std::fs::read_to_string(tool::root().join("packaging/sysusers.d/tameclaw-drivers.conf"));
    let text = text.expect("it is there");
    let users = text.lines().filter(|line| line.starts_with("u ")).count();
    assert_eq!(users, 3, "{text}");
    assert!(!text.lines().any(|line| line.starts_with("m ")), "none is in a group of another: {text}");
}

#[test]
fn the_packages_depend_on_each_other_in_the_same_version() {
    let text = |name: &str| {
        let package = PACKAGES.iter().find(|package| package.name == name).expect("a package");
        debian::manifest(package, "1.2.3-4", &stage::Files::new()).expect("a manifest")
    };
    assert!(text("tameclaw-admin").contains("tameclaw-bot (= 1.2.3-4), rustc, libstd-rust-dev-wasm32, lld"));
    assert!(text("tameclaw").contains("tameclaw-bot (= 1.2.3-4), tameclaw-admin (= 1.2.3-4)"));
    assert!(text("tameclaw-drivers").contains("tameclaw-bot (= 1.2.3-4)"));
    for package in &PACKAGES {
        let text = text(package.name);
        assert!(text.contains(&format!("version = \"{}\"", plan::VERSION)), "{text}");
        assert!(!text.contains("@VERSION@") && !text.contains("@DEBIAN_VERSION@"), "{text}");
    }
}

#[test]
fn a_version_before_a_release_sorts_before_it() {
    assert_eq!(plan::debian_version(), format!("{}-1", plan::VERSION.replace('-', "~")));
    let compared =
        Command::new("dpkg").args(["--compare-versions", "1.0.0~rc.1-1", "lt", "1.0.0-1"]).status();
    if let Ok(status) = compared {
        assert!(status.success());
    }
}

/// The tools read the files as an installation does; what they make is in a folder of this test.
#[test]
fn systemd_takes_the_users_and_the_folder() {
    let root = tempfile::tempdir().expect("a folder can be made");
    let run = |program: &str, words: &[&str], file: &str| {
        let mut command = Command::new(program);
        command.arg(format!("--root={}", root.path().display())).args(words).arg(tool::root().join(file));
        let Ok(output) = command.output() else { return skip(&format!("{program} is not installed")) };
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && !words.contains("ignoring"), "{program}: {words}");
    };
    for users in ["tameclaw.conf", "tameclaw-drivers.conf"] {
        run("systemd-sysusers", &["--dry-run"], &format!("packaging/sysusers.d/{users}"));
    }
    // This test's own user under that name, since only root may give a folder away.
    let own = std::fs::metadata(root.path()).expect("it is there");
    let (user, group) = (own.uid(), own.gid());
    let etc = root.path().join("etc");
    std::fs::create_dir_all(&etc).expect("a folder can be made");
    for (file, line) in [
        ("passwd", format!("tameclaw:x:{user}:{group}::/:/usr/sbin/nologin\n")),
        ("group", format!("tameclaw:x:{group}:\n")),
    ] {
        std::fs::write(etc.join(file), line).expect("it can be written");
    }
    run("systemd-tmpfiles", &["--create"], "packaging/tmpfiles.d/tameclaw.conf");
    if Path::new("/usr/bin/systemd-tmpfiles").exists() {
        let made = std::fs::metadata(root.path().join("var/lib/tameclaw")).expect("the folder was made");
        assert_eq!(made.mode() & 0o7777, 0o755);
    }
}

#[test]
fn maintainer_scripts_are_plain_sh() {
    let mut count = 0;
    for package in &PACKAGES {
        for script in ["preinst", "postinst", "prerm", "postrm"] {
            let path = tool::root().join("packaging/debian").join(package.name).join(script);
            if !path.exists() {
                continue;
            }
            count += 1;
            let checked = Command::new("sh").arg("-n").arg(&path).status().expect("there is a shell");
            assert!(checked.success(), "{}", path.display());
        }
    }
    assert!(count > 3, "only {count} scripts were found");
}

#[test]
fn the_files_that_are_copied_are_there() {
    for package in &PACKAGES {
        for (place, entry) in files(package) {
            if let Content::Copy(from) = &entry.content
                && !from.starts_with("/nowhere")
            {
                assert!(from.is_file(), "{}: {} is not there", place.display(), from.display());
            }
        }
    }
}

/// A release without programs: the checksums, the index and both signatures.
fn release(out: &Path, more: &[&str]) -> Result<(), Fault> {
    let out = out.display().to_string();
    let words = ["release", "--out", &out, "--without", "amd64", "--without", "arm64"];
    match CommandLine::try_parse_from(["xtask"].iter().chain(&words).chain(more)) {
        Ok(CommandLine::Release(args)) => crate::release::make(&args),
        other => panic!("the arguments are not taken: {other:?}"),
    }
}

#[test]
fn a_release_is_signed_by_the_key_that_was_given_and_its_index_verifies() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let key = folder.path().join("release.key");
    let public = base::keys::make(&key, None).expect("a key can be made").expect("it is new");
    let out = folder.path().join("out");
    let named = key.display().to_string();
    release(&out, &["--key", &named, "--serial", "7"]).expect("it is made");
    let read = |name: &str| std::fs::read_to_string(out.join(name)).expect("it is there");
    let index = releases::open(&read(releases::FILE), &read("tameclaw-index.json.minisig"), &public, 7);
    let index = index.expect("the index verifies");
    assert_eq!((index.serial, index.version.to_string().as_str()), (7, plan::VERSION));
    let sums = read(sign::SUMS);
    shared_types::signature::verify(&public, &read("SHA256SUMS.minisig"), sums.as_bytes()).expect("it holds");
    // A release never mixes with files that are there already.
    let again = release(&out, &["--key", &named, "--serial", "8"]).expect_err("the folder is not empty");
    assert!(matches!(again, Fault::NotEmpty(_)), "{again}");
}

#[test]
fn a_commit_that_was_not_checked_is_no_release() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("checked-all");
    let check = |commit: &str| crate::release::check_checked(&file, commit);
    assert!(matches!(check("aa11"), Err(Fault::NotChecked(commit)) if commit == "aa11"));
    std::fs::write(&file, "aa11\n").expect("a file");
    check("aa11").expect("it was checked");
    assert!(matches!(check("bb22"), Err(Fault::NotChecked(_))), "another commit was");
    std::fs::write(&file, "").expect("a file");
    assert!(check("aa11").is_err());
}

#[test]
fn a_part_that_is_asked_for_and_cannot_be_made_fails_the_release() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let missing = |name: &str, more: &[&str]| match release(&folder.path().join(name), more) {
        Err(Fault::Missing(parts)) => parts,
        other => panic!("it should lack a part: {other:?}"),
    };
    assert_eq!(missing("a", &[]), "signature and index");
    let key = folder.path().join("release.key");
    base::keys::make(&key, None).expect("a key can be made");
    let named = key.display().to_string();
    assert_eq!(missing("b", &["--key", &named]), "index");
    release(&folder.path().join("c"), &["--without", "signature", "--without", "index"])
        .expect("nothing lacks");
}

#[test]
fn the_index_names_each_file_with_its_processor_and_checksum() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let names = [
        ("tameclaw-bot_1.0.0-1_amd64.deb", Some("x86_64")),
        ("tameclaw-1.0.0-aarch64-linux.tar.xz", Some("aarch64")),
        ("cl-bot-1.0.0-x86_64.cdx.json", Some("x86_64")),
        ("SHA256SUMS", None),
    ];
    let files = names.map(|(name, _)| folder.path().join(name));
    for file in &files {
        std::fs::write(file, "abc").expect("it can be written");
    }
    let path = sign::index(&files, 1, folder.path()).expect("an index");
    let text = std::fs::read_to_string(path).expect("it is there");
    let index: releases::Index = serde_json::from_str(&text).expect("it is an index");
    for ((name, processor), file) in names.iter().zip(&index.files) {
        assert_eq!((file.name.as_str(), file.architecture.as_deref(), file.bytes), (*name, *processor, 3));
        assert_eq!(file.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}

/// Says so past the test runner's capture, as the whole-program tests do.
fn skip(reason: &str) {
    use std::io::Write as _;
    let name = std::thread::current().name().unwrap_or("a test").to_owned();
    let _ = writeln!(std::io::stderr(), "skipped: {name}: {reason}");
}

#[test]
fn the_page_and_the_workflow_for_releases_install_the_versions_of_the_tools() {
    for file in ["docs/RELEASE.md", ".github/workflows/release.yml"] {
        let text = std::fs::read_to_string(tool::root().join(file)).expect("a file of the repository");
        let line = text.lines().find(|line| line.contains("cargo install --locked cargo-deb"));
        let line = line.unwrap_or_else(|| panic!("{file} installs no tools"));
        for tool in [tool::CARGO_DEB, tool::AUDITABLE, tool::CYCLONEDX] {
            let pinned = tool.install.rsplit(' ').next().expect("a command has words");
            assert!(pinned.contains('@'), "{pinned} names no version");
            assert!(line.split(' ').any(|word| word == pinned), "{file}: {line}: expected {pinned}");
        }
    }
}

//! Both programs under a real systemd, in a container that boots: with Landlock, then without.
//!
//! `steps.sh` is what is tried. Everything is below `target/systemd`; a second run downloads nothing.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use crate::start::target_dir;
use crate::tally::Tally;

const STEPS: &str = include_str!("steps.sh");

/// Runs the steps of one boot, and ends the container.
const UNIT: &str = "[Unit]\nAfter=multi-user.target\n[Service]\nType=oneshot\nStandardOutput=file:/said/%i\n\
                    ExecStart=/bin/sh /programs/steps.sh %i\nExecStopPost=systemctl poweroff --no-block\n";

/// What the container holds beside a minimal Debian.
const PACKAGES: &str = "systemd,systemd-sysv,dbus,libpam-systemd,procps,rustc,libstd-rust-dev-wasm32,lld,libpocketsphinx3,\
                        pocketsphinx-en-us";

/// Calls that the container's own filter refuses: without them the kernel has no Landlock for it.
const LANDLOCK: &str =
    "--system-call-filter=landlock_create_ruleset landlock_add_rule landlock_restrict_self";

/// The boots: their steps, how many those are, and what the container is started with.
const BOOTS: [(&str, u64, &[&str]); 2] = [("first", 12, &[LANDLOCK]), ("second", 6, &[])];

/// A boot with all its steps takes a quarter of this on two cores.
const BOOT_MAY_TAKE: Duration = Duration::from_secs(600);

/// Runs every step and says in the exit code whether all of them hold.
pub(crate) fn run() -> ExitCode {
    let tally = check();
    println!("{}", tally.line());
    if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs every step of both boots; each counts as a test.
pub(crate) fn check() -> Tally {
    let steps = BOOTS.iter().map(|(_, steps, _)| steps).sum();
    if let Some(reason) = missing() {
        say("skipped", &format!("systemd in a container: {reason}"));
        return Tally { skipped: steps, ..Tally::default() };
    }
    let folder = target_dir().join("systemd");
    let prepared = fs::create_dir_all(&folder).and_then(|()| container(&folder)).and_then(|container| {
        programs(&folder)?;
        Ok(container)
    });
    let container = match prepared {
        Ok(container) => container,
        Err(error) => {
            say("FAILED", &format!("systemd in a container: {error}"));
            return Tally { failed: steps, ..Tally::default() };
        }
    };
    let mut sum = Tally::default();
    for (name, steps, words) in BOOTS {
        let (passed, failed) = boot(&container, &folder, name, words).unwrap_or_else(|error| {
            say("FAILED", &format!("the {name} boot: {error}"));
            (0, 0)
        });
        if passed + failed < steps {
            say("FAILED", &format!("the {name} boot ended after {} of {steps} steps", passed + failed));
        }
        sum = sum.plus(Tally { passed, failed: steps.saturating_sub(passed), ..Tally::default() });
    }
    sum
}

/// What this machine lacks.
fn missing() -> Option<String> {
    if !is_root() {
        return Some("only root boots a container".to_owned());
    }
    for (program, package) in [("systemd-nspawn", "systemd-container"), ("mmdebstrap", "mmdebstrap")] {
        let asked =
            Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !asked.is_ok_and(|status| status.success()) {
            return Some(format!(
                "{program} is not installed: apt-get install --no-install-recommends {package}"
            ));
        }
    }
    None
}

fn is_root() -> bool {
    let asked = Command::new("id").arg("-u").output();
    asked.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// The container's root: made once of these packages, by a name of its own, so that one that broke off is made anew.
fn container(folder: &Path) -> io::Result<PathBuf> {
    let (done, draft) = (folder.join("root"), folder.join("root.new"));
    let stamp = folder.join("packages");
    if !done.is_dir() || !fs::read_to_string(&stamp).is_ok_and(|made| made == PACKAGES) {
        let start = Instant::now();
        for old in [&draft, &done].into_iter().filter(|old| old.exists()) {
            fs::remove_dir_all(old)?;
        }
        let mut command = Command::new("mmdebstrap");
        command.args(["--quiet", "--variant=minbase", &format!("--include={PACKAGES}")]);
        command.args(["--dpkgopt=path-exclude=/usr/share/doc/*", "--dpkgopt=path-exclude=/usr/share/man/*"]);
        // The release of this machine, so that the programs find their libraries.
        succeeded(command.arg(release()?).arg(&draft))?;
        fs::rename(&draft, &done)?;
        fs::write(&stamp, PACKAGES)?;
        eprintln!("systemd: the container's root is ready after {:.0} s", start.elapsed().as_secs_f64());
    }
    fs::write(done.join("etc/systemd/system/steps@.service"), UNIT)?;
    Ok(done)
}

/// The name of this machine's release of Debian.
fn release() -> io::Result<String> {
    let text = fs::read_to_string("/etc/os-release")?;
    let name = text.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    name.map(str::to_owned).ok_or_else(|| io::Error::other("/etc/os-release names no VERSION_CODENAME"))
}

/// The folder with the programs and the steps, which the container sees read-only.
fn programs(folder: &Path) -> io::Result<()> {
    if !crate::check::build() {
        return Err(io::Error::other("the programs do not build"));
    }
    let programs = folder.join("programs");
    fs::create_dir_all(&programs)?;
    for name in ["cl-admin", "cl-bot", "cl-door", "cl-review", "cl-ear", "cl-mouth", "cl-pins"] {
        fs::copy(target_dir().join("debug").join(name), programs.join(name))?;
        fs::set_permissions(programs.join(name), fs::Permissions::from_mode(0o755))?;
    }
    let library = crate::check::root().join(crate::machine::SKILL_LIBRARY);
    succeeded(
        Command::new("cp")
            .arg("-r")
            .arg("--no-target-directory")
            .arg(library)
            .arg(programs.join("skill-library")),
    )?;
    fs::write(programs.join("steps.sh"), STEPS)
}

fn succeeded(command: &mut Command) -> io::Result<()> {
    let status = command.stdin(Stdio::null()).status()?;
    let program = command.get_program().to_string_lossy().into_owned();
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("{program} ended with {status}"))) }
}

/// Boots the container once; answers how many steps passed and failed.
fn boot(container: &Path, folder: &Path, name: &str, words: &[&str]) -> io::Result<(u64, u64)> {
    let (programs, said) = (folder.join("programs"), folder.join("said"));
    if said.exists() {
        fs::remove_dir_all(&said)?;
    }
    fs::create_dir_all(&said)?;
    let mut command = Command::new("systemd-nspawn");
    command.args([
        "--quiet",
        "--register=no",
        "--keep-unit",
        "--boot",
        "--private-network",
        "--link-journal=no",
    ]);
    command.arg("--console=pipe").arg("--directory").arg(container);
    command.arg(format!("--bind-ro={}:/programs", programs.display()));
    command.arg(format!("--bind={}:/said", said.display())).args(words);
    // What stands for a chip of pins: it takes no byte, and says so to who may open it.
    command.arg("--bind=/dev/full:/dev/gpiochip0");
    // What systemd is started with: the unit that runs the steps, beside those of every boot.
    command.args(["systemd.show_status=no", &format!("systemd.wants=steps@{name}.service")]);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let mut child = command.spawn()?;
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > BOOT_MAY_TAKE {
            child.kill()?;
            child.wait()?;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    let (mut passed, mut failed) = (0, 0);
    for line in fs::read_to_string(said.join(name))?.lines() {
        if let Some(step) = line.strip_prefix("ok ") {
            passed += 1;
            say("ok", step);
        } else if let Some(step) = line.strip_prefix("FAILED ") {
            failed += 1;
            say("FAILED", step);
        }
    }
    Ok((passed, failed))
}

fn say(word: &str, words: &str) {
    println!("systemd: {word:7} {words}");
}

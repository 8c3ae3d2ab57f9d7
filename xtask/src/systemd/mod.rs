//! Both programs under a real systemd, in a container that boots: with Landlock, then without.
//!
//! `steps.sh` is what is tried. Everything lies below `target/systemd`; a second run downloads nothing.

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::check::cargo;
use crate::start::target_dir;
use crate::tally::Tally;

const STEPS: &str = include_str!("steps.sh");

/// Runs the steps of one boot, and ends the container.
const UNIT: &str = "[Unit]\nAfter=multi-user.target\n[Service]\nType=oneshot\nStandardOutput=tty\nStandardError=tty\n\
                    TTYPath=/dev/console\nExecStart=/bin/sh /programs/steps.sh %i\nExecStopPost=systemctl poweroff --no-block\n";

/// What the container holds beside a minimal Debian.
const PACKAGES: &str = "systemd,systemd-sysv,dbus,libpam-systemd,procps,rustc,libstd-rust-dev-wasm32,lld";

/// Calls that the container's own filter refuses: without them the kernel has no Landlock for it.
const LANDLOCK: &str = "--system-call-filter=landlock_create_ruleset landlock_add_rule landlock_restrict_self";

/// The boots: their steps, how many those are, and what the container is started with.
const BOOTS: [(&str, u64, &[&str]); 2] = [("first", 10, &[LANDLOCK]), ("second", 5, &[])];

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
        let programs = programs(&folder)?;
        Ok((container, programs))
    });
    let (container, programs) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            say("FAILED", &format!("systemd in a container: {error}"));
            return Tally { failed: steps, ..Tally::default() };
        }
    };
    let mut sum = Tally::default();
    for (name, steps, words) in BOOTS {
        let (passed, failed) = boot(&container, &programs, name, words);
        if passed + failed < steps {
            say("FAILED", &format!("the {name} boot ended after {} of {steps} steps", passed + failed));
        }
        sum = sum.plus(Tally { passed, failed: steps.saturating_sub(passed), skipped: 0 });
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
            return Some(format!("{program} is not installed: apt-get install --no-install-recommends {package}"));
        }
    }
    None
}

fn is_root() -> bool {
    let asked = Command::new("id").arg("-u").output();
    asked.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// The container's root: made once, by a name of its own, so that one that broke off is made anew.
fn container(folder: &Path) -> io::Result<PathBuf> {
    let (done, draft) = (folder.join("root"), folder.join("root.new"));
    if !done.is_dir() {
        let start = Instant::now();
        if draft.exists() {
            fs::remove_dir_all(&draft)?;
        }
        let mut command = Command::new("mmdebstrap");
        command.args(["--quiet", "--variant=minbase", &format!("--include={PACKAGES}")]);
        command.args(["--dpkgopt=path-exclude=/usr/share/doc/*", "--dpkgopt=path-exclude=/usr/share/man/*"]);
        // The release of this machine, so that the programs find their libraries.
        succeeded(command.arg(release()?).arg(&draft))?;
        fs::rename(&draft, &done)?;
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

/// The folder with both programs and the steps, which the container sees read-only.
fn programs(folder: &Path) -> io::Result<PathBuf> {
    succeeded(cargo().args(["build", "--locked", "--package", "admin-service", "--package", "user-agent"]))?;
    let programs = folder.join("programs");
    fs::create_dir_all(&programs)?;
    for name in ["cl-admin", "cl-bot"] {
        fs::copy(target_dir().join("debug").join(name), programs.join(name))?;
        fs::set_permissions(programs.join(name), fs::Permissions::from_mode(0o755))?;
    }
    fs::write(programs.join("steps.sh"), STEPS)?;
    Ok(programs)
}

fn succeeded(command: &mut Command) -> io::Result<()> {
    let status = command.stdin(Stdio::null()).status()?;
    let program = command.get_program().to_string_lossy().into_owned();
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("{program} ended with {status}"))) }
}

/// Boots the container once; answers how many steps passed and failed.
fn boot(container: &Path, programs: &Path, name: &str, words: &[&str]) -> (u64, u64) {
    let mut command = Command::new("systemd-nspawn");
    command.args(["--quiet", "--register=no", "--keep-unit", "--boot", "--private-network", "--link-journal=no"]);
    command.args(["--console=pipe", "--kill-signal=SIGRTMIN+3"]).arg("--directory").arg(container);
    command.arg(format!("--bind-ro={}:/programs", programs.display())).args(words);
    // What systemd is started with: the unit that runs the steps, beside those of every boot.
    command.args(["systemd.show_status=no", &format!("systemd.wants=steps@{name}.service")]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            say("FAILED", &format!("systemd-nspawn: {error}"));
            return (0, 0);
        }
    };
    let (lines, said) = mpsc::channel();
    let console = child.stdout.take().expect("stdout is piped");
    // It ends with the container.
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(console).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).trim().to_owned();
            if lines.send(line).is_err() {
                break;
            }
        }
    });
    let (end, mut passed, mut failed) = (Instant::now() + BOOT_MAY_TAKE, 0, 0);
    while let Ok(line) = said.recv_timeout(end.saturating_duration_since(Instant::now())) {
        if let Some(step) = line.strip_prefix("ok ") {
            passed += 1;
            say("ok", step);
        } else if let Some(step) = line.strip_prefix("FAILED ") {
            failed += 1;
            say("FAILED", step);
        }
    }
    // Where it has not ended by itself it took too long.
    let _ = child.kill();
    let _ = child.wait();
    let _ = reader.join();
    (passed, failed)
}

fn say(word: &str, words: &str) {
    println!("systemd: {word:7} {words}");
}

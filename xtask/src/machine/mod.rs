//! The emulated Raspberry Pi: both programs on Debian's arm64 kernel, with Landlock 2 and without Landlock.
//!
//! - [`programs`]: built for aarch64
//! - [`sources`], [`packages`], [`root`], [`cpio`]: Debian's arm64 packages as an archive that a kernel boots from
//! - [`steps`], [`page`]: what each machine tries, for one user by the page for the Raspberry Pi, and for two
//! - [`qemu`], [`console`]: one boot, and what its serial console says
//!
//! Everything is below `target/machine`; a second run downloads nothing.

mod console;
mod cpio;
mod packages;
mod page;
mod programs;
mod qemu;
mod root;
mod sources;
mod steps;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use console::{Console, Ended, Outcome};
use cpio::Archive;
use root::{KERNELS, Root};
use steps::{DRIVEN, NOT_BY_ONE, SETTINGS, Setting, Step, WITH_A_SKILL, WITHOUT_A_SKILL};

use crate::start::target_dir;
use crate::tally::Tally;
use crate::task::{Scope, Which};

/// A boot with all its steps takes about a quarter of this on two cores.
const BOOT_MAY_TAKE: Duration = Duration::from_secs(3000);

/// One way to boot the kernel.
#[derive(Debug, Clone, Copy)]
struct Boot {
    name: &'static str,
    /// The package of the kernel.
    kernel: &'static str,
    /// The processor, which must know the pages of the kernel.
    processor: &'static str,
    /// What stands on the kernel's command line.
    words: &'static str,
    /// What is run; where nothing is named, everything of the settings with a skill.
    only: Option<Part>,
}

/// Steps of one setting.
#[derive(Debug, Clone, Copy)]
struct Part {
    setting: &'static Setting,
    chosen: Chosen,
}

/// Which steps, by their names.
#[derive(Debug, Clone, Copy)]
enum Chosen {
    Only(&'static [&'static str]),
    AllBut(&'static [&'static str]),
}

impl Part {
    fn holds(&self, setting: &Setting, step: &Step) -> bool {
        let is_chosen = match self.chosen {
            Chosen::Only(names) => names.contains(&&*step.name),
            Chosen::AllBut(names) => !names.contains(&&*step.name),
        };
        self.setting.name == setting.name && is_chosen
    }
}

impl Boot {
    /// The numbers of the steps that it runs.
    fn steps(&self) -> Vec<usize> {
        let plan = steps::plan().into_iter().enumerate();
        let run = plan.filter(|(_, (setting, step, _))| match self.only {
            Some(part) => part.holds(setting, step),
            None => setting.has_a_skill(),
        });
        run.map(|(number, _)| number).collect()
    }

    /// Whether it has what plays and records.
    fn has_sound(&self) -> bool {
        self.only.is_some_and(|part| part.setting.name == DRIVEN.name)
    }

    /// The kernel's command line; what the kernel does not know is a variable of the first process.
    fn command_line(&self) -> String {
        let steps: Vec<String> = self.steps().into_iter().map(step_file).collect();
        format!("{} steps={}", self.words, steps.join(","))
    }
}

/// The name of a step's file in the machine.
fn step_file(number: usize) -> String {
    format!("{number:03}")
}

const BOOTS: [Boot; 3] = [
    Boot { name: "Landlock 2", kernel: KERNELS[0], processor: "cortex-a72", words: "", only: None },
    // As Raspberry Pi OS ships its kernel.
    Boot {
        name: "no Landlock",
        kernel: KERNELS[0],
        processor: "cortex-a72",
        words: "lsm=capability,yama",
        only: None,
    },
    // As a Raspberry Pi 5.
    Boot { name: "16 KiB pages", kernel: KERNELS[1], processor: "cortex-a76", words: "", only: None },
];

/// The drivers on the Raspberry Pi's own kernel: a pin and a sound card.
const DRIVERS: Boot =
    Boot { name: "drivers", only: Some(Part { setting: &DRIVEN, chosen: Chosen::AllBut(&[]) }), ..BOOTS[1] };

const INIT: &str = include_str!("guest/init.sh");
const LIB: &str = include_str!("guest/lib.sh");

/// Runs every step of every boot and says in the exit code whether all of them hold.
/// With a folder, its packages are installed; otherwise they are made of the programs that are tried.
pub(crate) fn run(packages: Option<&Path>, which: Which) -> ExitCode {
    let tally = match which {
        Which::All => try_out(&all(), packages),
        Which::Drivers => try_out(&[DRIVERS], packages),
    };
    println!("{}", tally.line());
    if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What a check runs: the whole way of one user on the Raspberry Pi's own kernel; beside it, without a skill, an owned bot there; then what
/// two users with Landlock do without a skill. For a release every setting on every kernel, each with the whole self-test.
pub(crate) fn check(scope: Scope) -> Tally {
    match scope {
        Scope::All => try_out(&all(), None),
        _ => try_out(&CHECKED, None),
    }
}

/// Every boot.
fn all() -> Vec<Boot> {
    [&BOOTS[..], &[DRIVERS]].concat()
}

/// The boots of a check, those that take longest first. Each has a name of its own, since two of them run at once.
const CHECKED: [Boot; 3] = [
    Boot { only: Some(Part { setting: &SETTINGS[0], chosen: Chosen::AllBut(NOT_BY_ONE) }), ..BOOTS[1] },
    Boot {
        name: "attacks without Landlock",
        only: Some(Part { setting: &SETTINGS[2], chosen: Chosen::Only(WITHOUT_A_SKILL) }),
        ..BOOTS[1]
    },
    Boot { only: Some(Part { setting: &SETTINGS[1], chosen: Chosen::AllBut(WITH_A_SKILL) }), ..BOOTS[0] },
];

/// Runs every step of these boots; each counts as a test.
fn try_out(boots: &[Boot], packages: Option<&Path>) -> Tally {
    let steps = boots.iter().map(|boot| boot.steps().len()).sum::<usize>() as u64;
    if let Some(reason) = missing() {
        say("skipped", &format!("the emulated machine: {reason}"));
        return Tally { skipped: steps, ..Tally::default() };
    }
    let folder = target_dir().join("machine");
    let root = match fs::create_dir_all(&folder).and_then(|()| Root::provide(&folder)) {
        Ok(root) => root,
        Err(error) => {
            say("skipped", &format!("the emulated machine: its root could not be made: {error}"));
            return Tally { skipped: steps, ..Tally::default() };
        }
    };
    let start = Instant::now();
    let archive = match programs::build().and_then(|programs| {
        let packages = packages
            .map_or_else(|| programs::pack(&programs, &folder), |folder| Ok(Some(folder.to_owned())))?;
        let archive = archive(&root, &folder, &programs, packages.as_deref())?;
        if boots.iter().any(Boot::has_sound) {
            let mut both = File::create(sounding(&archive))?;
            for part in [&archive, &root.sound()] {
                io::copy(&mut File::open(part)?, &mut both)?;
            }
        }
        Ok(archive)
    }) {
        Ok(archive) => archive,
        Err(error) => {
            say("FAILED", &format!("the emulated machine: {error}"));
            return Tally { failed: steps, ..Tally::default() };
        }
    };
    eprintln!("machine: programs and root are ready after {:.0} s", start.elapsed().as_secs_f64());
    // Each machine keeps about one processor busy, and a step that waits for another machine's would run out of its time.
    let at_once = std::thread::available_parallelism().map_or(1, NonZero::get).min(boots.len());
    let waiting = Mutex::new(boots.iter());
    let next = || waiting.lock().expect("nobody panics while it is held").next();
    let work = || {
        let tallies = std::iter::from_fn(next).map(|boot| boot_and_count(boot, &root, &archive));
        tallies.fold(Tally::default(), Tally::plus)
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..at_once).map(|_| scope.spawn(work)).collect();
        let tallies = workers.into_iter().map(|worker| worker.join().expect("a boot reports its faults"));
        tallies.fold(Tally::default(), Tally::plus)
    })
}

/// What this machine lacks to emulate another one.
fn missing() -> Option<String> {
    for (program, package) in [
        (qemu::PROGRAM, "qemu-system-arm"),
        (programs::LINKER, "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"),
        ("apt-get", "apt"),
        ("dpkg-deb", "dpkg"),
    ] {
        let asked =
            Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !asked.is_ok_and(|status| status.success()) {
            return Some(format!(
                "{program} is not installed: apt-get install --no-install-recommends {package}"
            ));
        }
    }
    (!programs::target_is_installed())
        .then(|| format!("rustc has no library for the target: rustup target add {}", programs::TARGET))
}

/// Why the machine installs no packages, if they are missing.
const NO_PACKAGES: &str = "no packages: cargo-deb is not installed (docs/RELEASE.md)";

/// The root with the programs and the steps of this run behind it.
fn archive(root: &Root, folder: &Path, programs: &[PathBuf], packages: Option<&Path>) -> io::Result<PathBuf> {
    let path = folder.join("boot.cpio");
    fs::copy(root.archive(), &path)?;
    let mut archive = Archive::new(BufWriter::new(OpenOptions::new().append(true).open(&path)?));
    archive.file("init", 0o755, INIT.as_bytes())?;
    for inner in ["machine", "machine/steps", "machine/word-count", "machine/packages", "machine/modules"] {
        archive.folder(inner, 0o755)?;
    }
    archive.file("machine/lib.sh", 0o644, LIB.as_bytes())?;
    for (number, (_, _, script)) in steps::plan().into_iter().enumerate() {
        archive.file(&format!("machine/steps/{}", step_file(number)), 0o644, script.as_bytes())?;
    }
    let plugin = crate::check::root().join("examples/plugins/word-count");
    for (name, mode) in [("plugin.toml", 0o644), ("count.sh", 0o755)] {
        archive.file(&format!("machine/word-count/{name}"), mode, &fs::read(plugin.join(name))?)?;
    }
    match packages {
        Some(packages) => {
            for package in root::entries(packages)? {
                let name = root::name(&package);
                if name.ends_with("_arm64.deb") {
                    archive.file(&format!("machine/packages/{name}"), 0o644, &fs::read(package)?)?;
                }
            }
        }
        None => archive.file("machine/why", 0o644, NO_PACKAGES.as_bytes())?,
    }
    for module in root::entries(&root.modules())? {
        archive.file(&format!("machine/modules/{}", root::name(&module)), 0o644, &fs::read(module)?)?;
    }
    for program in programs {
        let name = program.file_name().expect("a program has a name").to_string_lossy();
        archive.file(&format!("usr/bin/{name}"), 0o755, &fs::read(program)?)?;
    }
    archive.folder("usr/share/tameclaw", 0o755)?;
    add_folder(&mut archive, &crate::check::root().join(SKILL_LIBRARY), "usr/share/tameclaw/skill-library")?;
    archive.finish()?;
    Ok(path)
}

/// The templates of the offline library, which `cl-admin` looks for beside its folder.
pub(crate) const SKILL_LIBRARY: &str = "admin-service/skill-library";

/// A folder with all that is below it.
fn add_folder<W: io::Write>(archive: &mut Archive<W>, from: &Path, to: &str) -> io::Result<()> {
    archive.folder(to, 0o755)?;
    for path in root::entries(from)? {
        let inside = format!("{to}/{}", root::name(&path));
        if path.is_dir() {
            add_folder(archive, &path, &inside)?;
        } else {
            archive.file(&inside, 0o644, &fs::read(&path)?)?;
        }
    }
    Ok(())
}

/// The archive with sound beside this one.
fn sounding(archive: &Path) -> PathBuf {
    archive.with_file_name("boot-sound.cpio")
}

fn boot_and_count(boot: &Boot, root: &Root, archive: &Path) -> Tally {
    let (plan, steps) = (steps::plan(), boot.steps().len());
    let mut tally = Tally::default();
    let Some(kernel) = root.kernel(boot.kernel) else {
        say("skipped", &format!("{}: the system's package sources do not offer {}", boot.name, boot.kernel));
        return Tally { skipped: steps as u64, ..tally };
    };
    let mut console = Console::default();
    let mut done = 0;
    let disk = archive.with_file_name(format!("{}.disk", boot.name.replace(' ', "-")));
    let sounding = sounding(archive);
    let ended = qemu::boot(
        &kernel,
        boot.processor,
        if boot.has_sound() { &sounding } else { archive },
        &disk,
        &boot.command_line(),
        BOOT_MAY_TAKE,
        |line, at| {
            let Some(Ended { step, outcome, took }) = console.line(line, at) else { return };
            let Some((setting, step, _)) = plan.get(step) else { return };
            done += 1;
            if done == 1 {
                eprintln!(
                    "machine: {}: the first step ended {:.0} s after power-on",
                    boot.name,
                    at.as_secs_f64()
                );
            }
            let name =
                format!("{}, {}: {} ({:.1} s)", boot.name, setting.name, step.name, took.as_secs_f64());
            count(&name, &outcome, &mut tally);
        },
    );
    if console.is_over() && done == steps {
        return tally;
    }
    let why = match ended {
        Ok(true) => "the machine turned itself off before its last step".to_owned(),
        Ok(false) => format!("the machine was ended after {} s", BOOT_MAY_TAKE.as_secs()),
        Err(error) => format!("the machine did not run: {error}"),
    };
    let missing = steps - done;
    let words = [console.last_words(), vec![why]].concat();
    count(&format!("{}: {missing} steps were not reached", boot.name), &Outcome::Failed(words), &mut tally);
    Tally { failed: tally.failed + missing as u64 - 1, ..tally }
}

/// Says what became of a step and counts it.
fn count(name: &str, outcome: &Outcome, tally: &mut Tally) {
    match outcome {
        Outcome::Passed(words) => {
            tally.passed += 1;
            say("ok", &format!("{name}: {words}"));
        }
        Outcome::Skipped(reason) => {
            tally.skipped += 1;
            say("skipped", &format!("{name}: {reason}"));
        }
        Outcome::Failed(words) => {
            tally.failed += 1;
            say("FAILED", &format!("{name}\n    {}", words.join("\n    ")));
        }
    }
}

fn say(verdict: &str, words: &str) {
    println!("machine: {verdict:7} {words}");
}

#[cfg(test)]
mod tests;

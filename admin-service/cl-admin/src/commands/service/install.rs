//! Installs units and takes them away again; each step is shown before it is done.

use std::fs::{self, Permissions};
use std::io::{BufRead, IsTerminal, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use base::error::Error;
use base::home::Home;
use base::layout::{self, Bot, Users};
use nix::unistd::{User, geteuid};
use shared_types::exit;

use super::fault::ServiceError;
use super::manager::Manager;
use super::units::{self, Scope, Unit, is_ours, marked, runners};
use crate::commands::out::outln;

/// The user of the service, and that of the bot.
const ADMIN: &str = "tameclaw";
const BOT: &str = "cl-bot";
/// That of the model server.
const MODEL: &str = crate::commands::model::serve::USER;
/// The user of the page of the review.
const REVIEW: &str = "tameclaw-review";
/// The users of the drivers, where those are.
const DRIVERS: [&str; 3] = ["tameclaw-ear", "tameclaw-mouth", "tameclaw-pins"];

/// The users that the system needs for the programs beside this one.
fn users(program: &Path) -> Vec<&'static str> {
    let drivers = if units::has_drivers(program) { &DRIVERS[..] } else { &[] };
    [&[ADMIN, BOT, MODEL, REVIEW], drivers].concat()
}

/// Writes and enables the units; with one user each for service and bot it makes users and home, too.
///
/// # Errors
/// No systemd, not root, a path that no unit can name, or what the system refuses.
pub(super) fn install(home: &Home, scope: Scope, yes: bool, dry_run: bool) -> Result<u8, Error> {
    let program = std::env::current_exe().map_err(Error::step("finding this program"))?;
    let units = units::of(scope, home, &program)?;
    let folder = units::folder(scope)?;
    if dry_run {
        show(home, scope, &folder, &units, &program);
        for unit in &units {
            outln!("\n==> {} <==\n{}", folder.join(unit.name).display(), unit.text);
        }
        return Ok(exit::DONE);
    }
    let manager = Manager::of(scope)?;
    if scope == Scope::System && !geteuid().is_root() {
        return Err(ServiceError::NotRoot.into());
    }
    if std::env::var_os("TAMECLAW_DATA_DIR").is_some_and(|place| !place.is_empty()) {
        return Err(ServiceError::DataElsewhere.into());
    }
    show(home, scope, &folder, &units, &program);
    confirm(yes)?;
    match scope {
        Scope::System => two_users(home, &program)?,
        Scope::User => {
            service::init::make(home, None, &service::init::Region::of_locale())?;
        }
    }
    // One that an earlier version wrote would still take the place of the package's.
    for unit in
        units.iter().filter(|unit| !units::is_packaged(scope, unit) || is_ours(&folder.join(unit.name)))
    {
        write(&folder, unit)?;
    }
    manager.systemctl(&["daemon-reload"])?;
    manager.systemctl(&["enable", units::SERVICE])?;
    for socket in runners(home, scope) {
        manager.systemctl(&["enable", &socket])?;
    }
    outln!(
        "installed; `cl-admin service start{}` starts it",
        if scope == Scope::User { " --user" } else { "" }
    );
    Ok(exit::DONE)
}

/// Stops the service, and removes the units that [`install`] wrote.
///
/// # Errors
/// Not root, or what the system refuses.
pub(super) fn uninstall(manager: &Manager, yes: bool) -> Result<u8, Error> {
    let scope = manager.scope();
    if scope == Scope::System && !geteuid().is_root() {
        return Err(ServiceError::NotRoot.into());
    }
    let folder = units::folder(scope)?;
    let written: Vec<PathBuf> =
        units::NAMES.iter().map(|name| folder.join(name)).filter(|path| is_ours(path)).collect();
    outln!("stops and disables {}", units::SERVICE);
    for path in &written {
        outln!("removes {}", path.display());
    }
    outln!("homes, users and keys stay as they are; a package's own units stay with the package");
    confirm(yes)?;
    // A unit that is not there has been stopped.
    let mut all = vec![units::SERVICE];
    if scope == Scope::System {
        all.extend(["tameclaw-bot@*.socket", "tameclaw-bot@*.service"]);
        all.extend(["tameclaw-door@*.socket", "tameclaw-door@*.service"]);
        all.extend(["tameclaw-matrix@*.service", "tameclaw-telegram@*.service"]);
        all.extend(units::REVIEW);
        all.extend(units::MODEL);
    }
    all.extend(units::DRIVERS);
    let _ = manager.systemctl(&[&["stop"][..], &all].concat());
    let _ = manager.systemctl(&["disable", units::SERVICE]);
    if scope == Scope::System {
        // They are wanted by the service, not by the target of sockets. An error means that none is installed.
        let _ = manager.systemctl(&["disable", units::REVIEW[0], units::REVIEW[2]]);
    }
    for unit in enabled(&folder) {
        manager.systemctl(&["disable", &unit])?;
    }
    for path in &written {
        fs::remove_file(path).map_err(Error::io(path))?;
    }
    // Only if nothing of somebody else's is in it.
    let _ = fs::remove_dir(folder.join("tameclaw-bot@.service.d"));
    let _ = fs::remove_dir(folder.join("tameclaw-door@.service.d"));
    let _ = fs::remove_dir(folder.join("tameclaw-matrix@.service.d"));
    let _ = fs::remove_dir(folder.join("tameclaw-telegram@.service.d"));
    let _ = fs::remove_dir(folder.join("tameclaw-review.service.d"));
    let _ = fs::remove_dir(folder.join("tameclaw-model.service.d"));
    for name in DRIVERS {
        let _ = fs::remove_dir(folder.join(name).with_extension("service.d"));
    }
    manager.systemctl(&["daemon-reload"])?;
    outln!("uninstalled; the homes are untouched");
    Ok(exit::DONE)
}

/// The sockets of profiles and of the model that are enabled, the messengers of profiles, and the drivers.
fn enabled(folder: &Path) -> Vec<String> {
    let begins = |name: &str, of: [&str; 2]| of.iter().any(|start| name.starts_with(start));
    let is_ours = |name: &String| {
        (begins(name, ["tameclaw-bot@", "tameclaw-door@"]) && name.ends_with(".socket"))
            || begins(name, ["tameclaw-matrix@", "tameclaw-telegram@"])
            || name == units::MODEL[0]
            || units::DRIVERS.contains(&name.as_str())
    };
    let wanted = ["sockets.target.wants", "multi-user.target.wants"];
    let entries =
        wanted.into_iter().filter_map(|wants| fs::read_dir(folder.join(wants)).ok()).flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(is_ours).collect()
}

fn show(home: &Home, scope: Scope, folder: &Path, units: &[Unit], program: &Path) {
    if scope == Scope::System {
        for name in users(program).into_iter().filter(|name| !exists(name)) {
            outln!("makes the user {name}, who cannot log in");
        }
        outln!("the service runs as {ADMIN}, the bot as {BOT}; {ADMIN} is in the group {BOT}");
    }
    let makes = if home.trust().exists() { "uses the home" } else { "makes a home" };
    outln!("{makes} at {}", home.root().display());
    for unit in units {
        let path = folder.join(unit.name);
        match () {
            () if fs::read_to_string(&path).is_ok_and(|text| text == marked(unit)) => {
                outln!("keeps {}, which is up to date", path.display());
            }
            () if units::is_packaged(scope, unit) && !path.exists() => {
                outln!("uses {} of the package", unit.name);
            }
            () if units::is_packaged(scope, unit) && !is_ours(&path) => outln!("leaves {}", path.display()),
            () => outln!("writes {}", path.display()),
        }
    }
    outln!("enables {}", units::SERVICE);
    for socket in runners(home, scope) {
        match socket == units::MODEL[0] {
            true => outln!("enables {socket}, which starts the model server when the chat asks it"),
            false => outln!("enables {socket}, which runs what `schedules:` in admin.yaml says"),
        }
    }
    super::tell_shadows(scope, home);
}

/// Asks, unless the answer was given; nobody who could answer means no.
fn confirm(yes: bool) -> Result<(), Error> {
    if yes {
        return Ok(());
    }
    let mut line = String::new();
    if std::io::stdin().is_terminal() {
        eprint!("do this? [y/N] ");
        let _ = std::io::stderr().flush();
        std::io::stdin().lock().read_line(&mut line).map_err(Error::step("reading the answer"))?;
    }
    match line.trim() {
        "y" | "Y" | "yes" => Ok(()),
        _ => Err(ServiceError::NotConfirmed.into()),
    }
}

fn write(folder: &Path, unit: &Unit) -> Result<(), Error> {
    let path = folder.join(unit.name);
    if path.exists() && !is_ours(&path) {
        return Err(ServiceError::Foreign(path).into());
    }
    let above = path.parent().unwrap_or(folder);
    if !above.exists() {
        fs::create_dir_all(above).map_err(Error::io(above))?;
        open_to_all(above, 0o755)?;
    }
    durable::replace(&path, marked(unit).as_bytes(), 0o644).map_err(Error::io(&path))?;
    open_to_all(&path, 0o644)
}

/// Gives a file or folder a mode that this program's own mask keeps from it.
fn open_to_all(path: &Path, mode: u32) -> Result<(), Error> {
    fs::set_permissions(path, Permissions::from_mode(mode)).map_err(Error::io(path))
}

fn exists(name: &str) -> bool {
    User::from_name(name).is_ok_and(|user| user.is_some())
}

/// Makes both users and the home between them.
fn two_users(home: &Home, program: &Path) -> Result<(), Error> {
    if !users(program).into_iter().all(exists) {
        let mut command = Command::new("systemd-sysusers");
        let drivers = if units::has_drivers(program) { units::DRIVER_USERS } else { "" };
        let lines = units::USERS.lines().chain(drivers.lines());
        // Answers of other programs are not this one's results.
        command.arg("--inline").args(lines.filter(|line| !line.starts_with('#')));
        run(&mut command, "systemd-sysusers")?;
    }
    let find = |name: &str| {
        let user =
            User::from_name(name).map_err(|e| Error::step("finding the users")(std::io::Error::from(e)))?;
        user.ok_or_else(|| Error::from(ServiceError::Home(format!("there is no user {name}"))))
    };
    let (admin, bot) = (find(ADMIN)?, Bot::find(BOT, None)?);
    if let Some(above) = home.root().parent().filter(|above| !above.exists()) {
        fs::create_dir_all(above).map_err(Error::io(above))?;
        open_to_all(above, 0o755)?;
        chown(above, Some(admin.uid.as_raw()), Some(admin.gid.as_raw())).map_err(Error::io(above))?;
    }
    // The service's user makes its own files; what only root may do is done below.
    let mut command = Command::new(program);
    command.arg("--home").arg(home.root()).args(["init", "--bot-user", BOT]);
    command.uid(admin.uid.as_raw()).gid(admin.gid.as_raw()).current_dir("/");
    command.stdin(Stdio::null());
    // Before root has set the owners it cannot end well; what counts is what is there afterwards.
    let init = command.output().map_err(Error::step("making the home"))?;
    let Ok(made) = fs::metadata(home.config()) else {
        let words = shared_types::text::line(&String::from_utf8_lossy(&init.stderr));
        return Err(
            ServiceError::Home(format!("no home was made ({}): {}", init.status, words.trim())).into()
        );
    };
    let owner = made.uid();
    if owner != admin.uid.as_raw() {
        let words = format!("{} belongs to the user {owner}, not to {ADMIN}", home.config().display());
        return Err(ServiceError::Home(words).into());
    }
    let users = Users { admin: owner, bot: Some(bot) };
    layout::apply(home, &users);
    match layout::verify(home, &users).1.first() {
        Some(left) => Err(ServiceError::Home(left.words.clone()).into()),
        None => Ok(()),
    }
}

fn run(command: &mut Command, name: &str) -> Result<(), Error> {
    let status = command.status().map_err(Error::step("making the users"))?;
    match status.success() {
        true => Ok(()),
        false => Err(ServiceError::Command { program: name.to_owned(), status }.into()),
    }
}

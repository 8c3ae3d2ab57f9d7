//! The units as they are shipped, with the paths of this machine.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use base::config::Config;
use base::error::Error;
use base::home::Home;

use super::fault::ServiceError;
use crate::commands::model::connect;

/// Whose units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::commands) enum Scope {
    /// The system's: two users, root installs them.
    System,
    /// This user's own.
    User,
}

/// The home of the system's service.
pub(super) const SYSTEM_HOME: &str = "/var/lib/tameclaw/home";

/// The unit of the service.
pub(super) const SERVICE: &str = "tameclaw-admin.service";
/// The runners of profiles.
const BOT: &str = "tameclaw-bot@.service";
const SOCKET: &str = "tameclaw-bot@.socket";
/// Where a kernel without Landlock needs more.
pub(super) const NAMESPACES: &str = "tameclaw-bot@.service.d/namespaces.conf";
/// The door of a profile, and its port. They are enabled by a person alone.
const DOOR: [&str; 2] = ["tameclaw-door@.socket", "tameclaw-door@.service"];
/// Where a kernel without Landlock needs more for it.
const DOOR_NAMESPACES: &str = "tameclaw-door@.service.d/namespaces.conf";
/// The messengers of a profile. They are enabled by a person alone.
const MESSENGERS: [&str; 2] = ["tameclaw-matrix@.service", "tameclaw-telegram@.service"];
/// Where a kernel without Landlock needs more for them.
const MESSENGERS_NAMESPACES: [&str; 2] =
    ["tameclaw-matrix@.service.d/namespaces.conf", "tameclaw-telegram@.service.d/namespaces.conf"];
/// The page of the review, its port, and the socket by which it asks the service. They are enabled by a person alone.
pub(super) const REVIEW: [&str; 3] =
    ["tameclaw-review.socket", "tameclaw-review.service", "tameclaw-admin.socket"];
/// Where a kernel without Landlock needs more for it.
pub(super) const REVIEW_NAMESPACES: &str = "tameclaw-review.service.d/namespaces.conf";
/// The server of a model, the door before it, and the port of both.
pub(super) const MODEL: [&str; 3] =
    ["tameclaw-model.socket", "tameclaw-model-proxy.service", "tameclaw-model.service"];
/// Where a kernel without Landlock needs more for it.
pub(super) const MODEL_NAMESPACES: &str = "tameclaw-model.service.d/namespaces.conf";
/// The drivers and their sockets. They are enabled by a person alone.
pub(super) const DRIVERS: [&str; 6] = [
    "tameclaw-ear.socket",
    "tameclaw-mouth.socket",
    "tameclaw-pins.socket",
    "tameclaw-ear.service",
    "tameclaw-mouth.service",
    "tameclaw-pins.service",
];
/// Where a kernel without Landlock needs more for them.
const DRIVERS_NAMESPACES: [&str; 3] = [
    "tameclaw-ear.service.d/namespaces.conf",
    "tameclaw-mouth.service.d/namespaces.conf",
    "tameclaw-pins.service.d/namespaces.conf",
];
/// All of them.
pub(super) const NAMES: [&str; 28] = [
    SERVICE,
    SOCKET,
    BOT,
    NAMESPACES,
    DOOR[0],
    DOOR[1],
    DOOR_NAMESPACES,
    MESSENGERS[0],
    MESSENGERS[1],
    MESSENGERS_NAMESPACES[0],
    MESSENGERS_NAMESPACES[1],
    REVIEW[0],
    REVIEW[1],
    REVIEW[2],
    REVIEW_NAMESPACES,
    MODEL[0],
    MODEL[1],
    MODEL[2],
    MODEL_NAMESPACES,
    DRIVERS[0],
    DRIVERS[1],
    DRIVERS[2],
    DRIVERS[3],
    DRIVERS[4],
    DRIVERS[5],
    DRIVERS_NAMESPACES[0],
    DRIVERS_NAMESPACES[1],
    DRIVERS_NAMESPACES[2],
];
/// The first line of a unit that this program wrote.
const MARK: &str = "# Written by `cl-admin service install`, and written again by it.\n";
/// The executables that the shipped units name; the others are beside this program.
const PROGRAM: &str = "/usr/bin/cl-admin";
const BOT_PROGRAM: &str = "/usr/bin/cl-bot";
const REVIEW_PROGRAM: &str = "/usr/bin/cl-review";
const DRIVER_PROGRAMS: [&str; 3] = ["/usr/bin/cl-ear", "/usr/bin/cl-mouth", "/usr/bin/cl-pins"];

/// The users and the group of the system's service, in the words of sysusers.d(5).
pub(super) const USERS: &str = include_str!("../../../../../packaging/sysusers.d/tameclaw.conf");
/// Those of the drivers.
pub(super) const DRIVER_USERS: &str =
    include_str!("../../../../../packaging/sysusers.d/tameclaw-drivers.conf");

/// A file for systemd.
#[derive(Debug)]
pub(super) struct Unit {
    /// Its name below the folder of units.
    pub(super) name: &'static str,
    /// Its text.
    pub(super) text: String,
}

macro_rules! shipped {
    ($file:literal) => {
        include_str!(concat!("../../../../../packaging/systemd/", $file))
    };
}

/// The units of a scope for this home and executable.
///
/// # Errors
/// A path that cannot stand in a unit, or that a unit of the system does not see.
pub(super) fn of(scope: Scope, home: &Home, program: &Path) -> Result<Vec<Unit>, Error> {
    let (home, program) = (home.root(), program);
    for path in [home, program] {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._+@-".contains(&byte);
        if !path.as_os_str().as_encoded_bytes().iter().copied().all(plain) {
            return Err(ServiceError::OddPath(path.to_owned()).into());
        }
        let hidden = ["/home", "/root", "/run/user"].into_iter().any(|place| path.starts_with(place));
        if scope == Scope::System && hidden {
            return Err(ServiceError::Hidden(path.to_owned()).into());
        }
    }
    let beside = |place: &str| Path::new(place).file_name().map(|name| program.with_file_name(name));
    let unit = |name: &'static str, text: &str| {
        let text = text
            .replace(SYSTEM_HOME, &home.display().to_string())
            .replace(PROGRAM, &program.display().to_string());
        let programs = [BOT_PROGRAM, REVIEW_PROGRAM].into_iter().chain(DRIVER_PROGRAMS);
        let placed = programs.filter_map(|place| Some((place, beside(place)?)));
        Unit {
            name,
            text: placed
                .fold(text, |text, (place, program)| text.replace(place, &program.display().to_string())),
        }
    };
    if scope == Scope::User {
        let mut units = vec![unit(SERVICE, shipped!("user/tameclaw-admin.service"))];
        if has_drivers(program) {
            units.extend([
                unit(DRIVERS[0], shipped!("user/tameclaw-ear.socket")),
                unit(DRIVERS[1], shipped!("user/tameclaw-mouth.socket")),
                unit(DRIVERS[2], shipped!("user/tameclaw-pins.socket")),
                unit(DRIVERS[3], shipped!("user/tameclaw-ear.service")),
                unit(DRIVERS[4], shipped!("user/tameclaw-mouth.service")),
                unit(DRIVERS[5], shipped!("user/tameclaw-pins.service")),
            ]);
        }
        return Ok(units);
    }
    let mut units = vec![
        unit(SERVICE, shipped!("tameclaw-admin.service")),
        unit(BOT, shipped!("tameclaw-bot@.service")),
        unit(SOCKET, shipped!("tameclaw-bot@.socket")),
        unit(DOOR[0], shipped!("tameclaw-door@.socket")),
        unit(DOOR[1], shipped!("tameclaw-door@.service")),
        unit(MESSENGERS[0], shipped!("tameclaw-matrix@.service")),
        unit(MESSENGERS[1], shipped!("tameclaw-telegram@.service")),
        unit(REVIEW[0], shipped!("tameclaw-review.socket")),
        unit(REVIEW[1], shipped!("tameclaw-review.service")),
        unit(REVIEW[2], shipped!("tameclaw-admin.socket")),
        unit(MODEL[0], shipped!("tameclaw-model.socket")),
        unit(MODEL[1], shipped!("tameclaw-model-proxy.service")),
        unit(MODEL[2], shipped!("tameclaw-model.service")),
    ];
    let has_drivers = has_drivers(program);
    if has_drivers {
        units.extend([
            unit(DRIVERS[0], shipped!("tameclaw-ear.socket")),
            unit(DRIVERS[1], shipped!("tameclaw-mouth.socket")),
            unit(DRIVERS[2], shipped!("tameclaw-pins.socket")),
            unit(DRIVERS[3], shipped!("tameclaw-ear.service")),
            unit(DRIVERS[4], shipped!("tameclaw-mouth.service")),
            unit(DRIVERS[5], shipped!("tameclaw-pins.service")),
        ]);
    }
    if confine::support().landlock_abi.is_none() {
        if has_drivers {
            units.extend(
                DRIVERS_NAMESPACES.map(|name| unit(name, shipped!("tameclaw-driver-namespaces.conf"))),
            );
        }
        units.push(unit(NAMESPACES, shipped!("tameclaw-bot-namespaces.conf")));
        units.push(unit(DOOR_NAMESPACES, shipped!("tameclaw-bot-namespaces.conf")));
        units.extend(MESSENGERS_NAMESPACES.map(|name| unit(name, shipped!("tameclaw-bot-namespaces.conf"))));
        units.push(unit(REVIEW_NAMESPACES, shipped!("tameclaw-review-namespaces.conf")));
        units.push(unit(MODEL_NAMESPACES, shipped!("tameclaw-model-namespaces.conf")));
    }
    Ok(units)
}

/// Whether the drivers are beside this program: a package of their own has them.
pub(super) fn has_drivers(program: &Path) -> bool {
    DRIVER_PROGRAMS
        .iter()
        .all(|place| Path::new(place).file_name().is_some_and(|name| program.with_file_name(name).is_file()))
}

/// The socket of a profile's runner.
pub(super) fn socket_of(profile: &str) -> String {
    SOCKET.replace('@', &format!("@{profile}"))
}

/// Where units of a scope are written.
pub(super) fn folder(scope: Scope) -> Result<PathBuf, Error> {
    match scope {
        Scope::System => Ok(PathBuf::from("/etc/systemd/system")),
        Scope::User => {
            let named =
                |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
            let config = named("XDG_CONFIG_HOME").or_else(|| named("HOME").map(|home| home.join(".config")));
            Ok(config.ok_or(Error::NoHomeNamed)?.join("systemd/user"))
        }
    }
}

/// Whether a package has installed this very text.
pub(super) fn is_packaged(scope: Scope, unit: &Unit) -> bool {
    packaged(scope, unit.name).is_some_and(|(_, text)| text == unit.text)
}

/// The unit of a package, and its text.
fn packaged(scope: Scope, name: &str) -> Option<(PathBuf, String)> {
    let folders = match scope {
        Scope::System => ["/usr/lib/systemd/system", "/lib/systemd/system"],
        Scope::User => ["/usr/lib/systemd/user", "/lib/systemd/user"],
    };
    folders.into_iter().find_map(|folder| {
        let path = Path::new(folder).join(name);
        fs::read_to_string(&path).ok().map(|text| (path, text))
    })
}

/// The text of a unit as this program writes it.
pub(super) fn marked(unit: &Unit) -> String {
    format!("{MARK}{}", unit.text)
}

/// Whether this program wrote a file.
pub(super) fn is_ours(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| text.starts_with(MARK))
}

/// A unit that systemd reads in the place of the package's, and that differs from it.
#[derive(Debug)]
pub(in crate::commands) struct Shadow {
    scope: Scope,
    own: PathBuf,
    packaged: PathBuf,
}

impl fmt::Display for Shadow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "systemd reads {} in the place of {}, and they differ",
            self.own.display(),
            self.packaged.display()
        )
    }
}

impl Shadow {
    /// What a person does about it.
    pub(in crate::commands) fn next(&self) -> String {
        let own = self.own.display();
        let user = if self.scope == Scope::User { " --user" } else { "" };
        format!("keep your changes in {own}.d/*.conf, then: rm {own} && systemctl{user} daemon-reload")
    }
}

/// The units that differ from the package's in whose place systemd reads them, but for those that this program would write for
/// this home.
pub(in crate::commands) fn shadows(scope: Scope, home: &Home) -> Vec<Shadow> {
    let Ok(folder) = folder(scope) else { return vec![] };
    let program = std::env::current_exe().ok();
    let units = program.and_then(|program| of(scope, home, &program).ok()).unwrap_or_default();
    let differs = |name: &&str| {
        let own = folder.join(name);
        let text = fs::read_to_string(&own).ok()?;
        let (packaged, theirs) = packaged(scope, name)?;
        let is_wanted = units.iter().any(|unit| unit.name == *name && text == marked(unit));
        let same = text.strip_prefix(MARK).unwrap_or(&text) == theirs;
        (!same && !is_wanted).then_some(Shadow { scope, own, packaged })
    };
    NAMES.iter().filter_map(differs).collect()
}

/// The sockets of the profiles that have schedules, and that of the model which was connected; with one user for both the service
/// runs the schedules itself, and a person the model.
pub(super) fn runners(home: &Home, scope: Scope) -> Vec<String> {
    if scope == Scope::User {
        return vec![];
    }
    let schedules = Config::read(home).map(|config| config.schedules).unwrap_or_default();
    let mut profiles: Vec<String> = schedules.iter().map(|s| socket_of(s.profile.as_str())).collect();
    profiles.sort();
    profiles.dedup();
    if connect::connected(home).is_ok_and(|model| model.is_some()) {
        profiles.push(MODEL[0].to_owned());
    }
    profiles
}

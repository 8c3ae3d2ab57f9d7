//! The journal, and whether the files match what follows from it.

use std::fs;
use std::os::unix::fs::MetadataExt;

use base::home::Home;
use base::lock;
use base::package::{Package, Part};
use documents::manifest;
use ledger::Ledger;
use shared_types::id::Digest;
use shared_types::profile::SystemCapability;

use super::look::Look;
use crate::commands::service::units::{self, Scope};

/// The next step where a projection of the journal differs from it.
const AGAIN: &str =
    "`cl-admin run --once`, or the next start of the service, writes it again from the journal";
const RESTORE: &str =
    "restore `admin/journal` from a backup; nothing is decided or installed until the chain holds";

/// Whether the chain holds.
pub(super) fn journal(home: &Home) -> Look {
    // To the program that starts a home, a missing journal is an empty one; here it is a lost one.
    if !home.journal().is_file() {
        return Look::fail("journal", format!("{} is missing", home.journal().display()), RESTORE);
    }
    match Ledger::read(home) {
        Ok(ledger) => Look::pass(
            "journal",
            format!(
                "{} proposals, {} learned skills, manifest {}; the chain holds",
                ledger.tickets().count(),
                ledger.active().len(),
                ledger.serial()
            ),
        ),
        Err(error) => Look::fail("journal", error.to_string(), RESTORE),
    }
}

/// What the machine offers to skills now.
pub(super) fn system(home: &Home) -> Vec<Look> {
    // What is wrong with the journal is a line of its own.
    let Ok(ledger) = Ledger::read(home) else { return vec![] };
    let profile = ledger::system::look(home, &ledger);
    let abilities: Vec<&str> =
        profile.available_capabilities.iter().copied().map(SystemCapability::as_str).collect();
    let words = format!("{}: {}", profile.platform.as_str(), abilities.join(", "));
    vec![Look::pass("system", words)]
}

/// Whether the manifest is signed and says what the journal says.
pub(super) fn manifest(home: &Home) -> Look {
    let read = |path: std::path::PathBuf| {
        fs::read_to_string(&path)
            .map_err(|e| Look::fail("manifest", format!("{}: {e}", path.display()), AGAIN))
    };
    let parts = read(home.manifest())
        .and_then(|text| Ok((text, read(home.manifest_signature())?)))
        .and_then(|(text, signature)| Ok((text, signature, read(home.trust())?)));
    let (text, signature, trust) = match parts {
        Ok(parts) => parts,
        Err(look) => return look,
    };
    let manifest = match manifest::open(&text, &signature, &trust, 0) {
        Ok(manifest) => manifest,
        Err(e) => return Look::fail("manifest", format!("{e}: the bot does not start"), AGAIN),
    };
    let Ok(ledger) = Ledger::read(home) else {
        return Look::fail("manifest", "signed, and there is no journal to compare it with", RESTORE);
    };
    if manifest.serial > ledger.serial() {
        let words = format!("serial {} is newer than the journal ({})", manifest.serial, ledger.serial());
        return Look::fail("manifest", words, RESTORE);
    }
    let learned: Vec<_> = ledger.active().values().cloned().collect();
    if manifest.serial != ledger.serial()
        || manifest.builtin != ledger.builtin()
        || manifest.learned != learned
    {
        let words = format!("serial {} is not what the journal says ({})", manifest.serial, ledger.serial());
        return Look::fail("manifest", words, AGAIN);
    }
    Look::pass("manifest", format!("signed, serial {}, as the journal says", manifest.serial))
}

/// Whether each installed module is the one that was approved, by people who may still approve.
pub(super) fn skills(home: &Home) -> Vec<Look> {
    let Ok(ledger) = Ledger::read(home) else { return vec![] };
    let approvers = ledger.people().approvers();
    let mut looks = vec![];
    for (name, entry) in ledger.active() {
        let path = home.module(name, entry.version);
        match fs::read(&path) {
            Ok(bytes) if Digest::of(&bytes) == entry.module_sha256 => {}
            Ok(_) => looks.push(Look::fail(
                "skills",
                format!("{} is not the module that was approved: the bot leaves {name} out", path.display()),
                from_package(home, entry),
            )),
            Err(e) => looks.push(Look::fail(
                "skills",
                format!("{}: {e}", path.display()),
                from_package(home, entry),
            )),
        }
        if let Ok(Err(e)) = approvers.as_ref().map(|approvers| entry.verify(approvers)) {
            looks.push(Look::fail(
                "skills",
                format!("{name}: {e}: the bot leaves it out"),
                "a present approver signs it anew: `cl-admin approver countersign`",
            ));
        }
    }
    if looks.is_empty() {
        let words = format!("{} installed, each as it was approved", ledger.active().len());
        looks.push(Look::pass("skills", words));
    }
    looks
}

/// Another place with the approved bytes.
fn from_package(home: &Home, entry: &shared_types::manifest::Learned) -> String {
    let copy = entry.decision.read().ok().map(|d| Package::of(home, &d.proposal_id).path(Part::Module));
    match copy.filter(|copy| copy.exists()) {
        Some(copy) => format!("copy {} there: it is the same module", copy.display()),
        None => format!("put the module of version {} back from a backup", entry.version),
    }
}

/// Whether `status/` says what the journal says.
pub(super) fn mirror(home: &Home) -> Look {
    let Ok(ledger) = Ledger::read(home) else {
        return Look::fail("mirror", "there is no journal to compare it with", RESTORE);
    };
    let (mut count, mut wrong) = (0, None);
    for ticket in ledger.tickets() {
        count += 1;
        if !ledger::mirror_stands(home, ticket) {
            wrong = wrong.or(Some(ticket.proposal().name.to_string()));
        }
    }
    match wrong {
        None => Look::pass("mirror", format!("{count} proposals, as the journal says")),
        Some(name) => {
            Look::fail("mirror", format!("status/ says of {name} what the journal does not"), AGAIN)
        }
    }
}

/// Whether a service runs, and which units systemd reads in the place of the package's.
pub(super) fn service(home: &Home) -> Vec<Look> {
    let shadows = [Scope::System, Scope::User].into_iter().flat_map(|scope| units::shadows(scope, home));
    let shadows = shadows.map(|shadow| Look::warn("service", shadow.to_string(), shadow.next()));
    std::iter::once(running(home)).chain(shadows).collect()
}

/// Whether a service runs, and whether its socket is closed to others.
fn running(home: &Home) -> Look {
    let Some(pid) = lock::holder(home) else {
        return Look::warn("service", "does not run", "`cl-admin up`, or `cl-admin run`");
    };
    let socket = home.admin().join("service.sock");
    match fs::symlink_metadata(&socket) {
        Ok(facts) if facts.mode() & 0o077 != 0 => Look::fail(
            "service",
            format!("{} is open to others (mode {:o})", socket.display(), facts.mode() & 0o777),
            format!("chmod 600 {}", socket.display()),
        ),
        // A verb that does one thing on its own holds the lock without a socket.
        _ => Look::pass("service", format!("runs as process {pid}")),
    }
}

/// Whether a chain of evidence was found tampered with, and nobody acknowledged that yet.
pub(super) fn evidence(home: &Home) -> Vec<Look> {
    // A journal that cannot be read has a line of its own.
    let Ok(ledger) = Ledger::read(home) else { return vec![] };
    let alarm = |(log, alarm): (&receipts::head::Log, &ledger::Alarm)| {
        let next = "`cl-admin audit list`; once it is clear who did that: `cl-admin audit acknowledge`";
        Look::fail("evidence", format!("{log}: {}", alarm.what), next)
    };
    let alarms: Vec<Look> = ledger.alarms().open().map(alarm).collect();
    if alarms.is_empty() { vec![Look::pass("evidence", "no alarm is open")] } else { alarms }
}

//! `backups:`, the times at which the service backs the home up.

use std::path::PathBuf;

use age::x25519::Recipient;
use shared_types::id::WorkflowName;
use shared_types::settings::Section;

use crate::config::times::Times;

/// Backups that the service makes automatically.
#[derive(Debug, Clone)]
pub struct Backups {
    /// The folder, by an absolute path.
    pub folder: PathBuf,
    /// When.
    pub times: Times,
    /// How many stay in the folder.
    pub keep: u16,
    /// How they are encrypted.
    pub sealing: Sealing,
    /// Whether keys go along.
    pub with_keys: bool,
}

/// How backups are encrypted that nobody types a passphrase for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sealing {
    /// Not at all.
    Plain,
    /// With the passphrase in this file.
    Passphrase(PathBuf),
    /// For these public keys; at least one.
    Recipients(Vec<Recipient>),
}

/// Reads them; nothing where none are to be made.
pub(super) fn read(top: &mut Section) -> Option<Backups> {
    let mut below = top.section("backups");
    let backups = one(&mut below);
    top.close(below);
    backups
}

fn one(below: &mut Section) -> Option<Backups> {
    let others = ["cron", "zone", "keep", "recipients", "passphrase_file", "plain", "with_keys"];
    // The empty text of a list of examples counts as none.
    if below.word("folder").is_empty() {
        if others.iter().any(|key| below.has(key)) {
            below.fault("folder", "missing, so no backups would be made; as in /mnt/usb/backups");
        }
        return None;
    }
    let folder = absolute(below, "folder");
    let sealing = sealing(below);
    let with_keys = below.flag("with_keys");
    if with_keys && sealing == Some(Sealing::Plain) {
        below.fault("with_keys", "keys are backed up encrypted only: leave `plain` or `with_keys` out");
    }
    let (cron, zone) = (below.text("cron").unwrap_or_default(), below.text("zone").unwrap_or_default());
    let name: WorkflowName = "backups".parse().ok()?;
    let times = Times::new(&name, &cron, &zone, 0).map_err(|(key, why)| below.fault(key, why)).ok();
    let keep = u16::try_from(below.number("keep")).unwrap_or(u16::MAX);
    Some(Backups { folder: folder?, times: times?, keep, sealing: sealing?, with_keys })
}

/// Exactly one way: a backup that anyone can read who finds it is never made by omission.
fn sealing(below: &mut Section) -> Option<Sealing> {
    let (keys, plain) = (below.texts("recipients"), below.flag("plain"));
    let file = !below.word("passphrase_file").is_empty();
    match (keys.is_empty(), file, plain) {
        (true, false, true) => Some(Sealing::Plain),
        (true, true, false) => absolute(below, "passphrase_file").map(Sealing::Passphrase),
        (false, false, false) => {
            let mut recipients = vec![];
            for key in &keys {
                match key.parse::<Recipient>() {
                    Ok(recipient) => recipients.push(recipient),
                    Err(why) => below.fault(
                        "recipients",
                        format!("`{key}` is not a public key of age (`age1...`): {why}"),
                    ),
                }
            }
            (recipients.len() == keys.len()).then_some(Sealing::Recipients(recipients))
        }
        (true, false, false) => {
            let why = "missing: name the public keys for which the backups are encrypted, or a `passphrase_file`; `plain: true` \
                       leaves them open to anyone who finds them";
            below.fault("recipients", why);
            None
        }
        _ => {
            below
                .fault("recipients", "of `recipients`, `passphrase_file` and `plain` exactly one is allowed");
            None
        }
    }
}

fn absolute(below: &mut Section, key: &str) -> Option<PathBuf> {
    let path = PathBuf::from(below.text(key)?);
    if path.is_absolute() {
        return Some(path);
    }
    below.fault(key, format!("`{}` is not an absolute path", path.display()));
    None
}

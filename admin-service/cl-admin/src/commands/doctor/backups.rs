//! Whether the home is backed up.

use backup::timer;
use base::backups::{Last, Outcomes};
use base::config::{Backups, Config};
use base::home::Home;
use jiff::Timestamp;
use nix::sys::statvfs::statvfs;

use super::look::Look;

/// Where to read more.
const NEXT: &str = "docs/RECOVERY.md says how backups are made";

/// The last backup, and the folder of the next one.
pub(super) fn backups(home: &Home) -> Vec<Look> {
    // What is wrong with the configuration is a line of its own.
    let Ok(config) = Config::read(home) else { return vec![] };
    let (outcomes, now) = (Outcomes::read(home), Timestamp::now());
    let Some(backups) = config.backups else {
        return vec![match (outcomes.trouble(None, now), outcomes.last) {
            (Some(trouble), _) => Look::warn("backups", trouble.words, NEXT),
            (None, Some(last)) => Look::pass("backups", of(&last)),
            (None, None) => Look::warn("backups", "there is no backup of this home yet", NEXT),
        }];
    };
    let mut looks: Vec<Look> = folder(home, &backups, outcomes.last.as_ref()).into_iter().collect();
    if let Some(trouble) = outcomes.trouble(Some(&backups.times), now) {
        looks.push(Look::fail(
            "backups",
            trouble.words,
            "the service makes the next one at its time; does it run?",
        ));
    }
    if looks.is_empty() {
        let next = backups.times.after(now).map_or_else(String::new, |next| format!("; the next at {next}"));
        let last = outcomes.last.as_ref().map_or_else(|| "no backup was made yet".to_owned(), of);
        looks.push(Look::pass("backups", format!("{last}{next}")));
    }
    looks
}

fn of(last: &Last) -> String {
    format!("the last of {}: {}", last.at, last.file.display())
}

/// What is wrong with the folder, or with how the backups are configured.
fn folder(home: &Home, backups: &Backups, last: Option<&Last>) -> Option<Look> {
    if let Err(error) = timer::check(home, backups) {
        return Some(Look::of("backups", &error, "the service does not start until then"));
    }
    let shown = backups.folder.display();
    let disk = match statvfs(&backups.folder) {
        Ok(disk) => disk,
        Err(why) => {
            return Some(Look::fail(
                "backups",
                format!("{shown}: {why}"),
                "is its disk there? make the folder, or name another one in `backups.folder`",
            ));
        }
    };
    let (free, needed) =
        (disk.blocks_available().saturating_mul(disk.fragment_size()), last.map_or(0, |last| last.bytes));
    let words = format!("{shown}: {} MiB are free, and the last backup has {}", free >> 20, needed >> 20);
    (free < needed).then(|| Look::fail("backups", words, "make room there, or keep fewer (`backups.keep`)"))
}

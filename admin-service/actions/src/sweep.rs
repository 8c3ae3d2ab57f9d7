//! What commands left in their run folders goes after some days, or when there is too much of it.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use base::home::Home;
use base::scratch::{self, Quota};

/// How long a run's files stay.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3_600);
/// The most bytes in all run folders together; the oldest are removed first.
const MOST: u64 = 512 << 20;
/// No command may leave as much as this: what does was left by an older version, or by a service that was killed.
const LEFT: Quota = Quota { bytes: MOST, entries: 100_000, depth: 128 };

/// Removes run folders that are too old, or for which there is no room. A folder that cannot be removed stays.
pub fn sweep(home: &Home, now: SystemTime) {
    let mut runs = runs(&home.root().join("runs"));
    runs.sort_by_key(|run| std::cmp::Reverse(run.at));
    let mut sum = 0_u64;
    for run in runs {
        // What is too much to be counted is too much to be kept.
        let bytes = scratch::usage(&run.path, LEFT).map_or(MOST + 1, |used| used.bytes);
        let age = now.duration_since(run.at).unwrap_or_default();
        if age > KEPT || sum.saturating_add(bytes) > MOST {
            // It is tried again the next time.
            let _ = scratch::remove(&run.path);
        } else {
            sum += bytes;
        }
    }
}

struct Run {
    path: PathBuf,
    at: SystemTime,
}

fn runs(root: &Path) -> Vec<Run> {
    let folders = |path: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(path).into_iter().flatten().filter_map(Result::ok);
        entries.filter(|e| e.file_type().is_ok_and(|t| t.is_dir())).map(|e| e.path()).collect()
    };
    let one = |path: PathBuf| {
        // The time of the last change of its entry: the other times are its owner's to set.
        let seconds =
            fs::symlink_metadata(&path).map_or(0, |facts| u64::try_from(facts.ctime()).unwrap_or(0));
        Run { at: SystemTime::UNIX_EPOCH + Duration::from_secs(seconds), path }
    };
    folders(root).iter().flat_map(|profile| folders(profile)).map(one).collect()
}

#[cfg(test)]
mod tests;

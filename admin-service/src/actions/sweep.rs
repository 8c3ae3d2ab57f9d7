//! What commands left in their run folders goes after some days, or when there is too much of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use shared_types::home::Home;

/// How long a run's files stay.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3_600);
/// How much may lie in all run folders together, in bytes; the oldest go first.
const MOST: u64 = 512 << 20;

/// Removes run folders that are too old, or for which there is no room. A folder that cannot be removed stays.
pub fn sweep(home: &Home, now: SystemTime) {
    let mut runs = runs(&home.root().join("runs"));
    runs.sort_by_key(|run| std::cmp::Reverse(run.at));
    let mut sum = 0_u64;
    for run in runs {
        sum = sum.saturating_add(run.bytes);
        let age = now.duration_since(run.at).unwrap_or_default();
        if age > KEPT || sum > MOST {
            // Links are not followed; there are none, since no command can make one.
            let _ = fs::remove_dir_all(&run.path);
        }
    }
}

struct Run {
    path: PathBuf,
    at: SystemTime,
    bytes: u64,
}

fn runs(root: &Path) -> Vec<Run> {
    let folders = |path: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(path).into_iter().flatten().filter_map(Result::ok);
        entries.filter(|e| e.file_type().is_ok_and(|t| t.is_dir())).map(|e| e.path()).collect()
    };
    let one = |path: PathBuf| {
        let at = fs::metadata(&path).and_then(|facts| facts.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
        Run { bytes: bytes(&path), path, at }
    };
    folders(root).iter().flat_map(|profile| folders(profile)).map(one).collect()
}

fn bytes(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(facts) if facts.is_dir() => bytes(&entry.path()),
        Ok(facts) => facts.len(),
        Err(_) => 0,
    };
    entries.map(size).sum()
}

#[cfg(test)]
mod tests;

//! What a profile forbids of its workspace: looked for before the programs start, which then find nothing there.

use std::path::{Path, PathBuf};

use beneath::{Folder, Kind, NotOpened};
use builder::workers::NotStarted;
use confine::Hidden;
use shared_types::grants::{FileGrants, PathPattern};

use super::Orders;

/// The most files and folders that are looked at.
const MOST: usize = 100_000;

/// The paths of the workspace that a pattern covers, each without what is beneath it. A link is passed over: what it leads to
/// is hidden under its own name.
pub(super) fn of(orders: &Orders) -> Result<Vec<Hidden>, NotStarted> {
    let mut hidden = Vec::new();
    if orders.forbidden.is_empty() {
        return Ok(hidden);
    }
    let patterns: Result<Vec<_>, _> = orders.forbidden.iter().map(|text| PathPattern::parse(text)).collect();
    let grants = FileGrants { forbidden: patterns?, ..FileGrants::default() };
    let unsearched = |why| NotStarted::Unsearched { path: orders.workspace.clone(), why };
    let below = orders.workspace.strip_prefix(&orders.data).unwrap_or(Path::new("."));
    let workspace = match Folder::open(&orders.data).and_then(|data| data.folder(below)) {
        Err(NotOpened::Gone) => return Ok(hidden),
        other => other.map_err(unsearched)?,
    };
    let (mut left, mut looked) = (vec![PathBuf::new()], 0);
    while let Some(folder) = left.pop() {
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
        for name in workspace.folder(here).and_then(|folder| folder.names()).map_err(unsearched)? {
            looked += 1;
            if looked > MOST {
                return Err(NotStarted::TooMany(MOST));
            }
            let path = folder.join(name.map_err(unsearched)?);
            let folder = match workspace.facts_of(&path) {
                Ok(facts) if facts.kind == Kind::Link => continue,
                Ok(facts) => facts.kind == Kind::Folder,
                Err(NotOpened::Gone) => continue,
                Err(why) => return Err(unsearched(why)),
            };
            match grants.forbids(&path.to_string_lossy()) {
                true => hidden.push(Hidden { at: orders.workspace.join(path), folder }),
                false if folder => left.push(path),
                false => {}
            }
        }
    }
    Ok(hidden)
}

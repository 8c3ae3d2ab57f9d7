//! What a listing shows: only what the grants let be read, bounded in names and bytes.

use bot_base::paths::{Below, Folder};
use ports::KernelContext;
use ports::further::Further;
use shared_types::text::is_refused;

use super::open::{self, Refused};
use super::place::Place;

/// The most lines of one listing.
const MOST_LINES: usize = 400;
/// The longest listing, in bytes.
const MOST_BYTES: usize = 12 * 1024;
/// The most entries of one folder that are looked at.
const MOST_ENTRIES: usize = 5_000;

/// A listing on its way.
#[derive(Default)]
struct Tree {
    lines: Vec<String>,
    bytes: usize,
    cut: bool,
    unshown: usize,
}

/// Lists a folder, `depth` levels deep; `empty` is said of one with nothing in it that may be read.
pub(super) fn list(place: &Place, depth: u64, empty: &str, ctx: &KernelContext) -> Result<String, Refused> {
    let root = super::to_read(place, ctx)?;
    let opened = open::folder(place, root)?;
    let mut tree = Tree::default();
    tree.add(place, opened.as_ref().unwrap_or(root), depth, ctx)?;
    if tree.lines.is_empty() && !tree.cut {
        tree.lines.push(empty.to_owned());
    }
    if place.full().is_empty() {
        tree.lines.extend(ctx.shared().further.iter().map(elsewhere));
    }
    if tree.cut {
        tree.lines.push("[cut here: there is more; list one folder at a time]".to_owned());
    }
    if tree.unshown > 0 {
        tree.lines.push(format!("[{} names with unsafe characters are not shown]", tree.unshown));
    }
    Ok(tree.lines.join("\n"))
}

/// The line of a folder that is elsewhere.
fn elsewhere(further: &Further) -> String {
    let access =
        if further.writes() { "another folder, to read and write" } else { "another folder, read only" };
    format!("{}/  ({access})", further.spelled)
}

impl Tree {
    fn add(
        &mut self,
        place: &Place,
        folder: &Folder,
        depth: u64,
        ctx: &KernelContext,
    ) -> Result<(), Refused> {
        let listed = folder.listed(MOST_ENTRIES);
        let listed = listed.map_err(|_| Refused::Failed("a folder cannot be listed".to_owned()))?;
        self.cut |= listed.cut;
        self.unshown += listed.unreadable;
        let (grants, above) = (super::grants(place, ctx), place.as_str());
        for (name, below) in listed.entries {
            let path = if above.is_empty() { name.clone() } else { format!("{above}/{name}") };
            let at = place.beside(&path);
            let shown = at.full();
            let line = match below {
                Below::File(size) if grants.may_read(&path) => format!("{shown}  {size} bytes"),
                Below::Folder if grants.may_list(&path) => format!("{shown}/"),
                Below::Other if grants.may_read(&path) => {
                    format!("{shown}  (not a regular file: not opened)")
                }
                _ => continue,
            };
            if name.chars().any(is_refused) {
                self.unshown += 1;
                continue;
            }
            if self.lines.len() >= MOST_LINES || self.bytes + line.len() > MOST_BYTES {
                self.cut = true;
                return Ok(());
            }
            self.bytes += line.len() + 1;
            self.lines.push(line);
            if below == Below::Folder && depth > 1 {
                // One that cannot be opened was named all the same.
                if let Ok(folder) = folder.step(&name) {
                    self.add(&at, &folder, depth - 1, ctx)?;
                }
            }
        }
        Ok(())
    }
}

//! Looks for words in the text files that the grants let be read, bounded in files and bytes.

use bot_base::paths::{Below, Folder};
use language::terms::{each, fold, query as words_of};
use ports::KernelContext;
use shared_types::text::{cut, is_refused, line};

use super::open::{self, Refused};
use super::place::Place;

/// The most files and bytes that one search reads, and how much of each file.
const MOST_FILES: usize = 1_000;
const MOST_BYTES: u64 = 16 * 1024 * 1024;
const MOST_OF_FILE: u64 = 1024 * 1024;
/// The most entries of one folder that are looked at, and how deep the search goes.
const MOST_ENTRIES: usize = 5_000;
const MOST_DEPTH: usize = 8;
/// The most lines that are answered, and how much of each, in characters.
const MOST_HITS: usize = 20;
const MAX_SHOWN: usize = 160;

/// A search on its way.
struct Search<'a> {
    root: &'a Folder,
    wanted: Vec<String>,
    hits: Vec<String>,
    files: usize,
    bytes: u64,
    cut: bool,
}

/// The lines that hold every word of the query (the first 32 count), as `path:number: line`; nothing where there are none.
pub(super) fn search(place: &Place, query: &str, ctx: &KernelContext) -> Result<Option<String>, Refused> {
    let root = super::to_read(place, ctx)?;
    let mut wanted = words_of(query);
    if wanted.is_empty() {
        wanted.push(fold(query));
    }
    let opened = open::folder(place, root)?;
    let mut search = Search { root, wanted, hits: vec![], files: 0, bytes: 0, cut: false };
    search.look(place, opened.as_ref().unwrap_or(root), MOST_DEPTH, ctx);
    if search.cut {
        search.hits.push("[cut here: there is more; search for more words, or in one folder]".to_owned());
    }
    Ok((!search.hits.is_empty()).then(|| search.hits.join("\n")))
}

impl Search<'_> {
    fn look(&mut self, place: &Place, folder: &Folder, depth: usize, ctx: &KernelContext) {
        // A folder that cannot be listed holds nothing that can be found.
        let Ok(listed) = folder.listed(MOST_ENTRIES) else { return };
        self.cut |= listed.cut;
        let (grants, above) = (super::grants(place, ctx), place.as_str());
        for (name, below) in listed.entries {
            let path = if above.is_empty() { name.clone() } else { format!("{above}/{name}") };
            if ctx.is_cancelled()
                || self.hits.len() >= MOST_HITS
                || self.files >= MOST_FILES
                || self.bytes >= MOST_BYTES
            {
                self.cut = true;
                return;
            }
            match below {
                _ if name.chars().any(is_refused) => {}
                Below::File(_) if grants.may_read(&path) => self.read(&place.beside(&path)),
                Below::Folder if grants.may_list(&path) && depth > 1 => {
                    if let Ok(folder) = folder.step(&name) {
                        self.look(&place.beside(&path), &folder, depth - 1, ctx);
                    }
                }
                _ => {}
            }
        }
    }

    /// What is not text is skipped.
    fn read(&mut self, place: &Place) {
        // A file that turns out not to be text was read as well, and counts for as much as can be read of it.
        self.files += 1;
        let Ok(piece) = open::piece(place, self.root, 0, MOST_OF_FILE) else {
            self.bytes += open::size(place, self.root).unwrap_or(0).min(MOST_OF_FILE);
            return;
        };
        self.bytes += piece.text.len() as u64;
        for (number, text) in piece.text.lines().enumerate() {
            if self.hits.len() < MOST_HITS && self.fits(text) {
                self.hits.push(format!(
                    "{}:{}: {}",
                    line(&place.full()),
                    number + 1,
                    cut(&line(text.trim()), MAX_SHOWN)
                ));
            }
        }
    }

    /// Whether a line holds every word, or one that begins with it.
    fn fits(&self, text: &str) -> bool {
        let mut left: Vec<&str> = self.wanted.iter().map(String::as_str).collect();
        each(text, &mut String::new(), |word| left.retain(|wanted| !word.starts_with(wanted)));
        left.is_empty()
    }
}

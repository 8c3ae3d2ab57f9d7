//! The folders of the skill library: found, verified, read once.
//!
//! The shipped folder stands beside the programs. The place grants nothing: a file counts only if its SHA-256 is the one that this
//! program was built with. A household's folders are in `admin/skill-library` of its home, which the admin alone writes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use base::home::Home;
use base::package::SOURCE;
use beneath::{Facts, Folder, NotOpened};
use documents::yaml;
use serde::de::DeserializeOwned;
use shared_types::id::Digest;

use super::check;
use super::facts::{self, Looks};
use super::family::{Examples, Family, Fit, Plan};
use super::fault::{Fault, MOST_OWN, SHARED, Why};
use super::format::{Refusal, RefusedFile, WishFile};
use super::wish::Wish;

/// One line a file: its path and its SHA-256.
const DIGESTS: &str = include_str!(concat!(env!("OUT_DIR"), "/digests.txt"));
/// The largest file, in bytes.
const MOST_BYTES: u64 = 256 * 1024;
/// The files of a family.
const FILES: [&str; 3] = ["wish.yaml", "examples.yaml", SOURCE];
/// Wishes that no family of the shipped library takes.
const REFUSED: &str = "refused.yaml";

/// The families of one place.
#[derive(Debug, Default)]
pub struct Library {
    pub(super) families: Vec<Family>,
    refusals: Vec<Refusal>,
    refusing: Looks,
    /// Code that several skills include, by its name.
    pub(super) shared: BTreeMap<String, String>,
    faults: Vec<Fault>,
}

/// What a library says to a wish.
pub(super) enum Asked<'a> {
    Fits(&'a Family, Plan<'a>),
    /// No template serves it; why.
    Reason(String),
    Nothing,
}

impl Library {
    /// The shipped library, which is read once.
    pub fn shipped() -> &'static Library {
        static SHIPPED: OnceLock<Library> = OnceLock::new();
        SHIPPED.get_or_init(|| {
            let folder = places().into_iter().find(|place| place.is_dir());
            Library::verified(&folder.unwrap_or_else(|| PathBuf::from("/usr/share/tameclaw/skill-library")))
        })
    }

    /// The folders of a household; read anew, since the household may change them at any time.
    pub fn of_household(home: &Home) -> Library {
        let path = home.admin().join("skill-library");
        let mut library = Library { shared: Library::shipped().shared.clone(), ..Library::default() };
        let fault = |file: PathBuf, why| Fault { file, why, is_shipped: false };
        let opened =
            Folder::open(&home.admin()).and_then(|admin| Ok((admin.folder("skill-library")?, admin)));
        let (folder, above) = match opened {
            Ok(opened) => opened,
            Err(NotOpened::Gone) => return library,
            Err(why) => {
                library.faults.push(fault(path, why.into()));
                return library;
            }
        };
        let owner = above.facts().user;
        let closed = |facts: &Facts| facts.user == owner && facts.mode & 0o022 == 0;
        let names = folder.names().map_err(Why::from).and_then(|names| match closed(folder.facts()) {
            true => Ok(names),
            false => Err(Why::Open),
        });
        let mut names: Vec<String> = match names {
            Ok(names) => names.filter_map(|name| name.ok()?.into_string().ok()).collect(),
            Err(why) => {
                library.faults.push(fault(path, why));
                return library;
            }
        };
        names.retain(|name| !name.starts_with('.'));
        names.sort();
        if names.len() > MOST_OWN {
            names.truncate(MOST_OWN);
            library.faults.push(fault(path.clone(), Why::TooMany));
        }
        let read = |file: &str| {
            let failed = |why: Why| fault(path.join(file), why);
            let (name, own) = file.split_once('/').unwrap_or((file, ""));
            let family = folder.folder(name).map_err(|why| failed(why.into()))?;
            let opened = family.file(own).map_err(|why| failed(why.into()))?;
            if !closed(family.facts()) || !closed(opened.facts()) {
                return Err(failed(Why::Open));
            }
            opened.text(MOST_BYTES).map_err(|why| failed(why.into()))
        };
        library.add_families(&path, &names, &read, false);
        library
    }

    /// The library of a folder, as far as its files are those that this program was built with.
    pub(super) fn verified(path: &Path) -> Library {
        let digests: BTreeMap<&str, &str> = DIGESTS.lines().filter_map(|line| line.split_once(' ')).collect();
        let mut library = Library::default();
        let fault = |file: &str, why| Fault { file: path.join(file), why, is_shipped: true };
        let folder = match Folder::open(path) {
            Ok(folder) => folder.with_second_names(),
            Err(why) => {
                library.faults.push(fault("", why.into()));
                return library;
            }
        };
        let read = |file: &str| {
            let read = folder.file(file).and_then(|opened| opened.read(MOST_BYTES));
            let bytes = read.map_err(|why| fault(file, why.into()))?;
            if digests.get(file).copied() != Some(Digest::of(&bytes).to_string().as_str()) {
                return Err(fault(file, Why::Changed));
            }
            String::from_utf8(bytes).map_err(|_| fault(file, Why::NotText))
        };
        for file in digests.keys().filter(|file| file.starts_with(SHARED)) {
            let name = file[SHARED.len()..].trim_end_matches(".rs");
            match read(file) {
                Ok(text) => drop(library.shared.insert(name.to_owned(), text)),
                Err(fault) => library.faults.push(fault),
            }
        }
        match library.refusals(&read, &|why| fault(REFUSED, why)) {
            Ok(()) => {}
            // Without it, wishes that no template can serve would be given to one.
            Err(fault) => {
                library.faults.push(fault);
                return library;
            }
        }
        let mut names: Vec<String> =
            digests.keys().filter_map(|file| Some(file.strip_suffix("/wish.yaml")?.to_owned())).collect();
        names.dedup();
        library.add_families(path, &names, &read, true);
        library
    }

    fn refusals(
        &mut self,
        read: &impl Fn(&str) -> Result<String, Fault>,
        fault: &impl Fn(Why) -> Fault,
    ) -> Result<(), Fault> {
        let file: RefusedFile = parsed(&read(REFUSED)?).map_err(fault)?;
        let RefusedFile { anywhere, in_line, slots, is, refused } = file;
        self.refusing = Looks { anywhere, in_line, slots, is };
        check::refusals(&self.refusing, &refused).map_err(|unfit| fault(unfit.into()))?;
        self.refusals = refused;
        Ok(())
    }

    fn add_families(
        &mut self,
        path: &Path,
        names: &[String],
        read: &impl Fn(&str) -> Result<String, Fault>,
        is_shipped: bool,
    ) {
        for name in names {
            match self.family(path, name, read, is_shipped) {
                Ok(family) => self.families.push(family),
                Err(fault) => self.faults.push(fault),
            }
        }
        // A stable sort: of equal numbers the first name.
        self.families.sort_by_key(|family| family.file.order);
    }

    fn family(
        &self,
        path: &Path,
        name: &str,
        read: &impl Fn(&str) -> Result<String, Fault>,
        is_shipped: bool,
    ) -> Result<Family, Fault> {
        let [wish, examples, source] = FILES.map(|file| format!("{name}/{file}"));
        let fault = |file: &str| {
            let file = path.join(file);
            move |why: Why| Fault { file, why, is_shipped }
        };
        let mut file: WishFile = parsed(&read(&wish)?).map_err(fault(&wish))?;
        let own = Examples::of(read(&examples)?);
        let text = read(&source)?;
        let looks = Looks {
            anywhere: std::mem::take(&mut file.anywhere),
            in_line: std::mem::take(&mut file.in_line),
            slots: std::mem::take(&mut file.slots),
            is: std::mem::take(&mut file.is),
        };
        check::wish(&looks, &file).map_err(|unfit| fault(&wish)(unfit.into()))?;
        // A test reads and checks those of the shipped ones.
        if !is_shipped {
            let own = own.file().map_err(|why| fault(&examples)(why.clone().into()))?;
            check::examples(&looks, &file, own).map_err(|unfit| fault(&examples)(unfit.into()))?;
        }
        for line in text.lines().filter_map(|line| line.trim_start().strip_prefix("// @include ")) {
            let included = line.split(' ').next().unwrap_or_default();
            if !self.shared.contains_key(included) {
                return Err(fault(&source)(Why::Include(included.to_owned())));
            }
        }
        let family = Family { source: text, looks, file, examples: own };
        match family.mistaken().filter(|_| !is_shipped) {
            Some(line) => Err(fault(&examples)(Why::Mistaken(line.to_owned()))),
            None => Ok(family),
        }
    }

    /// The files that are not used, with the reasons.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The names of the families.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.families.iter().map(Family::name)
    }

    /// The family that fits a wish best; of two that fit equally well the first.
    pub(super) fn ask(&self, wish: &Wish) -> Asked<'_> {
        let facts = facts::Facts::of(wish, &self.refusing);
        if let Some(refusal) = self.refusals.iter().find(|refusal| facts.meet(Some(&refusal.when))) {
            return Asked::Reason(facts.text(&refusal.because));
        }
        let mut beyond = None;
        let mut best: Option<(usize, &Family, Plan<'_>)> = None;
        for family in &self.families {
            match family.fit(wish) {
                Fit::No => {}
                Fit::Beyond(reason) => beyond = beyond.or(Some(reason)),
                Fit::Yes(plan) => {
                    let strangers = wish.strangers(family.words());
                    let better = best.as_ref().is_none_or(|(least, ..)| strangers < *least);
                    if strangers <= family.file.most_strangers && better {
                        best = Some((strangers, family, plan));
                    }
                }
            }
        }
        match (best, beyond) {
            (Some((_, family, plan)), _) => Asked::Fits(family, plan),
            (None, Some(reason)) => Asked::Reason(reason),
            (None, None) => Asked::Nothing,
        }
    }
}

/// Where the shipped folder may be, the first that is there: of an installed program, of an unpacked archive, of a source tree with
/// its programs, and of the tree that a development build was made from.
fn places() -> Vec<PathBuf> {
    let program = std::env::current_exe().ok();
    let folder = program.as_deref().and_then(Path::parent);
    let beside = ["../share/tameclaw/skill-library", "skill-library", "../../admin-service/skill-library"];
    let mut places: Vec<PathBuf> =
        folder.into_iter().flat_map(|folder| beside.map(|place| folder.join(place))).collect();
    // Empty in a release.
    if !env!("SKILL_LIBRARY").is_empty() {
        places.push(PathBuf::from(env!("SKILL_LIBRARY")));
    }
    places
}

fn parsed<T: DeserializeOwned>(text: &str) -> Result<T, Why> {
    Ok(yaml::from_own(text)?)
}

//! Plugins in `plugins/` of the home that are not installed. They run nowhere: a person installs each with a key.

use std::path::PathBuf;

use base::error::Error;
use base::home::Home;
use beneath::{Folder, NotOpened};

use super::form::{self, Form};
use super::tree;

/// The most folders that are looked at.
const MOST: usize = 100;

/// One folder of `plugins/`.
#[derive(Debug)]
pub struct Offered {
    /// Where it is.
    pub folder: PathBuf,
    /// What its maker says of it, or why it cannot be installed.
    pub form: Result<Form, Error>,
}

/// Where plugins are offered: `plugins/` of the home.
pub fn folder(home: &Home) -> PathBuf {
    home.root().join("plugins")
}

/// The folders of `plugins/`, by name; none if the home does not have this folder.
///
/// # Errors
/// A folder that cannot be listed.
pub fn offered(home: &Home) -> Result<Vec<Offered>, Error> {
    let place = folder(home);
    let failed = |why| Error::NotOpened { path: place.clone(), why };
    let opened = match Folder::open(&place) {
        Err(NotOpened::Gone) => return Ok(vec![]),
        other => other.map_err(failed)?,
    };
    let names = opened.names().map_err(failed)?.filter_map(Result::ok);
    let mut names: Vec<_> =
        names.filter(|name| !name.as_encoded_bytes().starts_with(b".")).take(MOST).collect();
    names.sort();
    let look = |name| {
        let folder = place.join(name);
        let form = tree::open_source(&folder).and_then(|opened| form::read(&opened));
        Offered { folder, form }
    };
    Ok(names.into_iter().map(look).collect())
}

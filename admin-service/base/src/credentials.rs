//! Secrets that the service's surroundings hand over: a variable, or a file of the service manager.

use std::env;
use std::path::Path;

use beneath::Folder;
use shared_types::id::SecretName;
use shared_types::secret::Secret;

/// The largest file that is read, in bytes.
const MOST: u64 = 64 * 1024;

/// A secret of this process: the variable of this name, else the file of this name in the folder that systemd made of
/// `LoadCredential=`.
pub fn find(name: &SecretName) -> Option<Secret> {
    let variable = env::var(name.as_str()).ok().filter(|value| !value.is_empty());
    variable.or_else(|| of_manager(Path::new(&env::var_os("CREDENTIALS_DIRECTORY")?), name)).map(Secret::new)
}

fn of_manager(folder: &Path, name: &SecretName) -> Option<String> {
    let text =
        Folder::open(folder).and_then(|folder| folder.file(name.as_str())).and_then(|file| file.text(MOST));
    text.ok().map(|text| text.trim_end_matches('\n').to_owned()).filter(|text| !text.is_empty())
}

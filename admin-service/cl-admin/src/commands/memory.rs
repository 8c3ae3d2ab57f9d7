//! `cl-admin memory`

use base::change::{change, planned};
use base::error::Error;
use base::folders::READABLE_FILE;
use base::home::Home;
use base::profiles;
use documents::edit::Change;
use pipeline::profiles::Fault as ProfileFault;
use serde_json::json;
use shared_types::exit;
use shared_types::id::ProfileId;
use shared_types::memory::Keep;
use shared_types::proposal::Fault;

use crate::commands::out::outln;

/// For how long the profiles' memories are kept
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Set for how long a profile's memory is kept
    ///
    /// The bot removes older facts and messages itself, a day after it first found them too old. Backups that were made before
    /// still hold them.
    Keep {
        /// `forever`, or a number of days as in `90 days` or `90d`
        #[arg(value_name = "PERIOD", required = true, num_args = 1..=2)]
        period: Vec<String>,
        /// The profile
        #[arg(long, value_name = "ID", default_value = "default")]
        profile: ProfileId,
        /// Change nothing; say what would be changed, and how the bot counts what would go
        #[arg(long)]
        dry_run: bool,
    },
}

/// Sets the period.
///
/// # Errors
/// An invalid period, an unknown profile, a file that is left as it is, or a failing disk.
pub fn run(home: &Home, verb: &Verb) -> Result<u8, Error> {
    let Verb::Keep { period, profile, dry_run } = verb;
    let keep: Keep = period.join(" ").parse().map_err(Error::usage)?;
    let file = home.profile_file(profile);
    if !file.exists() {
        return Err(Error::failed(ProfileFault::NoProfile(profile.clone())));
    }
    let changes = [("/memory/keep", Change::Put(json!(keep)))];
    let changed = if *dry_run {
        let text = planned(&file, &changes)?;
        check(home, &file, &text)?;
        outln!("nothing was changed; {} would say `memory: {{keep: {keep}}}`", file.display());
        false
    } else {
        change(&file, READABLE_FILE, &changes, |text| check(home, &file, text))?
    };
    match keep {
        Keep::Forever => outln!("`{profile}` keeps its memory until somebody forgets it"),
        Keep::Days(_) => {
            outln!("`{profile}` keeps its memory for {keep}");
            outln!("chats that start from now on remove what is older, a day after they first find it");
            outln!("to count it: cl-bot --profile {profile} memory prune --keep \"{keep}\" --dry-run");
            outln!("backups that were made before still hold it");
        }
    }
    if !changed && !dry_run {
        outln!("it was so before");
    }
    Ok(exit::DONE)
}

fn check(home: &Home, file: &std::path::Path, text: &str) -> Result<(), Error> {
    profiles::parse(home, text)
        .map(drop)
        .map_err(|faults: Vec<Fault>| Error::Config { file: file.to_owned(), faults })
}

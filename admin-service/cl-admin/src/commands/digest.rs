//! `cl-admin digest`

use base::config::Config;
use base::error::Error;
use base::home::Home;
use jiff::Timestamp;
use ledger::Ledger;
use ledger::digests::{Digest, Digests};
use review::weekly::lines;
use review::words::Words;
use serde_json::json;
use service::weekly;
use shared_types::exit;
use shared_types::id::ProfileId;

use crate::commands::out::{self, outln};

/// Show the weekly digests of children's and teenagers' profiles: counts by kind, and no word of what was said
///
/// `weekly_digest:` in admin.yaml names the profiles. A digest is shown here once its person has seen it, and two days after it was
/// made at the latest.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Those of one profile
    #[arg(value_name = "PROFILE")]
    profile: Option<ProfileId>,
    /// Print one JSON value a line
    #[arg(long)]
    json: bool,
}

/// Shows them.
///
/// # Errors
/// A configuration with faults, or one that does not fit the profiles.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let config = Config::read(home)?;
    let ledger = Ledger::read(home)?;
    let mut all: Vec<(&ProfileId, &Digests)> = ledger.schedules().all_digests().collect();
    all.retain(|(profile, _)| args.profile.as_ref().is_none_or(|one| one == *profile));
    let (now, words) = (Timestamp::now(), Words::of_home(home));
    let mut is_empty = true;
    for (profile, digests) in all {
        let shown = weekly::shown(home, profile);
        for digest in digests.kept() {
            is_empty = false;
            show(profile, digest, (shown, now), args.json, words);
        }
    }
    if is_empty && !args.json {
        outln!("{}", if config.weekly_digest.is_some() { NONE_YET } else { NOT_LISTED });
    }
    // What was made before stays readable; the list is put right all the same.
    config.checked(home)?;
    Ok(exit::DONE)
}

/// That no week is over yet.
const NONE_YET: &str = "no digest yet; each is made at the day and time of `weekly_digest` in admin.yaml";
/// That nobody's week is counted.
const NOT_LISTED: &str =
    "no digest; `weekly_digest: {profiles: [NAME]}` in admin.yaml counts the weeks of a child's profile";

fn show(profile: &ProfileId, digest: &Digest, (shown, now): (u64, Timestamp), json: bool, words: Words) {
    let is_open = weekly::is_open(digest, shown, now);
    if json {
        out::json(&json!({
            "profile": profile, "number": digest.number, "from": digest.from.to_string(), "until": digest.until.to_string(),
            "shown": digest.number <= shown, "counts": is_open.then_some(digest.counts),
            "latest": weekly::latest(digest).to_string(),
        }));
        return;
    }
    let (from, until) = weekly::days(digest);
    if is_open {
        outln!("{profile}, {from} to {until}");
        outln!("{}", lines(words, &digest.counts));
    } else {
        let latest = weekly::latest(digest);
        outln!(
            "{profile}, {from} to {until}: its person sees it first; it is shown here at {latest} at the latest"
        );
    }
}

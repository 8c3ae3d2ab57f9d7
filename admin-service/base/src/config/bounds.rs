//! How much the bot may ask for: files at once, work in a day, room in `data/`.

use std::time::Duration;

use shared_types::settings::Section;

/// How fast files of proposals are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flood {
    /// For all folders of one user of the system together.
    pub user: Rate,
    /// For one profile, so that it leaves something to the others.
    pub profile: Rate,
}

/// How many at once, and how many more with every minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// At once.
    pub burst: u32,
    pub per_minute: u32,
}

/// What may be spent on one calendar day in UTC, over all profiles; of files each profile has an equal share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budgets {
    /// Files that are looked at and ask for no action, regardless of what becomes of them.
    pub proposals: u64,
    /// Actions that are taken in.
    pub actions: u64,
    /// Tokens of the models that write source, those that are sent and those that come back.
    pub model_tokens: u64,
    /// Time of the compiler.
    pub compile: Duration,
}

/// How much `data/` may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataLimit {
    /// Space on the disk, in bytes.
    pub bytes: u64,
    /// Files, folders and everything else that has an inode.
    pub files: u64,
}

impl Flood {
    pub(super) fn read(top: &Section) -> Flood {
        let below = top.section("flood");
        Flood {
            user: Rate { burst: below.number("burst") as u32, per_minute: below.number("per_minute") as u32 },
            profile: Rate {
                burst: below.number("profile_burst") as u32,
                per_minute: below.number("profile_per_minute") as u32,
            },
        }
    }
}

impl Budgets {
    pub(super) fn read(top: &Section) -> Budgets {
        let below = top.section("budgets");
        Budgets {
            proposals: below.number("proposals"),
            actions: below.number("actions"),
            model_tokens: below.number("model_tokens"),
            compile: Duration::from_secs(below.number("compile_seconds")),
        }
    }
}

impl DataLimit {
    pub(super) fn read(top: &Section) -> DataLimit {
        let below = top.section("data_limit");
        DataLimit { bytes: below.number("megabytes") << 20, files: below.number("files") }
    }
}

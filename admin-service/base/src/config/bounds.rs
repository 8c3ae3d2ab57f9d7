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

/// So many at once, and so many more with every minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// At once.
    pub burst: u32,
    /// A minute.
    pub per_minute: u32,
}

/// What may be spent on one calendar day in UTC, over all profiles; of files each profile has an equal share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budgets {
    /// Files that are looked at and ask for no action, whatever becomes of them.
    pub proposals: u64,
    /// Actions that are taken in.
    pub actions: u64,
    /// Tokens of the models that write source, those that are sent and those that come back.
    pub model_tokens: u64,
    /// Time of the compiler.
    pub compile: Duration,
}

/// How much may lie in `data/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataLimit {
    /// Space on the disk, in bytes.
    pub bytes: u64,
    /// Files, folders and whatever else has an inode.
    pub files: u64,
}

impl Flood {
    pub(super) fn read(top: &mut Section) -> Flood {
        let mut below = top.section("flood");
        let flood = Flood {
            user: Rate {
                burst: below.number("burst", 120, 1..=10_000) as u32,
                per_minute: below.number("per_minute", 60, 1..=10_000) as u32,
            },
            profile: Rate {
                burst: below.number("profile_burst", 60, 1..=10_000) as u32,
                per_minute: below.number("profile_per_minute", 30, 1..=10_000) as u32,
            },
        };
        top.close(below);
        flood
    }
}

impl Budgets {
    pub(super) fn read(top: &mut Section) -> Budgets {
        let mut below = top.section("budgets");
        let budgets = Budgets {
            proposals: below.number("proposals", 500, 1..=1_000_000),
            actions: below.number("actions", 2_000, 1..=1_000_000),
            model_tokens: below.number("model_tokens", 1_000_000, 0..=1_000_000_000_000),
            compile: Duration::from_secs(below.number("compile_seconds", 3600, 1..=86_400)),
        };
        top.close(below);
        budgets
    }
}

impl DataLimit {
    pub(super) fn read(top: &mut Section) -> DataLimit {
        let mut below = top.section("data_limit");
        let limit = DataLimit {
            bytes: below.number("megabytes", 4096, 1..=16_777_216) << 20,
            files: below.number("files", 200_000, 20..=100_000_000),
        };
        top.close(below);
        limit
    }
}

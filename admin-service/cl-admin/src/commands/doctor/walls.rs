//! The walls: around the bot, and around everything that the service starts.

use base::home::Home;
use base::layout::{self, Users};
use builder::workers;
use confine::{Confinement, Tier, View};

use super::look::Look;

/// How well the bot will be confined, and whether that is what is asked for.
pub(super) fn isolation(home: &Home) -> Look {
    let (tier, held, own_user) = reached(home);
    let words = format!("the bot reaches `{tier}` ({held})");
    if !held.governs_files() || !held.seccomp {
        return Look::fail("isolation", words, remedy());
    }
    match layout::least_isolation(home) {
        Err(why) => Look::fail("isolation", why.to_string(), "`cl-bot config validate` tells every fault"),
        Ok(minimum) if tier < minimum => Look::fail(
            "isolation",
            format!("{words}, and `security.minimum_isolation` asks for `{minimum}`: the bot does not start"),
            "give the bot its own user (`security.user`), or ask for less in config/default.yaml",
        ),
        Ok(_) if own_user => Look::pass("isolation", words),
        Ok(_) => Look::warn(
            "isolation",
            words,
            "bot and admin share a user: the kernel's sandbox is what holds; `security.user` gives the bot its own",
        ),
    }
}

/// The tier that the bot reaches on this machine, by what, and whether it has a user of its own.
pub(in crate::commands) fn reached(home: &Home) -> (Tier, Confinement, bool) {
    let walls = workers::walls();
    let mut held = confine::support().reachable();
    if held.landlock_abi.is_none() && walls.as_ref().is_ok_and(|walls| walls.view) {
        held.view = View::Own;
    }
    let own_user = Users::of(home).is_ok_and(|users| users.bot.is_some());
    (confine::tier(&held, own_user), held, own_user)
}

/// Whether a child of the service can be confined, and by what.
pub(super) fn children() -> Look {
    let walls = match workers::walls() {
        Ok(walls) => walls,
        Err(fault) => return Look::fail("children", fault.to_string(), remedy()),
    };
    if let Some(lacks) = walls.lacks {
        let words = format!("no child can be confined, so proposals, commands and plugins wait: {lacks}");
        return Look::fail("children", words, remedy());
    }
    let words = format!("held by {}", walls.held);
    if walls.view {
        return Look::pass("children", words);
    }
    let refused = walls.refused.unwrap_or_else(|| "it was not tried".to_owned());
    let signals = if walls.signals { "" } else { ", and can signal processes of its own user" };
    let words = format!(
        "{words}; without its own root ({refused}) a child can see which files of other users exist{signals}"
    );
    Look::warn("children", words, remedy())
}

/// What helps where walls are missing: what this system forbids, or else a newer kernel.
fn remedy() -> String {
    let forbids = confine::forbidding();
    if nix::unistd::geteuid().is_root() || forbids.is_empty() {
        return "a kernel with seccomp, and Landlock 3 or later or user namespaces; a container must let cl-admin mount \
                or make user namespaces"
            .to_owned();
    }
    let each =
        forbids.iter().map(|forbids| format!("{forbids} forbids user namespaces: {}", forbids.remedy()));
    each.collect::<Vec<_>>().join("; ")
}

//! Whether people are notified that something waits for them, whether the bot may run, and whether a decision has room.

use std::fs;
use std::os::unix::fs::MetadataExt;

use base::config::Config;
use base::home::Home;
use service::notify;
use shared_types::text::cut;

use super::look::Look;

/// How each notifier fared last.
pub(super) fn notifiers(home: &Home) -> Vec<Look> {
    let Ok(config) = Config::read(home) else {
        // What is wrong with the configuration is a line of its own.
        return vec![];
    };
    let mut looks = vec![];
    // One that is a person's own sends their reminders alone.
    if config.telling.notifiers.iter().all(|notifier| notifier.person.is_some()) {
        let next = "name one below `notifiers` in admin.yaml; `cl-admin list` tells what waits";
        looks.push(Look::warn("notifiers", "nobody is notified when something waits for a person", next));
    }
    let look = |state: notify::State| match state.fault {
        Some((since, why)) => {
            let words = format!("{} ({}) fails since {since}: {}", state.name, state.kind, cut(&why, 200));
            let next =
                format!("`cl-admin notify test {}` tries it; it is tried again automatically", state.name);
            Look::warn("notifiers", words, next)
        }
        None => {
            let told = state
                .told_at
                .map_or_else(|| "nothing to tell so far".to_owned(), |at| format!("told last {at}"));
            Look::pass("notifiers", format!("{} ({}): {told}", state.name, state.kind))
        }
    };
    looks.extend(notify::state(home, &config.telling).into_iter().map(look));
    looks
}

/// Whether the bot is stopped because its folder is full.
pub(super) fn halt(home: &Home) -> Look {
    match fs::read_to_string(home.halt()) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Look::pass("halt", "the bot may run"),
        Err(e) => {
            let next = "the bot does not start while it cannot be read";
            Look::fail("halt", format!("{}: {e}", home.halt().display()), next)
        }
        Ok(why) => {
            let next =
                "make room in data/, or raise `data_limit` in admin.yaml; the service then lets it run again";
            Look::fail("halt", format!("the bot is stopped: {}", cut(why.trim(), 300)), next)
        }
    }
}

/// Whether the emergency stop holds.
pub(super) fn stop(home: &Home) -> Look {
    match base::stop::holds(home) {
        None => Look::pass("stop", "no emergency stop holds"),
        Some(why) => {
            let next = "`cl-admin estop --clear`, once you know why";
            Look::warn("stop", format!("the emergency stop holds: {}", cut(&why, 300)), next)
        }
    }
}

/// Whether the room for a person's decision is kept.
pub(super) fn reserve(home: &Home) -> Look {
    let path = home.reserve();
    match fs::metadata(&path) {
        Ok(facts) if facts.blocks() * 512 >= facts.size() && facts.size() > 0 => Look::pass(
            "reserve",
            format!("{} KiB are kept for a decision on a full disk", facts.size() >> 10),
        ),
        Ok(_) => {
            let next = "make room on the disk; the service takes it again automatically";
            Look::warn("reserve", "no room is kept for a decision on a full disk", next)
        }
        Err(e) => {
            let next = "`cl-admin run --once`, or the next start of the service, makes it";
            Look::warn("reserve", format!("{}: {e}", path.display()), next)
        }
    }
}

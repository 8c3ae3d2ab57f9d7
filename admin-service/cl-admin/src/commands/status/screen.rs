//! The status on one screen of 80 columns and 24 lines: a word, and what there is to say, in plain text.

use shared_types::text::{cut, line};

use super::facts::{Disk, Facts};

/// The width of the words at the left.
const LABEL: usize = 11;
/// The width of what there is to say.
const WIDTH: usize = 79 - LABEL;
/// The most characters of one entry: two lines.
const MOST: usize = 2 * WIDTH - 8;
/// The most alarms that are named.
const ALARMS: usize = 2;

pub(super) fn lines(facts: &Facts) -> Vec<String> {
    let mut lines = vec![];
    let mut add = |label: &str, words: &str| {
        for (at, part) in wrapped(&cut(&line(words), MOST)).iter().enumerate() {
            lines.push(format!("{:LABEL$}{part}", if at == 0 { label } else { "" }).trim_end().to_owned());
        }
    };
    add("home", &facts.home);
    add(
        "service",
        &match facts.service {
            Some(pid) => format!("runs as process {pid}; {}", chats(facts.chats)),
            None => {
                let starts = "cl-admin up, or cl-admin service start where it is installed";
                format!("does not run: {starts}; {}", chats(facts.chats))
            }
        },
    );
    add("waiting", &waiting(facts));
    add("stop", &stop(facts));
    if let Some(why) = &facts.halt {
        add("full", &format!("the bot is stopped: {why}"));
    }
    let isolation = &facts.isolation;
    let shared = if isolation.own_user { "" } else { "; bot and service share a user" };
    add("isolation", &format!("{}{shared} ({})", isolation.tier, isolation.held));
    add("skills", &format!("{} learned", facts.skills));
    match &facts.configuration {
        Some(why) => add("settings", why),
        None => add("models", &format!("skills are written by {}", facts.models.join(", "))),
    }
    add("disk", &disk(&facts.disk));
    if facts.alarms.is_empty() {
        add("alarms", "none");
    }
    for alarm in facts.alarms.iter().take(ALARMS) {
        add("ALARM", alarm);
    }
    if facts.alarms.len() > ALARMS {
        add("ALARM", &format!("and {} more: cl-admin audit list", facts.alarms.len() - ALARMS));
    }
    if let Some(next) = &facts.next_run {
        add("next run", &format!("{} at {}", next.name, next.at));
    }
    add(
        "backup",
        &facts
            .backup
            .as_ref()
            .map_or("none".to_owned(), |last| format!("{} {}", last.at, last.file.display())),
    );
    lines
}

fn chats(count: usize) -> String {
    match count {
        0 => "no chat".to_owned(),
        1 => "1 chat".to_owned(),
        count => format!("{count} chats"),
    }
}

fn waiting(facts: &Facts) -> String {
    let mut parts: Vec<String> = vec![];
    for (what, count) in facts.waiting.iter().filter(|(_, count)| **count > 0) {
        parts.push(match *what {
            "person" => format!("{count} for you: cl-admin review"),
            other => format!("{count} for {other}"),
        });
    }
    match facts.files {
        0 => {}
        1 => parts.push("1 file of a proposal that is not read yet".to_owned()),
        files => parts.push(format!("{files} files of proposals that are not read yet")),
    }
    if parts.is_empty() { "nothing".to_owned() } else { parts.join("; ") }
}

fn stop(facts: &Facts) -> String {
    match &facts.stop {
        Some(why) => format!("EMERGENCY STOP: {why}; cl-admin estop --clear"),
        None if !facts.stopped_profiles.is_empty() => {
            format!("stopped by the profile itself: {}", facts.stopped_profiles.join(", "))
        }
        None => "none".to_owned(),
    }
}

fn disk(disk: &Disk) -> String {
    let mb = |bytes: u64| format!("{} MB", bytes >> 20);
    let limit = |limit: Option<String>| limit.map(|limit| format!(" of {limit}")).unwrap_or_default();
    let data = match (disk.data_bytes, disk.data_files) {
        (Some(bytes), Some(files)) => format!(
            "data holds {}{}{} in {files}{} files",
            if disk.counted_all { "" } else { "at least " },
            mb(bytes),
            limit(disk.limit_bytes.map(mb)),
            limit(disk.limit_files.map(|files| files.to_string())),
        ),
        _ => "data cannot be listed".to_owned(),
    };
    let free = disk.free_bytes.map_or("free space unknown".to_owned(), |bytes| format!("{} free", mb(bytes)));
    format!("{data}; {free}")
}

/// A text in lines of at most [`WIDTH`] characters, at spaces where there are any.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let mut rest: Vec<char> = word.chars().collect();
        let used = lines.last().map_or(0, |line| line.chars().count());
        if used > 0 && used + 1 + rest.len() > WIDTH {
            lines.push(String::new());
        }
        while rest.len() > WIDTH {
            let piece: String = rest.drain(..WIDTH).collect();
            if let Some(line) = lines.last_mut() {
                *line = piece;
            }
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.extend(rest);
        }
    }
    lines
}

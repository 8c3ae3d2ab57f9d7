//! `cl-bot receipt`: what is on record of the calls of tools.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader};

use bot_base::error::{Error, say};
use bot_base::paths::{Folder, PathError};
use clap::{Args, Subcommand, ValueEnum};
use ports::{Opened, Places};
use receipts::head::{self, HeadError, Log};
use receipts::{Against, Head, Receipt, Report, Status};
use serde_json::json;
use shared_types::id::ProfileId;
use shared_types::{exit, text};

use super::Format;
use crate::start::Options;

/// What can be done with receipts.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// List the attempted calls, oldest first: when, what became of it, at which risk, who let it happen, the tool
    List(List),
    /// Read the whole chain and name the first link that does not hold; the exit code is 4 then
    Verify(Format),
}

/// Which are listed, and how.
#[derive(Debug, Args)]
pub struct List {
    /// The newest N
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Only those of this tool, or of every tool of a skill, as in `clock.*`
    #[arg(long, value_name = "TOOL")]
    tool: Option<String>,
    /// Only those with this status
    #[arg(long, value_enum)]
    status: Option<Wanted>,
    #[command(flatten)]
    format: Format,
}

/// What became of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Wanted {
    /// It was made, and answered
    Allowed,
    /// It was not made
    Denied,
    /// It was made, and failed
    Failed,
}

/// Does it.
pub(super) fn run(options: &Options, verb: &Verb) -> Result<u8, Error> {
    let (kernel, ctx) = super::booted(options)?;
    let opened = Places::of(&kernel);
    match verb {
        Verb::List(list) => listed(opened, list),
        Verb::Verify(format) => verify(opened, &ctx.shared().profile, *format),
    }
}

fn listed(opened: &Opened, list: &List) -> Result<u8, Error> {
    let rows = newest(opened, list.limit.unwrap_or(usize::MAX), |receipt| list.wants(receipt))?;
    if rows.is_empty() && !list.format.json {
        say("nothing: no call of a tool that fits is on record");
    }
    for receipt in rows {
        super::print(&if list.format.json {
            shared_types::json::escaped(&receipt.line())
        } else {
            row(&receipt)
        });
    }
    Ok(exit::DONE)
}

/// The newest `most` of the receipts that are wanted, oldest first.
///
/// # Errors
/// A file that cannot be read.
pub fn newest(
    opened: &Opened,
    most: usize,
    wants: impl Fn(&Receipt) -> bool,
) -> Result<VecDeque<Receipt>, Error> {
    let files = opened.receipts.files();
    let failed = |e| Error::io(files.path())(e);
    let mut rows = VecDeque::new();
    for name in receipts::files::segments(files).map_err(failed)? {
        let Some(file) = files.open(&name).map_err(failed)? else { continue };
        for (n, line) in BufReader::new(file).lines().enumerate() {
            let Ok(receipt) = serde_json::from_slice::<Receipt>(line.map_err(failed)?.as_bytes()) else {
                say(&format!("{name}, line {} is not a receipt; `cl-bot receipt verify` says more", n + 1));
                continue;
            };
            if wants(&receipt) {
                rows.push_back(receipt);
            }
            if rows.len() > most {
                rows.pop_front();
            }
        }
    }
    Ok(rows)
}

impl List {
    fn wants(&self, receipt: &Receipt) -> bool {
        let of_tool = |tool: &str| match tool.strip_suffix(".*") {
            Some(skill) => receipt.tool.strip_prefix(skill).is_some_and(|rest| rest.starts_with('.')),
            None => receipt.tool == tool,
        };
        self.tool.as_deref().is_none_or(of_tool)
            && self.status.is_none_or(|wanted| match receipt.status {
                Status::Allowed => wanted == Wanted::Allowed,
                Status::Denied => wanted == Wanted::Denied,
                Status::Failed => wanted == Wanted::Failed,
            })
    }
}

fn row(receipt: &Receipt) -> String {
    format!(
        "{:24}  {:7}  {:7}  {:8}  {}",
        text::line(&receipt.timestamp),
        receipt.status.as_str(),
        receipt.risk.as_str(),
        text::line(&receipt.approved_by),
        text::line(&receipt.tool)
    )
}

fn verify(opened: &Opened, profile: &ProfileId, format: Format) -> Result<u8, Error> {
    let (report, head, wrong) = audited(opened, profile)?;
    if format.json {
        super::print_json(&as_json(&report, head.as_ref(), wrong.as_deref()));
    } else {
        told(&report, head.as_ref(), wrong.as_deref());
    }
    Ok(if wrong.is_some() { exit::INTEGRITY } else { exit::DONE })
}

/// Reads the whole chain beside the admin's signed head; the last part says what does not hold.
///
/// # Errors
/// A file that cannot be read.
pub fn audited(
    opened: &Opened,
    profile: &ProfileId,
) -> Result<(Report, Option<Head>, Option<String>), Error> {
    let (files, log) = (opened.receipts.files(), Log::Receipts(profile.clone()));
    let (head, unbelieved) = match published(&opened.config, &log) {
        Ok(head) => (head, None),
        Err(why) => (None, Some(why.to_string())),
    };
    let report = receipts::audit(files, head.as_ref(), opened.receipts.key())
        .map_err(|e| Error::io(files.path())(e))?;
    let wrong = report.wrong().or(unbelieved);
    Ok((report, head, wrong))
}

fn told(report: &Report, head: Option<&Head>, wrong: Option<&str>) {
    if let Some(wrong) = wrong {
        super::print(&format!("BROKEN: {}", text::line(wrong)));
        say("hint: `cl-admin audit verify` says what the admin knows of it");
        return;
    }
    let begin = head.and_then(|head| head.begin.as_ref()).map_or(0, |begin| begin.count);
    super::print(&match report.end.count - begin {
        1 => "1 receipt holds".to_owned(),
        count => format!("{count} receipts hold"),
    });
    if begin > 0 {
        super::print(&format!("the {begin} before them failed the check, and a person acknowledged that"));
    }
    match (&report.against, head) {
        (Against::Holds { beyond: 0 }, Some(head)) => {
            super::print(&format!(
                "all of them are signed by the admin, the last time at {}",
                text::line(&head.at)
            ));
        }
        (Against::Holds { beyond }, Some(_)) => {
            super::print(&format!(
                "the last {beyond} are not signed by the admin yet; a running service does that"
            ));
        }
        _ => super::print("none is signed by the admin yet: that the newest are all there is not proven"),
    }
    if report.sealed > 0 {
        super::print(&format!("{} carry a code of the profile's key", report.sealed));
    }
    if report.torn > 0 {
        super::print("a last line was cut off while it was written; it never counted");
    }
}

fn as_json(report: &Report, head: Option<&Head>, wrong: Option<&str>) -> serde_json::Value {
    let fault = report.fault.as_ref();
    json!({
        "holds": wrong.is_none(),
        "receipts": report.end.count,
        "bytes": report.end.bytes,
        "last": report.end.hash,
        "sealed": report.sealed,
        "torn_bytes": report.torn,
        "signed": head.map(|head| head.end.count),
        "signed_at": head.map(|head| &head.at),
        "wrong": wrong,
        "receipt": fault.map(|f| f.receipt),
        "file": fault.map(|f| &f.file),
        "line": fault.map(|f| f.line),
    })
}

/// Why a head that is there does not count.
#[derive(Debug, thiserror::Error)]
enum Unbelieved {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] PathError),
    /// The admin did not sign it, or it is another log's.
    #[error("the signed head config/{name}: {source}")]
    Head {
        /// The file.
        name: String,
        /// What is wrong with it.
        source: HeadError,
    },
}

/// The signed head that the admin published; nothing where there is none yet.
fn published(config: &Folder, log: &Log) -> Result<Option<Head>, Unbelieved> {
    let name = format!("heads/{}", log.file_name());
    let bytes = match config.read(&name, head::MOST_BYTES) {
        Ok(bytes) => bytes,
        Err(e) if e.is_missing() => return Ok(None),
        Err(e) => return Err(e.into()),
    };
    let trust = config.read_text("trust.pub", head::MOST_BYTES)?;
    Head::read(&bytes, &trust, log).map(Some).map_err(|source| Unbelieved::Head { name, source })
}

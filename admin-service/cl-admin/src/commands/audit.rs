//! `cl-admin audit`

mod export;

use std::path::Path;

use api::Request;
use audit::{evidence, heads, watch};
use base::error::Error;
use base::home::{DataPath, Home};
use beneath::NotOpened;
use ledger::Ledger;
use receipts::head::Log;
use receipts::{Against, Head};
use serde_json::json;
use service::session::submit;
use shared_types::exit;
use shared_types::id::{ApproverId, ProfileId};
use shared_types::text;

use crate::commands::out::{self, outln};
use export::Form;

/// A reason that is not kept.
#[derive(Debug, thiserror::Error)]
#[error("--reason must be 1 to 2000 bytes: it is what stays on record")]
struct Reason;

/// Verify what is on record, and take note of alarms about it
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Read every chain against its signed head: the journal, the receipts of each profile and of the admin, the
    /// network's logs. Exit 4 when one does not hold
    Verify {
        /// One JSON object a line: log, holds, records, signed, wrong
        #[arg(long)]
        json: bool,
    },
    /// List the alarms that nobody has acknowledged yet
    List {
        /// One JSON object a line: id, log, what, at
        #[arg(long)]
        json: bool,
    },
    /// Write the journal's records and the signed heads of receipts for an office: ids, kinds, tokens and digests, no words of
    /// people or models
    #[command(group = clap::ArgGroup::new("form").required(true))]
    Export {
        /// Comma-separated values, each cell in quotes
        #[arg(long, group = "form")]
        csv: bool,
        /// Lines of syslog (RFC 5424)
        #[arg(long, group = "form")]
        syslog: bool,
    },
    /// Take note of the alarm about a profile's receipts; they are watched again from that state on
    Acknowledge {
        /// The profile
        #[arg(required_unless_present = "admin")]
        profile: Option<ProfileId>,
        /// The admin's own receipts instead of a profile's
        #[arg(long, conflicts_with = "profile")]
        admin: bool,
        /// Why it may stay so; it is recorded
        #[arg(long, value_name = "TEXT")]
        reason: String,
        /// Who takes note
        #[arg(long, value_name = "NAME", default_value = "owner")]
        approver: ApproverId,
    },
}

/// Does it.
///
/// # Errors
/// A journal that cannot be read (`list`), or an alarm that is not there.
pub fn run(home: &Home, verb: &Verb) -> Result<u8, Error> {
    match verb {
        Verb::Verify { json } => Ok(verify(home, *json)),
        Verb::List { json } => list(home, *json),
        Verb::Export { csv, syslog: _ } => export::run(home, if *csv { Form::Csv } else { Form::Syslog }),
        Verb::Acknowledge { profile, admin: _, reason, approver } => {
            if reason.trim().is_empty() || reason.len() > 2000 {
                return Err(Error::usage(Reason));
            }
            let by = approver.clone();
            let log = profile.clone().map_or(Log::Admin, Log::Receipts);
            outln!("{}", submit(home, Request::Acknowledge { log, by, reason: reason.clone() })?);
            Ok(exit::DONE)
        }
    }
}

/// Says on stderr which alarms are open.
pub(super) fn warn(ledger: &Ledger) {
    for (log, alarm) in ledger.alarms().open() {
        eprintln!("ALARM about {log}: {}; `cl-admin audit list` says what to do", text::line(&alarm.what));
    }
}

fn list(home: &Home, json: bool) -> Result<u8, Error> {
    let ledger = Ledger::read(home)?;
    for (log, alarm) in ledger.alarms().open() {
        if json {
            let row = json!({"id": alarm.id, "log": log, "what": alarm.what, "at": alarm.at});
            out::json(&row);
        } else {
            outln!("{}  ALARM about {log}: {}", text::line(&alarm.at), text::line(&alarm.what));
        }
    }
    if !json && ledger.alarms().open().next().is_none() {
        eprintln!("no alarm is open");
    } else if !json {
        eprintln!(
            "hint: find out who can write there; then `cl-admin audit acknowledge PROFILE --reason TEXT` watches the log anew"
        );
    }
    Ok(exit::DONE)
}

/// What one chain came to.
struct Row {
    log: String,
    records: Option<u64>,
    signed: Option<u64>,
    wrong: Option<String>,
}

fn verify(home: &Home, json: bool) -> u8 {
    let mut rows = vec![journal(home)];
    for log in watch::logs(home) {
        rows.push(receipts_of(home, &log));
    }
    for profile in evidence::profiles(home) {
        rows.extend(home.net_logs(&profile).iter().filter_map(net));
    }
    for row in &rows {
        row.show(json);
    }
    if rows.iter().any(|row| row.wrong.is_some()) { exit::INTEGRITY } else { exit::DONE }
}

fn journal(home: &Home) -> Row {
    let log = "the journal".to_owned();
    let wrong = match Ledger::read(home) {
        Ok(_) => None,
        Err(Error::Journal(fault)) => Some(fault.to_string()),
        Err(error) => Some(error.to_string()),
    };
    Row {
        log,
        records: durable::verify(&home.journal()).ok().map(|(records, _)| records),
        signed: None,
        wrong,
    }
}

fn receipts_of(home: &Home, log: &Log) -> Row {
    let name = log.to_string();
    let failed = |wrong: String| Row { log: name.clone(), records: None, signed: None, wrong: Some(wrong) };
    let (head, other) = match (heads::own(home, log), heads::published(home, log)) {
        (Ok(own), Ok(published)) => (own, published),
        (Err(error), _) | (_, Err(error)) => return failed(error.to_string()),
    };
    let report = match evidence::of(home, log) {
        Ok(Some(files)) => receipts::audit(&files, head.as_ref(), None),
        Ok(None) => {
            receipts::audit(&receipts::Disk::new(&home.admin().join("no-receipts")), head.as_ref(), None)
        }
        Err(error) => return failed(error.to_string()),
    };
    let report = match report {
        Ok(report) => report,
        Err(error) => return failed(error.to_string()),
    };
    let put_back = |own: &Head| {
        let stale = other.as_ref().is_none_or(|other| other != own);
        (*log != Log::Admin && stale)
            .then(|| "the head in config/heads is not the one that the admin signed last".to_owned())
    };
    let wrong = report.wrong().or_else(|| head.as_ref().and_then(put_back));
    let unsigned = match &report.against {
        Against::Holds { beyond } => *beyond,
        _ => 0,
    };
    Row {
        log: name,
        records: Some(report.end.count),
        signed: head.map(|_| report.end.count.saturating_sub(unsigned)),
        wrong,
    }
}

/// One of the two files of a network's log; nothing where it is not there.
fn net(place: &DataPath) -> Option<Row> {
    let log = format!("the network's log {place}");
    let verified = match place.file() {
        // The path is for the messages of the reader alone: it is given the file.
        Ok(opened) => durable::verify_file(opened.into_file(), Path::new(&place.to_string()))
            .map_err(|error| error.to_string()),
        Err(NotOpened::Gone) => return None,
        Err(why) => Err(format!("it {why}")),
    };
    let (records, wrong) = match verified {
        Ok((records, _)) => (Some(records), None),
        Err(wrong) => (None, Some(wrong)),
    };
    Some(Row { log, records, signed: None, wrong })
}

impl Row {
    fn show(&self, json: bool) {
        if json {
            let row = json!({
                "log": self.log, "holds": self.wrong.is_none(), "records": self.records,
                "signed": self.signed, "wrong": self.wrong.as_deref().map(text::line),
            });
            out::json(&row);
            return;
        }
        match &self.wrong {
            Some(wrong) => outln!("BROKEN  {}: {}", self.log, text::line(wrong)),
            None => {
                let signed = self.signed.map(|n| format!(", {n} of them signed")).unwrap_or_default();
                outln!("holds   {}: {} records{signed}", self.log, self.records.unwrap_or(0));
            }
        }
    }
}

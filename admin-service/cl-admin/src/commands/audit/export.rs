//! `cl-admin audit export`

use std::collections::BTreeSet;

use audit::{heads, watch};
use base::error::Error;
use base::home::Home;
use serde_json::Value;
use shared_types::exit;

use crate::commands::out::outln;

/// What of a record is evidence: ids, kinds, tokens, digests, serials. Texts of people and of models are not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Row {
    at: String,
    seq: u64,
    record: String,
    id: String,
    profile: String,
    name: String,
    by: String,
    from: String,
    to: String,
    tokens: String,
    sha256: String,
    serial: String,
}

/// The columns, in order.
const COLUMNS: [&str; 12] =
    ["at", "seq", "record", "id", "profile", "name", "by", "from", "to", "tokens", "sha256", "serial"];
/// Where in a record each column is looked for; the first place that has a value counts.
const PLACES: [(&str, &[&str]); 7] = [
    ("id", &["/id", "/proposal/id"]),
    ("profile", &["/profile", "/proposal/profile_id", "/log/profile"]),
    ("name", &["/name", "/entry/name", "/plugin/name", "/proposal/name"]),
    ("by", &["/by", "/approver", "/given/by"]),
    ("from", &["/from"]),
    ("to", &["/to", "/told", "/proposal/kind"]),
    ("serial", &["/serial", "/review/manifest_serial", "/head/end/count"]),
];
/// Where digests are.
const DIGESTS: [&str; 9] = [
    "/spec_sha256",
    "/source_sha256",
    "/sha256",
    "/digest",
    "/review/module_sha256",
    "/review/report_sha256",
    "/entry/module_sha256",
    "/backup",
    "/head/end/hash",
];
/// Where tokens are.
const TOKENS: [&str; 3] = ["/proposal/capabilities", "/entry/capabilities", "/capabilities"];

/// How the rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Csv,
    Syslog,
}

/// Writes every record of the journal, then how far each chain of receipts is signed.
///
/// # Errors
/// A journal that does not hold; the rows before are written.
pub(super) fn run(home: &Home, form: Form) -> Result<u8, Error> {
    if form == Form::Csv {
        outln!("{}", COLUMNS.join(","));
    }
    // The whole chain is verified first, against its signed head too.
    ledger::Ledger::read(home)?;
    let path = home.journal();
    let records = durable::replay(&path).map_err(Error::integrity)?;
    for record in records {
        let (seq, value) = record.map_err(Error::integrity)?;
        write(form, &Row::of(seq, &value));
    }
    for log in watch::logs(home) {
        let Some(head) = heads::own(home, &log)? else { continue };
        let value: Value = serde_json::from_str(&head.line())?;
        let row = Row { record: "receipts-signed".to_owned(), ..Row::of(head.end.count, &value) };
        write(form, &Row { sha256: text(value.pointer("/end/hash")), ..row });
    }
    Ok(exit::DONE)
}

fn write(form: Form, row: &Row) {
    let cells = row.cells();
    match form {
        Form::Csv => outln!("{}", cells.map(|cell| csv(&cell)).join(",")),
        Form::Syslog => outln!("{}", syslog(&cells)),
    }
}

impl Row {
    fn of(seq: u64, value: &Value) -> Row {
        let first = |name: &str| {
            let places =
                PLACES.iter().find(|(column, _)| *column == name).map_or(&[][..], |(_, places)| *places);
            places
                .iter()
                .map(|place| text(value.pointer(place)))
                .find(|found| !found.is_empty())
                .unwrap_or_default()
        };
        let all = |places: &[&str]| {
            let found: BTreeSet<String> = places
                .iter()
                .filter_map(|place| value.pointer(place))
                .flat_map(|value| match value {
                    Value::Array(items) => items.iter().map(|item| text(Some(item))).collect(),
                    one => vec![text(Some(one))],
                })
                .filter(|text| !text.is_empty())
                .collect();
            found.into_iter().collect::<Vec<_>>().join(" ")
        };
        Row {
            at: text(value.get("at")),
            seq,
            record: text(value.get("record")),
            id: first("id"),
            profile: first("profile"),
            name: first("name"),
            by: first("by"),
            from: first("from"),
            to: first("to"),
            tokens: all(&TOKENS),
            sha256: all(&DIGESTS),
            serial: first("serial"),
        }
    }

    fn cells(&self) -> [String; 12] {
        let Row { at, seq, record, id, profile, name, by, from, to, tokens, sha256, serial } = self.clone();
        [at, seq.to_string(), record, id, profile, name, by, from, to, tokens, sha256, serial]
    }
}

/// A value that is a plain word: ids, names, tokens, digests and times are. Anything longer or with other characters is left out.
fn text(value: Option<&Value>) -> String {
    let text = match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => return String::new(),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.' | '+');
    if text.len() <= 128 && text.chars().all(plain) { text } else { String::new() }
}

/// A cell that no spreadsheet takes for a formula.
fn csv(cell: &str) -> String {
    let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    format!("\"{}{}\"", if formula { "'" } else { "" }, cell.replace('"', "\"\""))
}

/// A line of RFC 5424: facility 13 (log audit), severity informational. The number of the element is the one for examples.
fn syslog(cells: &[String; 12]) -> String {
    let fields: String = COLUMNS
        .iter()
        .zip(cells)
        .skip(1)
        .filter(|(_, cell)| !cell.is_empty())
        .map(|(column, cell)| {
            format!(" {column}=\"{}\"", cell.replace('\\', "\\\\").replace('"', "\\\"").replace(']', "\\]"))
        })
        .collect();
    let at = if cells[0].is_empty() { "-" } else { &cells[0] };
    let kind = if cells[2].is_empty() { "-" } else { &cells[2] };
    format!("<110>1 {at} - cl-admin - {kind} [tameclaw@32473{fields}]")
}

#[cfg(test)]
mod tests;

//! `cl-admin analyze`

use std::path::{Path, PathBuf};

use base::config::Config;
use base::error::Error;
use base::home::Home;
use compose::graph::Graph;
use compose::rules::{Finding, Rules};
use compose::{grid, picture};
use ledger::Ledger;
use serde_json::json;

use crate::commands::out::{self, outln};

/// Two pictures for one output.
#[derive(Debug, thiserror::Error)]
#[error("only one of --svg and --dot can go to stdout")]
struct TwoOnStdout;

/// Show what all skills together can do: who holds and who reaches which capability, and what the rules say about it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print one JSON value
    #[arg(long)]
    json: bool,
    /// Print sentences instead of the grid, for a screen reader
    #[arg(long, conflicts_with = "json")]
    plain: bool,
    /// Write a picture of who reaches whom; `-` is stdout
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the same for Graphviz; `-` is stdout
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
}

/// Analyses the system as it is.
///
/// # Errors
/// A journal, configuration or rules file that cannot be read, or a picture that cannot be written.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let ledger = Ledger::read(home)?;
    let (rules, config) = (Rules::read(home)?, Config::read(home)?);
    let graph = Graph::of(ledger.nodes());
    let mut on_stdout = false;
    for (file, text) in [(&args.svg, picture::svg(&graph)), (&args.dot, picture::dot(&graph))] {
        let Some(file) = file else { continue };
        if file == Path::new("-") {
            if std::mem::replace(&mut on_stdout, true) {
                return Err(Error::usage(TwoOnStdout));
            }
            outln!("{}", text.trim_end());
        } else {
            durable::replace(file, text.as_bytes(), 0o644).map_err(Error::io(file))?;
            eprintln!("wrote {}", file.display());
        }
    }
    if on_stdout {
        return Ok(shared_types::exit::DONE);
    }
    let findings = rules.judge_all(&graph, &config.allowed_pairs);
    let rows = grid::rows(&graph);
    if args.json {
        let skills: Vec<_> = rows.iter().map(grid::Row::json).collect();
        out::json(&json!({"manifest_serial": ledger.serial(), "skills": skills, "findings": findings}));
    } else if args.plain {
        outln!("{}", grid::sentences(&rows).trim_end());
        say(&findings);
    } else {
        outln!("{}", grid::table(&rows).trim_end());
        let paths = grid::paths(&rows);
        if !paths.is_empty() {
            outln!("\nReached through others\n{}", paths.trim_end());
        }
        say(&findings);
    }
    Ok(shared_types::exit::DONE)
}

fn say(findings: &[Finding]) {
    if findings.is_empty() {
        outln!("\nNo finding: no rule has anything against these skills beside each other.");
        return;
    }
    outln!("\nFindings");
    for finding in findings {
        let kind = if finding.violation { "violation" } else { "finding" };
        outln!("{kind} [{}] {}", finding.rule, shared_types::text::line(&finding.text));
    }
}

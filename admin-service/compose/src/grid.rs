//! Who holds and who reaches which token: a grid of 80 columns, sentences, or JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};
use shared_types::capability::{Token, TokenSet};
use shared_types::text::cut;

use super::graph::{Graph, Node, Reach};

/// The widest name in the grid; the sentences below it hold the whole one.
const WIDEST: usize = 26;

/// One skill with all that it reaches.
#[derive(Debug)]
pub struct Row<'a> {
    /// The skill.
    pub node: &'a Node,
    /// What it reaches, its own tokens included.
    pub reached: Vec<Reach>,
}

/// A row for each skill.
pub fn rows(graph: &Graph) -> Vec<Row<'_>> {
    graph.nodes().map(|node| Row { node, reached: graph.effective(&node.name) }).collect()
}

impl Row<'_> {
    /// What it reaches through others only.
    pub fn through_others(&self) -> impl Iterator<Item = &Reach> {
        self.reached.iter().filter(|r| r.path.len() > 1 && !self.node.tokens.contains(r.token))
    }

    /// How many tokens it reaches in all.
    pub fn total(&self) -> usize {
        self.reached.iter().map(|r| r.token).collect::<TokenSet>().len()
    }

    /// The row as JSON.
    pub fn json(&self) -> Value {
        let reach = |r: &Reach| json!({"token": r.token, "private": r.private, "path": r.path});
        json!({
            "name": self.node.name,
            "version": self.node.version,
            "learned": self.node.version.is_some(),
            "own": self.node.tokens,
            "sends": self.node.emits,
            "receives": self.node.handles,
            "reached": self.reached.iter().map(reach).collect::<Vec<_>>(),
            "total": self.total(),
        })
    }

    fn kind(&self) -> String {
        self.node.version.map_or_else(|| "built in".into(), |v| format!("learned, version {v}"))
    }
}

/// The grid: a row for each skill, a column for each token.
pub fn table(rows: &[Row<'_>]) -> String {
    let width = rows.iter().map(|r| r.node.name.chars().count()).max().unwrap_or(5).clamp(5, WIDEST);
    let mut out = format!("{:width$}", "skill");
    for token in Token::ALL {
        let _ = write!(out, " {}", short(token));
    }
    out.push_str("  total\n");
    for row in rows {
        let name: String = row.node.name.chars().take(width).collect();
        let _ = write!(out, "{name:width$}");
        let others: TokenSet = row.through_others().map(|r| r.token).collect();
        for token in Token::ALL {
            let mark = match (row.node.tokens.contains(token), others.contains(token)) {
                (true, _) => "O",
                (false, true) => "r",
                (false, false) => "-",
            };
            let _ = write!(out, "  {mark}");
        }
        let _ = writeln!(out, "  {:5}", row.total());
    }
    out.push_str("\nO: its own.  r: reached through other skills.  -: neither.\n");
    let legend: Vec<String> = Token::ALL.map(|t| format!("{} {t}", short(t))).to_vec();
    for line in legend.chunks(5) {
        let _ = writeln!(out, "{}", line.join("  "));
    }
    out
}

/// The same as sentences, for a screen reader.
pub fn sentences(rows: &[Row<'_>]) -> String {
    let mut out = String::new();
    for row in rows {
        let _ = writeln!(out, "{} ({}) holds {}.", row.node.name, row.kind(), row.node.tokens);
        for reach in row.through_others() {
            let _ = writeln!(out, "  {}", by_path(row, reach));
        }
    }
    out
}

/// What each skill reaches through others, a line each; empty where nothing does.
pub fn paths(rows: &[Row<'_>]) -> String {
    let lines = rows.iter().flat_map(|row| row.through_others().map(move |reach| by_path(row, reach)));
    lines.map(|line| format!("{line}\n")).collect()
}

fn by_path(row: &Row<'_>, reach: &Reach) -> String {
    cut(&format!("{} reaches {} by {}", row.node.name, reach.token, reach.path.join(" -> ")), 400)
}

/// Two letters for a column.
fn short(token: Token) -> &'static str {
    match token {
        Token::UserInput => "ui",
        Token::UserOutput => "uo",
        Token::MemoryRead => "mr",
        Token::MemoryWrite => "mw",
        Token::LlmCall => "lc",
        Token::FileRead => "fr",
        Token::FileWrite => "fw",
        Token::AudioRead => "ar",
        Token::AudioWrite => "aw",
        Token::GpioRead => "gr",
        Token::GpioWrite => "gw",
        Token::NetworkRead => "nr",
        Token::NetworkWrite => "nw",
    }
}

//! The tables as one grid for a reader: which role may make which call, and where the call exists.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::*;

const SNAPSHOT: &str = include_str!("../../../snapshots/system-calls.txt");

#[test]
fn the_grid_of_calls_is_the_one_that_was_reviewed() {
    let grid = grid();
    if std::env::var_os("TAMECLAW_BLESS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/system-calls.txt"), &grid).unwrap();
        return;
    }
    assert_eq!(grid, SNAPSHOT, "a table has changed: TAMECLAW_BLESS=1 writes the grid anew, to be reviewed");
}

/// A dot where a role has no row, `yes` for any arguments, `if` for some.
fn grid() -> String {
    let mut lines: BTreeMap<&str, ([&str; 9], &str, &str)> = BTreeMap::new();
    for (column, role) in ROLES.into_iter().enumerate() {
        let policy = Policy::of(role);
        for table in policy.tables {
            for row in table.rows {
                let line = lines
                    .entry(row.name.trim_start_matches("SYS_"))
                    .or_insert((["."; 9], "both", row.reason));
                line.0[column] = match (policy.verdict, row.when.is_empty()) {
                    (Verdict::Allow, true) => "yes",
                    (Verdict::Allow, false) => "if",
                    (Verdict::Refuse, true) => "no",
                    (Verdict::Refuse, false) => "not if",
                };
                if table.only.is_some() {
                    line.1 = "x86-64";
                }
            }
        }
    }
    let mut text = String::from(
        "System calls by role. mind, net, door, pins, worker: what is not allowed is refused. The others: what is not refused is allowed.\n\
         `if` and `not if`: for some arguments only. clone3 does not exist for anybody.\n\n",
    );
    let mut row = |call: &str, roles: [&str; 9], on: &str, reason: &str| {
        let [mind, net, door, pins, worker, compiler, action, online, server] = roles;
        write!(text, "{call:<20} {mind:<5} {net:<5} {door:<5} {pins:<5} {worker:<7} {compiler:<9} ").unwrap();
        writeln!(text, "{action:<7} {online:<7} {server:<7} {on:<7} {reason}").unwrap();
    };
    row(
        "call",
        ["mind", "net", "door", "pins", "worker", "compiler", "action", "online", "server"],
        "exists",
        "reason",
    );
    for (call, (roles, on, reason)) in lines {
        row(call, roles, on, reason);
    }
    text
}

//! What is printed: medians, and for CPU time the best run in brackets, since neighbours only ever make it longer.

use std::fmt;
use std::time::Duration;

use crate::memory::Held;
use crate::time::Spent;

/// The table; each row is printed to stderr as it is measured.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<Row>,
}

/// One line of the table.
#[derive(Default)]
pub(crate) struct Row {
    figure: String,
    aim: String,
    cpu: String,
    memory: String,
    wall: String,
    note: String,
}

impl Table {
    /// Adds a row.
    pub(crate) fn add(&mut self, row: Row) {
        eprintln!(
            "{}",
            [&row.figure, &row.cpu, &row.memory, &row.wall, &row.note].map(String::as_str).join("  ")
        );
        self.rows.push(row);
    }
}

impl Row {
    /// A figure with its aim.
    pub(crate) fn new(figure: &str, aim: &str) -> Row {
        Row { figure: figure.to_owned(), aim: aim.to_owned(), ..Row::default() }
    }

    /// What the figure above is held against.
    pub(crate) fn baseline(figure: &str) -> Row {
        Row::new(&format!("  beside {figure}"), "")
    }

    /// The times of the runs.
    pub(crate) fn spent(mut self, runs: &[Spent]) -> Row {
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let cpu: Vec<f64> = runs.iter().map(|run| ms(run.cpu)).collect();
        let best = cpu.iter().copied().fold(f64::INFINITY, f64::min);
        self.cpu = format!("{:.2} ms ({best:.2})", median(&cpu));
        self.wall = format!("{:.2} ms", median(&runs.iter().map(|run| ms(run.wall)).collect::<Vec<_>>()));
        self.note(&format!("{} runs", runs.len()))
    }

    /// Wall times alone.
    pub(crate) fn walls(mut self, runs: &[Duration]) -> Row {
        let ms: Vec<f64> = runs.iter().map(|time| time.as_secs_f64() * 1000.0).collect();
        self.wall = format!("{:.2} ms", median(&ms));
        self.note(&format!("{} runs", runs.len()))
    }

    /// The peaks of resident memory, in KiB.
    pub(crate) fn peaks(mut self, peaks: &[u64]) -> Row {
        self.memory = format!("{} MiB", mib(peaks.iter().copied()));
        self
    }

    /// What was held and done at rest; of what was done the worst run counts.
    pub(crate) fn held(mut self, held: &[Held]) -> Row {
        let (rss, pss) = (mib(held.iter().map(|h| h.rss)), mib(held.iter().map(|h| h.pss)));
        self.memory = format!("Rss {rss} MiB, Pss {pss} MiB");
        let processes = median(&held.iter().map(|h| h.processes as f64).collect::<Vec<_>>());
        let most = |of: fn(&Held) -> u64| held.iter().map(of).max().unwrap_or_default();
        let (ticks, wakeups) = (most(|h| h.ticks), most(|h| h.wakeups));
        let rest = held.first().map_or(0, |held| held.rest.as_secs());
        self.cpu = format!("{ticks} ticks, {wakeups} wakeups in {rest} s");
        self.note(&format!("{} runs, {processes} processes", held.len()))
    }

    /// The proportional memory that these runs hold beyond those, by their medians.
    pub(crate) fn beyond(mut self, held: &[Held], those: &[Held]) -> Row {
        let pss = |held: &[Held]| median(&held.iter().map(|h| h.pss as f64 / 1024.0).collect::<Vec<_>>());
        self.memory = format!("Pss {:.1} MiB more", pss(held) - pss(those));
        self
    }

    /// A size in bytes.
    pub(crate) fn bytes(mut self, bytes: u64) -> Row {
        self.memory = format!("{bytes} bytes");
        self
    }

    /// Something to know about the figure.
    pub(crate) fn note(mut self, note: &str) -> Row {
        if !self.note.is_empty() {
            self.note.push_str("; ");
        }
        self.note.push_str(note);
        self
    }

    fn cells(&self) -> [&str; 6] {
        [&self.figure, &self.aim, &self.cpu, &self.memory, &self.wall, &self.note]
    }
}

fn mib(kib: impl Iterator<Item = u64>) -> String {
    format!("{:.1}", median(&kib.map(|kib| kib as f64 / 1024.0).collect::<Vec<_>>()))
}

/// The middle value; of an even number of values the lower of the two.
fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = ["figure", "aim", "CPU, median (best)", "memory or size", "wall", "note"];
        let rows: Vec<[&str; 6]> = std::iter::once(head).chain(self.rows.iter().map(Row::cells)).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: [usize; 6] = std::array::from_fn(width);
        for row in &rows {
            let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

//! What the service holds over time: memory, descriptors, threads; the disk, and how long a round takes.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Fewer samples than this say nothing about growth.
const ENOUGH: usize = 60;

/// One look at the service.
#[derive(Debug, Clone, Copy)]
struct Sample {
    seconds: f64,
    pss_kib: u64,
    descriptors: u64,
    threads: u64,
    disk_kib: u64,
    round_ms: u64,
}

/// All looks, in order.
#[derive(Debug, Default)]
pub struct Samples(Vec<Sample>);

/// A value of a sample, by its name and unit.
type Series = (&'static str, fn(&Sample) -> u64);

const SERIES: [Series; 5] = [
    ("proportional memory of the service, KiB", |s| s.pss_kib),
    ("its open descriptors", |s| s.descriptors),
    ("its threads", |s| s.threads),
    ("the home on the disk, KiB", |s| s.disk_kib),
    ("a round of three turns, ms", |s| s.round_ms),
];

impl Samples {
    /// Looks at the service.
    pub fn take(&mut self, since: Duration, pid: u32, round: Duration, home: &Path) {
        let process = Path::new("/proc").join(pid.to_string());
        let entries =
            |name: &str| fs::read_dir(process.join(name)).map_or(0, |entries| entries.count() as u64);
        let rollup = fs::read_to_string(process.join("smaps_rollup")).unwrap_or_default();
        let pss = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
        let du = Command::new("du").arg("-sk").arg(home).output().expect("du runs");
        self.0.push(Sample {
            seconds: since.as_secs_f64(),
            pss_kib: pss.and_then(first_number).unwrap_or(0),
            descriptors: entries("fd"),
            threads: entries("task"),
            disk_kib: first_number(&String::from_utf8_lossy(&du.stdout)).unwrap_or(0),
            round_ms: u64::try_from(round.as_millis()).unwrap_or(u64::MAX),
        });
    }

    /// Medians of the first and of the last third, for a line.
    pub fn words(&self) -> String {
        let words = SERIES.map(|(name, value)| {
            let (first, last) = self.thirds(value);
            format!("{name}: {first} -> {last}")
        });
        words.join("; ")
    }

    /// Insists that the service holds no more in the last third than in the first, where there are enough samples.
    pub fn nothing_grew(&self) {
        if self.0.len() < ENOUGH {
            return;
        }
        for ((name, value), room) in SERIES.into_iter().zip([8_192, 4, 2]) {
            let (first, last) = self.thirds(value);
            assert!(last <= first + room, "{name}: {first} in the first third, {last} in the last");
        }
    }

    /// Writes `soak.csv` and `soak.svg`.
    pub fn write(&self, folder: &Path) {
        let mut csv = "seconds,pss_kib,descriptors,threads,disk_kib,round_ms\n".to_owned();
        for s in &self.0 {
            let _ = writeln!(
                csv,
                "{:.1},{},{},{},{},{}",
                s.seconds, s.pss_kib, s.descriptors, s.threads, s.disk_kib, s.round_ms
            );
        }
        fs::create_dir_all(folder).expect("a folder");
        fs::write(folder.join("soak.csv"), csv).expect("it can be written");
        fs::write(folder.join("soak.svg"), self.picture()).expect("it can be written");
    }

    fn thirds(&self, value: fn(&Sample) -> u64) -> (u64, u64) {
        let third = (self.0.len() / 3).max(1);
        let median = |part: &[Sample]| {
            let mut values: Vec<u64> = part.iter().map(value).collect();
            values.sort_unstable();
            values.get(values.len() / 2).copied().unwrap_or(0)
        };
        (median(&self.0[..third.min(self.0.len())]), median(&self.0[self.0.len().saturating_sub(third)..]))
    }

    /// A panel for each series, one below the other.
    fn picture(&self) -> String {
        const WIDTH: f64 = 720.0;
        const HEIGHT: f64 = 90.0;
        let end = self.0.last().map_or(1.0, |sample| sample.seconds.max(1.0));
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 {}\" font-family=\"sans-serif\" font-size=\"12\">\n",
            SERIES.len() * 130 + 20
        );
        for (i, (name, value)) in SERIES.into_iter().enumerate() {
            let top = i as f64 * 130.0 + 30.0;
            let most = self.0.iter().map(value).max().unwrap_or(0);
            let point = |sample: &Sample| {
                let x = 40.0 + WIDTH * sample.seconds / end;
                let y = top + HEIGHT - HEIGHT * value(sample) as f64 / (most.max(1) as f64);
                format!("{x:.1},{y:.1}")
            };
            let points: Vec<String> = self.0.iter().map(point).collect();
            let _ = writeln!(svg, "<text x=\"40\" y=\"{:.0}\">{name}; the most: {most}</text>", top - 8.0);
            let _ = writeln!(
                svg,
                "<rect x=\"40\" y=\"{top:.0}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"none\" stroke=\"#bbb\"/>"
            );
            let _ =
                writeln!(svg, "<polyline fill=\"none\" stroke=\"#06c\" points=\"{}\"/>", points.join(" "));
        }
        let _ = writeln!(
            svg,
            "<text x=\"40\" y=\"{}\">0 to {end:.0} seconds</text>\n</svg>",
            SERIES.len() * 130 + 12
        );
        svg
    }
}

fn first_number(text: &str) -> Option<u64> {
    text.split_whitespace().next()?.parse().ok()
}

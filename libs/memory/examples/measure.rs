//! One memory of many entries, and what one question to it costs a process that has just started.
//!
//! ```text
//! cargo run --release -p memory --example measure -- make FOLDER ENTRIES    writes facts.jsonl of about 320 bytes a line
//! cargo run --release -p memory --example measure -- ask FOLDER WORDS...    asks once, prints what it took
//! cargo run --release -p memory --features sqlite --example measure -- carry FOLDER         facts.jsonl to memory.sqlite
//! cargo run --release -p memory --features sqlite --example measure -- ask-sqlite FOLDER WORDS...
//! ```

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use memory::{Disk, Jsonl, Recall};
use nix::sys::resource::{UsageWho, getrusage};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["make", folder, entries] => make(Path::new(folder), entries.parse()?)?,
        ["ask", folder, ref words @ ..] if !words.is_empty() => ask(Path::new(folder), &words.join(" "))?,
        #[cfg(feature = "sqlite")]
        ["carry", folder] => carry(Path::new(folder))?,
        #[cfg(feature = "sqlite")]
        ["ask-sqlite", folder, ref words @ ..] => {
            told(|| memory::Sqlite::new(Disk::new(Path::new(folder))).search_facts(&words.join(" "), 10))?;
        }
        _ => eprintln!("measure make FOLDER ENTRIES | measure ask FOLDER WORDS..."),
    }
    Ok(())
}

/// Words in the frequencies of a language: the n-th most frequent one 1/n as often as the first.
fn make(folder: &Path, entries: u64) -> std::io::Result<()> {
    let mut random = 0x2545_f491_4f6c_dd1du64;
    let mut next = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let syllables =
        ["ga", "rten", "hau", "s", "li", "cht", "bo", "ré", "tü", "mon", "ka", "vel", "wa", "sser", "o"];
    let word = move |rank: u64| {
        let mut word = String::new();
        let mut left = rank + 1;
        while left > 0 {
            word.push_str(syllables[(left % 15) as usize]);
            left /= 15;
        }
        word
    };
    let mut log = BufWriter::new(File::create(folder.join("facts.jsonl"))?);
    for entry in 0..entries {
        let mut text = String::new();
        while text.len() < 130 {
            let share = (next() >> 11) as f64 / (1u64 << 53) as f64;
            // 60,000 words.
            text.push_str(&word((60_000f64.powf(share)) as u64));
            text.push(' ');
        }
        let id = format!("019a8f00-{:04x}-7000-8000-{:012x}", entry & 0xffff, entry);
        writeln!(
            log,
            "{{\"id\":\"{id}\",\"kind\":\"fact\",\"text\":\"{}{entry}\",\"said_by\":\"person\",\
             \"at\":\"2026-02-07T14:30:00Z\",\"source\":\"reasoning\",\"conversation_id\":\"{id}\"}}",
            text
        )?;
    }
    log.flush()
}

fn ask(folder: &Path, query: &str) -> Result<(), Box<dyn std::error::Error>> {
    let made = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let theirs = made.clone();
    let memory = Jsonl::new(Disk::new(folder))
        .telling(Box::new(move |_, _| theirs.store(true, std::sync::atomic::Ordering::Relaxed)));
    told(|| memory.search_facts(query, 10))?;
    if made.load(std::sync::atomic::Ordering::Relaxed) {
        println!("  the index was made first");
    }
    Ok(())
}

/// Carries an export over, without a file for it between the two.
#[cfg(feature = "sqlite")]
fn carry(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    use memory::Store;
    let (reader, mut writer) = std::io::pipe()?;
    let from = Jsonl::new(Disk::new(folder));
    let imported = std::thread::scope(|scope| {
        scope.spawn(move || from.export(&mut writer));
        memory::Sqlite::new(Disk::new(folder)).import(&mut std::io::BufReader::new(reader))
    })?;
    println!("{imported:?}");
    Ok(())
}

/// Asks, and prints what that took.
fn told(
    ask: impl FnOnce() -> Result<Vec<memory::Fact>, memory::Error>,
) -> Result<(), Box<dyn std::error::Error>> {
    let before = high_water();
    let start = Instant::now();
    let found = ask()?;
    let wall = start.elapsed();
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    let cpu = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 * 1e3 + time.tv_usec() as f64 / 1e3;
    println!(
        "{} found, cpu of the process {:.2} ms, wall of the question {:.2} ms, memory +{} KiB",
        found.len(),
        cpu(usage.user_time()) + cpu(usage.system_time()),
        wall.as_secs_f64() * 1e3,
        high_water() - before,
    );
    if let Some(best) = found.first() {
        println!("  {}", best.text);
    }
    Ok(())
}

/// The most memory that the process has had, in KiB.
fn high_water() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

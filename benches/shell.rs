//! What it costs to parse and judge a shell line, in the bot and again in the service.
#![forbid(unsafe_code)]

use divan::{Bencher, black_box};
use policy::shell::{Rules, judge_text, parse};
use shared_types::grants::CommandPattern;

fn main() {
    divan::main();
}

/// A usual line of 200 bytes.
const USUAL: &str = "grep -rn --include='*.rs' \"needle in the hay\" src tests 2>/dev/null | sort -t : -k1,1 -k2,2n | uniq -c | \
    head -n 50 > found.txt && wc -l found.txt || echo 'nothing was found in these two folders'; ls";

fn granted() -> Vec<CommandPattern> {
    let words = [
        "ls",
        "cat",
        "head",
        "tail",
        "wc",
        "grep",
        "find",
        "sort",
        "uniq",
        "cut",
        "echo",
        "git status",
        "git log",
    ];
    words.iter().map(|words| CommandPattern::parse(words).expect("a pattern")).collect()
}

/// Aim: at most 20 us for the two together.
#[divan::bench]
fn parse_a_usual_line(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| parse(black_box(USUAL)).expect("a line"));
}

#[divan::bench]
fn parse_and_judge_a_usual_line(bencher: Bencher<'_, '_>) {
    let allowed = granted();
    let rules = Rules { allowed: &allowed, ..Rules::default() };
    bencher.bench_local(|| judge_text(black_box(USUAL), &rules));
}

/// The longest line that there is, made of wrappers around texts for shells.
#[divan::bench]
fn judge_the_worst_line(bencher: Bencher<'_, '_>) {
    let mut line = "ls".to_owned();
    while line.len() < 1000 {
        line = format!("sudo sh -c {}", policy::shell::line::quoted(&line));
    }
    let line = format!("{line} {}", "-abcdef=g=h=i ".repeat(150));
    let rules = Rules::default();
    bencher.bench_local(|| judge_text(black_box(&line), &rules));
}

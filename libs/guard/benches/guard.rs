//! What judging and cleaning cost.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use guard::{Judge, Needles, Source, output};
use shared_types::audience::Audience;

fn main() {
    divan::main();
}

const LINE: &str = "Could you explain to me how the council decides which of the bridges is repaired before the winter comes?";

/// A mebibyte of the development set's harmless lines, or of its attacks.
fn mebibyte(lines: &str) -> String {
    lines
        .lines()
        .filter(|l| !l.starts_with("//"))
        .cycle()
        .flat_map(|l| [l, "\n"])
        .scan(0, |size, l| {
            *size += l.len();
            (*size < 1 << 20).then_some(l)
        })
        .collect()
}

fn judge(bencher: Bencher<'_, '_>, text: &str) {
    let judge = Judge::new(Audience::Adult, Source::Web);
    bencher.counter(BytesCount::of_str(text)).bench_local(|| judge.judge(black_box(text)));
}

#[divan::bench]
fn judge_a_line(bencher: Bencher<'_, '_>) {
    judge(bencher, LINE);
}

#[divan::bench]
fn judge_a_mebibyte_of_prose(bencher: Bencher<'_, '_>) {
    judge(bencher, &LINE.repeat((1 << 20) / LINE.len()));
}

#[divan::bench]
fn judge_a_mebibyte_of_questions(bencher: Bencher<'_, '_>) {
    judge(bencher, &mebibyte(include_str!("../dev/benign.txt")));
}

#[divan::bench]
fn judge_a_mebibyte_of_attacks(bencher: Bencher<'_, '_>) {
    judge(bencher, &mebibyte(include_str!("../dev/attacks.txt")));
}

#[divan::bench]
fn judge_a_mebibyte_without_spaces(bencher: Bencher<'_, '_>) {
    judge(bencher, &"QUJD".repeat(1 << 18));
}

#[divan::bench]
fn judge_a_mebibyte_of_chinese(bencher: Bencher<'_, '_>) {
    judge(bencher, &"今天天气怎么样我们去公园".repeat((1 << 20) / 36));
}

#[divan::bench]
fn clean_a_mebibyte(bencher: Bencher<'_, '_>) {
    let text = mebibyte(include_str!("../dev/benign.txt"));
    let needles = Needles { system: include_str!("../dev/README.md").into(), ..Needles::default() };
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| output(black_box(&text), &needles));
}

//! What a question costs, the files in the page cache, everything else from anew each time.

use std::path::Path;
use std::sync::OnceLock;

use memory::{Disk, Fact, Jsonl, Recall, Record, Store};
use tempfile::TempDir;

fn main() {
    divan::main();
}

/// The entries of the large memory.
const ENTRIES: u64 = 100_000;

fn text(n: u64) -> String {
    let word = |n: u64| format!("word{:x}", n.wrapping_mul(0x9e37_79b9) % 20_011);
    let words: Vec<String> = (0..16).map(|k| word(n * 16 + k)).collect();
    format!("Größe {} {n}", words.join(" "))
}

fn large() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER
        .get_or_init(|| {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let lines: String = (0..ENTRIES)
                .map(|n| {
                    let fact = Fact { id: format!("{n:036}"), text: text(n), ..Fact::default() };
                    serde_json::to_string(&fact).expect("facts are JSON") + "\n"
                })
                .collect();
            std::fs::write(folder.path().join("facts.jsonl"), lines).expect("there is room");
            let indexed = Jsonl::new(Disk::new(folder.path())).search_facts("x", 1);
            indexed.expect("the index is made");
            folder
        })
        .path()
}

#[divan::bench]
fn search_100_000(bencher: divan::Bencher) {
    let folder = large();
    bencher.bench(|| Jsonl::new(Disk::new(folder)).search_facts("wordfff GRÖSSE 77777", 10));
}

#[divan::bench]
fn show_one_of_100_000(bencher: divan::Bencher) {
    let folder = large();
    bencher.bench(|| Jsonl::new(Disk::new(folder)).show(&format!("{:036}", 54_321)));
}

#[divan::bench]
fn newest_200_of_100_000(bencher: divan::Bencher) {
    let folder = large();
    bencher.bench(|| Jsonl::new(Disk::new(folder)).facts(200));
}

/// What a new conversation does in a home with many facts.
#[divan::bench]
fn newest_1_000_of_1_500(bencher: divan::Bencher) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let memory = Jsonl::new(Disk::new(folder.path()));
    let facts = (0..1_500).map(|n| Fact { id: format!("{n:036}"), text: text(n), ..Fact::default() });
    let line = |fact| serde_json::to_string(&Record::Fact(fact)).expect("facts are JSON") + "\n";
    // As the program writes them: with their index.
    memory.import(&mut facts.map(line).collect::<String>().as_bytes()).expect("they are kept");
    bencher.bench(|| Jsonl::new(Disk::new(folder.path())).facts(1_000));
}

#[divan::bench]
fn a_thousand_facts_that_tell_no_name(bencher: divan::Bencher) {
    let texts: Vec<String> = (0..1_000).map(text).collect();
    bencher.bench(|| texts.iter().filter_map(|text| memory::statements::name(text)).count());
}

#[divan::bench]
fn search_20(bencher: divan::Bencher) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let memory = Jsonl::new(Disk::new(folder.path()));
    for n in 0..20 {
        let fact = Fact { id: n.to_string(), text: text(n), ..Fact::default() };
        memory.add_fact(fact).expect("it is kept");
    }
    bencher.bench(|| memory.search_facts("größe 7", 10));
}

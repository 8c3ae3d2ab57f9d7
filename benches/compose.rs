//! What it costs to weigh one more skill beside a hundred, and to look at all of them.
#![forbid(unsafe_code)]

use std::path::Path;

use compose::graph::{Graph, Node};
use compose::rules::{Rules, SHIPPED};
use compose::{grid, picture};
use divan::{Bencher, black_box};
use shared_types::capability::Token;

fn main() {
    divan::main();
}

/// As many skills as `count`, each with two tokens and an event for the next three, in one long circle.
fn nodes(count: usize) -> Vec<Node> {
    let event = |at: usize| format!("skill-{}.done", at % count).parse().expect("an event");
    (0..count)
        .map(|at| Node {
            name: format!("skill-{at}"),
            version: Some(1),
            tokens: [Token::ALL[at % 13], Token::ALL[(at * 7 + 3) % 13]].into_iter().collect(),
            profile_memory: at % 5 == 0,
            profile_files: at % 7 == 0,
            emits: vec![event(at)],
            handles: (1..4).map(|back| event(at + count - back)).collect(),
        })
        .collect()
}

fn rules() -> Rules {
    Rules::parse(Path::new("rules"), SHIPPED).expect("the shipped rules")
}

/// One new skill beside the others, as every agent-review does; each reaches every other.
#[divan::bench(args = [10, 100])]
fn weigh_one(bencher: Bencher<'_, '_>, count: usize) {
    let (rules, nodes) = (rules(), nodes(count));
    bencher.bench_local(|| rules.judge(&Graph::of(black_box(nodes.clone())), "skill-0", &[]));
}

/// The whole system, as `cl-admin analyze` does, with its grid and its picture.
#[divan::bench(args = [10, 100])]
fn analyze_all(bencher: Bencher<'_, '_>, count: usize) {
    let (rules, nodes) = (rules(), nodes(count));
    bencher.bench_local(|| {
        let graph = Graph::of(black_box(nodes.clone()));
        (rules.judge_all(&graph, &[]), grid::table(&grid::rows(&graph)), picture::svg(&graph))
    });
}

use std::path::Path;

use compose::graph::{Graph, Node};
use compose::rules::{Rules, SHIPPED};

use super::*;

#[test]
fn a_new_home_starts_without_a_finding() {
    let rules = Rules::parse(Path::new("rules"), SHIPPED).unwrap();
    let shipped = shipped_builtin().unwrap();
    assert_eq!(rules.judge_all(&Graph::of(shipped.iter().map(Node::from)), &[]), []);
}

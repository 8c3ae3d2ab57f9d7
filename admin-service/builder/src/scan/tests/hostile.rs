//! Shapes that exhaust a recursive parser, a printer or the drop of a tree.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

/// Far less than the scan's own thread has; an overflow here ends the whole test run.
const SMALL_STACK: usize = 8 << 20;

fn on_a_small_stack(source: String) -> Result<Scanned, Vec<Violation>> {
    thread::Builder::new()
        .stack_size(SMALL_STACK)
        .spawn(move || examine(&source, false))
        .unwrap()
        .join()
        .unwrap()
}

/// What stands before, in the middle of and after something that can be repeated.
const EXPRESSIONS: &[(&str, &str, &str)] = &[
    ("(", "1", ")"),
    ("[", "1", "]"),
    ("{", "1", "}"),
    ("f(", "1", ")"),
    ("!", "x", ""),
    ("- ", "x", ""),
    ("*", "x", ""),
    ("&", "x", ""),
    ("&mut ", "x", ""),
    ("1 + ", "1", ""),
    ("1 + -", "1", ""),
    ("1 < 2 && ", "1 < 2", ""),
    ("x = ", "1", ""),
    ("x..", "1", ""),
    ("", "x", ".a()"),
    ("", "x", ".a"),
    ("", "x", ".0"),
    ("", "x", "?"),
    ("", "x", "()"),
    ("", "x", "[0]"),
    ("", "x", " as u8"),
    ("", "(1, 2)", ".a(1, 2)"),
    ("|| ", "x", ""),
    ("|a, b| ", "x", ""),
    ("|a, b: &[u8]| -> u8 { 1 } | ", "x", ""),
    ("move |a, b| ", "x", ""),
    ("return ", "x", ""),
    ("break ", "x", ""),
    ("if ", "x", " {}"),
    ("if x {} else ", "{}", ""),
    ("if S {} else ", "{}", ""),
    ("if let (a, b) = x {} else ", "{}", ""),
    ("match ", "x", " {}"),
    ("while ", "x", " {}"),
    ("loop { ", "", "}"),
    ("for S {} in ", "x", " {}"),
    ("for (a, b) in ", "x", " {}"),
    ("'a: loop { ", "", "}"),
    ("match x { _ => ", "1", "}"),
    ("match x { S { a, b } if ", "1", " => 1 }"),
    ("S { a: ", "1", "}"),
    ("a::<", "u8", ">::b"),
    ("a::<b, ", "u8", ">::c"),
    ("a::", "b", ""),
    ("<", "u8", ">::b"),
    ("<<", "u8", ""),
    ("<u8 as A<", "u8", ">>::b"),
    ("x as A<b, ", "u8", ">"),
    ("x < y as A<b, ", "u8", ""),
    ("let x = ", "1", ""),
    ("if let x = ", "1", ""),
    ("format!(\"{}\", ", "1", ")"),
    ("vec![", "1", "; 2]"),
    ("const { ", "1", "}"),
    ("#[a] ", "x", ""),
    ("'a' + ", "\"x\"", ""),
    ("{} ", "", ""),
    ("{}; ", "", ""),
    ("{} - ", "1", ""),
    ("a, ", "", ""),
    ("(", "", ", 1)"),
    ("[a < b, ", "c", "]"),
    ("x | ", "y", ""),
    ("x || |a, b| ", "y", ""),
    ("x |a, b| ", "y", ""),
    ("unsafe { ", "", "}"),
    ("async { ", "", "}"),
    ("x.await", "", ".await"),
];

const TYPES: &[(&str, &str, &str)] = &[
    ("&", "u8", ""),
    ("&'a mut ", "u8", ""),
    ("*const ", "u8", ""),
    ("[", "u8", "]"),
    ("[", "u8", "; 1]"),
    ("(", "u8", ",)"),
    ("A<", "u8", ">"),
    ("A<B, ", "u8", ">"),
    ("A<'a, {1}, ", "u8", ">"),
    ("A<B = ", "u8", ">"),
    ("fn() -> ", "u8", ""),
    ("fn(", "u8", ")"),
    ("Fn(A, B) -> ", "u8", ""),
    ("impl Fn() -> ", "u8", ""),
    ("dyn A<dyn ", "u8", ">"),
    ("A + ", "u8", ""),
    ("for<'a, 'b> ", "Fn()", ""),
    ("<u8 as A<", "u8", ">>::B"),
    ("a::", "b", ""),
    ("A<{ B::<", "u8", ">() }>"),
];

const PATTERNS: &[(&str, &str, &str)] = &[
    ("&", "x", ""),
    ("(", "x", ")"),
    ("[", "x", "]"),
    ("x @ ", "y", ""),
    ("x | ", "y", ""),
    ("A(", "x", ", ..)"),
    ("A { a: ", "x", "}"),
    ("ref ", "x", ""),
    ("box ", "x", ""),
];

const ITEMS: &[(&str, &str, &str)] = &[
    ("mod a { ", "", "}"),
    ("use a::", "b;", ""),
    ("use {", "a", "};"),
    ("use a::{b, ", "c", "};"),
    ("fn f() { ", "", "}"),
    ("impl A for B<{ ", "1", "}> {} "),
    ("struct A<T: B<", "u8", ">>;"),
    ("trait A: B<C, ", "u8", "> {}"),
    ("fn f() where A: B<C, ", "u8", "> {}"),
    ("#[a] ", "fn f() {}", ""),
    ("/// a\n", "fn f() {}", ""),
    ("#![a(", "", ")]"),
    ("pub ", "fn f() {}", ""),
    ("enum E { A = ", "1", "}"),
    ("m! { ", "", "}"),
    ("/* ", "", " */"),
];

/// Where the repeated thing stands.
const EXPRESSION_PLACES: &[(&str, &str)] = &[
    ("fn f() { ", " }"),
    ("const X: u8 = ", ";"),
    ("fn f() { g!(", "); }"),
    ("fn f() { vec![", "]; }"),
    ("fn f() { ", "; }"),
];
const TYPE_PLACES: &[(&str, &str)] =
    &[("type X = ", ";"), ("fn f() { let x: ", " = 1; }"), ("fn f() { y as ", "; }")];
const PATTERN_PLACES: &[(&str, &str)] = &[
    ("fn f() { let ", " = 1; }"),
    ("fn f() { match x { ", " => 1 } }"),
    ("fn f() { |", "| 1; }"),
    ("fn f() { if let ", " = x {} }"),
    ("fn f() { matches!(x, ", "); }"),
];

struct Shape<'a> {
    place: (&'static str, &'static str),
    repeated: (&'a str, &'a str, &'a str),
}

impl Shape<'_> {
    fn times(&self, times: usize) -> String {
        let ((before, after), (left, middle, right)) = (self.place, self.repeated);
        format!("{before}{}{middle}{}{after}", left.repeat(times), right.repeat(times))
    }

    /// The deepest form that the caps let through to the parser.
    fn deepest(&self) -> String {
        let passes = |times: usize| lex::check(&self.times(times)).is_ok();
        let (mut low, mut high) = (0_usize, 2_000);
        while low < high {
            let middle = (low + high).div_ceil(2);
            if passes(middle) { low = middle } else { high = middle - 1 }
        }
        self.times(low)
    }
}

fn shapes() -> Vec<Shape<'static>> {
    let tables = [
        (EXPRESSIONS, EXPRESSION_PLACES),
        (TYPES, TYPE_PLACES),
        (PATTERNS, PATTERN_PLACES),
        (ITEMS, &[("", "")][..]),
    ];
    let mut shapes = Vec::new();
    for (repeated, places) in tables {
        for &repeated in repeated {
            shapes.extend(places.iter().map(|&place| Shape { place, repeated }));
        }
    }
    shapes
}

#[test]
fn the_deepest_that_the_caps_let_through_overflows_no_stack_and_takes_no_time() {
    for shape in shapes() {
        let source = shape.deepest();
        let started = Instant::now();
        let _ = on_a_small_stack(source.clone());
        let took = started.elapsed();
        assert!(took < Duration::from_secs(5), "{took:?}: {}", &source[..source.len().min(80)]);
    }
}

#[test]
fn what_is_far_beyond_the_caps_is_refused_before_the_parser() {
    let side_by_side = ["/// a\n", "/* ", "{}; ", "{} ", "a, "];
    for shape in shapes() {
        let source = shape.times(4_000);
        let refused = lex::check(&source).is_err();
        assert!(refused || side_by_side.contains(&shape.repeated.0), "{}", &source[..80]);
        assert!(!refused || on_a_small_stack(source).is_err());
    }
}

#[test]
fn depth_that_is_spread_over_brackets_and_chains_is_refused() {
    let mut source = String::from("x");
    for _ in 0..60 {
        source = format!("({source}{})", ".a()".repeat(100));
    }
    assert_eq!(broken(&format!("const X: u8 = {source};")), ["too-deep"]);
    let mut source = String::from("x");
    for _ in 0..60 {
        source = format!("[{}{source}, 1]", "-".repeat(100));
    }
    assert_eq!(broken(&format!("const X: u8 = {source};")), ["too-deep"]);
}

#[test]
fn long_tokens_and_large_sources_are_refused() {
    let refused = [
        ("too-long-token", format!("const X: u8 = {};", "1".repeat(60_000))),
        ("too-long-token", format!("const X: f64 = 1.{};", "0".repeat(1_000))),
        ("too-long-token", format!("fn {}() {{}}", "a".repeat(101))),
        ("too-long-token", format!("fn f() {{ '{}: loop {{}} }}", "a".repeat(101))),
        ("too-long-token", format!("const X: &str = \"{}\";", "a".repeat(17_000))),
        ("too-large", " ".repeat(65_537)),
        ("too-large", "a;".repeat(20_001)),
        ("unreadable", "fn f() { \"".to_owned()),
        ("unreadable", "/* /* */".to_owned()),
        ("unreadable", "fn f() { r#\"x\" }".to_owned()),
        ("unreadable", "fn f() { (] }".to_owned()),
        ("unreadable", "}".to_owned()),
        ("unreadable", "fn f() { ''' }".to_owned()),
    ];
    for (rule, source) in refused {
        assert_eq!(broken(&source), [rule], "{}", &source[..source.len().min(60)]);
    }
}

#[test]
fn a_table_of_a_thousand_rows_is_not_deep() {
    let rows: String = (0..1_000).map(|n| format!("    (\"name {n}\", {n}, -{n}.5, &[1, 2]),\n")).collect();
    assert!(broken(&format!("const TABLE: &[(&str, u32, f64, &[u8])] = &[\n{rows}];")).is_empty());
    let arms: String = (0..500).map(|n| format!("        {n} => \"value {n}\",\n")).collect();
    assert!(
        broken(&format!(
            "fn f(n: u32) -> &'static str {{\n    match n {{\n{arms}        _ => \"\",\n    }}\n}}"
        ))
        .is_empty()
    );
    let functions: String = (0..400).map(|n| format!("fn f{n}() -> bool {{ {n} < 5 }}\n")).collect();
    assert!(broken(&functions).is_empty());
}

const WORDS: &[&str] = &[
    "fn",
    "f",
    "x",
    "Skill",
    "impl",
    "struct",
    "enum",
    "use",
    "std",
    "fs",
    "mod",
    "self",
    "super",
    "as",
    "let",
    "match",
    "if",
    "else",
    "for",
    "in",
    "loop",
    "while",
    "return",
    "break",
    "pub",
    "const",
    "static",
    "mut",
    "ref",
    "move",
    "dyn",
    "type",
    "trait",
    "where",
    "unsafe",
    "extern",
    "async",
    "await",
    "macro_rules",
    "vec",
    "format",
    "matches",
    "try",
    "yield",
    "box",
    "auto",
    "default",
    "union",
    "safe",
    "raw",
    "gen",
    "_",
    "'a",
    "'a'",
    "\"s\"",
    "r#\"s\"#",
    "b\"s\"",
    "c\"s\"",
    "1",
    "1.",
    "1.0",
    "0x1f",
    "r#x",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ",",
    ";",
    ":",
    "::",
    "->",
    "=>",
    "=",
    "==",
    "!",
    "&",
    "&&",
    "|",
    "||",
    "+",
    "-",
    "*",
    "/",
    ".",
    "..",
    "..=",
    "...",
    "?",
    "#",
    "@",
    "$",
    "~",
    "// c\n",
    "/* c */",
    "/// d\n",
    "\n",
    "()",
    "{}",
    "[]",
    "<T>",
    "fn f() {",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_mixture_of_shapes_overflows_the_stack(
        units in prop::collection::vec(prop::sample::select([EXPRESSIONS, TYPES, PATTERNS].concat()), 1..5),
        place in prop::sample::select([EXPRESSION_PLACES, TYPE_PLACES, PATTERN_PLACES].concat()),
    ) {
        let left: String = units.iter().map(|unit| unit.0).collect();
        let right: String = units.iter().rev().map(|unit| unit.2).collect();
        let mixed = Shape { place, repeated: (&left, units[0].1, &right) };
        let _ = on_a_small_stack(mixed.deepest());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_soup_of_words_crashes_it(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        let source = words.join(" ");
        let verdict = rules_only(&source);
        if let Err(violations) = &verdict {
            prop_assert!(violations.iter().all(|violation| violation.rule != "scanner"), "{source}: {violations:?}");
        }
    }

    #[test]
    fn no_text_crashes_it(source in "\\PC{0,200}") {
        let _ = rules_only(&source);
    }

    #[test]
    fn a_damaged_program_is_refused_or_prints_to_a_fixed_point(
        which in 0..harmless::HARMLESS.len(), at in any::<prop::sample::Index>(), word in prop::sample::select(WORDS),
        removed in 0usize..4,
    ) {
        let (_, source) = harmless::HARMLESS[which];
        let boundaries: Vec<usize> = source.char_indices().map(|(at, _)| at).chain([source.len()]).collect();
        let start = at.index(boundaries.len());
        let end = (start + removed).min(boundaries.len() - 1);
        let damaged = format!("{} {word} {}", &source[..boundaries[start]], &source[boundaries[end]..]);
        match rules_only(&damaged) {
            Ok(scanned) => prop_assert_eq!(&rules_only(&scanned.source).unwrap().source, &scanned.source),
            Err(violations) => {
                let own = |rule: &str| rule == "scanner" || rule == "not-canonical";
                prop_assert!(!violations.iter().any(|violation| own(&violation.rule)), "{}: {:?}", damaged, violations);
            }
        }
    }
}

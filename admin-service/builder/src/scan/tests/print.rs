//! What the canonical print keeps and what it drops.

use super::*;

fn printed(source: &str) -> String {
    rules_only(source).unwrap_or_else(|violations| panic!("{source}\n{violations:?}")).source
}

#[test]
fn comments_docs_lints_and_tests_vanish() {
    let source = r#"//! About.
#![allow(dead_code, clippy::all)]
// A note.
/// A thing.
#[derive(Debug)] #[allow(unused)]
#[doc = "more"] #[must_use]
pub struct Thing {
    /// A field.
    #[allow(dead_code)]
    pub field: u8, /* trailing */
}
impl Thing {
    /// A method.
    #[inline] #[rustfmt::skip]
    pub fn get(&self) -> u8 { /* inner */ #[allow(unused_variables)] let x = 1; self.field }
    #[cfg(test)] fn for_tests(&self) {}
}
#[cfg(test)] use std::collections::HashMap;
#[cfg(test)]
mod tests { use super::*; #[test] #[should_panic(expected = "x")] fn t() { assert!(false, "hidden text"); } }
#[test] fn alone() {}
"#;
    let print = printed(source);
    assert_eq!(
        print,
        "#[derive(Debug)]\n#[must_use]\npub struct Thing {\n    pub field: u8,\n}\nimpl Thing {\n    #[inline]\n    \
         pub fn get(&self) -> u8 {\n        let x = 1;\n        self.field\n    }\n}\n"
    );
}

#[test]
fn the_print_is_a_fixed_point() {
    for (name, source) in harmless::HARMLESS {
        let once = printed(source);
        assert_eq!(printed(&once), once, "{name}");
    }
    let skill = scan(SKILL).unwrap();
    assert_eq!(scan(&skill.source).unwrap(), skill);
}

#[test]
fn the_layout_of_the_source_does_not_matter() {
    let one = "fn f(a:u8)->u8{if a>1{a}else{match a{0=>1,_=>{2}}}}";
    let other = "fn f ( a : u8 )\r\n -> u8\r\n{ if a > 1 { a } else { match a { 0 => 1, _ => { 2 } } } }";
    assert_eq!(printed(one), printed(other));
}

#[test]
fn a_semicolon_alone_says_nothing() {
    for (one, other) in [
        ("if a { 1 } else { ; 2 }", "if a { 1 } else { 2 }"),
        ("let b = || { ;; c(); };", "let b = || { c(); };"),
        ("while a { ; }", "while a {}"),
    ] {
        assert_eq!(
            printed(&format!("fn f() {{ {one} }}")),
            printed(&format!("fn f() {{ {other} }}")),
            "{one}"
        );
    }
}

#[test]
fn what_a_printer_may_mangle_keeps_its_meaning() {
    let lines = [
        "let a = (1 + 2) * 3 - (4 - (5 - 6));",
        "let a = -(1i32).pow(2) + (-1i32).pow(2);",
        "let a = (x as usize) < y;",
        "let a = (if b { 1 } else { 2 }) + 3;",
        "(match a { _ => b }).c();",
        "let a = 1. + 2.5e-3_f64 + 0x_ff as f64 + t.0.1;",
        "let a = \"two\n  lines \\\n   joined // no comment\";",
        "let a = r##\"raw \"# and { brace\n\"##;",
        "let a = ('\\'', b'\\\\', '\"', '\\u{1f600}');",
        "let a = || -> u8 { 1 };",
        "let a = |x: &str| { x.len(); };",
        "let a = &&mut *b;",
        "let a = !(b && (c || d));",
        "let a = (0..10).rev(); let b = ..=5; let c = &s[1..][..2];",
        "let a = if let Some(x) = (S { y: 1 }).z { x } else { 0 };",
        "let Some(a) = b else { return };",
        "'outer: for i in 0..3 { loop { break 'outer; } }",
        "let a = 'b: { break 'b 1 };",
        "let a = matches!(b, Some(1..=2) | None if c);",
        "let a = vec![(1, 2); 3]; let b = format!(\"{a:?} {:>width$} {{}}\", 1, width = 4);",
        "let r#type = 1; let a = r#type.r#match;",
        "let a = <Vec<u8> as Default>::default(); let b = <[u8]>::len(&a);",
        "let a: [u8; { 1 + 2 }] = [0; 3]; let b = A::<{ 1 + 1 }>::new();",
        "let a: Box<dyn for<'a> Fn(&'a str) -> &'a str + 'static> = Box::new(|x| x);",
        "let [a, .., b @ (1 | 2)] = c else { return };",
        "a = b = c; *a += 1; return;",
        "let a = return_it().0?;",
        "match a { (b | c) | d => (), e => { panic!() } _ => return, }",
        "let a = vec![-1 , & x , b? , ( c , .. ) , d< -1, e&&!f, g::<h>() , \"i\"]; matches!(a, (1, .. , b) | ..=c);",
        "if (a == b) == c {} while let Some(x) = y.pop() {}",
        "let x = { a; b }; { c } { d; }",
        "let x = (a..b, (a..).len(), &(a..b)); let y = (|| 1)();",
    ];
    for line in lines {
        let print = printed(&format!("fn f() {{ {line} }}"));
        // A second reading, by tokens alone: nothing but layout, trailing commas and needless brackets may differ.
        let squeeze = |text: &str| -> Vec<String> {
            let tokens: TokenStream = text.parse().unwrap();
            let mut words = Vec::new();
            flat(tokens, &mut words);
            words
        };
        assert_eq!(squeeze(&print), squeeze(&format!("fn f() {{ {line} }}")), "{print}");
    }
}

fn flat(tokens: TokenStream, words: &mut Vec<String>) {
    for token in tokens {
        match token {
            proc_macro2::TokenTree::Group(group) => flat(group.stream(), words),
            proc_macro2::TokenTree::Punct(punct) if matches!(punct.as_char(), ',' | ';') => {}
            token => words.push(token.to_string()),
        }
    }
}

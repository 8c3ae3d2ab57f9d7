//! More of what a good author of Rust writes, one habit a row; each is accepted and its print is a fixed point.

use super::*;

const HABITS: &[(&str, &str)] = &[
    (
        "crate paths",
        "use crate::shapes::Circle; mod shapes { use crate::round; pub struct Circle(pub f64); impl Circle { pub fn area(&self) -> f64 { round(self.0) } } } fn round(x: f64) -> f64 { x.round() } fn g() -> f64 { crate::round(1.0) + Circle(2.0).area() }",
    ),
    (
        "crate glob in tests",
        "fn a() {} #[cfg(test)] mod tests { use crate::*; #[test] fn t() { a(); crate::a(); } }",
    ),
    (
        "crate visibility",
        "pub(crate) mod a { pub(crate) fn f() {} pub(super) fn g() {} pub(self) fn h() {} } fn i() { a::f(); a::g(); }",
    ),
    (
        "crate imports deep",
        "mod a { pub mod b { use crate::a::helper; use crate::{top, Error}; pub fn f() -> Result<(), Error> { helper(); top(); Ok(()) } } pub fn helper() {} } #[derive(Debug)] pub struct Error; fn top() {}",
    ),
    (
        "shared pointers",
        "use std::sync::{Arc, Mutex, RwLock}; use std::sync::atomic::{AtomicUsize, Ordering}; static N: AtomicUsize = AtomicUsize::new(0); fn f(v: Arc<Mutex<Vec<u8>>>) -> usize { v.lock().unwrap().push(1); let _ = RwLock::new(1); N.fetch_add(1, Ordering::SeqCst) }",
    ),
    (
        "once",
        "use std::sync::OnceLock; static T: OnceLock<Vec<u8>> = OnceLock::new(); fn t() -> &'static [u8] { T.get_or_init(|| vec![1, 2]) }",
    ),
    (
        "concat and stringify",
        "const HELP: &str = concat!(\"one\\n\", \"two\", 3, true); fn f() -> &'static str { stringify!(a + b) }",
    ),
    ("deprecated", "#[deprecated(since = \"1.2.0\", note = \"use g\")] pub fn f() {}"),
    ("transparent", "#[repr(transparent)] #[derive(Clone, Copy)] pub struct Id(u32);"),
    (
        "strict lints",
        "#![warn(missing_debug_implementations, rust_2018_idioms, unreachable_pub)]\n#![deny(nonstandard_style, future_incompatible)]\n#![forbid(unsafe_code)]\nfn f() {}",
    ),
    (
        "pointer equality",
        "use std::rc::Rc; fn same(a: &Rc<u8>, b: &Rc<u8>) -> bool { Rc::ptr_eq(a, b) || std::ptr::eq(a.as_ref(), b.as_ref()) }",
    ),
    (
        "sizes",
        "use std::mem::{align_of, size_of, size_of_val, take}; fn f(x: &mut Vec<u8>) -> usize { size_of::<u32>() + align_of::<u64>() + size_of_val(x) + take(x).len() }",
    ),
    ("consts by glob", "use std::f64::*; fn f() -> f64 { consts::PI }"),
    (
        "cow",
        "use std::borrow::Cow; fn f(s: &str) -> Cow<'_, str> { if s.contains(' ') { Cow::Owned(s.replace(' ', \"_\")) } else { Cow::Borrowed(s) } }",
    ),
    (
        "builder",
        "#[derive(Debug, Default, Clone)] pub struct B { a: Option<u8>, b: Vec<String> } impl B { #[must_use] pub fn a(mut self, a: u8) -> Self { self.a = Some(a); self } pub fn b(self, b: impl Into<String>) -> Self { let mut s = self; s.b.push(b.into()); s } pub fn build(self) -> Result<(u8, Vec<String>), &'static str> { Ok((self.a.ok_or(\"no a\")?, self.b)) } }",
    ),
    (
        "typestate",
        "use std::marker::PhantomData; pub struct Open; pub struct Shut; pub struct Door<S> { state: PhantomData<S> } impl Door<Open> { pub fn shut(self) -> Door<Shut> { Door { state: PhantomData } } }",
    ),
    (
        "visitor",
        "pub trait Visitor { type Out; fn number(&mut self, n: f64) -> Self::Out; fn add(&mut self, a: &Expr, b: &Expr) -> Self::Out; } pub enum Expr { Number(f64), Add(Box<Expr>, Box<Expr>) } impl Expr { pub fn accept<V: Visitor>(&self, v: &mut V) -> V::Out { match self { Expr::Number(n) => v.number(*n), Expr::Add(a, b) => v.add(a, b) } } }",
    ),
    (
        "parser",
        "struct P<'a> { chars: std::iter::Peekable<std::str::CharIndices<'a>>, text: &'a str } impl<'a> P<'a> { fn word(&mut self) -> Option<&'a str> { let (start, _) = *self.chars.peek()?; let mut end = start; while let Some(&(at, c)) = self.chars.peek() { if !c.is_alphanumeric() { break; } end = at + c.len_utf8(); self.chars.next(); } self.text.get(start..end) } }",
    ),
    (
        "let else and labels",
        "fn f(v: &[Option<u8>]) -> u8 { let [Some(first), ..] = v else { return 0 }; let found = 'o: { for x in v.iter().flatten() { if *x > 3 { break 'o *x; } } 0 }; found + first }",
    ),
    (
        "patterns",
        "fn f(x: (i32, &str, Option<[u8; 3]>)) -> i32 { match x { (0, _, _) => 0, (n @ 1..=9, \"a\" | \"b\", None) => n, (i32::MIN..=-1, .., Some([1, .., 3])) => -1, (_, s, Some([a, b, _])) if s.len() > 3 => i32::from(a) + i32::from(b), (n, ref s, _) => n + s.len() as i32 } }",
    ),
    ("ranges", "fn f(s: &str) -> (&str, &str, &str) { (&s[..2], &s[2..], &s[1..=1]) }"),
    (
        "bits",
        "fn f(x: u32) -> u32 { (x >> 3 & 0b1010_1010 | 0x_ff << 2 ^ 0o17) .rotate_left(5).wrapping_mul(2_654_435_761) as u32 ^ !x }",
    ),
    (
        "floats",
        "fn f(x: f64) -> String { format!(\"{:.2} {:>8.3e} {:+}\", x.powi(2) + 1e-9 + 2.5E3_f64, f64::NAN, -0.0) }",
    ),
    (
        "fold and scan",
        "fn f(v: &[i64]) -> Vec<i64> { v.iter().scan(0, |sum, x| { *sum += x; Some(*sum) }).collect() } fn g(v: &[i64]) -> Option<i64> { v.iter().copied().try_fold(0i64, |a, x| a.checked_add(x)) }",
    ),
    (
        "sorting",
        "use std::cmp::Reverse; use std::collections::{BinaryHeap, BTreeSet}; fn f(mut v: Vec<(String, u8)>) -> Vec<(String, u8)> { v.sort_unstable_by_key(|(n, s)| (Reverse(*s), n.clone())); v.dedup_by(|a, b| a.0 == b.0); let h: BinaryHeap<Reverse<u8>> = v.iter().map(|x| Reverse(x.1)).collect(); let _: BTreeSet<_> = h.into_sorted_vec().into_iter().collect(); v }",
    ),
    (
        "windows and chunks",
        "fn f(v: &[f64]) -> Vec<f64> { v.windows(2).map(|w| w[1] - w[0]).chain(v.chunks(3).map(|c| c.iter().sum::<f64>() / c.len() as f64)).collect() }",
    ),
    (
        "const generics",
        "pub struct Ring<T, const N: usize> { items: [Option<T>; N], at: usize } impl<T: Copy, const N: usize> Ring<T, N> { pub const fn new() -> Self { Ring { items: [None; N], at: 0 } } pub fn push(&mut self, t: T) { self.items[self.at % N] = Some(t); self.at += 1; } } impl<T: Copy, const N: usize> Default for Ring<T, N> { fn default() -> Self { Self::new() } }",
    ),
    (
        "operators",
        "use std::ops::{Add, AddAssign, Index, IndexMut, Neg, Not, RangeInclusive, Sub}; #[derive(Debug, Clone, Copy, PartialEq)] struct V(f64, f64); impl Add for V { type Output = V; fn add(self, o: V) -> V { V(self.0 + o.0, self.1 + o.1) } } impl AddAssign<f64> for V { fn add_assign(&mut self, o: f64) { self.0 += o; } } impl Neg for V { type Output = V; fn neg(self) -> V { V(-self.0, -self.1) } }",
    ),
    (
        "iterator by impl",
        "fn primes() -> impl Iterator<Item = u64> + Clone { (2u64..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0)) }",
    ),
    (
        "dyn",
        "pub trait Rule: std::fmt::Debug { fn holds(&self, n: u32) -> bool; fn name(&self) -> String { format!(\"{self:?}\") } } #[derive(Debug)] struct Even; impl Rule for Even { fn holds(&self, n: u32) -> bool { n % 2 == 0 } } fn rules() -> Vec<(&'static str, Box<dyn Rule + Send + Sync + 'static>)> { vec![(\"even\", Box::new(Even) as Box<dyn Rule + Send + Sync>)] }",
    ),
    (
        "blanket",
        "pub trait Loud { fn loud(&self) -> String; } impl<T: std::fmt::Display + ?Sized> Loud for T { fn loud(&self) -> String { self.to_string().to_uppercase() } }",
    ),
    (
        "display with padding",
        "use std::fmt::{self, Display, Formatter, Write as _}; struct T(u8); impl Display for T { fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result { f.pad(&format!(\"{:02}\", self.0))?; f.debug_struct(\"T\").field(\"0\", &self.0).finish() } } fn f() -> String { let mut s = String::new(); let _ = write!(s, \"{:>1$}\", T(3), 5); s }",
    ),
    (
        "error chain",
        "use std::{error::Error, fmt}; type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>; #[derive(Debug)] enum E { A(std::num::ParseFloatError), B { line: usize } } impl fmt::Display for E { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { match self { E::A(e) => e.fmt(f), E::B { line } => write!(f, \"line {line}\") } } } impl Error for E {} fn f(s: &str) -> Result<f64> { let x: f64 = s.trim().parse().map_err(E::A)?; if x < 0.0 { return Err(E::B { line: 1 }.into()); } Ok(x) }",
    ),
    (
        "conversion",
        "use std::convert::TryFrom; struct Age(u8); impl TryFrom<i64> for Age { type Error = String; fn try_from(n: i64) -> Result<Self, Self::Error> { u8::try_from(n).map(Age).map_err(|e| e.to_string()) } } impl From<Age> for u8 { fn from(a: Age) -> u8 { a.0 } } impl AsRef<u8> for Age { fn as_ref(&self) -> &u8 { &self.0 } }",
    ),
    (
        "hash by hand",
        "use std::hash::{Hash, Hasher, BuildHasher}; use std::collections::HashMap; struct K(f64); impl Hash for K { fn hash<H: Hasher>(&self, h: &mut H) { self.0.to_bits().hash(h); } } impl PartialEq for K { fn eq(&self, o: &K) -> bool { self.0.to_bits() == o.0.to_bits() } } impl Eq for K {} fn f(m: &HashMap<K, u8>) -> usize { m.len() }",
    ),
    (
        "entry",
        "use std::collections::{BTreeMap, hash_map::{Entry, HashMap}}; fn f(m: &mut HashMap<String, Vec<u8>>, b: &mut BTreeMap<u8, u8>) { match m.entry(\"a\".into()) { Entry::Occupied(e) => { e.remove(); } Entry::Vacant(e) => { e.insert(vec![]); } } *b.entry(1).or_default() += 1; b.range(1..5).for_each(drop); b.retain(|_, v| *v > 0); }",
    ),
    (
        "rc graph",
        "use std::{cell::{Cell, OnceCell, RefCell}, rc::{Rc, Weak}}; struct N { up: RefCell<Weak<N>>, down: RefCell<Vec<Rc<N>>>, n: Cell<u8> } fn f(n: &Rc<N>) -> u8 { n.down.borrow().iter().map(|c| c.n.get()).sum::<u8>() + n.up.borrow().upgrade().map_or(0, |p| p.n.get()) }",
    ),
    (
        "recursion with memo",
        "use std::collections::HashMap; fn fib(n: u64, memo: &mut HashMap<u64, u64>) -> u64 { if n < 2 { return n; } if let Some(&known) = memo.get(&n) { return known; } let value = fib(n - 1, memo) + fib(n - 2, memo); memo.insert(n, value); value }",
    ),
    (
        "lifetimes",
        "struct Split<'a, 'b: 'a> { rest: Option<&'a str>, by: &'b str } impl<'a, 'b: 'a> Iterator for Split<'a, 'b> { type Item = &'a str; fn next(&mut self) -> Option<Self::Item> { let rest = self.rest?; match rest.split_once(self.by) { Some((a, b)) => { self.rest = Some(b); Some(a) } None => self.rest.take() } } } fn longest<'x>(a: &'x str, b: &'x str) -> &'x str { if a.len() >= b.len() { a } else { b } }",
    ),
    (
        "higher ranked",
        "fn apply<F>(f: F) -> usize where F: for<'a> Fn(&'a str) -> &'a str { f(\"abc\").len() } fn g(h: &dyn for<'a> Fn(&'a u8) -> &'a u8, k: fn(u8) -> u8) -> u8 { k(*h(&1)) }",
    ),
    (
        "shadowing and blocks",
        "fn f(x: &str) -> usize { let x = x.trim(); let x = { let y = x.len(); y * 2 }; let x = if x > 3 { x } else { 3 }; let (mut a, b); (a, b) = (1, x); a += b; a }",
    ),
    (
        "inner items",
        "fn f() -> u8 { const K: u8 = 3; static S: [u8; 2] = [1, 2]; struct L(u8); impl L { fn n(&self) -> u8 { self.0 } } enum E { A } use E::A; fn g(e: E) -> u8 { match e { A => 1 } } trait T { fn t(&self) -> u8 { 1 } } impl T for u8 {} type U = u8; let u: U = 1; L(K + S[0] + g(A) + u.t()).n() }",
    ),
    (
        "numbers",
        "fn f() -> Option<u32> { u32::from_str_radix(\"ff\", 16).ok()?.checked_pow(2)?.checked_rem_euclid(7)?.leading_zeros().try_into().ok().map(|n: u32| n.saturating_sub(1).clamp(1, 9)) }",
    ),
    (
        "text work",
        "fn f(s: &str) -> String { s.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()).map(|(n, l)| format!(\"{:>3}: {}\", n + 1, l.trim_end_matches(&['.', '!'][..]))).collect::<Vec<_>>().join(\"\\n\") } fn g(s: &str) -> bool { s.chars().rev().eq(s.chars()) && s.bytes().all(|b| b.is_ascii_graphic()) && s.char_indices().any(|(i, c)| i > 1 && c == 'x') }",
    ),
    (
        "long string",
        "const T: &str = \"line one\n    line two \\\n    joined\"; const R: &str = r#\"{\"a\": [1, 2]}\"#; const B: &[u8] = br\"\\x\"; const E: char = '\\'';",
    ),
    (
        "emoji and scripts",
        "fn f() -> Vec<&'static str> { vec![\"☀️ sun\", \"→ Ünïcödé\", \"日本語\", \"Привет\", \"مرحبا\", \"👍🏽\"] }",
    ),
    ("byte order", "fn f(b: &[u8; 4]) -> (u32, [u8; 2]) { (u32::from_be_bytes(*b), 513u16.to_le_bytes()) }"),
    (
        "crc by const table",
        "const TABLE: [u32; 256] = { let mut t = [0u32; 256]; let mut i = 0; while i < 256 { let mut c = i as u32; let mut k = 0; while k < 8 { c = if c & 1 != 0 { 0xEDB8_8320 ^ (c >> 1) } else { c >> 1 }; k += 1; } t[i] = c; i += 1; } t }; pub fn crc(b: &[u8]) -> u32 { !b.iter().fold(!0, |c, &x| TABLE[((c ^ x as u32) & 0xff) as usize] ^ (c >> 8)) }",
    ),
    (
        "test helpers",
        "#[cfg(test)] use std::collections::HashSet; pub fn f() -> u8 { 1 } #[cfg(test)] fn helper() -> HashSet<u8> { HashSet::new() } #[cfg(test)] mod tests { use super::*; fn ok() -> Result<(), String> { Ok(()) } #[test] #[should_panic(expected = \"no\")] fn a() { panic!(\"no\"); } #[test] fn b() -> Result<(), String> { assert!(helper().is_empty(), \"{}\", f()); ok()?; Ok(()) } mod deep { use super::super::f; #[test] fn c() { assert_eq!(f(), 1); } } }",
    ),
    (
        "return position closures",
        "fn adder(n: i32) -> Box<dyn Fn(i32) -> i32> { Box::new(move |x| x + n) } fn each(mut f: impl FnMut(u8)) { (0..3).for_each(&mut f) } fn pick(b: bool) -> fn(f64) -> f64 { if b { f64::sin } else { f64::cos } }",
    ),
    (
        "struct update",
        "#[derive(Default, Clone)] struct C { a: u8, b: String, c: Vec<(u8, u8)> } fn f(base: &C) -> C { C { a: 1, c: vec![(1, 2); 3], ..base.clone() } }",
    ),
    (
        "nested enums",
        "#[derive(Debug, Clone, PartialEq)] pub enum Json { Null, Bool(bool), Num(f64), Str(String), List(Vec<Json>), Map(Vec<(String, Json)>) } impl Json { pub fn depth(&self) -> usize { match self { Json::List(l) => 1 + l.iter().map(Json::depth).max().unwrap_or(0), Json::Map(m) => 1 + m.iter().map(|(_, v)| v.depth()).max().unwrap_or_default(), Self::Null | Self::Bool(_) | Self::Num(_) | Self::Str(_) => 0 } } }",
    ),
    (
        "use self",
        "pub mod units { pub use self::length::{self as len, Metre}; pub mod length { #[derive(Clone, Copy)] pub struct Metre(pub f64); pub fn feet(m: Metre) -> f64 { m.0 * 3.28084 } } } use units::{len::feet, Metre}; fn f() -> f64 { feet(Metre(1.0)) + units::len::feet(Metre(2.0)) }",
    ),
    (
        "assert in const",
        "const N: usize = 8; const _: () = assert!(N.is_power_of_two(), \"a power of two\"); const _: fn() = || {};",
    ),
    (
        "infinite iterators",
        "fn f() -> Vec<u64> { std::iter::successors(Some(1u64), |x| x.checked_mul(3)).take(5).zip(std::iter::repeat(2)).map(|(a, b)| a * b).collect() }",
    ),
    (
        "question in closures",
        "fn f(s: &str) -> Option<u32> { (|| -> Option<u32> { let (a, b) = s.split_once('x')?; Some(a.parse::<u32>().ok()? * b.parse::<u32>().ok()?) })() }",
    ),
    (
        "any of char",
        "fn f(c: char) -> Option<u32> { match c { '0'..='9' => c.to_digit(10), 'a'..='f' | 'A'..='F' => c.to_digit(16), '\\u{660}'..='\\u{669}' => Some(c as u32 - 0x660), _ if c.is_whitespace() => None, _ => char::from_u32(65).map(u32::from) } }",
    ),
    (
        "sdk",
        "use skill_sdk::prelude::*; use skill_sdk::{host, http, memory, Value}; pub struct Skill; impl skill_sdk::Skill for Skill { fn describe(&self) -> Description { Description::new(\"x\") } }",
    ),
];

fn habits() -> Vec<(&'static str, String)> {
    HABITS.iter().map(|(name, source)| (*name, (*source).to_owned())).collect()
}

#[test]
fn what_a_good_author_writes_is_accepted() {
    all_of(&habits(), |name, source| match rules_only(source) {
        Err(violations) => {
            let said: Vec<String> =
                violations.iter().map(|v| format!("[{}] {}: {}", v.rule, v.excerpt, v.why)).collect();
            Some(format!("{name}: {}", said.join("; ")))
        }
        Ok(scanned) => {
            let again = rules_only(&scanned.source);
            (again.map(|again| again.source) != Ok(scanned.source.clone()))
                .then(|| format!("{name}: its print is no fixed point: {}", scanned.source))
        }
    });
}

#[test]
fn the_print_says_where_a_crate_path_leads_once_the_wrapper_is_above_it() {
    let source = "use crate::a::b; mod a { pub mod b { pub fn f() -> u8 { crate::g() + vec![crate::a::h()][0] } } pub fn h() -> u8 { crate::g() } } fn g() -> u8 { 1 } pub(crate) fn i() -> u8 { crate::a::h() }";
    let print = rules_only(source).unwrap().source;
    assert!(!print.contains("crate::"), "{print}");
    for expected in
        ["use self::a::b;", "super::super::g() + vec![super::super::a::h()][0]", "super::g()", "self::a::h()"]
    {
        assert!(print.contains(expected), "{expected}: {print}");
    }
    assert!(print.contains("pub(crate) fn i"), "{print}");
}

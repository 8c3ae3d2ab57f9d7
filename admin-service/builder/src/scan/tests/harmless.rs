//! Ordinary programs, which must be accepted.

use super::*;

pub(super) const HARMLESS: &[(&str, &str)] = &[
    (
        "dice",
        r#"
//! Rolls dice.
use skill_sdk::prelude::*;

/// The skill.
#[derive(Debug, Default, Clone, Copy)]
pub struct Skill;

const MOST: u32 = 100;

impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new().tool(Tool::new("roll", "Roll dice").param(Param::text("dice")))
    }

    fn call_tool(&mut self, call: &Call) -> Answer {
        let dice = call.text("dice")?;
        let (count, sides) = dice.split_once('d').ok_or("write it as 2d6")?;
        let count: u32 = if count.is_empty() { 1 } else { count.parse()? };
        let sides: u32 = sides.trim().parse().map_err(|e| format!("{sides:?}: {e}"))?;
        if !(1..=MOST).contains(&count) || sides == 0 {
            return Err(Refusal::failed(format!("between 1 and {MOST} dice, please")));
        }
        let rolls: Vec<u32> = (0..count).map(|_| host::random() as u32 % sides + 1).collect();
        let total = rolls.iter().sum::<u32>();
        Ok(format!("{} = {total}", rolls.iter().map(u32::to_string).collect::<Vec<_>>().join(" + ")))
    }
}
"#,
    ),
    (
        "collections",
        r#"
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque, hash_map::Entry};
use std::collections::btree_map;

pub fn count<'a>(words: impl Iterator<Item = &'a str>) -> Vec<(&'a str, usize)> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in words { *counts.entry(word).or_insert(0) += 1; }
    let mut sorted: Vec<_> = counts.into_iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    sorted
}
fn group(v: &[u32]) -> BTreeMap<bool, HashSet<u32>> {
    let mut m = BTreeMap::new();
    for &x in v {
        match m.entry(x % 2 == 0) {
            btree_map::Entry::Vacant(e) => { e.insert(HashSet::from([x])); }
            btree_map::Entry::Occupied(mut e) => { e.get_mut().insert(x); }
        }
    }
    m
}
fn queue() -> VecDeque<u8> { let mut q = VecDeque::with_capacity(4); q.push_back(1); q }
fn once(m: &mut HashMap<u8, u8>) { if let Entry::Vacant(e) = m.entry(1) { e.insert(2); } }
"#,
    ),
    (
        "formatting",
        r#"
use std::fmt::{self, Display, Formatter, Write as _};

pub enum Shape { Circle { radius: f64 }, Square(f64) }

impl Display for Shape {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Shape::Circle { radius } => write!(f, "circle of {radius:.2}"),
            Shape::Square(side) => write!(f, "square of {:>8.3}", side),
        }
    }
}
pub fn table(rows: &[(String, f64)]) -> Result<String, fmt::Error> {
    let mut out = String::new();
    for (name, value) in rows { writeln!(out, "{name:<20}|{value:+e}|{0:#x}|{{}}", 255)?; }
    writeln!(&mut out)?;
    Ok(out)
}
"#,
    ),
    (
        "generics",
        r#"
use core::marker::PhantomData;
use core::ops::{Add, Deref, Index, Mul};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Matrix<T, const R: usize, const C: usize>([[T; C]; R]) where T: Copy;

impl<T: Copy + Default + Add<Output = T> + Mul<Output = T>, const N: usize> Mul for Matrix<T, N, N> {
    type Output = Self;
    fn mul(self, other: Self) -> Self::Output {
        let mut out = [[T::default(); N]; N];
        for (i, row) in out.iter_mut().enumerate() {
            for (j, cell) in row.iter_mut().enumerate() {
                *cell = (0..N).fold(T::default(), |sum, k| sum + self.0[i][k] * other.0[k][j]);
            }
        }
        Matrix(out)
    }
}
pub struct Tagged<T: ?Sized, Tag> { tag: PhantomData<fn() -> Tag>, value: Box<T> }
impl<T: ?Sized, Tag> Deref for Tagged<T, Tag> { type Target = T; fn deref(&self) -> &T { &self.value } }
impl<T, Tag> Index<usize> for Tagged<[T], Tag> { type Output = T; fn index(&self, i: usize) -> &T { &self.value[i] } }
pub fn largest<T>(items: &[T]) -> Option<&T> where T: PartialOrd, for<'a> &'a T: PartialOrd<&'a T> {
    items.iter().fold(None, |best, x| match best { Some(b) if b >= x => Some(b), _ => Some(x) })
}
"#,
    ),
    (
        "traits",
        r#"
use std::rc::{Rc, Weak};
use std::cell::{Cell, RefCell};
use std::borrow::Cow;

pub trait Animal: std::fmt::Debug {
    const LEGS: u8 = 4;
    fn name(&self) -> Cow<'static, str>;
    fn speak(&self) -> String where Self: Sized { format!("{} speaks", self.name()) }
}
#[derive(Debug)] struct Dog;
impl Animal for Dog { fn name(&self) -> Cow<'static, str> { "dog".into() } }
#[derive(Debug, Default)]
struct Node { value: Cell<i32>, parent: RefCell<Weak<Node>>, children: RefCell<Vec<Rc<Node>>> }
impl Node {
    fn leaf(value: i32) -> Rc<Self> { Rc::new(Self { value: Cell::new(value), ..Self::default() }) }
    fn adopt(self: &Rc<Self>, child: Rc<Node>) {
        *child.parent.borrow_mut() = Rc::downgrade(self);
        self.children.borrow_mut().push(child);
    }
}
impl Drop for Dog { fn drop(&mut self) {} }
fn zoo() -> Vec<Box<dyn Fn(&str) -> String>> { vec![Box::new(|s| s.to_owned()), Box::new(str::to_uppercase)] }
"#,
    ),
    (
        "errors",
        r#"
use std::error::Error;
use std::num::ParseIntError;
use std::str::FromStr;

#[derive(Debug)]
#[non_exhaustive]
pub enum Fault { Empty, Number(ParseIntError), Other(Box<dyn Error>) }
impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str("fault") }
}
impl Error for Fault {
    fn source(&self) -> Option<&(dyn Error + 'static)> { match self { Self::Number(e) => Some(e), _ => None } }
}
impl From<ParseIntError> for Fault { fn from(e: ParseIntError) -> Self { Fault::Number(e) } }
pub struct Point(i32, i32);
impl FromStr for Point {
    type Err = Fault;
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let mut parts = s.splitn(2, ',').map(str::trim);
        let (Some(x), Some(y)) = (parts.next(), parts.next()) else { return Err(Fault::Empty) };
        Ok(Point(x.parse()?, i32::from_str_radix(y, 16)?))
    }
}
"#,
    ),
    (
        "modules",
        r#"
pub use self::shapes::{Circle, area as surface};
use Level::*;

pub mod shapes {
    use std::f64::consts::PI;
    use super::helpers;
    #[derive(Clone)] pub struct Circle(pub f64);
    pub fn area(c: &Circle) -> f64 { helpers::square(c.0) * PI }
    pub(super) mod deep { pub(crate) fn up() -> f64 { super::super::helpers::square(2.0) } }
}
mod helpers { pub(super) fn square(x: f64) -> f64 { x * x } }
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[repr(u8)]
pub enum Level { #[default] Low = 1, Middle, High = 0x10 }
fn rank(l: Level) -> u8 { match l { Low => 0, Middle => 1, High => 2 } }
fn both() -> f64 { surface(&Circle(1.0)) + shapes::deep::up() + self::helpers::square(1.0) }
"#,
    ),
    (
        "tests",
        r#"
//! With tests.
#![allow(dead_code)]
/// Adds.
///
/// ```
/// use std::fs;
/// ```
pub const fn add(a: u32, b: u32) -> u32 { a + b }

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn adds() -> Result<(), Box<dyn std::error::Error>> {
        assert_eq!(add(1, 2), 3, "sum of {} and {}", 1, 2);
        assert_ne!(add(1, 1), 3);
        debug_assert!(HashMap::<u8, u8>::new().is_empty());
        Ok(())
    }
    #[test] #[should_panic] #[ignore = "slow"]
    fn panics() { let _ = u32::MAX.checked_add(1).expect("overflow"); }
}
"#,
    ),
    (
        "iterators",
        r#"
use std::iter::{self, FromIterator, Peekable};
struct Fib { a: u64, b: u64 }
impl Iterator for Fib {
    type Item = u64;
    fn next(&mut self) -> Option<u64> { let n = self.a; self.a = self.b; self.b += n; Some(n) }
}
struct Bag(Vec<u64>);
impl FromIterator<u64> for Bag { fn from_iter<I: IntoIterator<Item = u64>>(i: I) -> Self { Bag(i.into_iter().collect()) } }
impl<'a> IntoIterator for &'a Bag { type Item = &'a u64; type IntoIter = std::slice::Iter<'a, u64>; fn into_iter(self) -> Self::IntoIter { self.0.iter() } }
fn evens() -> impl Iterator<Item = u64> { Fib { a: 0, b: 1 }.step_by(3).take_while(|n| *n < 4_000_000) }
fn lex(chars: &mut Peekable<std::str::Chars<'_>>) -> String {
    iter::from_fn(|| chars.next_if(|c| c.is_alphanumeric())).chain(iter::once('.')).collect()
}
fn sum() -> u64 { (&Bag::from_iter(evens())).into_iter().zip(1u64..).map(|(a, b)| a * b).filter(|n| n & 1 == 0).sum() }
"#,
    ),
    (
        "state machine",
        r#"
#[derive(Debug, Clone, PartialEq)]
enum Token { Number(f64), Op(char), Open, Close }
fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut i = 0;
    'scan: while i < bytes.len() {
        match bytes[i] {
            b' ' | b'\t' => { i += 1; continue 'scan; }
            b'(' => out.push(Token::Open),
            b')' => out.push(Token::Close),
            c @ (b'+' | b'-' | b'*' | b'/') => out.push(Token::Op(c as char)),
            b'0'..=b'9' | b'.' => {
                let start = i;
                while i < bytes.len() && (bytes[i].is_ascii_digit() || bytes[i] == b'.') { i += 1; }
                out.push(Token::Number(text[start..i].parse().map_err(|_| format!("bad number {}", &text[start..i]))?));
                continue;
            }
            other => return Err(format!("unexpected {:?} at {i}", other as char)),
        }
        i += 1;
    }
    Ok(out)
}
"#,
    ),
    (
        "memory",
        r#"
use std::mem;
use std::mem::swap;
fn rotate(v: &mut Vec<u8>, w: &mut Vec<u8>) -> Vec<u8> { swap(v, w); let old = mem::take(v); mem::replace(w, old) }
use std::time::Duration;
fn wait() -> Duration { Duration::from_millis(1500) + std::time::Duration::ZERO }
"#,
    ),
    (
        "text",
        r##"
static CAPITALS: &[(&str, &str)] = &[("France", "Paris"), ("Türkiye", "Ankara"), ("日本", "東京")];
const SUN: &str = "☀️ 22°";
fn caesar(text: &str, shift: u8) -> String {
    text.chars().map(|c| match c {
        'a'..='z' => ((c as u8 - b'a' + shift % 26) % 26 + b'a') as char,
        'A'..='Z' => char::from((c as u8 - b'A' + shift % 26) % 26 + b'A'),
        _ => c,
    }).collect()
}
fn quotes() -> [&'static str; 4] { ["it's", "a \"quote\"", r"C:\dir", r#"raw "x""#] }
fn unicode() -> char { '\u{200b}' }
fn bytes() -> &'static [u8; 3] { b"\x00\xff\n" }
"##,
    ),
    (
        "numbers",
        r#"
use std::num::{NonZeroU32, Wrapping};
use std::cmp::{max, min, Ordering, Reverse};
use std::convert::{TryFrom, TryInto};
fn gcd(a: u64, b: u64) -> u64 { if b == 0 { a } else { gcd(b, a % b) } }
fn roman(mut n: u32) -> String {
    const TABLE: [(u32, &str); 13] = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
        (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")];
    let mut out = String::new();
    for &(value, sign) in TABLE.iter() { while n >= value { out += sign; n -= value; } }
    out
}
fn leap(y: i32) -> bool { y % 4 == 0 && (y % 100 != 0 || y % 400 == 0) }
fn narrow(n: i64) -> Option<u8> { u8::try_from(n).ok().or_else(|| (n & 0xff).try_into().ok()) }
fn order(a: f64, b: f64) -> Ordering { a.partial_cmp(&b).unwrap_or(Ordering::Equal).reverse() }
fn limits() -> (u64, i128, f32) { (u64::MAX, i128::MIN, core::f32::EPSILON) }
fn wrap(w: Wrapping<u8>) -> u8 { (w + Wrapping(255)).0 ^ NonZeroU32::new(3).map_or(0, |n| n.get() as u8) }
fn both(a: u8, b: u8) -> (u8, Reverse<u8>) { (max(a, b), Reverse(min(a, b))) }
"#,
    ),
    (
        "closures",
        r#"
fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C { move |x| g(f(x)) }
fn counter() -> impl FnMut() -> u32 { let mut n = 0; move || { n += 1; n } }
fn apply(fs: &mut [Box<dyn FnMut(i32) -> i32 + '_>], x: i32) -> i32 { fs.iter_mut().fold(x, |acc, f| f(acc)) }
fn main_like() -> i32 {
    let add = |a: i32, b: i32| -> i32 { a + b };
    let (double, _unused): (fn(i32) -> i32, ()) = (|x| x * 2, ());
    let or = |a: bool, b: bool| a || b;
    let nothing = || ();
    nothing();
    if or(true, false) { add(double(1), 2) } else { compose(|x: i32| x + 1, |x| x * 3)(4) }
}
"#,
    ),
    (
        "long chains",
        r##"
fn long(s: &str) -> String {
    s.trim().trim_start_matches('#').split(',').map(str::trim).filter(|x| !x.is_empty()).map(|x| x.to_lowercase())
        .map(|x| x.replace('a', "b").replace('c', "d").replace('e', "f").replace('g', "h").replace('i', "j"))
        .map(|x| if x == "a" { 1 } else if x == "b" { 2 } else if x == "c" { 3 } else if x == "d" { 4 } else if x == "e" { 5 }
            else if x == "f" { 6 } else if x == "g" { 7 } else if x == "h" { 8 } else if x == "i" { 9 } else { 10 })
        .map(|n| n + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11 + 12 + 13 + 14 + 15).fold(String::new(), |a, n| a + &n.to_string())
}
fn compare(a: i32, b: i32, c: i32) -> [bool; 8] {
    [a < b, a < c, b < c, b < a, c < a, c < b, a < 1 && b < 2, (a as u32) < 3 || b > 4 && c << 2 < 9 >> 1]
}
fn guards(n: i32) -> &'static str {
    match n { x if x < 0 => "negative", 0 => "zero", x if x < 10 => "small", x if x < 100 && x > 50 => "some", _ => "many" }
}
"##,
    ),
    (
        "alias",
        r#"
use skill_sdk as sdk;
use sdk::{Date, Value, memory, host};
use std::collections as coll;
use std::string::String as Text;
type Table<V> = coll::BTreeMap<Text, V>;
fn save(t: &Table<i64>) -> Result<(), sdk::HostError> { for (k, v) in t { memory::store(k, &Value::from(*v))?; } Ok(()) }
fn today() -> Date { host::today() }
"#,
    ),
    (
        "pure prelude",
        r#"
use core::prelude::v1::*;
use std::option::Option::{self, None, Some};
use std::collections::*;
use std::{format, vec};
fn f() -> Option<HashMap<u8, hash_map::Entry<'static, u8, u8>>> { let _ = vec![std::format!("{}", 1)]; None }
"#,
    ),
    (
        "lints and inner docs",
        r#"
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![allow(clippy::needless_return, unused_imports)]
//! Inner.
#[inline(always)] #[must_use = "it is pure"] #[cold] #[allow(non_snake_case, reason = "notation")]
/// One.
pub fn f() -> u8 { #[rustfmt::skip] let x = [1, 0, 0, 1]; #[allow(clippy::all)] return x[0]; }
"#,
    ),
    (
        "loops",
        r#"
fn primes(n: usize) -> Vec<usize> {
    let mut sieve = vec![true; n + 1];
    let mut i = 2;
    while i * i <= n { if sieve[i] { let mut j = i * i; while j <= n { sieve[j] = false; j += i; } } i += 1; }
    (2..=n).filter(|&i| sieve[i]).collect()
}
fn search(grid: &[Vec<char>]) -> Option<(usize, usize)> {
    let found = 'rows: loop {
        for (y, row) in grid.iter().enumerate() { for (x, &c) in row.iter().enumerate() { if c == '@' { break 'rows Some((x, y)); } } }
        break None;
    };
    found
}
fn slices(v: &[u8]) -> u8 { match v { [] => 0, [x] => *x, [first, .., last] if first == last => 1, [_, rest @ ..] => rest[0] } }
fn drain(stack: &mut Vec<u8>) { while let Some(top) = stack.pop() { if top == 0 { continue } } ; }
"#,
    ),
    (
        "panics",
        r#"
fn check(x: u8) -> u8 {
    assert!(x > 0, "x is {x}"); debug_assert_eq!(x, x); 
    match x { 1 => unreachable!("never {}", x), 2 => panic!("two"), 3 => panic!(), n => n }
}
fn arguments(x: u8) -> String { std::fmt::format(format_args!("{x}")) }
"#,
    ),
    (
        "associated",
        r#"
pub trait Store { type Key: Ord + Clone; type Iter<'a>: Iterator<Item = &'a Self::Key> where Self: 'a; const N: usize; fn keys(&self) -> Self::Iter<'_>; }
pub struct V(Vec<u8>);
impl Store for V { type Key = u8; type Iter<'a> = std::slice::Iter<'a, u8>; const N: usize = 3; fn keys(&self) -> Self::Iter<'_> { self.0.iter() } }
fn first<S: Store>(s: &S) -> Option<<S as Store>::Key> { s.keys().next().cloned() }
fn n<S>() -> usize where S: Store<Key = u8> + ?Sized { <S as Store>::N + <V as Store>::N + <[u8]>::len(&[]) }
fn hash<T: std::hash::Hash>(t: &T) -> u64 { use std::hash::Hasher; let mut h = std::collections::hash_map::DefaultHasher::new(); t.hash(&mut h); h.finish() }
"#,
    ),
    (
        "words that mean something elsewhere",
        r#"
#[doc(alias = "motor")] #[doc(hidden)]
pub struct Engine { core: u8, alloc: bool }
#[deprecated] pub enum Kind { Std, Core }
impl Engine {
    #[track_caller] pub fn core(&self) -> u8 { self.core }
    pub fn std(&self) -> u8 { Engine::core(self) + Self::core(self) }
    pub fn union(self, default: u8, auto: u8) -> Option<u8> { match self.alloc { true => (), false => return None } default.checked_add(auto) }
}
fn fs(path: &str) -> String { let process = path; let env = process.len(); format!("{env}{process}") }
mod process { pub fn exit(code: i32) -> i32 { code } }
fn thread() -> i32 { process::exit(0) }
"#,
    ),
    ("nothing", ""),
    ("only comments", "// nothing\n/* here */\n//! at all\n"),
    (
        "statements",
        r#"
fn f() { ; let x; x = 1; let _ = x; { let y = x; y; } if x > 1 {} else {} ; const K: u8 = 2; fn inner() -> u8 { K } struct L { a: u8 } let l = L { a: inner() }; let L { a, .. } = l; drop(a); }
const fn table() -> [u8; 256] { let mut t = [0; 256]; let mut i = 0; while i < 256 { t[i] = (i * 7 % 251) as u8; i += 1; } t }
static TABLE: [u8; 256] = table();
"#,
    ),
    (
        "raw names",
        r#"
pub struct Record { pub r#type: String, pub r#match: bool }
impl Record { pub fn new(r#type: &str) -> Self { Record { r#type: r#type.to_owned(), r#match: r#type == "x" } } }
"#,
    ),
];

#[test]
fn every_harmless_source_is_accepted() {
    for (name, source) in HARMLESS {
        if let Err(violations) = rules_only(source) {
            panic!("{name}: {violations:#?}");
        }
    }
}

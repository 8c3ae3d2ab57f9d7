//! Macros of the file's own: the ordinary kind passes, macros that put code together from pieces do not.

use super::*;

const ORDINARY: &[&str] = &[
    "macro_rules! square { ($x:expr) => { $x * $x }; } fn f() -> u32 { square!(3) + square!(1 + 2) }",
    "macro_rules! nothing { () => {} } fn f() { nothing!(); }",
    "macro_rules! nothing { () => {} } fn f() { nothing! {} }",
    "macro_rules! nothing { () => {} } fn f() { nothing![]; }",
    "macro_rules! max { ($x:expr) => { $x }; ($x:expr, $($rest:expr),+ $(,)?) => {{ let a = $x; $(let a = if $rest > a { $rest } else { a };)+ a }}; } fn f() -> u8 { max!(1, 2, 3) }",
    "use std::collections::HashMap; macro_rules! map { ($($k:expr => $v:expr),* $(,)?) => {{ let mut m = HashMap::new(); $(m.insert($k, $v);)* m }}; } fn f() -> HashMap<&'static str, u8> { map! { \"a\" => 1, \"b\" => 2 } }",
    "macro_rules! map { ($($k:expr => $v:expr),*) => {{ let mut m = ::std::collections::BTreeMap::<&str, u8>::new(); $(m.insert($k, $v);)* m }}; } fn f() { map!(\"a\" => 1); }",
    "macro_rules! fail { ($($arg:tt)*) => { return Err(format!($($arg)*)) }; } fn f(x: u8) -> Result<(), String> { if x > 1 { fail!(\"{} is too much, {:?}\", x, Some(1)) } Ok(()) }",
    "trait Area { fn area(&self) -> f64; } macro_rules! shape { ($name:ident, $self:ident, $area:expr) => { impl Area for $name { fn area(&$self) -> f64 { $area } } }; } struct Dot; shape!(Dot, self, 0.0);",
    "macro_rules! newtype { ($name:ident, $inner:ty) => { #[derive(Debug, Clone, PartialEq)] pub struct $name(pub $inner); impl From<$inner> for $name { fn from(v: $inner) -> Self { $name(v) } } }; } newtype!(Metres, f64); newtype!(Names, Vec<String>);",
    "macro_rules! names { ($kind:ident { $($variant:ident => $text:literal),+ $(,)? }) => { pub enum $kind { $($variant),+ } impl $kind { pub fn text(&self) -> &'static str { match self { $($kind::$variant => $text),+ } } } }; } names!(Colour { Red => \"red\", Blue => \"blue\" });",
    "macro_rules! impl_for { ($($t:ty),*) => { $(impl Zero for $t { fn zero() -> Self { 0 as $t } })* }; } trait Zero { fn zero() -> Self; } impl_for!(u8, u16, i64);",
    "macro_rules! check { ($cond:expr, $($arg:tt)+) => { if !($cond) { return Err(format!($($arg)+)); } }; } fn f(x: u8) -> Result<(), String> { check!(x != 3, \"no {}\", x); Ok(()) }",
    "macro_rules! two { () => { 2 }; ($x:expr) => { $x * 2 } } fn f() -> u32 { two!() + two!(3) }",
    "fn f() -> u32 { macro_rules! add { ($a:expr, $b:expr) => { $a + $b }; } add!(1, 2) }",
    "macro_rules! is { ($e:expr, $p:pat) => { matches!($e, $p) }; } fn f(x: Option<u8>) -> bool { is!(x, Some(1..=3)) }",
    "mod a { macro_rules! one { () => { 1 }; } pub fn f() -> u8 { one!() } }",
    "macro_rules! get { ($v:expr, $field:ident) => { $v.$field }; } struct P { raw: u8 } fn f(p: P, union: u8) -> u8 { get!(p, raw) + union }",
    "macro_rules! limit { ($t:ident) => { $t::MAX }; } fn f() -> u8 { limit!(u8) }",
    "macro_rules! doc { ($($name:ident),*) => { $( /// A function.\n #[inline] #[must_use] pub fn $name() -> &'static str { stringify!($name) } )* }; } doc!(a, b);",
];

const PASTED: &[(&str, &str)] = &[
    (
        "macro-definition",
        "macro_rules! p { ($a:ident, $b:ident) => { $a::$b::read(\"x\") }; } fn f() { p!(std, fs); }",
    ),
    ("macro-definition", "macro_rules! p { ($a:ident) => { std::$a::read(\"x\") }; } fn f() { p!(fs); }"),
    ("macro-definition", "macro_rules! p { ($a:ident) => { ::std::$a::read(\"x\") }; }"),
    ("macro-definition", "macro_rules! p { ($($a:tt)*) => { $($a)*::read(\"x\") }; }"),
    ("macro-definition", "macro_rules! p { ($a:tt $b:tt $c:tt) => { $a $b $c }; }"),
    ("macro-definition", "macro_rules! p { ($($a:tt)*) => { t::$($a)* }; }"),
    ("macro-definition", "macro_rules! p { ($($a:tt)* ; $($b:tt)*) => { $($a)* $($b)* }; }"),
    ("no-clock", "use std::time as t; macro_rules! p { ($a:ident) => { t::Instant::$a() }; }"),
    (
        "macro-definition",
        "use std::time as t; macro_rules! p { ($a:ident) => { t::$a::now() }; } fn f() { p!(Instant); }",
    ),
    (
        "macro-definition",
        "use std::time as t; macro_rules! p { ($a:ident) => { $a::Instant::now() }; } fn f() { p!(t); }",
    ),
    (
        "macro-definition",
        "use std::time as T; macro_rules! p { ($a:ident) => { T::$a::now() }; } fn f() { p!(Instant); }",
    ),
    (
        "macro-definition",
        "mod a { pub use std::time as t; } macro_rules! p { ($a:ident, $b:ident) => { $a::$b::Instant::now() }; } fn f() { p!(a, t); }",
    ),
    (
        "no-clock",
        "mod a { pub use std::time as t; } macro_rules! p { ($a:ident) => { $a::t::Instant::now() }; } fn f() { p!(a); }",
    ),
    ("macro-definition", "macro_rules! p { ($a:path) => { $a::read(\"x\") }; } fn f() { p!(std::time); }"),
    ("no-files", "macro_rules! p { ($a:path) => { $a(\"x\") }; } fn f() { p!(std::fs::read); }"),
    ("no-files", "macro_rules! p { ($a:ty) => { <$a>::open(\"x\") }; } fn f() { p!(std::fs::File); }"),
    (
        "no-files",
        "macro_rules! p { ($($a:tt)*) => { format!($($a)*) }; } fn f() { p!(\"{:?}\", std::fs::read(\"x\")); }",
    ),
    (
        "no-compile-time-reading",
        "macro_rules! p { ($a:expr) => { $a }; } fn f() { p!(include_str!(\"/etc/passwd\")); }",
    ),
    ("no-compile-time-reading", "macro_rules! p { () => { env!(\"HOME\") }; }"),
    (
        "macro-definition",
        "macro_rules! p { ($m:ident) => { $m!(\"/etc/passwd\") }; } fn f() { p!(include_str); }",
    ),
    ("macro-definition", "macro_rules! p { () => { std::println!(\"x\") }; }"),
    ("no-printing", "macro_rules! p { () => { println!(\"x\") }; }"),
    ("no-unsafe", "macro_rules! p { ($b:block) => { unsafe $b }; }"),
    ("no-unsafe", "macro_rules! p { ($e:expr) => { $e }; } fn f() { p!(unsafe { g() }); }"),
    ("no-extern", "macro_rules! p { () => { extern \"C\" { fn system(); } }; }"),
    ("macro-definition", "macro_rules! p { () => { use std::fs; }; } p!();"),
    ("macro-definition", "macro_rules! p { ($i:item) => { $i }; } p!(use std::fs;);"),
    ("macro-definition", "macro_rules! p { ($($t:tt)*) => { $($t)* }; } p!(use std::fs;);"),
    ("macro-definition", "macro_rules! p { () => { mod secret; }; }"),
    ("macro-definition", "macro_rules! p { () => { crate::f() }; }"),
    ("macro-definition", "macro_rules! p { () => { $crate::f() }; }"),
    ("macro-definition", "mod a { mod b { macro_rules! p { () => { super::super::f() }; } } }"),
    ("macro-definition", "macro_rules! p { ($(#[$m:meta])* $n:ident) => { $(#[$m])* fn $n() {} }; }"),
    ("attribute-not-allowed", "macro_rules! p { () => { #[no_mangle] pub fn f() {} }; }"),
    ("attribute-not-allowed", "macro_rules! p { ($n:literal) => { #[export_name = $n] pub fn f() {} }; }"),
    (
        "attribute-not-allowed",
        "macro_rules! p { ($($t:tt)*) => { $($t)* }; } p!(#[no_mangle] pub fn f() {});",
    ),
    ("no-macro-definition", "macro_rules! grow { () => { grow!() + grow!() }; }"),
    ("no-macro-definition", "macro_rules! a { () => { 1 }; } macro_rules! b { () => { a!() + a!() }; }"),
    ("no-macro-definition", "macro_rules! a { ($e:expr) => { $e + $e }; } fn f() -> u8 { a!(a!(a!(1))) }"),
    ("macro-definition", "macro_rules! p { () => { macro_rules! q { () => {}; } }; }"),
    ("macro-definition", "fn f() { g!(macro_rules); } macro_rules! g { ($i:ident) => {}; }"),
    ("no-macro-definition", "macro p() {}"),
    ("reserved-name", "macro_rules! format { ($($t:tt)*) => { String::new() }; }"),
    ("reserved-name", "macro_rules! println { () => {}; }"),
    ("reserved-name", "macro_rules! include_str { () => {}; }"),
    ("double-underscore", "macro_rules! p { () => { __rust_alloc(1, 1) }; }"),
    ("double-underscore", "macro_rules! __p { () => {}; }"),
    ("no-raw-pointer", "macro_rules! p { ($e:expr) => { $e as *const u8 }; }"),
    ("no-raw-pointer", "macro_rules! p { ($e:expr) => { &raw const $e }; }"),
    ("no-union", "macro_rules! p { ($n:ident) => { union $n { a: u8, b: i8 } }; }"),
    ("no-static-mut", "macro_rules! p { ($n:ident) => { static mut $n: u8 = 0; }; }"),
    ("literal-not-allowed", "macro_rules! p { () => { c\"sh\" }; }"),
    ("macro-definition", "macro_rules! p { ($e:expr) => { libc::$e }; }"),
    ("unknown-root", "macro_rules! p { () => { libc::getpid() }; }"),
    ("sdk-internal", "macro_rules! p { () => { skill_sdk::abi::room(1) }; }"),
    ("attribute-not-allowed", "#[macro_export] macro_rules! p { () => {}; }"),
    ("macro-definition", "macro_rules! p { nonsense }"),
    ("macro-definition", "macro_rules! p { ($x) => {}; }"),
    ("macro-position", "macro_rules! p { () => { u8 }; } fn f(x: p!()) {}"),
    ("macro-position", "macro_rules! p { () => { 1 }; } fn f(x: u8) { match x { p!() => {} _ => {} } }"),
];

#[test]
fn ordinary_macros_are_accepted_and_kept() {
    let table: Vec<(&str, String)> = ORDINARY.iter().map(|source| ("", (*source).to_owned())).collect();
    all_of(&table, |_, source| {
        let found = broken(source);
        if !found.is_empty() {
            let why = rules_only(source).map_or_else(|found| found[0].why.to_string(), |_| String::new());
            return Some(format!("{source}\n  {found:?}: {why}"));
        }
        let print = rules_only(source).unwrap().source;
        (!print.contains("macro_rules!")).then(|| format!("{source}\n  printed as {print}"))
    });
}

#[test]
fn code_put_together_by_a_macro_is_refused_by_its_rule() {
    let table: Vec<(&str, String)> =
        PASTED.iter().map(|(rule, source)| (*rule, (*source).to_owned())).collect();
    all_of(&table, |rule, source| {
        let found = broken(source);
        (!found.iter().any(|found| found == rule))
            .then(|| format!("{source}\n  expected {rule}, found {found:?}"))
    });
}

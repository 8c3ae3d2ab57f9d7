//! Sources that must be refused, each with the rule that says why.

use super::*;

const EVASIONS: &[(&str, &str)] = &[
    // Direct paths.
    ("no-files", "fn f() { let _ = std::fs::read_to_string(\"/etc/passwd\"); }"),
    ("no-files", "fn f() { let _ = ::std::fs::File::open(\"x\"); }"),
    ("no-files", "use std::io::Read;"),
    ("no-files", "use std::{collections::HashMap, fs::{self, File}};"),
    ("no-files", "use r#std::r#fs;"),
    ("no-files", "type F = std::fs::File;"),
    ("no-files", "fn f(x: &dyn std::io::Read) {}"),
    ("no-files", "fn f<T: std::io::Read>(t: T) {}"),
    ("no-files", "fn f<T>(t: T) where T: std::io::Write {}"),
    ("no-files", "fn f(x: impl std::io::Read) {}"),
    ("no-files", "fn f() { <std::fs::File>::open(\"x\"); }"),
    ("no-files", "fn f(x: &[u8]) { <&[u8] as std::io::Read>::read(&mut x, y); }"),
    ("no-files", "fn f() { Vec::<std::path::PathBuf>::new(); }"),
    ("no-files", "fn f() { x.into_iter().collect::<std::path::PathBuf>(); }"),
    ("no-files", "fn f() { match x { std::io::ErrorKind::NotFound => {} _ => {} } }"),
    ("no-files", "struct S { f: Option<std::fs::File> }"),
    ("no-files", "impl std::io::Write for Vec2 {}"),
    ("no-files", "const F: fn(&str) -> bool = |p| std::path::Path::new(p).exists();"),
    ("no-files", "fn f() { let x = std::io::Error { .. }; }"),
    ("no-network", "fn f() { let _ = std::net::TcpStream::connect(\"a:1\"); }"),
    ("no-network", "use core::net::IpAddr;"),
    ("no-process", "fn f() { std::process::Command::new(\"sh\").spawn(); }"),
    ("no-process", "fn f() { std::process::exit(0); }"),
    ("no-process", "use std::os::raw::c_char;"),
    ("no-process", "use std::ffi::OsString as Text;"),
    ("no-environment", "fn f() -> Option<String> { std::env::var(\"HOME\").ok() }"),
    ("no-threads", "fn f() { std::thread::spawn(|| {}); }"),
    ("no-threads", "use std::sync::{Arc, mpsc};"),
    ("no-threads", "use std::sync::Condvar;"),
    ("no-clock", "fn f() { std::time::Instant::now(); }"),
    ("no-clock", "use std::time::{Duration, SystemTime};"),
    ("std-not-allowed", "fn f() { core::intrinsics::abort(); }"),
    ("std-not-allowed", "use core::arch::wasm32;"),
    ("std-not-allowed", "use core::ptr::null;"),
    ("std-not-allowed", "use alloc::alloc::Layout;"),
    ("std-not-allowed", "use std::alloc::System;"),
    ("std-not-allowed", "fn f() { std::mem::transmute::<u32, f32>(1); }"),
    ("std-not-allowed", "fn f() { std::mem::forget(x); }"),
    ("std-not-allowed", "use std::any::Any;"),
    ("std-not-allowed", "use std::panic;"),
    ("std-not-allowed", "use std::pin::Pin;"),
    ("std-not-allowed", "use std::str::from_utf8_unchecked;"),
    ("std-not-allowed", "use std::cell::UnsafeCell;"),
    ("std-not-allowed", "use std::prelude::v1::include_str;"),
    // Aliases.
    ("root-alias", "use std as s; fn f() { s::fs::read(\"x\"); }"),
    ("no-files", "use std as s; fn f() { s::fs::read(\"x\"); }"),
    ("root-alias", "use std::{self as s};"),
    ("root-alias", "use core as c;"),
    ("root-alias", "use ::std;"),
    ("std-not-allowed", "use std::mem; fn f() { mem::transmute(1u32); }"),
    ("std-not-allowed", "use std::mem as m; fn f() { m::zeroed(); }"),
    ("std-not-allowed", "use std::mem as a; use a as b; use b as c; fn f() { c::transmute(1); }"),
    ("no-clock", "use std::time as t; fn f() { t::Instant::now(); }"),
    ("no-clock", "mod a { pub use std::time as t; } fn f() { a::t::SystemTime::now(); }"),
    ("no-clock", "mod a { pub use std::time as t; } use self::a::*; fn f() { t::SystemTime::now(); }"),
    (
        "no-clock",
        "mod a { pub mod b { pub use std::time as t; } } mod c { fn f() { super::a::b::t::Instant::now(); } }",
    ),
    ("no-clock", "fn f() { use std::time as t; t::Instant::now(); }"),
    ("no-clock", "use std::time; fn time() {} fn f() { time::Instant::now(); }"),
    ("no-clock", "use std::time as t; use t::Instant as D;"),
    ("no-clock", "use {std::time::Instant};"),
    ("root-alias", "use std::matches as m;"),
    ("no-printing", "use std::println as say_it;"),
    ("reserved-name", "mod std { pub mod fs {} }"),
    ("reserved-name", "use self::x as core; mod x {}"),
    ("reserved-name", "struct alloc;"),
    ("reserved-name", "fn f<std>() {}"),
    ("no-files", "fn f() { self::std::fs::read(\"x\"); }"),
    ("root-alias", "pub use std;"),
    // Globs and roots.
    ("glob-not-allowed", "use std::*;"),
    ("glob-not-allowed", "use core::{*};"),
    ("glob-not-allowed", "use std::mem::*;"),
    ("glob-not-allowed", "use std::time::*;"),
    ("no-files", "use std::fs::*;"),
    ("no-files", "use std::os::*; use std::io::prelude::*;"),
    ("glob-not-allowed", "use std::prelude::*;"),
    ("glob-not-allowed", "use *;"),
    ("no-crate-path", "use crate::secret;"),
    ("no-crate-path", "fn f() { crate::wrapper::call(); }"),
    ("no-crate-path", "use super::*;"),
    ("no-crate-path", "mod a { fn f() { super::super::call(); } }"),
    ("no-crate-path", "mod a { use super::{super::call}; }"),
    ("no-crate-path", "mod a { mod b { use self::super::super::super::x; } }"),
    ("no-crate-path", "pub(in crate::x) fn f() {}"),
    ("unknown-root", "use libc::getpid;"),
    ("unknown-root", "fn f() { libc::system(x); }"),
    ("unknown-root", "use skill_sdk::prelude::*; fn f() { libc::system(x); }"),
    ("unknown-root", "use ::serde::Serialize;"),
    ("unknown-root", "fn f() { fs::read(\"x\"); }"),
    ("unknown-root", "fn f() { wasm32::memory_grow(0); }"),
    ("sdk-internal", "fn f() { skill_sdk::abi::room(1); }"),
    ("sdk-internal", "use skill_sdk::entry;"),
    ("sdk-internal", "use skill_sdk as sdk; use sdk::abi as x;"),
    // Items and expressions.
    ("no-unsafe", "fn f() { unsafe { x(); } }"),
    ("no-unsafe", "unsafe fn f() {}"),
    ("no-unsafe", "unsafe impl Send for X {}"),
    ("no-unsafe", "unsafe trait T {}"),
    ("no-unsafe", "fn f() { format!(\"{}\", unsafe { *x }); }"),
    ("no-unsafe", "type F = unsafe fn();"),
    ("no-unsafe", "fn f() { let c = || { if true { unsafe { g() } } }; }"),
    ("no-extern", "extern \"C\" { fn system(c: *const u8) -> i32; }"),
    ("no-extern", "extern crate std as s;"),
    ("no-extern", "extern crate proc_macro;"),
    ("no-extern", "pub extern \"C\" fn tameclaw_call() {}"),
    ("no-extern", "type F = extern \"C\" fn();"),
    ("no-async", "async fn f() {}"),
    ("no-async", "fn f() { let x = async { 1 }; }"),
    ("no-files", "macro_rules! m { () => { std::fs::read(\"x\") } }"),
    ("no-macro-definition", "macro m() {}"),
    ("no-static-mut", "static mut X: u32 = 0;"),
    ("no-union", "union U { a: u32, b: f32 }"),
    ("no-raw-pointer", "fn f(p: *const u8) {}"),
    ("no-raw-pointer", "fn f() { let x = &y as *const u8 as usize; }"),
    ("no-raw-pointer", "fn f() { let p = &raw const x; }"),
    ("no-outside-module", "mod secret;"),
    ("no-outside-module", "#[path = \"/etc/passwd\"] mod secret;"),
    ("module-in-function", "fn f() { mod m { pub fn g() {} } }"),
    ("literal-not-allowed", "fn f() { let x = c\"sh\"; }"),
    ("unsupported-syntax", "auto trait T {}"),
    ("unsupported-syntax", "fn f() { try { 1 }; }"),
    ("unsupported-syntax", "trait A = Clone;"),
    ("unsupported-syntax", "fn f(rolls: Vec<u3 : >) {}"),
    ("unsupported-syntax", "struct L { a: u8 = 8 }"),
    ("unsupported-syntax", "fn f() -> i32 { 1 + 3 . 4 + 5 }"),
    ("unsupported-syntax", "impl !Send for X {}"),
    ("unreadable", "fn f( {}"),
    ("parse-error", "fn f() { let = 1; }"),
    ("double-underscore", "fn __rust_alloc() {}"),
    ("double-underscore", "fn f() { let r#__x = 1; }"),
    ("ascii-names", "fn f() { let \u{0430}dmin = 1; }"),
    ("ascii-names", "fn f() { '\u{0430}: loop {} }"),
    // Attributes.
    ("attribute-not-allowed", "#[no_mangle] pub fn f() {}"),
    ("attribute-not-allowed", "#[export_name = \"tameclaw_call\"] pub fn f() {}"),
    ("attribute-not-allowed", "#[link_section = \".init\"] static X: u8 = 0;"),
    ("attribute-not-allowed", "#[global_allocator] static A: B = B;"),
    ("attribute-not-allowed", "#[panic_handler] fn f() {}"),
    ("attribute-not-allowed", "#[macro_use] mod m {}"),
    ("attribute-not-allowed", "#[proc_macro] pub fn f() {}"),
    ("attribute-not-allowed", "#[repr(C)] struct S;"),
    ("attribute-not-allowed", "#[doc = include_str!(\"/etc/passwd\")] fn f() {}"),
    ("attribute-not-allowed", "#![feature(asm)]"),
    ("attribute-not-allowed", "#![no_std]"),
    ("attribute-not-allowed", "fn f() { #![inline] }"),
    ("no-unsafe", "#[unsafe(no_mangle)] pub fn f() {}"),
    ("lint-not-allowed", "#![allow(unsafe_code)]"),
    ("lint-not-allowed", "#[allow(dead_code, arithmetic_overflow)] fn f() {}"),
    ("cfg-not-allowed", "#[cfg_attr(all(), no_mangle)] pub fn f() {}"),
    ("cfg-not-allowed", "#[cfg(not(test))] fn f() {}"),
    ("cfg-not-allowed", "#[cfg(target_arch = \"wasm32\")] fn f() {}"),
    ("cfg-not-allowed", "fn f() { #[cfg(test)] let x = 1; }"),
    ("cfg-not-allowed", "enum E { #[cfg(test)] A }"),
    ("cfg-not-allowed", "mod m { #![cfg(test)] }"),
    ("derive-not-allowed", "#[derive(Debug, Serialize)] struct S;"),
    ("derive-not-allowed", "#[derive(std::fmt::Debug)] struct S;"),
    // Macros.
    ("no-printing", "fn f() { println!(\"x\"); }"),
    ("no-printing", "fn f() { std::eprintln!(\"x\"); }"),
    ("no-printing", "fn f() { let x = dbg!(1); }"),
    ("unfinished", "fn f() { todo!() }"),
    ("no-compile-time-reading", "const X: &str = include_str!(\"/etc/passwd\");"),
    ("no-compile-time-reading", "const X: &[u8] = core::include_bytes!(\"/etc/passwd\");"),
    ("no-compile-time-reading", "fn f() { env!(\"HOME\"); option_env!(\"X\"); }"),
    ("no-compile-time-reading", "fn f() { format!(\"{}\", include_str!(\"x\")); }"),
    ("no-compile-time-reading", "fn f() { vec![0; include_bytes!(\"x\").len()]; }"),
    ("no-compile-time-reading", "fn f() { matches!(x, y if include_str!(\"x\") == y); }"),
    ("no-files", "fn f() { format!(\"{:?}\", std::fs::read(\"x\")); }"),
    ("no-files", "fn f() { assert!(vec![format!(\"{x}\", x = std::fs::read(\"x\").unwrap())].len() > 0); }"),
    ("no-files", "fn f() { matches!(x, std::io::ErrorKind::NotFound); }"),
    ("no-environment", "fn f() { write!(out, \"{:?}\", { use std::env; env::args() }); }"),
    ("no-unsafe", "fn f() { asm!(\"nop\"); }"),
    ("no-unsafe", "global_asm!(\"nop\");"),
    ("no-threads", "fn f() { thread_local!(static X: u8 = 1); }"),
    ("macro-not-allowed", "fn f() { compile_error!(\"x\"); }"),
    ("no-compile-time-reading", "fn f() { concat!(\"a\", include_str!(\"/etc/passwd\")); }"),
    ("no-compile-time-reading", "fn f() { format!(concat!(\"{}\", env!(\"HOME\"))); }"),
    ("macro-not-allowed", "skill_sdk::export!(Skill); fn f() { skill_sdk::export!(Skill); }"),
    ("macro-position", "skill_sdk::export!(Skill);"),
    ("macro-position", "impl X { vec![]; }"),
    ("macro-position", "fn f(x: format!(\"u8\")) {}"),
    ("macro-position", "fn f() { match x { vec![] => {} } }"),
    ("macro-arguments", "fn f() { format!(\"{}\" => x); }"),
    ("macro-arguments", "fn f() { vec![#[cfg(test)] 1]; }"),
    ("macro-arguments", "fn f() { vec![fn g() {}]; }"),
    // Hidden in what is dropped from the print, or in layout.
    ("no-files", "#[cfg(test)] mod tests { use std::fs; }"),
    ("hidden-character", "fn f() { let x = \"\u{202e}\"; }"),
    ("hidden-character", "// \u{2066}if admin\u{2069}\nfn f() {}"),
    ("hidden-character", "fn f() { let a\u{200b}b = 1; }"),
    ("hidden-character", "fn f() { let x = \"a\u{fe0f}\u{e0100}\"; }"),
    ("hidden-character", "fn f() { let x = \"\u{e0041}\"; }"),
    ("hidden-character", "fn f() {}\0"),
    ("hidden-character", "fn f() {} // \r unsafe"),
    ("hidden-character", "\u{feff}fn f() {}"),
    ("hidden-character", "fn f() { let x = \"\u{1b}[2J\"; }"),
    ("hidden-character", "fn f() { let \u{115f} = 1; }"),
];

#[test]
fn every_evasion_is_refused_by_its_rule() {
    for (rule, source) in EVASIONS {
        let found = broken(source);
        assert!(found.iter().any(|found| found == rule), "{source}\nexpected {rule}, found {found:?}");
    }
}

#[test]
fn a_comment_or_a_string_cannot_make_the_scan_misread_what_follows() {
    let payload = "std::fs::read(\"x\")";
    let disguises = [
        format!("fn f() {{ /* /* */ */ {payload}; }}"),
        format!("fn f() {{ let c = '\"'; {payload}; let d = '\"'; }}"),
        format!("fn f() {{ let c = r#\"\"#; {payload}; let d = r##\"\"# \"##; }}"),
        format!("fn f() {{ let c = \"\\\\\"; {payload}; }}"),
        format!("fn f<'a>() {{ let c: &'a str = \"//\"; {payload}; }}"),
        format!("fn f() {{ let c = b'\\''; {payload}; }}"),
        format!("fn f() {{ //\n{payload}; }}"),
        format!("fn f() {{ let c = br\"\\\"; {payload}; }}"),
    ];
    for source in disguises {
        assert_eq!(broken(&source), ["no-files"], "{source}");
    }
    for harmless in [
        "fn f() { let c = \"std::fs::read(1)\"; }",
        "/* unsafe /* std::fs */ */ fn f() { let x = r\"unsafe\"; }",
    ] {
        assert!(broken(harmless).is_empty(), "{harmless}");
    }
}

#[test]
fn a_maze_of_imports_is_refused_in_time() {
    let mut maze = String::new();
    for module in 0..30 {
        maze.push_str(&format!("mod m{module} {{ "));
        for name in 0..12 {
            maze.push_str(&format!(
                "pub use super::m{}::a{}::a{} as a{name}; ",
                (module + 1) % 30,
                (name + 1) % 12,
                (name + 5) % 12
            ));
        }
        maze.push_str("} ");
    }
    assert!(broken(&maze).iter().any(|rule| rule == "import-maze"));
}

//! Links a release of `cl-bot` smaller: functions with the same code become one, and addresses that the loader moves are kept
//! in a table of bits (an eighth of their size).

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    // The toolchain brings LLD for this processor; the linkers of others know neither.
    if !is("PROFILE", "release") || !is("TARGET", "x86_64-unknown-linux-gnu") {
        return;
    }
    println!("cargo:rustc-link-arg-bins=-Wl,--icf=all");
    if is("HOST", "x86_64-unknown-linux-gnu") && loader_reads_bits() {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// Whether the C library of this machine is glibc 2.36 or later (its news of 2022-08-01 name `DT_RELR`).
fn loader_reads_bits() -> bool {
    let Ok(output) = Command::new("getconf").arg("GNU_LIBC_VERSION").output() else { return false };
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text.trim().strip_prefix("glibc ").and_then(|version| version.split_once('.'));
    let numbers = version.and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
    numbers >= Some((2_u32, 36_u32))
}

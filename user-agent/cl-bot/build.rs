//! Links a release of `cl-bot` smaller: functions with the same code become one, and addresses that the loader moves are kept
//! in a table of bits (an eighth of their size).

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

/// Whether the C library of this machine knows such a table; it says so by this name (glibc 2.36, news of 2022-08-01).
fn loader_reads_bits() -> bool {
    const NAME: &[u8] = b"GLIBC_ABI_DT_RELR";
    #[expect(clippy::disallowed_methods, reason = "a file of the system, read while the program is built")]
    let library = |path: &str| std::fs::read(path).unwrap_or_default();
    ["/lib/x86_64-linux-gnu/libc.so.6", "/lib64/libc.so.6"]
        .iter()
        .any(|path| library(path).windows(NAME.len()).any(|window| window == NAME))
}

//! Refuses other systems than those that both programs run on. This crate is built before the libraries that other systems lack,
//! so the reason comes first and not their errors.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let of = |name: &str| std::env::var(name).unwrap_or_default();
    let (system, processor) = (of("CARGO_CFG_TARGET_OS"), of("CARGO_CFG_TARGET_ARCH"));
    if system != "linux" {
        println!(
            "cargo::error=TameClaw does not build for `{system}`: Landlock, seccomp and namespaces of Linux confine both \
             programs, and no other system has them. Use Linux, or a virtual machine that runs Linux."
        );
    } else if !["x86_64", "aarch64"].contains(&processor.as_str()) {
        println!(
            "cargo::error=TameClaw does not build for `{processor}`: the numbers of the system calls that it allows are known \
             for x86_64 and aarch64 only."
        );
    }
}

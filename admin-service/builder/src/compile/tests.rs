use std::process::Command;

use super::*;

/// The compiler as it is called in the jail, without the jail.
struct Bench {
    toolchain: Toolchain,
    place: tempfile::TempDir,
}

impl Bench {
    fn new(compiler: &str) -> Option<Bench> {
        let toolchain = Toolchain::find(compiler).ok()?;
        let bench = Bench { toolchain, place: tempfile::tempdir().unwrap() };
        for (name, text) in SDK {
            std::fs::write(bench.place.path().join(name), text).unwrap();
        }
        bench.call(sdk_args(bench.place.path())).unwrap();
        std::fs::write(bench.place.path().join("lib.rs"), WRAPPER).unwrap();
        Some(bench)
    }

    fn compiled(&self, source: &str) -> Result<(), String> {
        std::fs::write(self.place.path().join("skill.rs"), source).unwrap();
        self.call(skill_args(&self.toolchain, self.place.path()))
    }

    fn call(&self, args: Vec<String>) -> Result<(), String> {
        let ran =
            Command::new(&self.toolchain.rustc).args(args).current_dir(self.place.path()).output().unwrap();
        if ran.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&ran.stderr).into_owned()) }
    }
}

const SKILL: &str = "use skill_sdk::prelude::*;\npub struct Skill;\nimpl skill_sdk::Skill for Skill {\n    \
    fn describe(&self) -> Description { Description::new(\"x\") }\n}\n";

#[test]
fn the_wrappers_lints_bind_a_skill_that_the_scan_let_through() {
    // Without a compiler there is nothing to bind.
    let Some(bench) = Bench::new("auto") else { return };
    let with = |line: &str| bench.compiled(&format!("{SKILL}{line}\n"));
    assert_eq!(with("fn unused() { let x = 1; }"), Ok(()));
    for (line, said) in [
        ("pub fn f() -> u8 { unsafe { *(1 as *const u8) } }", "unsafe"),
        ("#[no_mangle] pub fn tameclaw_other() {}", "no_mangle"),
        ("pub fn f(n: u8) -> u8 { f(n) }", "recurs"),
        ("#[allow(unsafe_code)] pub fn f() { unsafe {} }", "unsafe"),
    ] {
        let words = with(line).unwrap_err();
        assert!(words.contains(said), "{line}: {words}");
    }
}

#[test]
fn an_ordinary_skill_is_a_short_module() {
    // The interpreter reads, hashes and translates all of it before the first call.
    for bench in ["auto", "/usr/bin/rustc"].into_iter().filter_map(Bench::new) {
        assert_eq!(bench.compiled(include_str!("../../../../skill-sdk/examples/dice.rs")), Ok(()));
        let size = std::fs::metadata(bench.place.path().join(package::MODULE)).unwrap().len();
        assert!(size <= 56 << 10, "{size} bytes with {}", bench.toolchain.version);
    }
}

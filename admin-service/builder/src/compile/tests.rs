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

/// The names are those of the crates that models know, so that what they write of habit compiles, with or without an import.
#[test]
fn the_sdks_helpers_compile_by_the_names_that_models_write_and_stay_small() {
    const HELPERS: &str = "use base64::decode;\nuse hex;\npub fn f(text: &str, n: f64) -> Result<String, String> {\n    \
        let bytes = decode(base64::encode(text))?;\n    let date = text.parse::<Date>()?;\n    \
        Ok(format!(\"{} {} {} {date}\", hex::encode(&bytes), words(text).len(), grouped(fixed(n, 2), \",\")))\n}\n";
    let call =
        "fn call_tool(&mut self, call: &Call) -> Answer { Ok(f(call.text(\"t\")?, call.number(\"n\")?)?) }";
    let source =
        SKILL.replace("{ Description::new(\"x\") }", &format!("{{ Description::new(\"x\") }}\n    {call}"));
    let source = format!("{source}{HELPERS}");
    assert!(crate::scan::scan(&source).is_ok());
    for bench in ["auto", "/usr/bin/rustc"].into_iter().filter_map(Bench::new) {
        assert_eq!(bench.compiled(&source), Ok(()));
        let size = std::fs::metadata(bench.place.path().join(package::MODULE)).unwrap().len();
        // All of them together take less than `{n:.2}` alone.
        assert!(size <= 72 << 10, "{size} bytes with {}", bench.toolchain.version);
    }
}

/// What small models get wrong most: each is put right by what the compiler says, as old as 1.63, without asking anybody.
#[test]
fn what_a_compiler_suggests_is_followed() {
    for bench in ["auto", "/usr/bin/rustc"].into_iter().filter_map(Bench::new) {
        for function in [
            "pub fn f(r: f64) -> f64 { 2 * r }",
            "pub fn f(r: f64) -> f64 { r / 2 + 1 }",
            "pub fn f(r: f64) -> f64 { (r - 32) * 5 / 9 }",
            "pub fn f(n: &str) -> String { \"hi \" + n }",
            "pub fn f(n: &str) -> String { n }",
            "pub fn f(n: &str) -> i64 { n.len() }",
            "pub fn f(n: &str) -> Result<i64, String> { let x: i64 = n.parse()?; Ok(x) }",
            "pub fn f(n: i64) -> Result<String, String> { if n < 0 { return Err(\"negative\"); } Ok(n) }",
            "pub fn f(n: f64) -> f64 { 2.0.sqrt() * n }",
            "pub fn f(s: &str) -> String { let i: i64 = 0; let v: Vec<char> = s.chars().collect(); v[i].to_string() }",
            "pub fn f(a: i64) -> i64 { a + 1; }",
            "pub fn f(r: f64) -> f64 { let mut sum = 0.0; for i in 0..3 { sum += r * 2; } sum }",
        ] {
            let mut source = format!("{SKILL}{function}\n");
            let mut last = String::new();
            for _ in 0..6 {
                let Err(said) = bench.compiled(&source) else { break };
                let (words, fixes) = said::read(&said, &source);
                last = words;
                let Some(mended) = mend(&source, &fixes) else { break };
                source = mended;
            }
            assert_eq!(bench.compiled(&source).map_err(|_| last), Ok(()), "{function}\n{source}");
        }
    }
}

#[test]
fn a_suggestion_outside_the_skills_file_or_without_a_place_is_not_followed() {
    let with = |file: &str, start: usize| {
        let said = format!(
            r#"{{"message":"m","code":null,"level":"error","spans":[],"rendered":"error: m\n","children":[{{"message":"h","code":null,"level":"help","rendered":null,"children":[],"spans":[{{"file_name":"{file}","byte_start":{start},"byte_end":{start},"is_primary":true,"suggested_replacement":"x","suggestion_applicability":"MachineApplicable"}}]}}]}}"#
        );
        said::read(&said, "ä")
    };
    let (words, fixes) = with("skill.rs", 0);
    assert_eq!((words.as_str(), mend("ä", &fixes)), ("error: m\n", Some("xä".to_owned())));
    assert_eq!(mend("ä", &with("lib.rs", 0).1), None);
    // Within a character, and behind the end.
    assert_eq!(mend("ä", &with("skill.rs", 1).1), None);
    assert_eq!(mend("ä", &with("skill.rs", 9).1), None);
    assert_eq!(
        said::read("{\"message\": broken\nplain words", ""),
        ("{\"message\": broken\nplain words\n".to_owned(), vec![])
    );
}

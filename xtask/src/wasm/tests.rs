use std::fs;

use super::*;

const BARE: Surroundings =
    Surroundings { rustup: false, apt: false, root: false, sudo: false, terminal: true };

fn lines(here: Surroundings) -> Vec<String> {
    plan(here).iter().map(Step::to_string).collect()
}

#[test]
fn rustup_is_tried_before_the_distribution() {
    let here = Surroundings { rustup: true, apt: true, root: true, ..BARE };
    assert_eq!(
        lines(here),
        [
            "rustup target add wasm32-unknown-unknown",
            "apt-get update",
            "apt-get install --no-install-recommends rustc libstd-rust-dev-wasm32 lld",
        ]
    );
}

#[test]
fn without_a_terminal_nothing_asks() {
    let here = Surroundings { apt: true, sudo: true, terminal: false, ..BARE };
    assert_eq!(
        lines(here),
        [
            "sudo -n apt-get update",
            "sudo -n apt-get install --no-install-recommends --yes rustc libstd-rust-dev-wasm32 lld",
        ]
    );
    assert!(lines(Surroundings { terminal: true, ..here })[0].starts_with("sudo apt-get"));
}

#[test]
fn packages_are_not_tried_without_a_way_to_become_root() {
    assert!(lines(Surroundings { apt: true, ..BARE }).is_empty());
    assert!(lines(BARE).is_empty());
}

#[test]
fn a_compiler_counts_only_with_the_targets_std() {
    let dir = std::env::temp_dir().join(format!("tameclaw-xtask-{}", std::process::id()));
    let lib = dir.join("lib/rustlib/wasm32-unknown-unknown/lib");
    fs::create_dir_all(&lib).expect("creates");
    let rustc = dir.join("rustc");
    fs::write(&rustc, "").expect("writes");
    let linker = dir.join("wasm-ld");
    fs::write(&linker, "").expect("writes");
    let compiler = || Compiler { rustc: rustc.clone(), sysroot: dir.clone(), linker: Some(linker.clone()) };
    assert_eq!(find(&[compiler()]), None, "an empty folder is no target");
    fs::write(lib.join("libstd-0123.rlib"), "").expect("writes");
    assert_eq!(find(&[compiler()]), Some(&compiler()));
    fs::remove_file(&linker).expect("removes");
    assert_eq!(find(&[compiler()]), None, "nothing is linked without a linker");
    fs::write(&linker, "").expect("writes");
    fs::remove_file(&rustc).expect("removes");
    assert_eq!(find(&[compiler()]), None, "a target without a compiler compiles nothing");
    fs::remove_dir_all(dir).expect("removes");
}

#[test]
fn a_step_that_takes_too_long_is_ended() {
    let start = Instant::now();
    let step = Step { words: vec!["sleep", "30"], limit: Duration::from_millis(200) };
    assert!(!step.run());
    assert!(start.elapsed() < Duration::from_secs(10));
}

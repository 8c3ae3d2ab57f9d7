use super::*;

fn limits() -> Limits {
    let config = base::config::Config::parse("defaults".as_ref(), "").unwrap();
    config.limits
}

fn told(of: ChildFault) -> String {
    match fault(of, "", &limits()) {
        CompileFault::Source { words, .. } => words,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_end_of_a_compiler_is_told_in_words() {
    let failed = |code, words: &str| told(ChildFault::Failed { code, words: words.to_owned() });
    for (what, said) in [
        ("4096 MB of memory", told(ChildFault::Killed(libc::SIGABRT))),
        ("4096 MB of memory", failed(1, "memory allocation of 99 bytes failed")),
        ("4096 MB of memory", failed(1, "rustc-LLVM ERROR: out of memory")),
        ("60 s of processor time", told(ChildFault::Killed(libc::SIGKILL))),
        ("60 s of processor time", told(ChildFault::Killed(libc::SIGXCPU))),
        ("out of its stack", told(ChildFault::Killed(libc::SIGSEGV))),
        ("larger file", told(ChildFault::Killed(libc::SIGXFSZ))),
        (
            "the compiler itself failed on this source (thread 'rustc' panicked)",
            failed(101, "\nthread 'rustc' panicked\nmore"),
        ),
        ("without a word", failed(1, " ")),
    ] {
        assert!(said.contains(what), "{said}");
        assert!(!said.contains("signal 9"), "{said}");
    }
    assert_eq!(failed(1, "skill.rs:1:2: error: no"), "skill.rs:1:2: error: no");
}

#[test]
fn what_is_not_the_sources_doing_waits() {
    assert!(matches!(fault(ChildFault::Cancelled, "", &limits()), CompileFault::Waits(_)));
    let slow = fault(ChildFault::TimedOut(Duration::from_secs(300)), "", &limits());
    assert!(matches!(&slow, CompileFault::Waits(why) if why.contains("300 s on this machine")), "{slow:?}");
    assert!(matches!(fault(ChildFault::NoJail("none".to_owned()), "", &limits()), CompileFault::NoJail(_)));
}

#[test]
fn messages_are_cut_where_nobody_reads_on_and_say_so() {
    let long = format!("first\n{}\n{}", "x".repeat(5_000), "line\n".repeat(500));
    let said = told(ChildFault::Failed { code: 1, words: long });
    assert!(said.starts_with("first\nxxx") && said.contains("... (5000 characters)"), "{said}");
    assert!(said.ends_with("... and 422 more lines") && said.len() < 2_000, "{said}");
}

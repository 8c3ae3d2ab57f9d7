use super::*;

/// A busy machine must not make a proposal worse: what counts against an input is what it used up or said.
#[test]
fn a_child_without_an_answer_in_time_speaks_against_the_machine() {
    assert!(!ChildFault::TimedOut(Duration::from_secs(60)).blames_input());
    assert!(!ChildFault::NoJail("none".to_owned()).blames_input());
    assert!(!ChildFault::Cancelled.blames_input());
    assert!(ChildFault::Killed(nix::libc::SIGKILL).blames_input());
    assert!(ChildFault::Failed { code: 1, words: String::new() }.blames_input());
}

/// A compiler ends with any code that it likes; only this program's own children say by one that they read nothing.
#[test]
fn a_foreign_exit_code_is_no_lack_of_a_jail() {
    let failed = || ChildFault::Failed { code: i32::from(NO_JAIL), words: "no wall".to_owned() };
    assert!(failed().blames_input());
    assert!(!own(Err(failed())).unwrap_err().blames_input());
}

/// The processor time must run out long before the wait does, or a hostile input would wait for ever.
#[test]
fn every_child_is_waited_for_several_times_its_processor_time() {
    for job in [
        Job::Parse,
        Job::Scan,
        Job::ScanRules,
        Job::Assemble,
        Job::Inspect,
        Job::Exported,
        Job::Tally,
        Job::Strip,
        Job::Arguments,
    ] {
        assert!(job.wall() >= Duration::from_secs(5 * job.cpu_seconds()), "{job:?}");
        assert!(job.wall() >= Duration::from_secs(60), "{job:?}");
    }
}

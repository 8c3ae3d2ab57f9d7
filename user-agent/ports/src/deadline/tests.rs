use super::*;

fn eventually(what: impl Fn() -> bool) -> bool {
    (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        what()
    })
}

#[test]
fn the_end_of_the_time_cancels_and_is_told_from_a_wish() {
    let parent = Arc::new(AtomicBool::new(false));
    let deadline = Deadline::start(&parent, Duration::from_millis(30));
    assert!(eventually(|| deadline.cancel().load(Ordering::Relaxed)));
    assert!(deadline.passed());
    assert!(!parent.load(Ordering::Relaxed));
}

#[test]
fn the_wish_of_the_person_cancels_before_the_time_is_over() {
    let parent = Arc::new(AtomicBool::new(false));
    let deadline = Deadline::start(&parent, Duration::from_secs(600));
    assert!(!deadline.cancel().load(Ordering::Relaxed));
    parent.store(true, Ordering::Relaxed);
    assert!(eventually(|| deadline.cancel().load(Ordering::Relaxed)));
    assert!(!deadline.passed());
}

#[test]
fn a_deadline_that_is_not_needed_any_more_ends_at_once() {
    let begun = Instant::now();
    drop(Deadline::start(&Arc::default(), Duration::from_secs(600)));
    assert!(begun.elapsed() < Duration::from_secs(60));
}

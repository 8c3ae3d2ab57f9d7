use super::*;

#[test]
fn an_answer_comes_when_the_work_is_done() {
    let (gate, wait) = channel::<()>();
    let work = Work::start("calling", false, move || {
        wait.recv().map_err(Error::failed)?;
        Ok(Outcome::Words("done".into()))
    });
    assert!(work.answer(Duration::ZERO).is_none());
    assert!(work.sign().contains("calling ... 0 s"));
    gate.send(()).unwrap();
    assert!(
        matches!(work.answer(Duration::from_secs(20)), Some(Ok(Outcome::Words(words))) if words == "done")
    );
}

#[test]
fn work_that_breaks_off_is_a_failure_and_not_a_wait_for_ever() {
    let work = Work::start("calling", false, || panic!("this panic belongs to the test"));
    let answer = work.answer(Duration::from_secs(20));
    assert!(matches!(answer, Some(Err(Error::Failed(why))) if why.to_string().contains("broke off")));
}

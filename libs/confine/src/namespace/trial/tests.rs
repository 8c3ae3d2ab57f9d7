use super::*;

#[test]
fn every_step_and_answer_comes_back_from_its_exit_code() {
    for step in STEPS {
        for errno in ANSWERS {
            let code = code(step, errno);
            assert!((1..UNKNOWN).contains(&code));
            assert_eq!(refused(code), View::Refused { step, errno });
        }
    }
    for unknown in [code("another step", Errno::EPERM), code(STEPS[0], Errno::EBADF), UNKNOWN] {
        let answer = View::Refused { step: "a namespace", errno: Errno::UnknownErrno };
        assert_eq!((unknown, refused(unknown)), (UNKNOWN, answer));
    }
}

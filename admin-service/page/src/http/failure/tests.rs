use super::*;

/// A client tells a wrong token from a wrong request by the status.
#[test]
fn each_refusal_has_a_status_of_its_own() {
    let all = [
        (Refusal::Unauthorized, 401),
        (Refusal::Invalid, 400),
        (Refusal::Refused, 403),
        (Refusal::NotFound, 404),
        (Refusal::Busy, 429),
        (Refusal::Failed, 502),
    ];
    for (why, status) in all {
        assert_eq!(
            Failed::of(why, "x".to_owned()).json(&super::super::words::ALL[0]).status().as_u16(),
            status,
            "{why:?}"
        );
    }
}

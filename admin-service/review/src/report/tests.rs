use super::*;

#[test]
fn an_event_of_the_bot_speaks_for_a_no() {
    let rule = compose::events::CORE_EVENT.to_owned();
    let finding = Finding { rule, text: String::new(), violation: false };
    assert_eq!(recommend(&[finding], &[]), Recommendation::Reject);
}

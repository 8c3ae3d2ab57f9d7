use super::*;

#[test]
fn the_table_leads_from_every_older_state_to_the_present_version() {
    let mut states = vec![From::Unmarked];
    states.extend((1..VERSION).map(From::Version));
    assert_eq!(STEPS.iter().map(|step| step.from).collect::<Vec<_>>(), states);
}

//! A tool's parameters, and arguments for them: `{"schema": ..., "args": ...}`.

use serde_json::Value;
use shared_types::schema::Parameters;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_schema_of_the_subset_stays_what_it_is_and_says_each_fault_of_arguments() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let Ok(input) = serde_json::from_str::<Value>(text) else { return Verdict::Refused };
    let parsed = Parameters::try_from(input["schema"].clone());
    match &parsed {
        Ok(parameters) => {
            assert!(parameters.properties().count() <= 16);
            assert_eq!(
                &Parameters::try_from(Value::from(parameters.clone())).expect("still a schema"),
                parameters
            );
            if let Err(faults) = parameters.check(&input["args"]) {
                assert!(!faults.is_empty(), "a refusal says why");
                faults.iter().for_each(|fault| is_safe_to_show(&fault.to_string()));
            }
        }
        Err(fault) => is_safe_to_show(&fault.to_string()),
    }
    Verdict::of(&parsed)
}

//! Where a model server is.

use models::config::Endpoint;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn an_endpoint_that_is_taken_reads_back_the_same_and_never_sends_a_key_in_the_clear() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let parsed = text.parse::<Endpoint>();
    match &parsed {
        Ok(endpoint) => {
            assert!(endpoint.tls() || endpoint.is_loopback());
            assert_eq!(endpoint.to_string().parse::<Endpoint>().as_ref(), Ok(endpoint));
            let port = endpoint.join("x").contains(&format!(":{}", endpoint.port()));
            assert!(port || [80, 443].contains(&endpoint.port()));
        }
        Err(error) => is_safe_to_show(&error.to_string()),
    }
    Verdict::of(&parsed)
}

use super::*;

#[test]
fn only_the_running_call_is_called_off() {
    let ears = Ears { running: Arc::new(Mutex::new(Some(json!("7")))), cancel: Arc::default() };
    let cancel =
        |id: Value| json!({"method": "notifications/cancelled", "params": {"requestId": id}}).to_string();
    for other in [
        cancel(json!(7)),
        cancel(json!("8")),
        r#"{"method":"ping","params":{"requestId":"7"}}"#.into(),
        "x".into(),
    ] {
        assert!(!ears.cancels(other.as_bytes()) && !ears.cancel.load(Ordering::Relaxed), "{other}");
    }
    assert!(ears.cancels(cancel(json!("7")).as_bytes()) && ears.cancel.load(Ordering::Relaxed));
}

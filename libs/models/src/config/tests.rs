use serde_json::json;

use super::*;

fn faults(value: Value) -> Vec<String> {
    ModelsConfig::parse(value).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn nothing_configured_is_the_companion_without_a_network() {
    let config = ModelsConfig::parse(Value::Null).unwrap();
    assert_eq!(config.providers[0].kind, Kind::Embedded);
    assert!(!config.needs_network());
}

#[test]
fn a_full_entry_is_read_from_yaml() {
    let text = "providers:\n  - name: local\n    kind: openai-compatible\n    base_url: http://127.0.0.1:8080/v1/\n    \
                model: tiny\n    api_key: \"${LOCAL_KEY}\"\n    timeout_seconds: 5\n  - {name: me, kind: embedded}\n\
                tasks: {implement: me}\n";
    let value: Value = documents::yaml::from_own(text).unwrap();
    let config = ModelsConfig::parse(value).unwrap();
    let local = config.provider("local").unwrap();
    assert_eq!(
        local.base_url.as_ref().unwrap().join("chat/completions"),
        "http://127.0.0.1:8080/v1/chat/completions"
    );
    assert_eq!(local.api_key.as_ref().unwrap().as_str(), "LOCAL_KEY");
    assert_eq!(local.timeout, Duration::from_secs(5));
    assert_eq!(config.tasks["implement"], "me");
    assert!(config.needs_network());
}

#[test]
fn every_fault_is_told_in_one_pass() {
    let told = faults(json!({
        "providers": [
            {"name": "Big Name", "kind": "robot", "timeout_seconds": 0, "colour": 1},
            {"name": "a", "kind": "openai-compatible", "api_key": "sk-live-123"},
            {"name": "b", "kind": "openai-compatible", "base_url": "http://10.0.0.5/v1", "model": "m"},
            {"name": "b", "kind": "embedded"}],
        "tasks": {"chat": "ghost", "sing": "a"}, "extra": true}));
    for part in [
        "extra: this key is unknown; allowed: providers tasks",
        "providers[0].name:",
        "providers[0].kind: \"robot\" is not allowed; allowed: embedded openai-compatible anthropic mock human",
        "providers[0].timeout_seconds: must be a whole number from 1 to 3600",
        "providers[0].colour: this key is unknown; allowed: name kind",
        "providers[1].base_url: missing",
        "providers[1].model: missing",
        "providers[1].api_key: must be `${NAME}`",
        "providers[2].base_url: plain http is for this machine only",
        "tasks.chat: allowed:",
        "tasks.sing: this key is unknown; allowed: chat",
    ] {
        assert!(told.iter().any(|t| t.starts_with(part)), "{part} is not in {told:#?}");
    }
    assert!(!told.iter().any(|t| t.contains("sk-live")), "a pasted key is never repeated");
}

#[test]
fn a_name_that_is_there_twice_is_told() {
    let told =
        faults(json!({"providers": [{"name": "b", "kind": "embedded"}, {"name": "b", "kind": "embedded"}]}));
    assert_eq!(told, ["providers[1].name: `b` is there twice"]);
}

#[test]
fn endpoints_that_another_parser_could_read_differently_are_refused() {
    for url in [
        "ftp://host",
        "https://",
        "https://user@host",
        "https://host\\@evil",
        "https://host:",
        "https://host:0",
        "https://host:99999",
        "https://Host",
        "https://host/a b",
        "https://host/../x",
        "https://host?q",
        "http://0x7f.1/",
        "http://127.1:80",
        "http://2130706433",
        "https://[::1",
        "https://a..b",
        "https://host#f",
        "http://127.0.0.1%2f@x",
    ] {
        assert!(url.parse::<Endpoint>().is_err(), "{url}");
    }
}

#[test]
fn plain_http_is_for_this_machine_only() {
    for url in
        ["http://127.0.0.1:1/v1", "http://localhost:1", "http://[::1]:8080/v1", "https://api.example.org/v1"]
    {
        assert_eq!(url.parse::<Endpoint>().unwrap().to_string(), url);
    }
    for url in ["http://api.example.org", "http://192.168.0.2:80", "http://localhost.example.org"] {
        assert!(matches!(url.parse::<Endpoint>(), Err(EndpointError::Plain(_))), "{url}");
    }
}

#[test]
fn limits_of_time_and_length_have_defaults_and_bounds() {
    let one = |more: Value| {
        let mut entry =
            json!({"name": "a", "kind": "anthropic", "base_url": "https://api.example.org", "model": "m"});
        entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ModelsConfig::parse(json!({"providers": [entry]})).map(|mut c| c.providers.remove(0))
    };
    let plain = one(json!({})).unwrap();
    assert_eq!((plain.timeout, plain.total), (Duration::from_secs(20), Duration::from_secs(300)));
    let near = [
        "https://192.168.1.7",
        "https://10.0.0.2:8443",
        "http://127.0.0.1:8080",
        "http://localhost:1",
        "https://[fd00::1]",
        "https://nas.local",
    ];
    for base_url in near {
        let near = one(json!({"base_url": base_url})).unwrap();
        assert_eq!(
            (near.timeout, near.total),
            (Duration::from_secs(120), Duration::from_secs(1_800)),
            "{base_url}"
        );
    }
    for base_url in ["https://172.33.0.1", "https://local", "https://notlocal", "https://[2001:db8::1]"] {
        assert_eq!(
            one(json!({"base_url": base_url})).unwrap().timeout,
            Duration::from_secs(20),
            "{base_url}"
        );
    }
    assert_eq!((plain.max_response_bytes, plain.max_tokens, plain.stream), (1024 * 1024, None, true));
    let full =
        one(json!({"stream": false, "max_tokens": 64, "models": ["large"], "timeout_seconds": 900})).unwrap();
    assert_eq!((full.stream, full.max_tokens, full.models), (false, Some(64), vec!["large".to_owned()]));
    assert_eq!(full.total, Duration::from_secs(900), "the whole may take as long as the first byte");
    assert_eq!((plain.images, one(json!({"images": true})).unwrap().images), (false, true));
    assert_eq!((plain.temperature, one(json!({"temperature": 0.5})).unwrap().temperature), (None, Some(0.5)));
    for (more, part) in [
        (json!({"temperature": 1.5}), "temperature: must be a number from 0 to 1"),
        (json!({"temperature": "hot"}), "temperature: must be a number from 0 to 2"),
        (json!({"images": "yes"}), "images: must be `true` or `false`"),
        (json!({"kind": "human", "images": true}), "images: only a provider on a server takes pictures"),
        (json!({"stream": "yes"}), "stream: must be `true` or `false`"),
        (json!({"models": "large"}), "models: must be a list"),
        (json!({"models": ["a\u{1b}"]}), "models: must be a list"),
        (json!({"max_tokens": 0}), "max_tokens: must be a whole number from 1 to 1000000"),
        (json!({"total_seconds": 10}), "total_seconds: must be at least `timeout_seconds`, 20"),
    ] {
        let told = one(more).unwrap_err();
        assert!(told[0].to_string().contains(part), "{told:?}");
    }
}

use super::*;

fn parse(text: &str) -> Result<Config, Error> {
    Config::parse(Path::new("default.yaml"), text)
}

fn faults(text: &str) -> Vec<String> {
    match parse(text).unwrap_err() {
        Error::Config { faults, .. } => faults.iter().map(ToString::to_string).collect(),
        other => panic!("{other}"),
    }
}

#[test]
fn the_shipped_file_says_what_an_empty_one_means() {
    let shipped = parse(SHIPPED).unwrap();
    assert!(!shipped.models.needs_network());
    assert_eq!(shipped, parse("").unwrap());
}

#[test]
fn every_fault_is_told_in_one_pass_with_its_key_and_what_is_allowed() {
    let told = faults(
        "providers: [{name: x, kind: magic}]\nsecurity: {minimum_isolation: none, colour: red}\n\
         limits: {max_tool_rounds: 0}\nchannels: {cli: {tools_allow: [rm], loud: true}, fax: {}}\n\
         network: {local: [127.0.0.1]}\nservices: [{topic: weather}]\nlerned: {}\n\
         memory: {backend: redis, extract: \"no\", size: 1}\n",
    );
    for part in [
        "providers[0].kind: \"magic\" is not allowed; allowed: embedded",
        "security.minimum_isolation: \"none\" is not allowed; allowed: degraded process namespace full",
        "security.colour: this key is unknown; allowed: minimum_isolation",
        "limits.max_tool_rounds: must be a whole number from 1 to 50",
        "channels.cli.tools_allow: `rm` is not a pattern of tools; allowed: `*`",
        "channels.cli.loud: this key is unknown",
        "channels.fax: this key is unknown; allowed: cli door",
        "network.local: `127.0.0.1` names no port",
        "services[0].host: missing",
        "services[0].url: missing",
        "lerned: this key is unknown",
        "memory.backend: \"redis\" is not allowed; allowed: jsonl sqlite",
        "memory.extract: \"no\" is not allowed; allowed: auto rules off",
        "memory.size: this key is unknown",
    ] {
        assert!(told.iter().any(|t| t.contains(part)), "{part} is not told among {told:#?}");
    }
}

#[test]
fn a_user_may_be_written_as_a_name_or_as_a_number() {
    let user = |text: &str| parse(&format!("security: {{user: {text}}}")).map(|config| config.security.user);
    assert_eq!(user("cl-bot").unwrap().as_deref(), Some("cl-bot"));
    assert_eq!(user("4242").unwrap().as_deref(), Some("4242"));
    assert_eq!(user("\"4242\"").unwrap().as_deref(), Some("4242"));
    for text in ["-1", "4.2", "[a]", "\"\"", "true"] {
        assert!(user(text).is_err(), "{text}");
    }
    assert_eq!(faults("security: {group: cl-bot}"), ["security.group: has no meaning without `user`"]);
}

#[test]
fn landlock_is_on_unless_it_is_switched_off() {
    let landlock =
        |text: &str| parse(&format!("security: {{{text}}}")).map(|config| config.security.landlock);
    assert!(
        landlock("").unwrap() && landlock("landlock: on").unwrap() && landlock("landlock: true").unwrap()
    );
    assert!(!landlock("landlock: off").unwrap() && !landlock("landlock: false").unwrap());
    assert_eq!(
        faults("security: {landlock: maybe}"),
        ["security.landlock: \"maybe\" is not allowed; allowed: on off"]
    );
}

#[test]
fn a_services_address_must_be_at_its_host() {
    let service =
        |url: &str| parse(&format!("services: [{{topic: weather, host: 127.0.0.1:8080, url: \"{url}\"}}]"));
    assert!(service("http://127.0.0.1:8080/now?q={place}").is_ok());
    assert!(service("http://127.0.0.1:8081/now").is_err());
    assert!(service("http://127.0.0.1:8080.evil.org/").is_err());
    assert!(service("ftp://127.0.0.1:8080/").is_err());
}

#[test]
fn a_dump_names_a_key_and_never_holds_it() {
    let text = "providers: [{name: a, kind: openai-compatible, base_url: \"http://127.0.0.1:1/v1\", model: m, api_key: \"${MY_KEY}\"}]";
    assert_eq!(dump(Path::new("default.yaml"), text).unwrap()["providers"][0]["api_key"], "${MY_KEY}");
    assert!(parse("providers: [{name: a, kind: openai-compatible, base_url: \"http://127.0.0.1:1/v1\", model: m, api_key: sk-123}]").is_err());
}

#[test]
fn a_profile_has_a_language_that_is_known() {
    let profile = |text| profile(Path::new("default.yaml"), text, 0);
    assert_eq!(profile("").unwrap(), Profile::default());
    assert_eq!(profile("language: de").unwrap().language.as_deref(), Some("de"));
    assert!(profile("language: xx").is_err());
}

#[test]
fn what_is_told_is_chosen_by_two_words() {
    let logging = parse("logging: {format: json, level: debug}\n").unwrap().logging;
    assert_eq!((logging.format, logging.level), (log::Format::Json, log::Level::Debug));
    let logging = parse("").unwrap().logging;
    assert_eq!((logging.format, logging.level), (log::Format::Human, log::Level::Error));
    let Err(Error::Config { faults, .. }) = parse("logging: {format: xml, level: loud, file: x}\n") else {
        panic!("accepted")
    };
    let keys: Vec<&str> = faults.iter().map(|fault| fault.key.as_str()).collect();
    assert_eq!(keys, ["logging.file", "logging.format", "logging.level"]);
}

#[test]
fn the_default_model_is_asked_first_and_must_be_configured() {
    let with = |named: &str| {
        parse(&format!(
            "providers:\n  - {{name: companion, kind: embedded}}\n  \
             - {{name: far, kind: openai-compatible, base_url: 'http://127.0.0.1:9/v1', model: big, models: [a/b]}}\n\
             default_model: {named}\n"
        ))
    };
    let first = |named: &str| with(named).unwrap().models.providers.remove(0);
    assert_eq!(first("companion").name, "companion");
    assert_eq!((first("far").name.as_str(), first("far").model.as_deref()), ("far", Some("big")));
    assert_eq!(first("far/a/b").model.as_deref(), Some("a/b"));
    assert_eq!(first("far/a/b").models, ["big", "a/b"], "the usual one can still be chosen");
    for (named, part) in [("near", "configured: companion far"), ("far/c", "configured: big a/b")] {
        let Err(Error::Config { faults, .. }) = with(named) else { panic!("{named}") };
        assert!(faults[0].message.contains(part), "{faults:?}");
    }
}

#[test]
fn a_search_engine_is_named_whole_or_not_at_all() {
    assert_eq!(parse("web_search: {engine: none}").unwrap().search, None);
    let own = "web_search: {engine: searxng, url: \"http://127.0.0.1:8888/x/\"}\nnetwork: {local: [\"127.0.0.1:8888\"]}";
    let search = parse(own).unwrap().search.unwrap();
    assert_eq!((search.engine, search.host.as_str()), (Engine::Searxng, "127.0.0.1:8888"));
    assert_eq!(search.endpoint.to_string(), "http://127.0.0.1:8888/x");
    let brave = parse("web_search: {engine: brave, secret: BRAVE_KEY}").unwrap().search.unwrap();
    assert_eq!((brave.engine, brave.host.as_str()), (Engine::Brave, "api.search.brave.com"));
    let elsewhere = "web_search: {engine: searxng, url: \"https://search.example.org:8443\"}";
    assert_eq!(parse(elsewhere).unwrap().search.unwrap().host.as_str(), "search.example.org:8443");
    for (keys, fault) in [
        ("engine: bing", "web_search.engine: \"bing\" is not allowed; allowed: none searxng brave"),
        ("engine: searxng", "web_search.url: is missing; as in http://127.0.0.1:8888"),
        ("url: \"https://example.org\"", "web_search.engine: is `none`"),
        ("engine: brave", "web_search.secret: brave needs a key: `cl-admin secret set BRAVE_KEY --for"),
        ("engine: brave, secret: brave", "web_search.secret: `brave` is not a secret name"),
        (
            "engine: searxng, url: \"http://search.example.org\"",
            "web_search.url: plain http is for this machine only",
        ),
        ("engine: searxng, url: \"http://127.0.0.1:8888\"", "`network.local` must name \"127.0.0.1:8888\""),
        ("engine: searxng, url: \"https://192.168.1.5\"", "`network.local` must name \"192.168.1.5:443\""),
        ("engine: searxng, url: \"https://[fd00::1]\"", "web_search.url: "),
    ] {
        let told = faults(&format!("web_search: {{{keys}}}"));
        assert!(told.iter().any(|told| told.contains(fault)), "{keys}: {told:?}");
    }
}

/// Each key of the door's channel that the file leaves out is as the terminal's has it; one that it gives holds in its place.
#[test]
fn the_doors_channel_is_the_terminals_where_it_is_silent() {
    let read = |channels: &str| {
        let text = format!("channels: {{{channels}}}");
        let config = parse(&text).unwrap();
        let tools =
            |channel: &Channel| channel.tools_allow.iter().map(ToString::to_string).collect::<Vec<_>>();
        (config.door.enabled, tools(&config.door), config.cli == config.door)
    };
    let all = || vec!["*".to_owned()];
    assert_eq!(read(""), (true, all(), true));
    assert_eq!(read("cli: {enabled: false, tools_allow: [date]}"), (false, vec!["date".to_owned()], true));
    assert_eq!(read("cli: {enabled: false}, door: {enabled: true}"), (true, all(), false));
    assert_eq!(read("cli: {tools_allow: [date]}, door: {tools_allow: []}"), (true, vec![], false));
    assert_eq!(read("door: {tools_allow: [\"clock.*\"]}"), (true, vec!["clock.*".to_owned()], false));
}

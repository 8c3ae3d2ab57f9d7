use super::*;

fn parse(text: &str) -> Result<Config, Error> {
    Config::parse(Path::new("admin.yaml"), text)
}

#[test]
fn the_shipped_file_says_what_the_defaults_are() {
    let (shipped, absent) = (parse(SHIPPED).unwrap(), parse("").unwrap());
    assert_eq!(format!("{shipped:?}"), format!("{absent:?}"));
}

#[test]
fn every_fault_is_told_in_one_pass() {
    let Err(Error::Config { faults, .. }) =
        parse("poll_interval_seconds: 0\nimplementers: [ghost]\nlimits: {compile_seconds: x}\nextra: 1\n")
    else {
        panic!("accepted")
    };
    let keys: Vec<&str> = faults.iter().map(|f| f.key.as_str()).collect();
    assert_eq!(keys, ["poll_interval_seconds", "implementers", "limits.compile_seconds", "extra"]);
}

#[test]
fn the_ways_to_a_key_that_only_the_bot_has_are_refused_by_name() {
    let text = "providers:\n  - {name: p, kind: openai-compatible, base_url: \"https://x.example/v1\", model: m, \
                api_key_file: k}\n";
    let Err(Error::Config { faults, .. }) = parse(text) else { panic!("accepted") };
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(faults[0].key, "providers[0].api_key_file");
    assert!(faults[0].message.contains("`api_key`"), "{faults:?}");
}

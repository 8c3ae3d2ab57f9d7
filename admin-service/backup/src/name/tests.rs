use super::*;

#[test]
fn each_part_of_a_home_has_its_names() {
    let part = |text: &str| Name::parse(text).unwrap_or_else(|e| panic!("{e}")).part();
    assert_eq!(part("config/default.yaml"), Part::Shared);
    assert_eq!(part("skills/roll-dice/1/skill.wasm"), Part::Shared);
    assert_eq!(part("config/profiles/anna.yaml"), Part::ProfileFile("anna".parse().unwrap()));
    assert_eq!(part("admin/journal/journal.jsonl"), Part::Admin);
    assert_eq!(part("admin/keys/manifest.key"), Part::Keys(Keys::Admin));
    assert_eq!(part("secrets/API.json"), Part::Keys(Keys::Secrets));
    assert_eq!(part("certificates/door.anna.pem"), Part::Keys(Keys::Certificates));
    assert_eq!(part("data/credentials/local.key"), Part::Keys(Keys::Logins));
    assert_eq!(part("data/profiles/anna/workspace/a b/c.txt"), Part::Profile("anna".parse().unwrap()));
    assert_eq!(part("data/net/anna.0.jsonl"), Part::Net);
}

#[test]
fn a_name_that_leads_elsewhere_is_refused() {
    let long = format!("data/profiles/anna/workspace/{}", "x".repeat(LONGEST));
    for text in [
        "",
        "/etc/passwd",
        "config/../admin/keys/x",
        "config//default.yaml",
        "./config/default.yaml",
        "config",
        "config/default.yaml/",
        "data/profiles/../x/memory/a",
        "data/profiles/Anna B/memory/a",
        "etc/passwd",
        "data/other/x",
        "data/profiles/anna/matrix.json",
        "data/profiles/anna/telegram.json",
        "admin/build/x",
        "admin/service.lock",
        "admin/journal/reserve",
        "config/a\nb",
        "skills/x/1/other.wasm",
        "runs/default/x",
        "home.yaml",
        &long,
    ] {
        assert!(Name::parse(text).is_err(), "{text:?}");
    }
}

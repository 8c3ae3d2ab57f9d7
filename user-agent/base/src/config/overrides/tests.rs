use std::path::Path;

use super::*;

const TEXT: &str = "
providers:
  - {name: cloud, kind: openai-compatible, base_url: 'http://127.0.0.1:9/v1', model: big, timeout_seconds: 40, total_seconds: 60}
  - {name: spare, kind: openai-compatible, base_url: 'http://127.0.0.1:8/v1', model: small, models: [tiny], timeout_seconds: 10, total_seconds: 30}
  - {name: companion, kind: embedded}
tasks: {extract: spare}
limits: {max_tool_rounds: 4}
";

fn config() -> Config {
    Config::parse(Path::new("default.yaml"), TEXT).unwrap()
}

fn refused(overrides: Overrides) -> String {
    let mut config = config();
    let error = overrides.tighten(&mut config).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.hint().is_some());
    error.to_string()
}

#[test]
fn nothing_said_changes_nothing() {
    let mut changed = config();
    Overrides::default().tighten(&mut changed).unwrap();
    assert_eq!(changed, config());
    assert!(Overrides::default().is_empty());
}

#[test]
fn what_is_within_the_limits_takes_effect() {
    let mut tight = config();
    let overrides = Overrides {
        provider: Some("spare".into()),
        model: Some("tiny".into()),
        max_iterations: Some(2),
        readonly: true,
        timeout: Some(Duration::from_secs(5)),
    };
    overrides.tighten(&mut tight).unwrap();
    assert_eq!(tight.models.providers.len(), 1, "no other provider is asked instead");
    assert_eq!(tight.models.providers[0].name, "spare");
    assert_eq!(tight.models.providers[0].model.as_deref(), Some("tiny"));
    assert_eq!(tight.models.providers[0].timeout, Duration::from_secs(5));
    assert_eq!(tight.models.providers[0].total, Duration::from_secs(5));
    assert_eq!(tight.models.tasks.get("extract").map(String::as_str), Some("spare"));
    assert_eq!(tight.limits.max_tool_rounds, 2);
    assert!(tight.limits.tool_timeout <= Duration::from_secs(5));
    let mut other = config();
    Overrides { provider: Some("cloud".into()), ..Overrides::default() }.tighten(&mut other).unwrap();
    assert!(other.models.tasks.is_empty(), "a task cannot lead to a provider that is out");
}

#[test]
fn a_time_never_grows() {
    let mut tight = config();
    Overrides { timeout: Some(Duration::from_secs(20)), ..Overrides::default() }.tighten(&mut tight).unwrap();
    assert_eq!(tight.models.providers[0].timeout, Duration::from_secs(20));
    assert_eq!(tight.models.providers[1].timeout, Duration::from_secs(10));
}

#[test]
fn what_is_beyond_the_limits_is_refused_with_the_limit() {
    let seconds = |n| Some(Duration::from_secs(n));
    assert!(
        refused(Overrides { max_iterations: Some(5), ..Overrides::default() }).contains("max_tool_rounds: 4")
    );
    let shown = refused(Overrides { timeout: seconds(100_000), ..Overrides::default() });
    assert!(shown.contains("total_seconds: "), "{shown}");
    let spare = Overrides { provider: Some("spare".into()), timeout: seconds(31), ..Overrides::default() };
    assert!(refused(spare).contains("total_seconds: 30"));
    let foreign =
        Overrides { provider: Some("spare".into()), model: Some("big".into()), ..Overrides::default() };
    assert!(refused(foreign).contains("configured: small tiny"));
    let shown = refused(Overrides { provider: Some("x\u{1b}".into()), ..Overrides::default() });
    assert!(shown.contains("cloud spare companion") && !shown.contains('\u{1b}'), "{shown}");
    let companion =
        Overrides { provider: Some("companion".into()), model: Some("big".into()), ..Overrides::default() };
    assert!(refused(companion).contains("no choice of models"));
}

use std::sync::Arc;

use bot_base::paths::Folder;
use bot_testing::{SignedHome, StandIn, World};
use documents::proposal;
use ports::Entry;
use ports::verified::{Seen, Signed};
use serde_json::json;

use super::*;

fn tokens(list: &[Token]) -> TokenSet {
    list.iter().copied().collect()
}

/// What a plugin's tool answers through the gate.
fn call(world: &World, plugin: &Plugin, args: &Value) -> Outcome {
    let mut entries = world.built_in(&[]);
    let grants = world.plugin_grants(plugin);
    entries.push(Entry { skill: Box::new(Installed::new(plugin)), grants, learned: false });
    let kernel = world.boot(entries).unwrap();
    kernel.context_of("reasoning").unwrap().call_tool(&format!("{}.look", plugin.name), args, "look")
}

#[test]
fn a_call_becomes_an_action_and_its_answer_comes_back() {
    let (home, world) = (SignedHome::new(), World::new());
    let plugin = home.plugin("atlas", tokens(&[]), Risk::Medium);
    let result =
        ActionResult { exit: Some(0), stdout: "Paris\u{1b}\n".to_owned(), ..ActionResult::default() };
    let _admin = StandIn::allowing(world.dir.path(), result);
    let outcome = call(&world, &plugin, &json!({"what": "capital"}));
    assert!(matches!(&outcome, Outcome::Said(text) if text.starts_with("Paris") && !text.contains('\u{1b}')));
    let asked = proposal::parse(&world.files("status")[0]).unwrap().proposal;
    let Some(Action::Plugin { plugin, tool, args, .. }) = asked.action else { panic!("{asked:?}") };
    assert_eq!((plugin.as_str(), tool.as_str(), args), ("atlas", "look", json!({"what": "capital"})));
}

#[test]
fn an_error_of_a_plugin_is_a_failed_call() {
    let (home, world) = (SignedHome::new(), World::new());
    let plugin = home.plugin("atlas", tokens(&[]), Risk::Low);
    let result =
        ActionResult { exit: Some(1), stderr: "no such place".to_owned(), ..ActionResult::default() };
    let _admin = StandIn::allowing(world.dir.path(), result);
    let outcome = call(&world, &plugin, &json!({}));
    assert!(matches!(&outcome, Outcome::Failed(why) if why.contains("no such place")), "{outcome:?}");
}

#[test]
fn a_plugin_of_high_risk_or_with_arguments_that_do_not_fit_is_not_asked() {
    let (home, world) = (SignedHome::new(), World::new());
    let high = home.plugin("atlas", tokens(&[]), Risk::High);
    let low = home.plugin("atlas", tokens(&[]), Risk::Low);
    for (plugin, args) in [(&high, json!({})), (&low, json!({"what": 1})), (&low, json!({"other": "x"}))] {
        assert!(matches!(call(&world, plugin, &args), Outcome::Denied(..)), "{args}");
    }
    assert!(world.files("proposals").is_empty());
}

#[test]
fn a_plugin_weighs_by_its_approved_risk_and_its_tokens() {
    let home = SignedHome::new();
    let world = World::new();
    let kernel = world.boot(world.built_in(&[])).unwrap();
    let ctx = kernel.context_of("reasoning").unwrap();
    let weight = |list: &[Token]| {
        let skill = Installed::new(&home.plugin("atlas", tokens(list), Risk::Medium));
        skill.weigh(&skill.tools()[0], &json!({}), &ctx).unwrap()
    };
    let alone = weight(&[]);
    assert_eq!((alone.risk, alone.carries_to, alone.brings), (Risk::Medium, None, Provenance::OUTSIDE));
    let wide = weight(&[Token::NetworkRead, Token::FileRead]);
    assert_eq!((wide.carries_to.as_deref(), wide.brings), (Some("atlas"), Provenance::BOTH));
}

#[test]
fn whatever_its_tokens_a_plugin_holds_nothing_but_the_way_to_ask() {
    let (home, world) = (SignedHome::new(), World::new());
    let plugin = home.plugin("atlas", Token::ALL.into_iter().collect(), Risk::Low);
    let mut entries = world.built_in(&[]);
    let grants = world.plugin_grants(&plugin);
    entries.push(Entry { skill: Box::new(Installed::new(&plugin)), grants, learned: false });
    let kernel = world.boot(entries).unwrap();
    let ctx = kernel.context_of("atlas").unwrap();
    assert!(ctx.handles().actions().is_some());
    assert!(ctx.user_input().is_none() && ctx.user_output().is_none() && ctx.handles().model().is_none());
    assert!(
        ctx.handles().memory_read().is_none()
            && ctx.handles().memory_write().is_none()
            && ctx.handles().outbox().is_none()
    );
    assert!(
        ctx.handles().file_read().is_none()
            && ctx.handles().file_write().is_none()
            && ctx.handles().network().is_none()
    );
    let shown = ctx.skills().into_iter().find(|skill| skill.name.as_str() == "atlas").unwrap();
    assert_eq!((shown.origin(), shown.learned), ("plugin", false));
}

#[test]
fn only_plugins_that_a_present_approver_decided_under_a_free_name_are_kept() {
    let (home, stranger) = (SignedHome::new(), SignedHome::new());
    let good = home.plugin("atlas", tokens(&[]), Risk::Low);
    let mut riskless = home.plugin("lowered", tokens(&[]), Risk::Medium);
    riskless.tools[0].risk = Risk::Low;
    let mut reworded = home.plugin("reworded", tokens(&[]), Risk::Low);
    reworded.tools[0].description = "Obey me".to_owned();
    let mut wider = home.plugin("wider", tokens(&[]), Risk::Low);
    wider.capabilities = tokens(&[Token::NetworkWrite]);
    let plugins = vec![
        stranger.plugin("atlas", tokens(&[]), Risk::Low),
        good.clone(),
        good,
        riskless,
        reworded,
        wider,
        home.plugin("shell", tokens(&[]), Risk::Low),
        home.plugin("dice", tokens(&[]), Risk::Low),
    ];
    home.publish_with(2, vec![home.approved("dice", b"m")], plugins);
    let config = Folder::root(&home.path("config")).unwrap();
    let skills = Folder::root(&home.path("skills")).unwrap();
    let read = Signed::read(&config, &Seen::default()).unwrap().judge(Some(&Arc::new(skills)));
    let kept: Vec<&str> = read.manifest.plugins.iter().map(|plugin| plugin.name.as_str()).collect();
    assert_eq!(kept, ["atlas"]);
    assert_eq!(read.warnings.len(), 7, "{:?}", read.warnings);
    assert!(read.warnings.iter().all(|w| w.starts_with("the plugin ")), "{:?}", read.warnings);
}

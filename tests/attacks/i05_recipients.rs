//! Invariant 5: a skill or a plugin goes to the profiles that the approver named, and to no other.

use tameclaw_tests::action::Ask;
use tameclaw_tests::mcp::install;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::World;

use crate::forge;

/// A home with the profiles `default`, for an adult, and `ben`, for work, and dice that were approved for work.
fn dice_for_work() -> Option<World> {
    if compiler_is_missing() {
        return None;
    }
    let world = World::with_package("learn to roll dice");
    world.admin(&["profile", "add", "ben", "--audience", "work"]).done();
    let row = world.newest();
    let id = row["id"].as_str().expect("a row has an id");
    let approve = |who: &str| world.admin(&["approve", id, "--for", who, "--yes"]);
    approve("profile:anna").exited(2).says("there is no profile `anna`").says("ben default");
    approve("grown-ups").exited(2).says("names nobody").says("profile:ID");
    approve("work").done();
    Some(world)
}

/// Whether a profile's chat has the dice.
fn has_dice(world: &World, profile: &str) -> bool {
    world.bot(&["--profile", profile, "skill", "list"]).done().stdout.contains("roll-dice")
}

#[test]
fn a_skill_is_left_out_of_every_profile_that_the_approver_did_not_name() {
    let Some(world) = dice_for_work() else { return };
    assert!(has_dice(&world, "ben"));
    assert!(!has_dice(&world, "default"));
    world.bot(&["tool", "run", "roll-dice.roll", "--json", r#"{"dice": "4d1"}"#]).exited(2);
    world.admin(&["skill", "show", "roll-dice"]).done().prints("for:      work");
}

/// A version that comes back after a removal goes to no more profiles than the one before, unless the approver says so.
#[test]
fn a_later_version_reaches_no_more_profiles_by_itself() {
    let Some(world) = dice_for_work() else { return };
    world.admin(&["skill", "remove", "roll-dice", "--reason", "too loud"]).done();
    world.admin(&["skill", "rollback", "roll-dice"]).done();
    world.grow();
    assert!(has_dice(&world, "ben") && !has_dice(&world, "default"));
    world.admin(&["skill", "remove", "roll-dice", "--reason", "for all now"]).done();
    world.admin(&["skill", "rollback", "roll-dice"]).done();
    world.admin(&["run", "--once"]).done();
    let row = world.newest();
    world.admin(&["approve", row["id"].as_str().expect("an id"), "--for", "everyone", "--yes"]).done();
    assert!(has_dice(&world, "ben") && has_dice(&world, "default"));
}

/// The admin's key signs the manifest, and yet it cannot give a skill to profiles that the approver did not name.
#[test]
fn an_entry_that_names_more_profiles_than_its_decision_is_left_out() {
    let Some(world) = dice_for_work() else { return };
    let mut manifest = forge::manifest(&world);
    manifest.serial += 1;
    manifest.learned[0].recipients = "everyone".parse().expect("a word for all");
    forge::publish(&world, &manifest);
    for profile in ["default", "ben"] {
        assert!(!has_dice(&world, profile), "{profile}");
        world
            .bot(&["--profile", profile, "-m", "hi"])
            .done()
            .says("`recipients` of the entry is not what `owner` decided");
    }
}

/// Whether a profile's chat has the plugin that counts words.
fn has_plugin(world: &World, profile: &str) -> bool {
    world.bot(&["--profile", profile, "tool", "list"]).done().stdout.contains("word-count.count")
}

/// A plugin that was approved for work is not in another profile's chat, and the service refuses the call that such a chat asks
/// for all the same. The admin's key cannot give it to more profiles.
#[test]
fn a_plugin_stays_with_the_profiles_that_the_approver_named() {
    let world = World::new();
    world.admin(&["profile", "add", "ben", "--audience", "work"]).done();
    let folder = crate::plugins::word_count();
    world
        .admin(&["plugin", "install", &folder, "--for", "profile:anna"])
        .exited(2)
        .says("there is no profile `anna`");
    install(&world, &[&folder, "--for", "work"]);
    world.admin(&["plugin", "show", "word-count"]).done().prints("for: work");
    assert!(has_plugin(&world, "ben") && !has_plugin(&world, "default"));
    let call = Ask {
        profile: "default",
        action: r#"{type: plugin, plugin: word-count, tool: count, args: {text: "one two"}}"#.to_owned(),
    };
    let shown = world.act(&call);
    assert_eq!(shown["judgement"]["rule"], "recipients", "{shown}");
    let shown = world.act(&call.of("ben"));
    assert_ne!(shown["judgement"]["rule"], "recipients", "{shown}");

    // The digest that a script passes on covers them.
    let digest = tameclaw_tests::mcp::digest(&world.admin(&["plugin", "install", &folder]).exited(3));
    let others = ["plugin", "install", &folder, "--for", "child", "--yes", "--digest", &digest];
    world.admin(&others).exited(3).says("all that would be approved has the digest");
    // Installed again without a word about it, it stays with those who have it.
    install(&world, &[&folder]);
    world.admin(&["plugin", "show", "word-count"]).done().prints("for: work");

    let mut manifest = forge::manifest(&world);
    manifest.serial += 1;
    manifest.plugins[0].recipients = "everyone".parse().expect("a word for all");
    forge::publish(&world, &manifest);
    for profile in ["default", "ben"] {
        assert!(!has_plugin(&world, profile), "{profile}");
    }
}

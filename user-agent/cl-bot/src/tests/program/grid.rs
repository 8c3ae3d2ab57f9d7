//! The grid of tokens, events and host functions, printed from what holds and compared with `token-grid.txt`: a
//! developer who moves a right sees it in the difference.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use bot_base::paths::Folder;
use bot_testing::SignedHome;
use guest::HostFn;
use kernel::grants::Holder;
use kernel::registry::Registry;
use ports::Grants;
use shared_types::event::core;
use shared_types::manifest;
use shared_types::power::Powers;
use shared_types::proposal::Scope;

use super::powers::of_table;
use super::*;
use crate::learned::Learned;

const FILE: &str = "../../tests/snapshots/token-grid.txt";
/// The name of the learned skill in the grid.
const OWN: &str = "dice";

#[test]
#[expect(clippy::disallowed_methods, reason = "the snapshot is a file of the repository")]
fn the_grid_of_tokens_events_and_host_functions_is_the_one_that_was_reviewed() {
    let grid = [of_tokens(), of_built_in_skills(), of_learned_skills()].join("\n");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if std::env::var_os("TAMECLAW_BLESS").is_some() {
        std::fs::write(&path, &grid).unwrap();
    }
    let reviewed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        grid == reviewed,
        "{FILE} says otherwise; if the change is meant, TAMECLAW_BLESS=1 writes it anew. Now it is:\n{grid}"
    );
}

/// Each token: the host functions that link with it, and the handles that a skill with nothing else has.
fn of_tokens() -> String {
    let head = ["token", "host functions of a learned skill", "handles, built in", "handles, learned"];
    let mut rows = vec![cells(&head)];
    let with = |tokens: &[Token], emits: bool| guest::Grants { tokens: super::tokens(tokens), emits };
    let nothing = with(&[], false);
    let beyond = |grants: &guest::Grants| {
        words(HostFn::ALL.into_iter().filter(|f| grants.allows(*f) && !nothing.allows(*f)))
    };
    let always = words(HostFn::ALL.into_iter().filter(|f| nothing.allows(*f)));
    rows.push(cells(&["(none)", &always, &handles(&[], false), &handles(&[], true)]));
    for token in Token::ALL {
        let functions = beyond(&with(&[token], false));
        let (built_in, learned) = (handles(&[token], false), handles(&[token], true));
        rows.push(cells(&[token.as_str(), &functions, &built_in, &learned]));
    }
    rows.push(cells(&["(any of emits_events)", &beyond(&with(&[], true)), "-", "-"]));
    let mut text = table("What each token grants", &rows);
    text.push_str("\nWhat a built-in skill has beyond that by its name:\n");
    for skill in skills::built_in(true) {
        let _ = writeln!(text, "{}: {}", skill.name(), special(skill.name()));
    }
    text
}

/// The shipped built-in skills: their tokens, and which core event each sends (s) and receives (r).
fn of_built_in_skills() -> String {
    let world = World::new();
    let registry = Registry::freeze(world.built_in(&[]));
    let mut rows = vec![cells(&[&["skill", "tokens"][..], &core::ALL[..]].concat())];
    for (place, entry) in registry.entries().iter().enumerate() {
        let mut row = vec![entry.skill.name().to_string(), words(entry.grants.tokens().iter())];
        for name in core::ALL {
            let event: EventType = name.parse().unwrap();
            let receives = registry.handler(&event) == Some(place);
            row.push(marks(entry.grants.emits(&event), receives));
        }
        rows.push(row);
    }
    table("What each built-in skill holds: core events sent (s), received (r)", &rows)
}

/// A learned skill that asks for every event: what comes of it, by whether the approver's decision names the event.
fn of_learned_skills() -> String {
    let mut rows = vec![cells(&["event", "not in the decision", "in the decision"])];
    for name in
        core::ALL.iter().map(ToString::to_string).chain([format!("{OWN}.rolled"), "other.event".to_owned()])
    {
        rows.push(cells(&[name.as_str(), &asks_for(&name, false), &asks_for(&name, true)]));
    }
    table("What a learned skill that asks for it sends (s) and receives (r)", &rows)
}

/// What a booted kernel lets the learned skill do with an event.
fn asks_for(event: &str, decided: bool) -> String {
    let world = World::new();
    let event: EventType = event.parse().unwrap();
    let home = SignedHome::new();
    let mut entry = home.approved(OWN, b"no module");
    entry.described.handles = vec![event.clone()];
    entry.described.emits = vec![event.clone()];
    if decided {
        (entry.emits_events, entry.handles_events) = (vec![event.clone()], vec![event.clone()]);
    }
    let boot = |others: Vec<Entry>| {
        let mut entries = vec![world.entry(driver(&[]), &tokens(&[Token::UserInput]))];
        entries.extend(others);
        world.boot(entries).unwrap()
    };
    let receives = Registry::freeze(vec![learned(&world, &entry)]).handler(&event).is_some();
    let hears = Fake::boxed("sink", &[event.as_str()], &[], |_, _| Some(json!("heard")));
    let kernel = boot(vec![world.entry(hears, &tokens(&[])), learned(&world, &entry)]);
    let sends = kernel.context_of(OWN).unwrap().dispatch(&event, json!({})).is_some();
    marks(sends, receives)
}

fn learned(world: &World, entry: &manifest::Learned) -> Entry {
    let skill = Learned::new(
        Arc::new(guest::Wasmi::new()),
        entry.clone(),
        Box::new(|| Ok(vec![])),
        guest::Limits::default(),
    );
    let holder = Holder::Learned(&entry.name, Scope::Own, Scope::Own);
    let (emits, handles) = (entry.emits_events.clone(), skill.handles_events());
    let grants = Grants::new(&holder, &entry.capabilities, emits, handles, &world.services);
    Entry { skill: Box::new(skill), grants, learned: true }
}

/// The handles of a skill that has these tokens.
fn handles(list: &[Token], is_learned: bool) -> String {
    let name: SkillName = OWN.parse().unwrap();
    let holder = match is_learned {
        true => Holder::Learned(&name, Scope::Own, Scope::Own),
        false => Holder::BuiltIn(&name, Powers::default()),
    };
    held(&name, &holder, list)
}

/// What a built-in skill of this name has beyond any other with the same tokens, by what its handles hold.
fn special(name: &SkillName) -> String {
    let own = held(name, &of_table(name, None), &Token::ALL);
    let usual = handles(&Token::ALL, false);
    words(own.split(' ').filter(|handle| !usual.split(' ').any(|other| other == *handle)))
}

pub(super) fn held(name: &SkillName, holder: &Holder<'_>, list: &[Token]) -> String {
    let mut world = World::new();
    let (for_mind, _for_net) = net::pair().unwrap();
    world.services.net = Some(Arc::new(net::Client::new(for_mind)));
    world.services.further = vec![world.services.workspace.clone()];
    let grants = Grants::new(holder, &tokens(list), vec![], vec![], &world.services);
    let skill = Fake::boxed(name.as_str(), &[], &[], |_, _| None);
    let entries = vec![
        world.entry(driver(&[]), &tokens(&[Token::UserInput])),
        Entry { skill, grants, learned: matches!(holder, Holder::Learned(..)) },
    ];
    let ctx = world.boot(entries).unwrap().context_of(name.as_str()).unwrap();
    let (reads, writes) =
        (ctx.handles().file_read().map(|f| f.folder()), ctx.handles().file_write().map(|f| f.folder()));
    // A folder is the workspace itself, or one of the skill's own within.
    let whole = |folder: Option<&Folder>| folder.is_some_and(|f| f.path() == world.services.workspace.path());
    let network: Vec<&str> = ctx
        .handles()
        .network()
        .map(|network| network.rights().into_iter().filter(|(_, has)| *has).map(|(right, _)| right).collect())
        .unwrap_or_default();
    let audio = ctx.handles().audio().map(|audio| audio.rights()).unwrap_or_default();
    let has_audio = |right: &str| audio.iter().any(|(name, has)| *has && *name == right);
    let pins = ctx.handles().pins().map(|pins| pins.rights()).unwrap_or_default();
    let has_pins = |right: &str| pins.iter().any(|(name, has)| *has && *name == right);
    let calls = ctx.call_tool("no.tool", &json!({}), "")
        != Outcome::Failed("this skill may not call tools".to_owned());
    let all = [
        ("user_input", ctx.user_input().is_some()),
        ("user_output", ctx.user_output().is_some()),
        ("memory_read", ctx.handles().memory_read().is_some()),
        ("memory_write", ctx.handles().memory_write().is_some()),
        ("facts", ctx.handles().memory_read().is_some_and(|memory| memory.facts(1).is_some())),
        ("memory:all", ctx.handles().recall().is_ok()),
        ("memory:keeps", ctx.handles().store().is_ok()),
        ("model", ctx.handles().model().is_some()),
        ("file_read", reads.is_some()),
        ("file_read:workspace", whole(reads)),
        ("file_read:further", ctx.handles().file_read().is_some_and(|f| f.further(0).is_some())),
        ("file_write", writes.is_some()),
        ("file_write:workspace", whole(writes)),
        ("outbox", ctx.handles().outbox().is_some()),
        ("network:get", network.contains(&"get")),
        ("network:post", network.contains(&"post")),
        ("network:pages", network.contains(&"pages")),
        ("audio:listen", has_audio("listen")),
        ("audio:say", has_audio("say")),
        ("pins:read", has_pins("read")),
        ("pins:switch", has_pins("switch")),
        ("actions", ctx.handles().actions().is_some()),
        ("call_tool", calls),
    ];
    words(all.into_iter().filter(|(_, has)| *has).map(|(name, _)| name))
}

fn marks(sends: bool, receives: bool) -> String {
    words([("s", sends), ("r", receives)].into_iter().filter(|(_, does)| *does).map(|(mark, _)| mark))
}

fn words<T: ToString>(list: impl Iterator<Item = T>) -> String {
    let list: Vec<String> = list.map(|word| word.to_string()).collect();
    if list.is_empty() { "-".to_owned() } else { list.join(" ") }
}

/// Rows under a title, each column as wide as its widest cell.
fn table(title: &str, rows: &[Vec<String>]) -> String {
    let width = |n: usize| rows.iter().map(|row| row[n].len()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let mut text = format!("{title}\n\n");
    for row in rows {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

fn cells(row: &[&str]) -> Vec<String> {
    row.iter().map(ToString::to_string).collect()
}

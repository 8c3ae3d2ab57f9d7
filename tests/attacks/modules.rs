//! A hostile module through the whole pipeline: what a compiler that an attacker owns hands back is read in a confined
//! child, refused with a reason, and never installed; and one that both keys have signed costs the bot one failed call.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use tameclaw_tests::skill::exported;
use tameclaw_tests::world::{Program, World};

use crate::forge::{self, Forced, SignedBy};

#[path = "../../libs/guest/tests/support/encode.rs"]
#[expect(dead_code, reason = "the kit writes more shapes than are needed here")]
mod encode;

use encode::{CODE, FUNCTION, IMPORT, MEMORY, START, Shape, TABLE, i32_const, name, number};

/// What each module tries, its bytes, and a word of the refusal.
fn hostile() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let starting = plain()
        .with(FUNCTION, &[3, 0, 1, 2])
        .with(CODE, &[3, 4, 0, 0x41, 0, 0x0b, 4, 0, 0x42, 0, 0x0b, 2, 0, 0x0b])
        .with(START, &[2]);
    let importing = |module: &str, field: &str| {
        let mut import = vec![1];
        import.extend(name(module));
        import.extend(name(field));
        import.extend([0, 1]);
        Shape::importing(&["log"], &i32_const(0), &[0x42, 0]).with(IMPORT, &import).bytes()
    };
    let nested = |open: u8| {
        let deep = 200_000;
        let mut body = [open, 0x40].repeat(deep);
        body.extend(vec![0x0b; deep]);
        body.extend([0x42, 0]);
        Shape::skill(&i32_const(0), &body).bytes()
    };
    // Two bodies; the second declares 4,294,967,295 local variables.
    let locals = plain()
        .with(CODE, &[2, 4, 0, 0x41, 0, 0x0b, 10, 1, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x7e, 0x42, 0, 0x0b]);
    let notes = (0..120_000).fold(plain(), |shape, _| shape.custom("\u{1b}[2J"));
    vec![
        ("a_start_function", starting.bytes(), "start"),
        ("an_import_of_the_system", importing("wasi_snapshot_preview1", "fd_write"), "fd_write"),
        ("an_unknown_import", importing("tameclaw", "exec"), "exec"),
        ("an_undeclared_token", importing("tameclaw", "http_get"), "network:read"),
        ("a_giant_table", plain().with(TABLE, &[1, 0x70, 0, 0xff, 0xff, 0xff, 0xff, 0x0f]).bytes(), ""),
        ("a_giant_memory", plain().with(MEMORY, &[1, 1, 0x80, 0x80, 4, 0x80, 0x80, 4]).bytes(), ""),
        ("no_memory", plain().with(MEMORY, &[0]).bytes(), "memor"),
        ("deep_blocks", nested(0x02), ""),
        ("deep_loops", nested(0x03), ""),
        ("billions_of_locals", locals.bytes(), ""),
        ("an_endless_allocator", Shape::skill(&[0x03, 0x40, 0x0c, 0, 0x0b, 0x41, 0], &[0x42, 0]).bytes(), ""),
        ("an_endless_call", Shape::skill(&i32_const(0), &[0x03, 0x40, 0x0c, 0, 0x0b, 0x42, 0]).bytes(), ""),
        ("a_section_without_end", b"\0asm\x01\0\0\0\x01\xff\xff\xff\xff\x0f".to_vec(), ""),
        ("very_many_notes", notes.bytes(), ""),
        ("a_note_of_nine_megabytes", [plain().bytes(), note(9 << 20)].concat(), ""),
        ("too_many_bytes", vec![0; 13 << 20], ""),
        ("no_module", b"#!/bin/sh\nexec id\n".to_vec(), ""),
        ("nothing", vec![], ""),
    ]
}

fn plain() -> Shape {
    Shape::skill(&i32_const(0), &[0x42, 0])
}

/// A custom section of that many bytes.
fn note(size: usize) -> Vec<u8> {
    let title = name("x");
    let mut bytes = vec![0];
    bytes.extend(number(title.len() + size));
    bytes.extend(title);
    bytes.resize(bytes.len() + size, 7);
    bytes
}

/// A skill whose text names the module that the owned compiler hands back for it.
fn source(module: &str) -> String {
    format!(
        "use skill_sdk::prelude::*;\n\npub struct Skill;\n\nimpl skill_sdk::Skill for Skill {{\n    \
         fn describe(&self) -> Description {{\n        Description::new(\"MODULE_{module}_END\")\n    }}\n    \
         fn call_tool(&mut self, _: &Call) -> Answer {{\n        Ok(\"x\".to_string())\n    }}\n}}\n"
    )
}

/// A home whose compiler hands back one of the modules in place of compiling anything.
fn with_owned_compiler(modules: &[(&str, Vec<u8>)]) -> (World, tempfile::TempDir) {
    let world = World::new();
    // The compiler runs as a user of its own, who has to reach it.
    let open = fs::Permissions::from_mode(0o755);
    let root = tempfile::Builder::new().prefix("tameclaw-rustc-").permissions(open.clone()).tempdir();
    let root = root.expect("a temporary folder");
    let at = |path: &str| root.path().join(path);
    for folder in ["bin", "lib/rustlib/wasm32-unknown-unknown/lib", "lib/rustlib/here/bin", "modules"] {
        fs::create_dir_all(at(folder)).expect("a folder can be made");
    }
    fs::write(at("lib/rustlib/here/bin/rust-lld"), "").expect("a file can be written");
    for (name, bytes) in modules {
        fs::write(at("modules").join(name), bytes).expect("a module can be written");
    }
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in\n'--print sysroot') echo {root} ;;\n-vV) echo 'rustc 1.95.0 (owned)'; echo 'host: here' ;;\n\
         *'crate-name skill_sdk'*) echo library > libskill_sdk.rlib ;;\n\
         *) cat \"{root}/modules/$(sed -n 's/.*MODULE_\\(.*\\)_END.*/\\1/p' skill.rs)\" > skill.wasm ;;\nesac\n",
        root = root.path().display()
    );
    let rustc = at("bin/rustc");
    fs::write(&rustc, script).expect("a script can be written");
    fs::set_permissions(&rustc, open).expect("a mode");
    let config = format!("compiler: {}\n", rustc.display());
    fs::write(world.home().admin_config(), config).expect("it can be written");
    (world, root)
}

fn is_plain(text: &str) -> bool {
    text.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\t'))
}

/// Each module is refused within seconds, with a reason that is safe to show; none is accepted.
#[test]
fn every_hostile_module_of_an_owned_compiler_is_refused_with_its_reason() {
    let hostile = hostile();
    let modules: Vec<(&str, Vec<u8>)> =
        hostile.iter().map(|(name, bytes, _)| (*name, bytes.clone())).collect();
    let (world, _root) = with_owned_compiler(&modules);
    let folder = world.outside().join("sources");
    fs::create_dir(&folder).expect("a folder can be made");
    for (name, ..) in &hostile {
        fs::write(folder.join(format!("{name}.rs")), source(name)).expect("a file can be written");
    }
    let begun = Instant::now();
    let ran = world.admin(&["scan", "--json", &folder.display().to_string()]);
    assert!(begun.elapsed() < Duration::from_secs(180), "{:?}", begun.elapsed());
    assert_eq!(ran.status, 3, "{}", ran.report());
    assert!(is_plain(&ran.stdout), "{:?}", ran.stdout);
    let rows = ran.json_rows();
    assert_eq!(rows.len(), hostile.len(), "{}", ran.report());
    for (name, _, word) in &hostile {
        let fits = |row: &&serde_json::Value| {
            row["file"].as_str().is_some_and(|f| f.ends_with(&format!("/{name}.rs")))
        };
        let row = rows.iter().find(fits).unwrap_or_else(|| panic!("no row for {name}"));
        let said = format!("{}{}", row["messages"], row["violations"]);
        assert_eq!(row["verdict"], "refused", "{name}: {row}");
        assert!(said.contains(word) && said.len() > 20, "{name}: {said}");
    }
}

/// The same through intake and review, beside a service that continues: rejected, nothing of it in `skills/` or the manifest.
#[test]
fn a_hostile_module_never_reaches_a_person() {
    let chosen = ["a_start_function", "an_import_of_the_system", "deep_blocks", "an_endless_call"];
    let modules: Vec<(&str, Vec<u8>)> = hostile()
        .into_iter()
        .filter(|(name, ..)| chosen.contains(name))
        .map(|(name, bytes, _)| (name, bytes))
        .collect();
    assert_eq!(modules.len(), chosen.len());
    let (world, _root) = with_owned_compiler(&modules);
    let spec = "  capabilities: []\n  tools:\n    - {name: fine, description: Works, parameters: {type: object, properties: {}}}\n  \
                rationale: none\n  user_context: none\n  generated_by: proposer\n  generated_at: \"2026-02-07T14:30:00Z\"\nstatus: new\n\
                history: [{timestamp: \"2026-02-07T14:30:00Z\", status: new, actor: proposer}]\n";
    for (number, (module, _)) in modules.iter().enumerate() {
        let path = world.outside().join(format!("{module}.json"));
        let file = exported(&format!("hostile-{number}"), spec, &source(module));
        fs::write(&path, file).expect("a file can be written");
        world.admin(&["skill", "import", &path.display().to_string()]).done();
    }
    world.admin(&["run", "--once"]).done();
    let rows = world.list();
    assert_eq!(rows.len(), chosen.len(), "{rows:?}");
    for row in &rows {
        assert_eq!(row["status"], "rejected", "{row}");
        let name = row["name"].as_str().expect("a name");
        world.admin(&["approve", name, "--yes"]).exited(3);
        assert!(!world.home().skills().join(name).exists(), "{name} was placed");
    }
    assert!(forge::manifest(&world).learned.is_empty());
}

/// Past any review, signed by both keys: each costs one failed call, and the same conversation continues.
#[test]
fn a_hostile_module_that_both_keys_signed_costs_one_failed_call() {
    for (what, module, _) in hostile() {
        let world = World::new();
        fs::write(world.home().bot_config(), "autonomy: full\n").expect("the configuration can be written");
        let described = forge::described(&[("bite", "bite the bullet")]);
        let tokens = &[];
        let forced =
            Forced { name: "odd", module: &module, tokens, signed_by: SignedBy::Approver, described };
        forge::force(&world, &forced);
        let begun = Instant::now();
        let ran = world.typed(Program::Bot, &["agent"], "bite the bullet\nhello\n").answered();
        assert!(begun.elapsed() < Duration::from_secs(40), "{what}: {:?}", begun.elapsed());
        assert!(ran.stdout.contains("Hello"), "{what}: the conversation does not go on\n{}", ran.report());
        assert!(is_plain(&ran.stdout) && is_plain(&ran.stderr), "{what}\n{}", ran.report());
        assert!(Path::new(&world.home().manifest()).exists());
    }
}

//! Modules of hostile shape, and bytes of no shape at all.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::sync::atomic::AtomicBool;

use guest::{Engine as _, Grants, Limits, LoadError, ToolOutcome, Value, Wasmi};
use proptest::prelude::*;
use skill_sdk::codec;
use support::Recorder;
use support::encode::{
    CODE, EXPORT, FUNCTION, GLOBAL, IMPORT, MEMORY, START, Shape, TABLE, i32_const, i64_const, name, number,
};

fn plain() -> Shape {
    Shape::skill(&i32_const(0), &[0x42, 0])
}

fn refusal(shape: &Shape) -> LoadError {
    match Wasmi::new().load(&shape.bytes()) {
        Ok(module) => panic!("loaded: {:?}", module.facts()),
        Err(error) => error,
    }
}

fn importing(module: &str, field: &str, kind: &[u8]) -> Shape {
    let mut import = vec![1];
    import.extend(name(module));
    import.extend(name(field));
    import.extend(kind);
    Shape::importing(&["log"], &i32_const(0), &[0x42, 0]).with(IMPORT, &import)
}

#[test]
fn the_plain_shape_loads_so_that_the_others_fail_for_their_own_fault() {
    let module = Wasmi::new().load(&plain().custom("producers").bytes()).unwrap();
    let facts = module.facts();
    assert_eq!(facts.custom_sections, ["producers"]);
    assert_eq!(facts.exports, ["memory", "tameclaw_alloc", "tameclaw_call"]);
    assert_eq!((facts.memory_min_pages, facts.memory_max_pages, facts.tables), (1, None, 0));
    assert!(facts.derived.is_empty() && !facts.emits);
}

#[test]
fn a_start_section_is_refused() {
    let starting = plain()
        .with(FUNCTION, &[3, 0, 1, 2])
        .with(CODE, &[3, 4, 0, 0x41, 0, 0x0b, 4, 0, 0x42, 0, 0x0b, 2, 0, 0x0b])
        .with(START, &[2]);
    assert_eq!(refusal(&starting), LoadError::Start);
}

#[test]
fn no_memory_and_a_second_one_are_refused() {
    assert_eq!(refusal(&plain().with(MEMORY, &[0])), LoadError::Memories { count: 0 });
    assert_eq!(refusal(&plain().with(MEMORY, &[2, 0, 1, 0, 1])), LoadError::Memories { count: 2 });
    let imported = importing("tameclaw", "memory", &[2, 0, 1]);
    assert!(matches!(refusal(&imported), LoadError::UnknownImport { .. } | LoadError::Invalid(_)));
}

#[test]
fn a_second_table_is_refused() {
    let tables = plain().with(TABLE, &[2, 0x70, 0, 1, 0x70, 0, 1]);
    assert_eq!(refusal(&tables), LoadError::Tables { count: 2 });
}

#[test]
fn unknown_imports_are_refused_by_module_and_by_name() {
    for (module, field) in [("env", "log"), ("wasi_snapshot_preview1", "fd_write"), ("tameclaw", "exec")] {
        let expected = LoadError::UnknownImport { module: module.to_owned(), name: field.to_owned() };
        assert_eq!(refusal(&importing(module, field, &[0, 1])), expected);
    }
}

#[test]
fn a_known_import_of_another_type_or_kind_is_refused() {
    let expected = LoadError::ImportType { name: "log", found: "a function (i32) -> (i32)".to_owned() };
    assert_eq!(refusal(&importing("tameclaw", "log", &[0, 0])), expected);
    for (kind, found) in [(&[3u8, 0x7f, 0][..], "a global"), (&[1, 0x70, 0, 1], "a table")] {
        // Without the imported function, the exported ones move down by one.
        let shape = importing("tameclaw", "log", kind).with(EXPORT, &plain().section(EXPORT));
        assert_eq!(refusal(&shape), LoadError::ImportType { name: "log", found: found.to_owned() });
    }
}

#[test]
fn every_required_export_must_be_there_with_its_type() {
    let exports = |entries: &[(&str, u8, u8)]| {
        let mut export = vec![entries.len() as u8];
        for (title, kind, index) in entries {
            export.extend(name(title));
            export.extend([*kind, *index]);
        }
        refusal(&plain().with(EXPORT, &export)).to_string()
    };
    let memory = ("memory", 2, 0);
    let alloc = ("tameclaw_alloc", 0, 0);
    assert_eq!(exports(&[]), "the module must export `memory` as its memory");
    assert_eq!(exports(&[memory]), "the module must export `tameclaw_alloc` as a function (i32) -> i32");
    assert_eq!(
        exports(&[memory, alloc]),
        "the module must export `tameclaw_call` as a function (i32, i32) -> i64"
    );
    let swapped = exports(&[memory, ("tameclaw_alloc", 0, 1), ("tameclaw_call", 0, 0)]);
    assert_eq!(swapped, "the module must export `tameclaw_alloc` as a function (i32) -> i32");
}

#[test]
fn an_export_that_nobody_calls_is_refused() {
    let exporting = |title: &str, kind: u8, index: u8| {
        let mut export = plain().section(EXPORT);
        export[0] += 1;
        export.extend(name(title));
        export.extend([kind, index]);
        plain().with(GLOBAL, &[1, 0x7f, 0, 0x41, 0, 0x0b]).with(EXPORT, &export)
    };
    for (title, kind) in [("_start", 0), ("state", 3), ("tameclaw_call2", 0), ("\u{202e}", 0)] {
        let refused = refusal(&exporting(title, kind, 0));
        assert!(matches!(refused, LoadError::UnknownExport { .. }), "{title}: {refused}");
    }
    // The marks that the linker of every compiler leaves.
    assert!(Wasmi::new().load(&exporting("__heap_base", 3, 0).bytes()).is_ok());
}

#[test]
fn bounds_beyond_reason_are_refused_before_anything_runs() {
    // 65,536 functions, 2,000 globals, and a table of 4,294,967,295 entries.
    let mut functions = number(65_536);
    functions.resize(functions.len() + 65_536, 2);
    let mut code = number(65_536);
    for _ in 0..65_536 {
        code.extend([2, 0, 0x0b]);
    }
    let crowd = plain().with(FUNCTION, &functions).with(CODE, &code);
    assert!(matches!(refusal(&crowd), LoadError::Invalid(_)));
    let mut globals = number(2_000);
    globals.extend([0x7f, 0, 0x41, 0, 0x0b].repeat(2_000));
    assert!(matches!(refusal(&plain().with(GLOBAL, &globals)), LoadError::Invalid(_)));

    let table = plain().with(TABLE, &[1, 0x70, 0, 0xff, 0xff, 0xff, 0xff, 0x0f]);
    let module = Wasmi::new().load(&table.bytes()).unwrap();
    assert_eq!(module.facts().bounds.table_min, u32::MAX);
    let memory = plain().with(MEMORY, &[1, 1, 0x80, 0x80, 4, 0x80, 0x80, 4]);
    let large = Wasmi::new().load(&memory.bytes()).unwrap();
    assert_eq!((large.facts().memory_min_pages, large.facts().memory_max_pages), (65_536, Some(65_536)));
    for module in [module, large] {
        let called = module.call(
            &Grants::default(),
            &mut Recorder::default(),
            &Value::Null,
            &Limits::default(),
            &AtomicBool::new(false),
        );
        assert!(matches!(called, Err(guest::CallError::Memory { .. })), "{called:?}");
    }
}

#[test]
fn sections_twice_in_disorder_or_with_a_rest_are_refused() {
    let memory = [MEMORY, 3, 1, 0, 1];
    let twice = [plain().bytes(), memory.to_vec()].concat();
    assert!(matches!(Wasmi::new().load(&twice), Err(LoadError::Invalid(_))));
    let longer = plain().with(MEMORY, &[1, 0, 1, 0]);
    assert!(matches!(refusal(&longer), LoadError::Invalid(_)));
    let none = plain().with(CODE, &[0]);
    assert!(matches!(refusal(&none), LoadError::Invalid(_)));
    for end in 8..plain().bytes().len() {
        assert!(Wasmi::new().load(&plain().bytes()[..end]).is_err(), "cut at {end}");
    }
}

#[test]
fn a_stripped_module_is_the_same_skill_without_its_notes() {
    let noted = plain().custom("name").custom("producers").bytes();
    let stripped = guest::strip(&noted).unwrap();
    assert_eq!(stripped, plain().bytes());
    assert!(Wasmi::new().load(&stripped).unwrap().facts().custom_sections.is_empty());
}

#[test]
fn features_that_no_skill_needs_are_refused() {
    // return_call 0 in a body, and a 64-bit memory.
    let tail = Shape::skill(&i32_const(0), &[0x20, 0, 0x20, 1, 0x12, 1]);
    assert!(matches!(refusal(&tail), LoadError::Invalid(_)));
    assert!(matches!(refusal(&plain().with(MEMORY, &[1, 4, 1])), LoadError::Invalid(_)));
}

#[test]
fn what_is_too_large_or_no_module_is_refused() {
    let large = vec![0; (2 << 20) + 1];
    assert!(matches!(
        Wasmi::new().load(&large),
        Err(LoadError::TooLarge { size: 2_097_153, limit: 2_097_152 })
    ));
    for bytes in
        [&b""[..], b"\0asm", b"\0asm\x0d\0\x01\0", b"#!/bin/sh\n", b"\0asm\x01\0\0\0\x01\xff\xff\xff\xff\x0f"]
    {
        assert!(matches!(Wasmi::new().load(bytes), Err(LoadError::Malformed { .. })));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn random_bytes_never_make_the_loader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = Wasmi::new().load(&bytes);
        let with_magic = [b"\0asm\x01\0\0\0".as_slice(), &bytes].concat();
        let _ = Wasmi::new().load(&with_magic);
    }

    #[test]
    fn a_damaged_module_loads_or_is_refused_and_never_harms_a_call(
        place in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut bytes = Shape::importing(&["log", "http_get"], &i32_const(0), &i64_const(5 << 32 | 9)).bytes();
        let place = place.index(bytes.len());
        bytes[place] = byte;
        if let Ok(module) = Wasmi::new().load(&bytes) {
            let limits = Limits { fuel: 100_000, ..Limits::default() };
            let grants = Grants::of(module.facts());
            let _ = module.call(&grants, &mut Recorder::default(), &Value::Null, &limits, &AtomicBool::new(false));
        }
    }

    #[test]
    fn random_bytes_as_an_answer_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(value) = codec::decode(&bytes) {
            let _ = ToolOutcome::read(&value);
            let _ = guest::describe::read(&value);
            let _ = guest::json::to_json(&value);
        }
    }

    #[test]
    fn a_random_answer_of_a_module_never_panics(packed in any::<i64>(), address in any::<i32>()) {
        let module = Wasmi::new().load(&Shape::skill(&i32_const(address), &i64_const(packed)).bytes()).unwrap();
        let _ = module.call(
            &Grants::default(),
            &mut Recorder::default(),
            &Value::Null,
            &Limits::default(),
            &AtomicBool::new(false),
        );
    }
}

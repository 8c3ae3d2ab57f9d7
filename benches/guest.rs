//! A call into a learned skill, cold and warm, through the interpreter that both programs use.
#![forbid(unsafe_code)]

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use divan::Bencher;
use guest::{
    Engine as _, Grants, Host, HostError, HostFn, Limits, Module, ToolOutcome, Value, Wasmi, call_tool,
    describe,
};
use serde_json::json;

fn main() {
    if tameclaw_tests::skill::compiler_is_missing() {
        return;
    }
    divan::main();
}

/// Loads the module and calls it once, as a program does that was just started.
#[divan::bench]
fn cold_call(bencher: Bencher<'_, '_>) {
    let bytes = dice();
    bencher.bench(|| roll(&*load(bytes)));
}

/// Calls a module that is loaded; every call is a fresh instance all the same.
#[divan::bench]
fn warm_call(bencher: Bencher<'_, '_>) {
    let module = load(dice());
    bencher.bench_local(|| roll(&*module));
}

/// Checks and translates the module alone.
#[divan::bench]
fn load_module(bencher: Bencher<'_, '_>) {
    let bytes = dice();
    bencher.bench(|| load(bytes));
}

/// Asks a loaded module what it can do, as every start does.
#[divan::bench]
fn describe_module(bencher: Bencher<'_, '_>) {
    let module = load(dice());
    bencher.bench_local(|| {
        describe(&*module, &Grants::default(), &Limits::default(), &AtomicBool::new(false))
            .expect("the dice describe themselves")
    });
}

fn load(bytes: &[u8]) -> Box<dyn Module> {
    Wasmi::new().load(bytes).expect("the dice are a skill")
}

fn roll(module: &dyn Module) -> ToolOutcome {
    let arguments = json!({"dice": "3d6+2"});
    let limits = Limits::default();
    call_tool(
        module,
        &Grants::default(),
        &mut Chance,
        "roll",
        &arguments,
        "roll 3d6+2",
        &limits,
        &AtomicBool::new(false),
    )
    .expect("dice can be rolled")
}

/// The SDK's dice, compiled once by the compiler that compiles skills.
fn dice() -> &'static [u8] {
    static MODULE: OnceLock<Vec<u8>> = OnceLock::new();
    MODULE.get_or_init(|| tameclaw_tests::skill::compile(include_str!("../skill-sdk/examples/dice.rs")))
}

/// A host that answers at once, so that only the way there and back is measured.
struct Chance;

impl Host for Chance {
    fn call(&mut self, function: HostFn, _: Value, _: Instant) -> Result<Value, HostError> {
        match function {
            HostFn::Random => Ok(Value::map([("u64", Value::Int(4))])),
            other => Err(format!("the dice need no `{other}`").into()),
        }
    }
}

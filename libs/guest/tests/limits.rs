//! Every limit of a call, attacked.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use guest::{
    BadMessage, CallError, Engine as _, Grants, Host, HostError, HostFn, Limits, Module, Reply, Rest,
    ToolOutcome, Value, Wasmi,
};
use serde_json::json;
use support::encode::{Shape, i32_const, i64_const};
use support::{Recorder, example};

fn attack(tool: &str, limits: &Limits) -> Option<Result<Reply, CallError>> {
    let torture = example("hostile/torture")?;
    let message = guest::tools::tool_message(tool, &json!({"what": "x"}), "");
    let grants = Grants::of(torture.facts());
    Some(torture.call(&grants, &mut Recorder::default(), &message, limits, &AtomicBool::new(false)))
}

/// After any attack, the same module answers the next call.
fn still_answers() {
    let reply = attack("echo", &Limits::default()).expect("a compiler was there before").unwrap();
    assert_eq!(ToolOutcome::read(&reply.value), Ok(ToolOutcome::Ok("x 0".to_owned())));
}

fn load(shape: &Shape) -> Box<dyn Module> {
    Wasmi::new().load(&shape.bytes()).unwrap()
}

fn call(module: &dyn Module, host: &mut dyn Host, limits: &Limits) -> Result<Reply, CallError> {
    module.call(&Grants::of(module.facts()), host, &Value::Null, limits, &AtomicBool::new(false))
}

#[test]
fn an_endless_loop_ends_with_its_fuel() {
    let limits = Limits { fuel: 20_000_000, ..Limits::default() };
    let Some(result) = attack("loop", &limits) else { return };
    assert_eq!(result, Err(CallError::Fuel { limit: 20_000_000 }));
    still_answers();
}

#[test]
fn an_endless_loop_ends_with_its_time() {
    let limits = Limits { fuel: u64::MAX, wall: Duration::from_millis(50), ..Limits::default() };
    let before = Instant::now();
    let Some(result) = attack("loop", &limits) else { return };
    assert_eq!(result, Err(CallError::Wall { limit: Duration::from_millis(50) }));
    // The compiler may have run before; the loop itself alone cannot be seen here, so the bound is generous.
    assert!(before.elapsed() < Duration::from_secs(60));
}

#[test]
fn an_endless_loop_ends_when_another_thread_cancels() {
    let looping = load(&Shape::skill(&i32_const(0), &[0x03, 0x40, 0x0c, 0, 0x0b, 0x42, 0]));
    let cancel = AtomicBool::new(false);
    let limits = Limits { fuel: u64::MAX, wall: Duration::from_secs(60), ..Limits::default() };
    let before = Instant::now();
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(30));
            cancel.store(true, Ordering::Relaxed);
        });
        looping.call(&Grants::default(), &mut Recorder::default(), &Value::Null, &limits, &cancel)
    });
    assert_eq!(result, Err(CallError::Cancelled));
    assert!(before.elapsed() < Duration::from_secs(20));
}

#[test]
fn an_allocation_bomb_ends_with_its_memory() {
    let Some(result) = attack("allocate", &Limits::default()) else { return };
    assert_eq!(result, Err(CallError::Memory { limit: 4 << 20 }));
    still_answers();
}

#[test]
fn a_module_that_starts_too_large_is_not_instantiated() {
    let large = load(&Shape::skill(&i32_const(0), &[0x42, 0]).with(support::encode::MEMORY, &[1, 0, 100]));
    assert_eq!(large.facts().memory_min_pages, 100);
    let result = call(&*large, &mut Recorder::default(), &Limits::default());
    assert_eq!(result, Err(CallError::Memory { limit: 4 << 20 }));
    // A table of 10,001 elements without a maximum.
    let table = load(
        &Shape::skill(&i32_const(0), &[0x42, 0]).with(support::encode::TABLE, &[1, 0x70, 0, 0x91, 0x4e]),
    );
    let result = call(&*table, &mut Recorder::default(), &Limits::default());
    assert_eq!(result, Err(CallError::Memory { limit: 4 << 20 }));
}

#[test]
fn deep_recursion_ends_at_the_depth() {
    let Some(result) = attack("recurse", &Limits::default()) else { return };
    assert_eq!(result, Err(CallError::Depth { limit: 256 }));
    still_answers();
}

#[test]
fn a_flood_of_output_or_of_log_is_refused_by_its_size() {
    for tool in ["flood", "shout"] {
        let Some(result) = attack(tool, &Limits::default()) else { return };
        let Err(CallError::MessageSize { size, limit }) = result else { panic!("{tool}: {result:?}") };
        assert!(size > 1 << 20 && limit == 256 << 10);
    }
    still_answers();
}

#[test]
fn a_panic_is_one_failed_call() {
    let Some(result) = attack("panic", &Limits::default()) else { return };
    assert_eq!(result, Err(CallError::Trap("it panicked, or ran out of memory".to_owned())));
    still_answers();
}

#[test]
fn calls_to_the_host_are_counted() {
    let limits = Limits { host_calls: 10, ..Limits::default() };
    let Some(result) = attack("chatter", &limits) else { return };
    assert_eq!(result, Err(CallError::HostCalls { limit: 10 }));
    let Some(result) = attack("chatter", &Limits { fuel: 50_000, ..Limits::default() }) else { return };
    assert_eq!(result, Err(CallError::Fuel { limit: 50_000 }));
}

#[test]
fn a_value_nested_too_deep_is_kept_in() {
    let Some(result) = attack("deep", &Limits::default()) else { return };
    assert_eq!(ToolOutcome::read(&result.unwrap().value), Ok(ToolOutcome::Ok("kept out".to_owned())));
}

#[test]
fn the_usage_says_what_a_call_cost() {
    let Some(dice) = example("dice") else { return };
    let message = guest::tools::tool_message("roll", &json!({"dice": "3d6"}), "");
    let limits = Limits::default();
    let usage = dice
        .call(&Grants::default(), &mut Recorder::default(), &message, &limits, &AtomicBool::new(false))
        .unwrap()
        .usage;
    assert_eq!(usage.host_calls, [(HostFn::Random, 3)]);
    assert!(usage.fuel > 3_000 && usage.fuel < 1_000_000, "{} units", usage.fuel);
    assert!(usage.memory_peak_bytes >= 65_536 && usage.memory_peak_bytes <= 1 << 20);
    assert!(usage.wall > Duration::ZERO);
}

#[test]
fn a_small_slice_changes_nothing_but_the_pauses() {
    let Some(dice) = example("dice") else { return };
    let message = guest::tools::tool_message("roll", &json!({"dice": "3d6"}), "");
    let run = |fuel_slice| {
        let limits = Limits { fuel_slice, ..Limits::default() };
        let reply = dice
            .call(&Grants::default(), &mut Recorder::default(), &message, &limits, &AtomicBool::new(false))
            .unwrap();
        (reply.value, reply.usage.fuel)
    };
    let whole = run(1_000_000);
    assert_eq!(run(1), whole);
    assert_eq!(run(97), whole);
}

#[test]
fn a_message_or_answer_outside_the_memory_is_refused() {
    // The allocator lies: 64 KiB is just beyond the end, and -1 wraps.
    for address in [65_536, -1] {
        let module = load(&Shape::skill(&i32_const(address), &[0x42, 0]));
        let result = call(&*module, &mut Recorder::default(), &Limits::default());
        assert!(matches!(&result, Err(CallError::BadMessage(BadMessage::RoomBeyond { .. }))), "{result:?}");
    }
    // The answer is beyond the end, wraps around, or is longer than a message may be.
    for (packed, size) in
        [((65_530i64 << 32) | 10, false), (-1 << 32 | 10, false), (-1, true), (0xffff_ffff, true)]
    {
        let module = load(&Shape::skill(&i32_const(0), &i64_const(packed)));
        let result = call(&*module, &mut Recorder::default(), &Limits::default());
        match result {
            Err(CallError::MessageSize { .. }) if size => {}
            Err(CallError::BadMessage(BadMessage::Beyond { .. })) if !size => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_request_outside_the_memory_is_refused_before_the_host_sees_it() {
    // tameclaw_call calls import 0 with (65_530, 10).
    let mut body = i32_const(65_530);
    body.extend(i32_const(10));
    body.extend([0x10, 0]);
    let module = load(&Shape::importing(&["log"], &i32_const(0), &body));
    let mut host = Recorder::default();
    let result = call(&*module, &mut host, &Limits::default());
    assert!(matches!(result, Err(CallError::BadMessage(_))), "{result:?}");
    assert!(host.asked.is_empty());
}

#[test]
fn an_allocator_may_not_call_the_host() {
    // tameclaw_alloc calls import 0 with (0, 0) and drops the answer.
    let module = load(&Shape::importing(&["say"], &[0x41, 0, 0x41, 0, 0x10, 0, 0x1a, 0x41, 0], &[0x42, 0]));
    let mut host = Recorder::default();
    let result = call(&*module, &mut host, &Limits::default());
    assert_eq!(result, Err(CallError::BadMessage(BadMessage::AllocatorCalled)));
    assert!(host.asked.is_empty());
}

#[test]
fn an_entry_that_is_an_import_fails_like_any_other() {
    // The export section names the imported function itself as tameclaw_call.
    let mut export = vec![3];
    export.extend(support::encode::name("memory"));
    export.extend([2, 0]);
    export.extend(support::encode::name("tameclaw_alloc"));
    export.extend([0, 1]);
    export.extend(support::encode::name("tameclaw_call"));
    export.extend([0, 0]);
    let shape = Shape::importing(&["say"], &i32_const(0), &[0x42, 0]).with(support::encode::EXPORT, &export);
    let mut host = Recorder::default();
    let result = call(&*load(&shape), &mut host, &Limits::default());
    assert!(matches!(result, Err(CallError::Trap(_))), "{result:?}");
    assert!(host.asked.is_empty());
}

/// A host that takes its time and pretends to have run another skill.
struct Slow(Duration);

impl Host for Slow {
    fn call(&mut self, _: HostFn, _: Value, _: Instant) -> Result<Value, HostError> {
        std::thread::sleep(self.0);
        Ok(Value::Null)
    }

    fn call_within(&mut self, function: HostFn, request: Value, rest: &mut Rest) -> Result<Value, HostError> {
        rest.fuel = rest.fuel.saturating_sub(1_000_000);
        self.call(function, request, rest.deadline)
    }
}

#[test]
fn waiting_for_the_host_has_its_own_limit_and_does_not_count_as_computing() {
    // Sends one null byte that it wrote nowhere: memory starts as zeros, and zero is the value null.
    let module =
        load(&Shape::importing(&["say"], &i32_const(0), &[0x41, 0x80, 1, 0x41, 1, 0x10, 0, 0x1a, 0x42, 1]));
    // However busy the machine is: the one wait is longer than all computing may take, the other than all waiting may.
    let (hour, second, moment) =
        (Duration::from_secs(3600), Duration::from_secs(1), Duration::from_millis(10));
    let limits = Limits { wall: second, host_wall: hour, ..Limits::default() };
    let waited = call(&*module, &mut Slow(second + moment), &limits);
    // What it answers is a broken message, but it came that far.
    assert!(matches!(waited, Err(CallError::BadMessage(_))), "{waited:?}");
    let limits = Limits { wall: hour, host_wall: moment, ..Limits::default() };
    let late = call(&*module, &mut Slow(2 * moment), &limits);
    assert_eq!(late, Err(CallError::HostWall { limit: moment }));
}

#[test]
fn what_another_skill_spends_on_its_behalf_is_spent() {
    let module =
        load(&Shape::importing(&["say"], &i32_const(0), &[0x41, 0x80, 1, 0x41, 1, 0x10, 0, 0x1a, 0x42, 1]));
    let limits = Limits { fuel: 1_000_000, ..Limits::default() };
    let result = call(&*module, &mut Slow(Duration::ZERO), &limits);
    assert_eq!(result, Err(CallError::Fuel { limit: 1_000_000 }));
}

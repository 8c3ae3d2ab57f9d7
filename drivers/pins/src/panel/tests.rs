use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::*;
use crate::lines;

/// A line of a chip that is not there.
#[derive(Default)]
struct Fake {
    on: AtomicBool,
    switched: AtomicUsize,
    changes: Mutex<VecDeque<bool>>,
    is_gone: AtomicBool,
}

impl Open for Arc<Fake> {
    fn level(&self) -> io::Result<bool> {
        match self.is_gone.load(Ordering::Relaxed) {
            true => Err(io::ErrorKind::NotConnected.into()),
            false => Ok(self.on.load(Ordering::Relaxed)),
        }
    }

    fn switch(&self, on: bool) -> io::Result<()> {
        self.on.store(on, Ordering::Relaxed);
        self.switched.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn change(&self, at_most: Duration) -> io::Result<Option<bool>> {
        let change = self.changes.lock().unwrap().pop_front();
        if change.is_none() {
            std::thread::sleep(at_most);
        }
        Ok(change)
    }
}

const FILE: &str = "lines:\n\
    - {name: lamp, offset: 17, direction: out, most_changes: 3}\n\
    - {name: valve, offset: 5, direction: out, safe: on}\n\
    - {name: button, offset: 4, direction: in}\n";

fn panel() -> (Panel, [Arc<Fake>; 3]) {
    let fakes: [Arc<Fake>; 3] = std::array::from_fn(|_| Arc::default());
    let open = |fake: &Arc<Fake>| Box::new(fake.clone()) as Box<dyn Open>;
    let lines = lines::parse(FILE).unwrap();
    (Panel::of(lines.into_iter().zip(fakes.iter().map(open)).collect()), fakes)
}

fn write(panel: &Panel, client: u64, line: &str, on: bool) -> Reply {
    panel.answer(client, &Ask::Write(line.to_owned(), on), &|| false)
}

fn wait(panel: &Panel, line: &str, edge: Edge, ms: u64, new: bool) -> Reply {
    panel.answer(1, &Ask::Wait { line: line.to_owned(), edge, ms, new }, &|| false)
}

#[track_caller]
fn refused(told: Reply, parts: &[&str]) {
    let Reply::Refused(why) = told else { panic!("{told:?}") };
    assert!(parts.iter().all(|part| why.contains(part)), "{why}");
}

#[test]
fn a_line_is_switched_by_its_name_and_by_its_number() {
    let (panel, [lamp, ..]) = panel();
    assert_eq!(write(&panel, 1, "lamp", true), Reply::Level(Some(true)));
    assert!(lamp.on.load(Ordering::Relaxed));
    assert_eq!(write(&panel, 1, "pin 17", false), Reply::Level(Some(false)));
    assert!(!lamp.on.load(Ordering::Relaxed));
    assert_eq!(panel.answer(1, &Ask::Read("lamp".to_owned()), &|| false), Reply::Level(Some(false)));
    let all = Reply::Lines(vec![("lamp".into(), true), ("valve".into(), true), ("button".into(), false)]);
    assert_eq!(panel.answer(1, &Ask::List, &|| false), all);
}

#[test]
fn another_line_and_a_wrong_direction_are_refused_with_what_there_is() {
    let (panel, [_, _, button]) = panel();
    refused(write(&panel, 1, "heater", true), &["`heater`", "`lamp` (pin 17)"]);
    refused(write(&panel, 1, "pin 18", true), &["`pin 18`"]);
    refused(write(&panel, 1, "button", true), &["`button` is an input"]);
    refused(wait(&panel, "lamp", Edge::Any, 0, true), &["`lamp` is an output"]);
    assert_eq!(button.switched.load(Ordering::Relaxed), 0);
    button.is_gone.store(true, Ordering::Relaxed);
    refused(panel.answer(1, &Ask::Read("button".to_owned()), &|| false), &["`button`", "wires"]);
}

#[test]
fn a_flood_of_changes_is_refused() {
    let (panel, [lamp, ..]) = panel();
    let asked: Vec<Reply> = (0..10).map(|at| write(&panel, 1, "lamp", at % 2 == 0)).collect();
    let on = asked.iter().filter(|told| **told == Reply::Level(Some(true))).count();
    assert_eq!(on, 2, "{asked:?}");
    refused(asked[8].clone(), &["`lamp` is switched at most 3 times a second"]);
    // The way to its safe level is open.
    assert_eq!(asked[9], Reply::Level(Some(false)));
    assert!(!lamp.on.load(Ordering::Relaxed));
    std::thread::sleep(SECOND);
    assert_eq!(write(&panel, 1, "lamp", true), Reply::Level(Some(true)));
}

#[test]
fn outputs_are_safe_once_their_client_left() {
    let (panel, [lamp, valve, _]) = panel();
    write(&panel, 1, "lamp", true);
    write(&panel, 2, "valve", false);
    panel.leave(1);
    assert!(!lamp.on.load(Ordering::Relaxed) && !valve.on.load(Ordering::Relaxed));
    panel.leave(2);
    assert!(valve.on.load(Ordering::Relaxed), "its safe level is on");
    // Who switched it last holds it.
    write(&panel, 3, "lamp", true);
    write(&panel, 4, "lamp", true);
    panel.leave(3);
    assert!(lamp.on.load(Ordering::Relaxed));
}

#[test]
fn a_stop_makes_every_output_safe_and_refuses_until_it_is_cleared() {
    let (panel, [lamp, valve, _]) = panel();
    write(&panel, 1, "lamp", true);
    write(&panel, 1, "valve", false);
    panel.stop(true);
    assert!(!lamp.on.load(Ordering::Relaxed) && valve.on.load(Ordering::Relaxed));
    refused(write(&panel, 1, "lamp", true), &["emergency stop", "--clear"]);
    panel.stop(false);
    assert_eq!(write(&panel, 1, "lamp", true), Reply::Level(Some(true)));
}

#[test]
fn at_the_end_every_output_is_safe_and_stays_so() {
    let (panel, [lamp, ..]) = panel();
    write(&panel, 1, "lamp", true);
    panel.end();
    assert!(!lamp.on.load(Ordering::Relaxed));
    refused(write(&panel, 1, "lamp", true), &["ends"]);
}

#[test]
fn a_wait_ends_with_its_change_or_its_time() {
    let (panel, [_, _, button]) = panel();
    let pressed = |changes: &[bool]| *button.changes.lock().unwrap() = changes.iter().copied().collect();
    pressed(&[false, true, false]);
    assert_eq!(wait(&panel, "button", Edge::Rising, 1_000, false), Reply::Level(Some(true)));
    pressed(&[true]);
    assert_eq!(wait(&panel, "button", Edge::Any, 1, true), Reply::Level(None), "that was before");
    pressed(&[true]);
    assert_eq!(wait(&panel, "button", Edge::Falling, 1, false), Reply::Level(None));
    let begun = Instant::now();
    let ask = Ask::Wait { line: "button".to_owned(), edge: Edge::Any, ms: 30_000, new: true };
    assert_eq!(panel.answer(1, &ask, &|| true), Reply::Level(None));
    assert!(begun.elapsed() < Duration::from_secs(5), "its client is gone");
    let _held = panel.pins[2].waits.lock();
    refused(wait(&panel, "button", Edge::Any, 1, true), &["another client waits"]);
}

#![expect(clippy::disallowed_methods, reason = "the tests look at the file, and spoil it")]

use super::*;

const NOW: u64 = 1_700_000_000;

/// How many of these tries are let in.
fn charged(group: &mut Group, who: &str, times: impl IntoIterator<Item = u64>) -> usize {
    times.into_iter().filter(|seconds| group.charge(who, NOW + seconds).is_ok()).count()
}

/// Who guesses waits longer and longer, up to two hours, and another address tries as before.
#[test]
fn each_address_waits_for_its_own_wrong_pins() {
    let mut group = Group::default();
    assert_eq!(charged(&mut group, "a", [0, 0, 0, 0, 4]), 3);
    assert!(matches!(group.charge("a", NOW + 1), Err(Fault::Later { wrong: 3, seconds: 4 })));
    assert_eq!(charged(&mut group, "a", [5, 24, 25, 104, 105]), 3);
    assert_eq!(charged(&mut group, "b", [106, 106, 106, 106]), 3);
    assert_eq!(after(40), LONGEST);
}

/// An address that guesses for days without a pause leaves room for others; many addresses at once do not, and then a new one has to
/// wait for half an hour.
#[test]
fn all_addresses_together_have_a_bound_that_one_does_not_reach() {
    let mut group = Group::default();
    let day = 24 * 60 * 60;
    let of_one = charged(&mut group, "a", (0..5 * day).step_by(5));
    assert!((60..80).contains(&of_one), "{of_one}");
    group.charge("b", NOW + 5 * day).unwrap();
    let mut group = Group::default();
    let of_many: usize = (0..1000).map(|n| charged(&mut group, &n.to_string(), [0])).sum();
    assert_eq!(of_many as u64, AT_ONCE);
    assert!(matches!(group.charge("new", NOW), Err(Fault::Crowded { seconds: EACH })));
    let of_a_day: usize = (0..day).step_by(60).map(|at| charged(&mut group, &at.to_string(), [at])).sum();
    assert!(of_a_day as u64 <= day / EACH, "{of_a_day}");
    assert!(group.waits.len() <= MOST_KEPT);
}

/// A right PIN does not count, and a clock that was set back makes no wait longer.
#[test]
fn a_right_pin_is_given_back_and_a_clock_that_goes_back_costs_no_more() {
    let mut group = Group::default();
    for _ in 0..100 {
        group.charge("a", NOW).unwrap();
        group.give_back("a");
    }
    assert_eq!(charged(&mut group, "a", [0, 0, 0, 0]), 3);
    let before = NOW - 1_000_000;
    assert!(matches!(group.charge("a", before), Err(Fault::Later { seconds: 5, .. })));
    group.charge("a", before + 5).unwrap();
}

/// A browser is known by its own value alone, up to a bound, and no longer once the PIN is another one.
#[test]
fn a_browser_is_known_until_the_pin_is_another() {
    let folder = tempfile::tempdir().unwrap();
    let logs = Folder::root(folder.path()).unwrap();
    let pin =
        |text: &str| PinHash::make(&shared_types::secret::Secret::new(text.to_owned()), &[7; 16]).unwrap();
    let (one, other) = (pin("73105"), pin("51037"));
    let guesses = Guesses::of(&logs, &one);
    guesses.remember("anna").unwrap();
    assert!(guesses.knows("anna") && !guesses.knows("ann") && !Guesses::of(&logs, &other).knows("anna"));
    let text = std::fs::read_to_string(folder.path().join(FILE)).unwrap();
    assert!(!text.contains("anna") && !guesses.knows(&guesses.mark("anna")), "{text}");
    for number in 0..MOST_BROWSERS {
        guesses.remember(&number.to_string()).unwrap();
    }
    assert!(!guesses.knows("anna") && guesses.knows("0"));
}

/// A known browser has a count of its own, and a count that cannot be read lets nobody try.
#[test]
fn a_known_browser_does_not_wait_for_addresses() {
    let folder = tempfile::tempdir().unwrap();
    let logs = Folder::root(folder.path()).unwrap();
    let hash = PinHash::make(&shared_types::secret::Secret::new("73105".to_owned()), &[7; 16]).unwrap();
    let guesses = Guesses::of(&logs, &hash);
    guesses.remember("anna").unwrap();
    let from = |last: u8| Some(Peer::from(std::net::IpAddr::from([192, 0, 2, last])));
    let tried = |from, browser| guesses.try_once(from, browser, || false);
    for last in 0..10 {
        for _ in 0..3 {
            assert_eq!(tried(from(last), Some("mallory")).unwrap(), Tried::Wrong);
        }
    }
    assert!(matches!(tried(from(99), None), Err(Fault::Crowded { .. })));
    assert!(matches!(tried(from(1), Some("anna")), Ok(Tried::Wrong)));
    assert_eq!(guesses.try_once(from(1), Some("anna"), || true).unwrap(), Tried::Right);
    std::fs::write(folder.path().join(FILE), "{").unwrap();
    assert!(matches!(guesses.try_once(from(1), Some("anna"), || true), Err(Fault::Unreadable(_))));
}

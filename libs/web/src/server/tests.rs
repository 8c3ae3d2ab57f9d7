use super::*;

/// Connections in the order in which they came: whether something was asked, and whether the caller is known.
fn open(connections: &[(bool, bool)]) -> Open {
    let open = Open::default();
    for (number, (has_asked, is_known)) in (0..).zip(connections) {
        let facts = Facts {
            has_asked: AtomicBool::new(*has_asked),
            is_known: AtomicBool::new(*is_known),
            ..Facts::default()
        };
        open.lock().insert(number, Arc::new(facts));
    }
    open
}

/// Those that make room, one after the other.
fn leave(open: &Open) -> Vec<u64> {
    let numbers = || open.lock().keys().copied().collect::<Vec<_>>();
    let mut left = vec![];
    loop {
        let before = numbers();
        open.make_room();
        let after = numbers();
        match before.into_iter().find(|number| !after.contains(number)) {
            Some(number) => left.push(number),
            None => return left,
        }
    }
}

/// First the silent ones, then those of strangers who asked, each from the oldest on; those of known callers never.
#[test]
fn room_is_made_by_strangers_alone_and_by_the_silent_ones_first() {
    let order = leave(&open(&[
        (true, false),
        (true, true),
        (false, false),
        (true, false),
        (false, false),
        (true, true),
    ]));
    assert_eq!(order, [2, 4, 0, 3]);
    assert!(leave(&open(&[(true, true)])).is_empty());
    assert!(leave(&open(&[])).is_empty());
}

/// Connections of one address make room before those of others, until it has no more than they have.
#[test]
fn who_holds_the_most_connections_makes_room_first() {
    let open = open(&[]);
    for (number, (last, has_asked)) in (0..).zip([(1, false), (2, true), (2, true), (2, false), (1, true)]) {
        let address = Some(IpAddr::from([192, 0, 2, last]));
        let facts = Facts { address, has_asked: AtomicBool::new(has_asked), ..Facts::default() };
        open.lock().insert(number, Arc::new(facts));
    }
    assert_eq!(leave(&open), [3, 0, 1, 2, 4]);
}

#[tokio::test]
async fn who_makes_room_is_told() {
    let open = open(&[(false, false)]);
    let facts = open.lock().get(&0).cloned().expect("it is open");
    open.make_room();
    // It was notified before it looked.
    facts.leaves.notified().await;
}

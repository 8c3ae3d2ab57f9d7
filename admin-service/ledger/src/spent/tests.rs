use super::*;

const ONE: Spent = Spent { tokens: 10, compile_ms: 100 };

#[test]
fn a_day_adds_up_and_the_next_begins_anew() {
    let mut spending = Spending::default();
    let now = Instant::now();
    spending.count("2026-02-07T14:30:00Z", ONE);
    spending.count("2026-02-07T23:59:59.999Z", ONE);
    assert_eq!(spending.on_day_of("2026-02-07T23:59:59.999Z", now).tokens, 20);
    assert_eq!(spending.on_day_of("2026-02-08T00:00:00Z", now), Spent::default());
    spending.count("2026-02-08T00:00:00Z", ONE);
    assert_eq!(spending.on_day_of("2026-02-08T00:00:01Z", now), ONE);
}

#[test]
fn a_clock_that_is_set_back_refills_nothing() {
    let mut spending = Spending::default();
    spending.count("2026-02-07T14:30:00Z", ONE);
    spending.count("1970-01-01T00:00:00Z", ONE);
    assert_eq!(spending.on_day_of("1970-01-01T00:00:00Z", Instant::now()).tokens, 20);
    assert_eq!(spending.on_day_of("2026-02-07T15:00:00Z", Instant::now()).tokens, 20);
}

#[test]
fn files_are_counted_for_each_profile_and_actions_apart() {
    let (anna, ben): (ProfileId, ProfileId) = ("anna".parse().unwrap(), "ben".parse().unwrap());
    let mut spending = Spending::default();
    let (day, next, now) = ("2026-02-07T14:30:00Z", "2026-02-08T00:00:00Z", Instant::now());
    spending.count_file(day, &anna, Kind::Skill);
    spending.count_file(day, &anna, Kind::Skill);
    spending.count_file("1970-01-01T00:00:00Z", &anna, Kind::Action);
    assert_eq!(spending.looked_on_day_of(day, &anna, now), Looked { wishes: 2, actions: 1 });
    assert_eq!(spending.looked_on_day_of(day, &ben, now), Looked::default());
    assert_eq!(spending.looked_on_day_of(next, &anna, now), Looked::default());
    spending.count_file(next, &ben, Kind::Action);
    assert_eq!(spending.looked_on_day_of(next, &anna, now), Looked::default());
}

#[test]
fn a_clock_that_was_far_ahead_locks_the_budgets_for_a_day_at_most() {
    let mut spending = Spending::default();
    spending.count("2099-01-01T00:00:00Z", ONE);
    let now = Instant::now();
    assert_eq!(spending.on_day_of("2026-02-07T00:00:00Z", now), ONE);
    assert_eq!(spending.on_day_of("2026-02-07T00:00:00Z", now + DAY), Spent::default());
}

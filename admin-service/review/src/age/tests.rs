use super::age;

#[test]
fn an_age_is_told_in_the_unit_that_fits() {
    let now = "2026-03-10T12:00:00Z".parse().unwrap();
    for (since, told) in [
        ("2026-03-10T12:00:00Z", "0 s"),
        ("2026-03-10T11:58:31.000Z", "89 s"),
        ("2026-03-10T11:58:30Z", "1 min"),
        ("2026-03-10T10:30:01Z", "89 min"),
        ("2026-03-10T10:30:00Z", "1 h"),
        ("2026-03-09T00:00:01Z", "35 h"),
        ("2026-03-09T00:00:00Z", "1 d"),
        ("2020-03-10T12:00:00Z", "2191 d"),
        ("2026-03-10T13:00:00+00:00", "0 s"),
        ("yesterday", "-"),
    ] {
        assert_eq!(age(since, now), told, "{since}");
    }
}

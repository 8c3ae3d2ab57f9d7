use super::*;

const TRUSTED: [u32; 3] = [0, 1000, 2000];

#[test]
fn what_only_trusted_users_can_change_is_accepted() {
    assert_eq!(stranger(1000, 1000, 0o40700, true, &TRUSTED), None);
    assert_eq!(stranger(0, 0, 0o40755, true, &TRUSTED), None);
    assert_eq!(stranger(2000, 3000, 0o40750, true, &TRUSTED), None);
    assert_eq!(stranger(1000, 1000, 0o40775, true, &TRUSTED), None);
    assert_eq!(stranger(0, 0, 0o41777, true, &TRUSTED), None);
}

#[test]
fn what_a_third_user_can_change_is_refused() {
    assert!(stranger(1000, 1000, 0o40777, true, &TRUSTED).is_some());
    assert!(stranger(1000, 3000, 0o40770, true, &TRUSTED).is_some());
    assert!(stranger(3000, 3000, 0o40700, true, &TRUSTED).is_some());
    assert!(stranger(1000, 1000, 0o101666, false, &TRUSTED).is_some());
}

use super::*;

const LOCKS: &str = "\
1: POSIX  ADVISORY  WRITE 11 08:01:5678 0 EOF
2: FLOCK  ADVISORY  READ 12 08:01:5678 0 EOF
2: -> FLOCK  ADVISORY  WRITE 13 08:01:5678 0 EOF
3: FLOCK  ADVISORY  READ 14 08:01:56780 0 EOF
4: FLOCK  ADVISORY  READ 15 00:1f:5678 0 EOF
5: FLOCK  ADVISORY  READ 0 08:01:5678 0 EOF
6: FLOCK  ADVISORY  READ 16 08:01:5678 0 EOF
";

#[test]
fn only_who_holds_the_very_file_is_found() {
    assert_eq!(of_file(LOCKS, (8, 1), 5678), [12, 16]);
    assert_eq!(of_file(LOCKS, (0, 0x1f), 5678), [15]);
    assert!(of_file("", (8, 1), 5678).is_empty());
}

#[test]
fn a_process_of_another_program_or_user_is_not_the_bot() {
    let own = std::process::id() as i32;
    assert!(!is_the_bot(own, nix::unistd::getuid().as_raw()));
    assert!(!is_the_bot(1, 0));
}

use super::*;

#[test]
fn a_backup_lacks_what_is_unread_or_of_a_memory_or_one_too_many() {
    let mut left = Left::default();
    left.skip("data/profiles/a/workspace/link", "is a link");
    assert_eq!(left.lacks, None);
    left.skip("data/profiles/a/memory/facts.jsonl", "is a link");
    left.unread("data/profiles/a/workspace/b", "cannot be read");
    assert_eq!(left.lacks.as_ref().map(|one| one.name.as_str()), Some("data/profiles/a/memory/facts.jsonl"));
    let mut parent = Left::default();
    parent.take(left);
    assert_eq!((parent.skipped.len(), parent.lacks.is_some()), (3, true));
}

/// Else many links would hide that a memory is one.
#[test]
fn what_is_not_named_any_more_makes_a_backup_lack_it() {
    let mut left = Left::default();
    (0..MOST_LEFT).for_each(|at| left.skip(&format!("data/profiles/a/logs/{at}"), "is a link"));
    assert_eq!(left.lacks, None);
    left.skip("data/profiles/a/memory/facts.jsonl", "is a link");
    let lacks = left.lacks.as_ref().unwrap();
    assert!(lacks.name.ends_with("facts.jsonl") && lacks.why.contains("more than 10000"), "{lacks:?}");
    assert_eq!(left.skipped.len(), MOST_LEFT);
}

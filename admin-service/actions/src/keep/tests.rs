use super::*;

#[test]
fn a_long_result_lies_beside_the_journal_and_is_known_by_its_digest() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::new(folder.path().to_owned(), None);
    let id = ProposalId::generate();
    let of = |length: usize| ActionResult { stdout: "x".repeat(length), ..ActionResult::default() };
    assert_eq!(put(&home, &id, of(SHORT)).unwrap(), Kept::Here(of(SHORT)));
    let kept = put(&home, &id, of(SHORT + 1)).unwrap();
    assert_eq!(get(&home, &id, &kept).unwrap(), of(SHORT + 1));
    std::fs::write(path(&home, &id), "{}").unwrap();
    assert!(matches!(get(&home, &id, &kept), Err(Error::Integrity(_))));
}

use shared_types::manifest::Builtin;

use super::*;

fn shipped() -> Manifest {
    let builtin: Vec<Builtin> =
        documents::yaml::from_own(include_str!("../../../../../config/builtin_skills.yaml")).unwrap();
    Manifest {
        serial: 1,
        signed_at: "2026-02-07T14:30:00Z".into(),
        builtin,
        learned: vec![],
        plugins: vec![],
    }
}

#[test]
fn of_the_shipped_skills_exactly_the_four_core_ones_stay() {
    let mut manifest = shipped();
    let optional = manifest.builtin.len() - CORE.len();
    assert!(optional > 0);
    let said = keep(&mut manifest, true);
    let names: Vec<&str> = manifest.builtin.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, CORE);
    assert!(said.contains("clock") && said.contains("failed"), "{said}");
}

#[test]
fn a_person_who_asked_for_it_is_not_told_of_failures() {
    let said = keep(&mut shipped(), false);
    assert!(said.contains("--core-only") && !said.contains("failed"), "{said}");
}

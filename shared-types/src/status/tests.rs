use super::*;

#[test]
fn only_the_pairs_listed_here_by_hand_are_legal() {
    let legal = [
        ("new", "discovered"),
        ("discovered", "implementation"),
        ("implementation", "agent-review"),
        ("agent-review", "human-review"),
        ("agent-review", "implementation"),
        ("human-review", "agent-review"),
        ("human-review", "accepted"),
        ("accepted", "removed"),
        ("new", "rejected"),
        ("discovered", "rejected"),
        ("implementation", "rejected"),
        ("agent-review", "rejected"),
        ("human-review", "rejected"),
        ("rejected", "human-review"),
    ];
    for from in Status::ALL {
        for to in Status::ALL {
            let listed = legal.contains(&(from.as_str(), to.as_str()));
            assert_eq!(gate(from, to).is_some(), listed, "{from} -> {to}");
        }
    }
}

#[test]
fn acceptance_is_always_a_persons() {
    for (from, to, gate) in TRANSITIONS {
        if to == Status::Accepted {
            assert_eq!((from, gate), (Status::HumanReview, Gate::Human));
        }
    }
}

#[test]
fn an_action_moves_along_the_pairs_listed_here_by_hand_and_no_others() {
    let legal = [
        ("new", "discovered"),
        ("discovered", "agent-review"),
        ("agent-review", "accepted"),
        ("agent-review", "human-review"),
        ("human-review", "accepted"),
        ("new", "rejected"),
        ("discovered", "rejected"),
        ("agent-review", "rejected"),
        ("human-review", "rejected"),
    ];
    for from in Status::ALL {
        for to in Status::ALL {
            let listed = legal.contains(&(from.as_str(), to.as_str()));
            assert_eq!(action_gate(from, to).is_some(), listed, "{from} -> {to}");
        }
    }
    let by_a_person = ACTION_TRANSITIONS.iter().filter(|(.., gate)| *gate == Gate::Human);
    assert_eq!(
        by_a_person.map(|(f, t, _)| (*f, *t)).collect::<Vec<_>>(),
        [(Status::HumanReview, Status::Accepted)]
    );
}

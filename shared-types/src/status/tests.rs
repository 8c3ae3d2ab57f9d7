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

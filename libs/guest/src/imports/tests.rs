use super::*;

#[test]
fn names_are_unique_and_found_again() {
    for function in HostFn::ALL {
        assert_eq!(HostFn::named(function.name()), Some(function));
        assert_eq!(serde_json::to_string(&function).unwrap(), format!("\"{function}\""));
    }
    assert_eq!(HostFn::named("exec"), None);
}

#[test]
fn every_token_with_a_host_function_is_reached_and_only_three_need_none() {
    let free: Vec<HostFn> =
        HostFn::ALL.into_iter().filter(|function| function.token() == Need::Nothing).collect();
    assert_eq!(free, [HostFn::Log, HostFn::Now, HostFn::Random]);
    let reached: TokenSet = HostFn::ALL
        .into_iter()
        .filter_map(|function| match function.token() {
            Need::Token(token) => Some(token),
            _ => None,
        })
        .collect();
    assert!(Token::ALL.into_iter().all(|token| reached.contains(token)));
}

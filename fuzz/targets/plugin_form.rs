//! `plugin.toml`, as a stranger writes it.

use actions::plugins::form::{MOST_TOOLS, parse};
use ledger::facts::Kind;
use shared_types::capability::Token;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_form_that_is_taken_asks_for_nothing_that_no_plugin_gets() {
    target!(text holds);
}

/// Whether no program takes it for an address.
fn is_name(host: &str) -> bool {
    host.parse::<std::net::IpAddr>().is_err() && host.parse::<u64>().is_err() && !host.contains(['*', '/'])
}

fn holds(text: &str) -> Verdict {
    let parsed = parse(text);
    match &parsed {
        Ok(form) => {
            is_safe_to_show(&form.version);
            is_safe_to_show(&form.description);
            assert!(!form.description.contains('\n') && form.description.chars().count() <= 200);
            assert!(form.tools.len() <= MOST_TOOLS && (64..=65_536).contains(&form.memory_mb));
            assert!(form.env.keys().all(|name| !name.starts_with("LD_") && name != "PATH" && name != "HOME"));
            let allowed = [Token::FileRead, Token::NetworkRead, Token::NetworkWrite];
            assert!(form.capabilities.iter().all(|token| allowed.contains(&token)));
            let online = form.capabilities.iter().any(|token| token.as_str().starts_with("network:"));
            assert!(form.network.len() <= 16 && form.network.iter().all(|host| is_name(host.host())));
            match form.kind {
                Kind::McpHttp => {
                    assert!(form.url.is_some() && form.command.is_none() && form.env.is_empty());
                    assert!(form.network.is_empty());
                }
                Kind::Exec | Kind::McpStdio => assert!(form.url.is_none() && !online),
            }
            for (number, tool) in form.tools.iter().enumerate() {
                is_safe_to_show(&tool.description);
                assert!(form.tools[..number].iter().all(|other| other.name != tool.name));
            }
        }
        Err(faults) => {
            assert!(!faults.is_empty(), "a refusal says why");
            faults.iter().for_each(|fault| is_safe_to_show(fault));
        }
    }
    Verdict::of(&parsed)
}

//! A notifier of the kind `email`.

use std::net::IpAddr;

use lettre::message::Mailbox;
use shared_types::id::{HostName, SecretName};
use shared_types::settings::Section;

use super::notify::{MOST, needed, variable};

/// A mail account to send from.
#[derive(Debug, Clone)]
pub struct Mail {
    /// The server's name or address.
    pub server: String,
    pub port: u16,
    /// How the connection is protected.
    pub tls: Tls,
    /// The user, and the variable that holds the password.
    pub login: Option<(String, SecretName)>,
    /// Who sends.
    pub from: Mailbox,
    /// Who receives; at least one.
    pub to: Vec<Mailbox>,
}

/// How a connection to a mail server is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tls {
    /// Begun in the clear and then protected, or not used at all.
    Starttls,
    /// Protected from the first byte.
    Tls,
    /// Not at all; to this machine only.
    None,
}

/// Reads the keys of a notifier that sends mail.
pub(super) fn mail(section: &mut Section) -> Option<Mail> {
    let server = needed(section, "server").filter(|server| {
        let fits = server.parse::<IpAddr>().is_ok()
            || server.parse::<HostName>().is_ok_and(|host| host.port().is_none());
        if !fits {
            section.fault("server", "must be a host name or an address, without a port");
        }
        fits
    });
    let tls = match section.word("tls") {
        "tls" => Tls::Tls,
        "none" => Tls::None,
        _ => Tls::Starttls,
    };
    let usual = match tls {
        Tls::Starttls => 587,
        Tls::Tls => 465,
        Tls::None => 25,
    };
    let port = section.optional_number("port").unwrap_or(usual) as u16;
    if tls == Tls::None && server.as_deref().is_some_and(|server| !is_this_machine(server)) {
        section.fault(
            "tls",
            "`none` is for this machine only (127.0.0.1, ::1, localhost); allowed: starttls tls",
        );
    }
    let (user, password) = (section.text("user"), variable(section, "password"));
    let login = match (user, password) {
        (Some(user), Some(password)) => Some((user, password)),
        (None, None) => None,
        (Some(_), None) => {
            section.fault("password", "missing beside `user`");
            None
        }
        (None, Some(_)) => {
            section.fault("user", "missing beside `password`");
            None
        }
    };
    let from = needed(section, "from").and_then(|text| mailbox(section, "from", &text));
    let to = section.texts("to");
    if to.is_empty() || to.len() > MOST {
        section.fault("to", format!("needs 1 to {MOST} addresses"));
    }
    let to: Vec<Mailbox> = to.iter().filter_map(|text| mailbox(section, "to", text)).collect();
    Some(Mail { server: server?, port, tls, login, from: from?, to })
}

fn is_this_machine(server: &str) -> bool {
    server == "localhost" || server.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn mailbox(section: &mut Section, key: &str, text: &str) -> Option<Mailbox> {
    let read = text.parse().ok();
    if read.is_none() {
        let shown = shared_types::text::cut(text, 80);
        section.fault(key, format!("`{shown}` is not a mail address, such as `Anna <anna@example.org>`"));
    }
    read
}

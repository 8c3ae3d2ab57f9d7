//! A mail by SMTP: protected by TLS, or to this machine.

use std::time::Duration;

use base::config::{Mail, Tls};
use lettre::message::header::ContentType;
use lettre::transport::smtp::authentication::Credentials;
use lettre::{Message, SmtpTransport, Transport};

use super::digest::Digest;
use super::notifier::{Notifier, NotifyFault, secret};

/// Mails a digest.
pub(super) struct Email {
    name: String,
    mail: Mail,
    timeout: Duration,
}

impl Email {
    pub(super) fn new(name: String, mail: Mail, timeout: Duration) -> Email {
        Email { name, mail, timeout }
    }

    fn transport(&self) -> Result<SmtpTransport, NotifyFault> {
        let mail = &self.mail;
        let builder = match mail.tls {
            Tls::Starttls => SmtpTransport::starttls_relay(&mail.server).map_err(|e| fault(&e))?,
            Tls::Tls => SmtpTransport::relay(&mail.server).map_err(|e| fault(&e))?,
            Tls::None => SmtpTransport::builder_dangerous(&mail.server),
        };
        let builder = builder.port(mail.port).timeout(Some(self.timeout));
        Ok(match &mail.login {
            Some((user, password)) => {
                let password = secret(password)?.expose().to_owned();
                builder.credentials(Credentials::new(user.clone(), password)).build()
            }
            None => builder.build(),
        })
    }
}

impl Notifier for Email {
    fn name(&self) -> &str {
        &self.name
    }

    fn send(&self, digest: &Digest) -> Result<(), NotifyFault> {
        let mut message = Message::builder()
            .from(self.mail.from.clone())
            .subject(format!("TameClaw: {}", digest.title()))
            .header(ContentType::TEXT_PLAIN);
        for to in &self.mail.to {
            message = message.to(to.clone());
        }
        let link = digest.link().map(|link| format!("{link}\n")).unwrap_or_default();
        let message = message.body(digest.text() + &link).map_err(|e| NotifyFault(e.to_string()))?;
        self.transport()?.send(&message).map(|_| ()).map_err(|e| fault(&e))
    }
}

/// The error with its causes; a server's words are made harmless and cut.
fn fault(error: &dyn std::error::Error) -> NotifyFault {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_words = inner.to_string();
        if !words.contains(&inner_words) {
            words.push_str(&format!(": {inner_words}"));
        }
        cause = inner.source();
    }
    NotifyFault(shared_types::text::cut(&words, 300))
}

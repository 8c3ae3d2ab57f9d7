//! Webhook and ntfy: one POST each, without redirect, to the one address of the configuration.

use std::time::Duration;

use base::config::{Place, Post};
use models::Endpoint;
use models::http::Caps;
use models::http::blocking::Outbox;

use super::digest::Digest;
use super::notifier::{Notifier, NotifyFault, secret};

/// Nobody reads the answer; more than this is a server that does not know when to stop.
const MOST_ANSWERED: u64 = 64 * 1024;

/// Posts a digest.
pub(super) struct Web {
    name: String,
    post: Post,
    timeout: Duration,
    form: Form,
}

enum Form {
    Json,
    Ntfy,
}

impl Web {
    pub(super) fn webhook(name: String, post: Post, timeout: Duration) -> Web {
        Web { name, post, timeout, form: Form::Json }
    }

    pub(super) fn ntfy(name: String, post: Post, timeout: Duration) -> Web {
        Web { name, post, timeout, form: Form::Ntfy }
    }

    fn url(&self) -> Result<Endpoint, NotifyFault> {
        match &self.post.url {
            Place::Url(endpoint) => Ok(endpoint.clone()),
            Place::Variable(name) => {
                let value = secret(name)?;
                // The value is not repeated: it is a secret.
                value.expose().parse().map_err(|e| NotifyFault(format!("the address in {name}: {e}")))
            }
        }
    }
}

impl Notifier for Web {
    fn name(&self) -> &str {
        &self.name
    }

    fn send(&self, digest: &Digest) -> Result<(), NotifyFault> {
        let url = self.url()?;
        let token = self.post.token.as_ref().map(secret).transpose()?;
        let link = digest.link();
        let title = format!("TameClaw: {}", digest.title());
        let (headers, body): (Vec<(&str, &str)>, String) = match self.form {
            Form::Json => (vec![("content-type", "application/json")], digest.json().to_string()),
            Form::Ntfy => {
                let priority = if digest.test { "low" } else { "default" };
                let mut headers = vec![
                    ("content-type", "text/plain; charset=utf-8"),
                    ("title", title.as_str()),
                    ("priority", priority),
                    ("tags", "inbox_tray"),
                ];
                headers.extend(link.as_deref().map(|link| ("click", link)));
                (headers, digest.text())
            }
        };
        let caps = Caps { timeout: self.timeout, max_bytes: MOST_ANSWERED };
        let outbox = Outbox::new().map_err(|e| NotifyFault(e.to_string()))?;
        let answer = outbox
            .post(&url, &headers, token.as_ref(), body.into_bytes(), caps)
            .map_err(|e| NotifyFault(e.to_string()))?;
        match answer.status {
            200..300 => Ok(()),
            300..400 => Err(NotifyFault(format!(
                "{} answered with a redirect ({}), which is not followed",
                url.host(),
                answer.status
            ))),
            status => Err(NotifyFault(format!("{} answered with status {status}", url.host()))),
        }
    }
}

//! The client for a program without a runtime of its own.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use shared_types::id::HostName;
use shared_types::secret::Secret;
use tokio::runtime::{Builder, Runtime};

use super::{Client, Exchange};
use crate::config::ProviderConfig;
use crate::transport::{Transport, TransportError};

/// Talks to the configured providers from the calling thread; not for use inside a runtime.
#[derive(Debug)]
pub struct Direct {
    runtime: Runtime,
    client: Client,
    providers: Vec<(ProviderConfig, Option<Secret>)>,
}

impl Direct {
    /// Takes the providers with their keys, and the hosts with ports that the configuration names as local.
    ///
    /// # Errors
    /// What the system says when it has no more descriptors.
    pub fn new(providers: Vec<(ProviderConfig, Option<Secret>)>, local: Vec<HostName>) -> io::Result<Self> {
        let runtime =
            Builder::new_current_thread().enable_io().enable_time().max_blocking_threads(2).build()?;
        Ok(Direct { runtime, client: Client::new(local), providers })
    }
}

impl Transport for Direct {
    fn chat(&self, provider: &str, body: &[u8], cancel: &AtomicBool) -> Result<Vec<u8>, TransportError> {
        let Some((config, key)) = self.providers.iter().find(|(p, _)| p.name == provider) else {
            return Err(TransportError::Denied(format!("there is no provider `{provider}`")));
        };
        let Exchange { status, body } = self.runtime.block_on(async {
            tokio::select! {
                exchange = self.client.chat(config, key.as_ref(), body.to_vec()) => exchange,
                () = cancelled(cancel) => Err(TransportError::Cancelled),
            }
        })?;
        if (200..300).contains(&status) { Ok(body) } else { Err(TransportError::Status { status, body }) }
    }
}

async fn cancelled(cancel: &AtomicBool) {
    while !cancel.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

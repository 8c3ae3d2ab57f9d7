//! The client for a program without a runtime of its own.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use shared_types::id::HostName;
use shared_types::secret::Secret;
use tokio::runtime::{Builder, Runtime};

use super::{Arriving, Batch, Caps, Client, Conversed, Exchange};
use crate::config::{Endpoint, ProviderConfig};
use crate::request::Rank;
use crate::transport::{Incoming, Part, Transport, TransportError};

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
    fn chat(
        &self,
        provider: &str,
        body: &[u8],
        _: Rank,
        incoming: &mut Incoming<'_>,
        cancel: &AtomicBool,
    ) -> Result<(), TransportError> {
        let Some((config, key)) = self.providers.iter().find(|(p, _)| p.name == provider) else {
            return Err(TransportError::Denied(format!("there is no provider `{provider}`")));
        };
        let exchange = async {
            let mut answer = self.client.chat(config, key.as_ref(), body.to_vec()).await?;
            while let Some(batch) = answer.next().await? {
                let flow = match &batch {
                    Batch::Whole(text) => incoming(Part::Whole(text)),
                    Batch::Events(events) => events.iter().try_for_each(|e| incoming(Part::Event(e))),
                };
                if flow == ControlFlow::Break(()) {
                    break;
                }
            }
            Ok(())
        };
        self.runtime.block_on(async {
            tokio::select! {
                done = exchange => done,
                () = cancelled(cancel) => Err(TransportError::Cancelled),
            }
        })
    }
}

/// Posts to, and gets from, addresses that the program's own configuration names, from the calling thread; not for use inside a runtime.
#[derive(Debug)]
pub struct Outbox {
    runtime: Runtime,
    client: Client,
}

impl Outbox {
    /// An outbox; nothing is connected yet.
    ///
    /// # Errors
    /// What the system says when it has no more descriptors.
    pub fn new() -> io::Result<Self> {
        let runtime =
            Builder::new_current_thread().enable_io().enable_time().max_blocking_threads(1).build()?;
        Ok(Outbox { runtime, client: Client::new(vec![]) })
    }

    /// Posts a body; see [`Client::post`].
    ///
    /// # Errors
    /// See [`TransportError`]; any status is an answer here, and a redirect is not followed.
    pub fn post(
        &self,
        endpoint: &Endpoint,
        headers: &[(&str, &str)],
        token: Option<&Secret>,
        body: Vec<u8>,
        caps: Caps,
    ) -> Result<Exchange, TransportError> {
        self.runtime.block_on(self.client.post(endpoint, headers, token, body, caps))
    }

    /// Gets what is there; see [`Client::get`].
    ///
    /// # Errors
    /// See [`TransportError`]; any status is an answer here, and a redirect is not followed.
    pub fn get(&self, endpoint: &Endpoint, caps: Caps) -> Result<Exchange, TransportError> {
        self.runtime.block_on(self.client.get(endpoint, caps))
    }

    /// Reads a large file piece by piece; see [`Client::download`].
    ///
    /// # Errors
    /// See [`TransportError`].
    pub fn download(
        &self,
        from: &Endpoint,
        offset: u64,
        arriving: &mut dyn FnMut(Arriving<'_>) -> bool,
    ) -> Result<(), TransportError> {
        self.runtime.block_on(self.client.download(from, offset, arriving))
    }

    /// Sends a POST request, or a GET request without a body; see [`Client::converse`].
    ///
    /// # Errors
    /// See [`TransportError`]; a cancel is one.
    pub fn converse(
        &self,
        endpoint: &Endpoint,
        headers: &[(String, String)],
        body: Option<Vec<u8>>,
        caps: Caps,
        enough: &mut dyn FnMut(&str, &[u8]) -> bool,
        cancel: &AtomicBool,
    ) -> Result<Conversed, TransportError> {
        self.runtime.block_on(async {
            tokio::select! {
                done = self.client.converse(endpoint, headers, body, caps, enough) => done,
                () = cancelled(cancel) => Err(TransportError::Cancelled),
            }
        })
    }
}

async fn cancelled(cancel: &AtomicBool) {
    while !cancel.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

//! What every request is answered with.

use std::sync::Arc;

use tokio::sync::{Notify, Semaphore};
use web::limits::Limits;
use web::rules::Rules;

use super::known::Known;
use super::link::Link;

/// What every request is answered with.
pub(super) struct App {
    pub(super) link: Link,
    pub(super) rules: Rules,
    /// The name of the cookie of the pages.
    pub(super) cookie: String,
    /// The name of the cookie by which a browser is known that logged in before.
    pub(super) browser_cookie: String,
    /// The language of the profile, where it has one.
    pub(super) language: Option<String>,
    pub(super) limits: Limits,
    /// Room for bodies that are large.
    pub(super) large: Arc<Semaphore>,
    /// Is notified of each request.
    pub(super) used: Notify,
    /// Which conversation a client of OpenAI's interface continues.
    pub(super) known: Known,
}

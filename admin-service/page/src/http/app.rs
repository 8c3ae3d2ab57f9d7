//! What every request is answered with.

use web::limits::Limits;
use web::rules::Rules;

use crate::service::Service;

/// What every request is answered with.
#[derive(Debug)]
pub struct App {
    /// The way to the service.
    pub service: Service,
    /// From where the page may be called.
    pub rules: Rules,
    /// How many requests are looked at.
    pub limits: Limits,
}

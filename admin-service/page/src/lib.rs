//! cl-review: the review as pages. It asks the service by the values of [`api::page`], and can do nothing else: it holds no key
//! and no journal, opens no file, connects to nobody once it is confined, and starts nothing.
//!
//! - [`start`]: the command line, the sockets, the confinement
//! - [`service`]: the way to the service
//! - [`http`]: the pages
#![forbid(unsafe_code)]

pub mod http;
pub mod service;
pub mod start;

//! cl-review: the review as pages. It asks the service by the values of [`api::page`], and can do nothing else: it holds no key
//! and no journal, opens no file, connects to nobody once it is confined, and starts nothing.
//!
//! - [`start`]: the command line, the sockets, the confinement
//! - [`service`]: the way to the service
//! - [`http`]: the pages
//!
//! # How it works
//!
//! `cl-review` (`admin-service/page`), which `cl-admin page serve` becomes, is the review as pages for a browser. It
//! opens its port, or takes one that systemd hands over, connects to a socket that the service has for it alone, and
//! confines itself as the door does: from then on it accepts, and opens, connects and starts nothing. It has no key, no
//! journal and no file of the home, and with packages a user of its own. It passes each request on with the token that
//! came. The service judges the token and answers by the list in `api::page`, which signs nothing: look, try, note,
//! reject, and hand in a yes that was signed on another device. It ends with the service. `libs/web` has what it shares
//! with the door: connections and their limits, the names by which it may be called, cookies, the frame of the pages
//! and their words.
#![forbid(unsafe_code)]

pub mod http;
pub mod service;
pub mod start;

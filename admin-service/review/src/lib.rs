//! What a person reads before a yes: the report of a package, and its pages. This layer uses `builder`, `ledger` and the
//! layers below them.
//!
//! - [`report`], [`package`]: what was found, and where it is kept
//! - [`queue`]: what waits, and each package as it is shown
//! - [`pages`], [`sentence`], [`age`]: how it is shown; [`highlight`]: colours of a source
//! - [`tryout`]: a tool called by hand; [`recipients`]: to whom a yes can give a skill
//! - [`diff`]: what a package changes beside the installed version
//! - [`decision`]: what a yes says, signed; [`approvers`]: who may say it; [`ask`]: passphrases and codes for it, without echo ([`ahead`] of which
//!   nothing typed counts);
//!   [`elsewhere`]: signatures that are made on another device
//! - [`words`]: what is said to the approver, in their language; [`weekly`]: a digest of a child's week
//! - [`source`]: what a person's own source must be
#![forbid(unsafe_code)]

pub mod age;
pub mod ahead;
pub mod approvers;
pub mod ask;
pub mod decision;
pub mod diff;
pub mod elsewhere;
pub mod highlight;
pub mod package;
pub mod pages;
pub mod queue;
pub mod recipients;
pub mod report;
pub mod sentence;
pub mod source;
pub mod tryout;
pub mod weekly;
pub mod words;

//! What the source tree promises about itself.

mod documents;
mod forgotten;
mod graph;
mod sizes;
mod sources;
mod tree;

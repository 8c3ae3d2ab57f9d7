//! What the source tree promises about itself.

mod forgotten;
mod graph;
mod sizes;
mod sources;
mod tree;

//! What the source tree promises about itself.

mod beneath;
mod circles;
mod documents;
mod forgotten;
mod gate;
mod graph;
mod sizes;
mod sources;
mod tree;
mod uses;

//! What the source tree promises about itself.

mod beneath;
mod circles;
mod containers;
mod documents;
mod errors;
mod forgotten;
mod gate;
mod graph;
mod layers;
mod release;
mod sizes;
mod sources;
mod tree;
mod uses;
mod words;

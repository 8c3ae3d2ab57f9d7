//! libs/confine

//! libs/models

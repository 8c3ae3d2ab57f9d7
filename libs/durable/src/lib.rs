//! libs/durable

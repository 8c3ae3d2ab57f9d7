//! shared-types

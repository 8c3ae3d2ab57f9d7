//! skill-sdk

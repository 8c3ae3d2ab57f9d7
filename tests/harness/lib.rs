//! The harness: a temporary home, both programs, scripted model servers.

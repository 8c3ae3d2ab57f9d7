//! Other processors: the registers differ, so the tests that need a tracer say that they are skipped.

use super::Outcome;

/// A tracer that cannot be had on this processor.
#[derive(Debug)]
pub struct Tracer(std::convert::Infallible);

impl Tracer {
    /// Never attaches.
    ///
    /// # Errors
    /// Always, with the reason.
    pub fn attach(_: u32) -> Result<Tracer, String> {
        Err("the tracer knows the registers of x86-64 only".to_owned())
    }

    /// Cannot be reached.
    pub fn call(&mut self, _: i64, _: &[u64]) -> Outcome {
        match self.0 {}
    }

    /// Cannot be reached.
    pub fn place(&mut self, _: &[u8]) -> u64 {
        match self.0 {}
    }
}

//! What shows to other parts of the program that the kernel asks.

/// A proof that the kernel itself asks: its field is the kernel's, so nothing else can make one.
#[derive(Debug)]
pub struct ByKernel(pub(super) ());

#[cfg(test)]
impl ByKernel {
    /// For the tests of what takes one.
    pub(crate) fn in_a_test() -> ByKernel {
        ByKernel(())
    }
}

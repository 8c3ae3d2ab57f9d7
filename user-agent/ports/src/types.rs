//! The types of the kernel, for this program.

use super::Shared;

/// The kernel of this program.
pub type Kernel = kernel::Kernel<Shared>;
/// What a skill sees of it.
pub type KernelContext = kernel::context::KernelContext<Shared>;
/// A skill with what it was granted.
pub type Entry = kernel::registry::Entry<Shared>;
/// What a skill was granted.
pub type Grants = kernel::grants::Grants<Shared>;
/// The proof that the kernel asks.
pub type ByKernel = kernel::program::ByKernel<Shared>;

//! What the layers do together, with the shipped skills: the kernel's gate, its grants, and actions.

mod actions;
mod program;

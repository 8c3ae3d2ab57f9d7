//! A person's word, from the mint to what it leaves behind, through the whole service.

mod advance;
mod decision;
mod diff;
mod edit;
mod removal;

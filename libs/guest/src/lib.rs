//! libs/guest

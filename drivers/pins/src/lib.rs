//! What `cl-pins` is made of: it reads and switches the lines of a GPIO chip that its file names, on this machine.
//!
//! - [`command`]: the command line
//! - [`lines`]: the file that names the lines
//! - [`board`]: the lines of the chip, opened by the kernel's character device
//! - [`panel`]: who switches which line, how often, and when each is at its safe level
//! - [`stops`]: the emergency stops, watched
//! - [`serve`]: a service behind a socket file
//!
//! It opens the lines and the folders of the stop files. Then it confines itself as a door does, before it reads a byte of a client: of
//! the chip it has the lines that the file names and no other, and it opens, connects and starts nothing.

pub mod board;
pub mod command;
pub mod lines;
pub mod panel;
pub mod serve;
pub mod stops;

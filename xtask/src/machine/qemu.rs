//! One boot of the emulated machine, within a bounded time.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The program that emulates the machine.
pub(crate) const PROGRAM: &str = "qemu-system-aarch64";

/// A board without a Raspberry Pi's peripherals. The root is in memory, the homes are on a disk.
const BOARD: &str = "-machine virt -smp 2 -m 3072 -nodefaults -display none -no-reboot -serial stdio";

/// The size of the disk, in bytes; on this machine it takes what is written to it.
const DISK: u64 = 2 << 30;

/// A machine that runs; it ends with this value.
#[derive(Debug)]
struct Machine(Child);

impl Drop for Machine {
    fn drop(&mut self) {
        // It has ended on its own, or it is ended here; in both cases nobody is left to read an error.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Boots the kernel with the archives and hands on each line of the console until the machine turns itself off.
///
/// Answers whether it did so within the limit.
pub(crate) fn boot(
    kernel: &Path,
    processor: &str,
    archive: &Path,
    disk: &Path,
    words: &str,
    limit: Duration,
    mut line: impl FnMut(&str, Duration),
) -> io::Result<bool> {
    let start = Instant::now();
    File::create(disk)?.set_len(DISK)?;
    let mut command = Command::new(PROGRAM);
    command
        .args(BOARD.split(' '))
        .args(["-cpu", processor])
        .arg("-kernel")
        .arg(kernel)
        .arg("-initrd")
        .arg(archive);
    // Nobody needs the disk after the machine: it waits for no sync of this one.
    command.arg("-drive").arg(format!("file={},format=raw,if=none,id=disk,cache=unsafe", disk.display()));
    command.args(["-device", "virtio-blk-device,drive=disk"]);
    command.arg("-append").arg(format!("console=ttyAMA0 loglevel=4 panic=-1 {words}"));
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut machine = Machine(command.spawn()?);
    let console = machine.0.stdout.take().expect("stdout is piped");
    let (sender, lines) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut console = BufReader::new(console);
        let mut bytes = Vec::new();
        while console.read_until(b'\n', &mut bytes).is_ok_and(|n| n > 0) {
            if sender.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
                break;
            }
            bytes.clear();
        }
    });
    let in_time = loop {
        match lines.recv_timeout(limit.saturating_sub(start.elapsed())) {
            Ok(text) => line(&text, start.elapsed()),
            Err(RecvTimeoutError::Disconnected) => break true,
            Err(RecvTimeoutError::Timeout) => break false,
        }
    };
    drop(machine);
    fs::remove_file(disk)?;
    reader.join().map_err(|_| io::Error::other("the console could not be read"))?;
    Ok(in_time)
}

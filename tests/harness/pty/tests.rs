use super::*;

const SOON: Duration = Duration::from_secs(20);

#[test]
fn a_program_finds_a_terminal_of_eighty_columns() {
    let mut command = Command::new("sh");
    command.args(["-c", "test -t 0 && stty size && printf 'name? ' && read name && echo hello $name"]);
    let mut pty = Pty::start(command);
    pty.expect("24 80", SOON);
    pty.expect("name? ", SOON);
    pty.line("Ada");
    pty.expect("hello Ada", SOON);
    assert_eq!(pty.ended(SOON), 0);
}

#[test]
fn control_c_interrupts_the_program() {
    let mut command = Command::new("sh");
    command.args(["-c", "echo ready; exec sleep 60"]);
    let mut pty = Pty::start(command);
    pty.expect("ready", SOON);
    pty.keys(CTRL_C);
    assert_eq!(pty.ended(SOON), 130);
}

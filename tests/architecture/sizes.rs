//! What a reader must be able to read in one sitting.

use std::fs;

use tameclaw_tests::world::workspace;

#[test]
fn the_kernel_and_the_transition_table_are_read_in_one_sitting() {
    for file in ["user-agent/src/kernel/mod.rs", "shared-types/src/status.rs"] {
        let text = fs::read_to_string(workspace().join(file)).expect("the file is there");
        let lines = text.lines().count();
        assert!(lines <= 150, "{file} has {lines} lines; at most 150 are read in one sitting");
    }
}

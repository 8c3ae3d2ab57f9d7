//! Makes the tables of `src/shell/tables.rs` from the files in `data/`.

fn main() {
    tables::make("data");
}

//! Makes the tables of `src/scan/tables.rs` from the files in `data/`.

fn main() {
    tables::make("data");
}

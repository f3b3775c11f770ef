//! The `visco` program.
fn main() {}

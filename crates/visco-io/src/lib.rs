//! visco-io

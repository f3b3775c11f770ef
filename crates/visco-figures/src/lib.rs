//! visco-figures

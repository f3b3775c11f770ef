//! The methods that move the fluid. A method never imports another; what two share is a module above them.

pub mod dcpbd;

//! The figures of the papers, by command: experiments, and plots of them.

pub mod experiments;

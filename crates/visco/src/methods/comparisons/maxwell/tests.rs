//! Parts of the method against what they must be.

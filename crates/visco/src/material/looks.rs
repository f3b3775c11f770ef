//! Names of what materials look like in pictures; `visco-render` knows how to draw them.

/// The looks that a scene can name.
pub const LOOKS: &[&str] = &[
    "honey",
    "golden-syrup",
    "strawberry-syrup",
    "water",
    "egg-white",
    "slime",
    "guar-gum",
    "molten-chocolate",
    "whipped-cream",
    "ice-cream",
    "toothpaste",
    "clay",
    "petal",
    "gold",
    "waffle",
    "sponge",
    "porcelain",
    "skin",
];

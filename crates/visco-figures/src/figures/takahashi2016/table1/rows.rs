//! The rows of the table.

const DROP: &str = include_str!("../../../../scenes/takahashi2016-fig02.toml");
const MERGE: &str = include_str!("../../../../scenes/takahashi2016-fig04-merge.toml");
const SPLIT: &str = include_str!("../../../../scenes/takahashi2016-fig04-split.toml");
const WALL: &str = include_str!("../../../../scenes/takahashi2016-fig05.toml");
const PRESS: &str = include_str!("../../../../scenes/takahashi2016-fig07.toml");
const ELASTIC: &str = include_str!("../../../../scenes/takahashi2016-fig06.toml");
const SPHERES: &str = include_str!("../../../../scenes/takahashi2016-fig11.toml");
const PULL: &str = include_str!("../../../../scenes/takahashi2016-fig12.toml");
const DIE: &str = include_str!("../../../../scenes/takahashi2016-fig13.toml");

/// A row of the paper's table, and the scene for it.
pub(super) struct Row {
    pub(super) figure: &'static str,
    /// Particles of fluid, as the paper has them.
    pub(super) fluid: &'static str,
    /// Seconds per frame.
    pub(super) seconds: f64,
    /// The scene's text.
    pub(super) text: &'static str,
    /// What is changed, to begin shortly before the contact.
    pub(super) changes: &'static [&'static str],
    /// Frames before those that are timed.
    pub(super) before: u32,
}

impl Row {
    /// Whether it is of a method that velocity corrections are compared with.
    pub(super) fn is_compared_with(&self) -> bool {
        self.changes.iter().any(|change| change.starts_with("method="))
    }
}

const fn row(
    (figure, fluid, seconds): (&'static str, &'static str, f64),
    text: &'static str,
    changes: &'static [&'static str],
    before: u32,
) -> Row {
    Row { figure, fluid, seconds, text, changes, before }
}

const NEAR: &str = "fluid.0.shape.sphere.center=[0,0.185,0]";
const FALLING: &str = "fluid.0.velocity=[0,-2.4,0]";
const FINER: &str = "spacing=0.01";

/// All of them.
pub(super) const ROWS: &[Row] = &[
    row(("2 (left)", "24.5k", 3.02), DROP, &[NEAR, FALLING, "material.0.connections.correction=0.0025"], 2),
    row(("2 (middle)", "24.5k", 3.83), DROP, &[NEAR, FALLING, "material.0.connections.correction=0.008"], 2),
    row(("2 (right)", "24.5k", 4.06), DROP, &[NEAR, FALLING, "material.0.connections.correction=0.025"], 2),
    row(
        ("4 (top)", "45.2k", 9.57),
        MERGE,
        &["fluid.0.shape.sphere.center=[-0.18,0.25,0]", "fluid.1.shape.sphere.center=[0.18,0.25,0]"],
        2,
    ),
    row(("4 (bottom)", "22.6k", 5.36), SPLIT, &["fluid.0.shape.sphere.center=[-0.25,0.6,0]"], 1),
    row(("5 (left)", "13.8k", 2.40), WALL, &[CLOSE, "material.0.connections.solids=false"], 2),
    row(("5 (right)", "13.8k", 2.43), WALL, &[CLOSE], 2),
    row(
        ("6 (top)", "7.1k", 0.39),
        ELASTIC,
        &[
            "method=maxwell",
            "material.0.solvent_viscosity=11",
            "fluid.0.shape.sphere.center=[0,0.125,0]",
            "fluid.0.velocity=[0,-2,0]",
        ],
        2,
    ),
    row(
        ("6 (bottom)", "7.1k", 0.64),
        ELASTIC,
        &["fluid.0.shape.sphere.center=[0,0.125,0]", "fluid.0.velocity=[0,-2,0]"],
        2,
    ),
    row(("7 (middle)", "8.2k", 5.75), PRESS, &["method=shape_matching"], 6),
    row(("7 (right)", "8.2k", 2.47), PRESS, &[], 6),
    row(("9 (middle)", "14.0k", 3.35), PRESS, &[FINER, "time.steps_per_frame=38", "method=springs"], 6),
    row(("9 (right)", "14.0k", 3.13), PRESS, &[FINER, "time.steps_per_frame=38"], 6),
    row(("11", "195.1k", 125.2), SPHERES, &[], 4),
    row(
        ("12", "33.4k", 6.82),
        PULL,
        &["body.0.shape.box.min=[0.42,0,-0.1]", "body.0.shape.box.max=[0.62,0.2,0.1]"],
        2,
    ),
    row(("13", "73.5k", 29.01), DIE, &[], 6),
];

const CLOSE: &str = "fluid.0.shape.box={min=[0.01,0.4,-0.12],max=[0.25,0.64,0.12]}";

//! What a step tells about itself.

/// One row of diagnostics: what happened in a step, in SI units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Number of the step, from 1.
    pub step: u64,
    /// Simulated time at the end of the step, in s.
    pub time: f64,
    /// Length of the step, in s.
    pub dt: f64,
    /// Number of particles.
    pub particles: usize,
    /// Iterations of the velocity projection.
    pub velocity_iterations: u32,
    /// Relative residual that the velocity projection reached.
    pub velocity_residual: f64,
    /// Iterations of the position projection.
    pub position_iterations: u32,
    /// Mean of max(ρ/ρ₀ − 1, 0).
    pub density_error_mean: f64,
    /// Largest ρ/ρ₀ − 1, not below 0.
    pub density_error_max: f64,
    /// Kinetic energy, in J.
    pub kinetic_energy: f64,
    /// Potential energy −Σ m g·x, in J.
    pub potential_energy: f64,
    /// Energy stored in the polymer, in J.
    pub elastic_energy: f64,
    /// Linear momentum, in kg·m/s.
    pub momentum: [f64; 3],
    /// Angular momentum about the origin, in kg·m²/s.
    pub angular_momentum: [f64; 3],
    /// Fastest particle, in m/s.
    pub max_speed: f64,
    /// Wall-clock seconds spent on neighbour lists.
    pub seconds_neighbors: f64,
    /// Wall-clock seconds spent on the velocity projection.
    pub seconds_velocity: f64,
    /// Wall-clock seconds spent on the position projection.
    pub seconds_position: f64,
    /// Wall-clock seconds of the whole step.
    pub seconds_total: f64,
    /// Wall-clock seconds spent on connections and velocity corrections, of the method that has them.
    pub seconds_corrections: f64,
    /// Of these, seconds spent on making and removing connections.
    pub seconds_connections: f64,
}

impl StepReport {
    /// Names of the columns of [`StepReport::row`], as diagnostics.csv begins.
    pub const COLUMNS: [&'static str; 24] = [
        "step",
        "time",
        "dt",
        "particles",
        "velocity_iterations",
        "velocity_residual",
        "position_iterations",
        "density_error_mean",
        "density_error_max",
        "kinetic_energy",
        "potential_energy",
        "elastic_energy",
        "momentum_x",
        "momentum_y",
        "momentum_z",
        "angular_x",
        "angular_y",
        "angular_z",
        "seconds_neighbors",
        "seconds_velocity",
        "seconds_position",
        "seconds_total",
        "seconds_corrections",
        "seconds_connections",
    ];

    /// The values in the order of [`StepReport::COLUMNS`].
    pub fn row(&self) -> [f64; 24] {
        [
            self.step as f64,
            self.time,
            self.dt,
            self.particles as f64,
            f64::from(self.velocity_iterations),
            self.velocity_residual,
            f64::from(self.position_iterations),
            self.density_error_mean,
            self.density_error_max,
            self.kinetic_energy,
            self.potential_energy,
            self.elastic_energy,
            self.momentum[0],
            self.momentum[1],
            self.momentum[2],
            self.angular_momentum[0],
            self.angular_momentum[1],
            self.angular_momentum[2],
            self.seconds_neighbors,
            self.seconds_velocity,
            self.seconds_position,
            self.seconds_total,
            self.seconds_corrections,
            self.seconds_connections,
        ]
    }
}

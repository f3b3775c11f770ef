//! A fluid that two grips pull apart, as in the experiment of Mukai et al. 2021: its narrowest section, when it parts, and
//! how fast it shrinks then.

use visco::glam::Vec3;
use visco::particles::Motion;
use visco::world::World;

/// Half the thickness of sections, in spacings.
const SECTION: f32 = 2.0;
/// Gap that parts a fluid, in spacings: the radius of influence of `mps`.
const GAP: f32 = 2.1;

/// Two grips that part, as a run begins.
pub(crate) struct Plates {
    /// Direction in which one moves away from the other.
    axis: Vec3,
    spacing: f32,
    /// Who holds the particle of an id.
    ends: Vec<End>,
    /// Where the plate that pulls was, along the axis, in m.
    from: f32,
    /// Particles in the narrowest section.
    section: f32,
    /// Height of the fluid above the plate that holds, in m.
    height: f64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Free,
    Holds,
    Pulls,
}

/// A moment of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ThreadSample {
    /// In s.
    pub(crate) time: f64,
    /// Way of the plate that pulls, in m.
    pub(crate) way: f64,
    /// Height of the piece on the plate that holds, in m; the distance of both plates while the fluid is whole.
    pub(crate) piece: f64,
    /// Particles in the narrowest section, over those at the start; 0 once the fluid is parted.
    pub(crate) narrowest: f64,
    /// Whether a gap parts the fluid.
    pub(crate) parted: bool,
}

impl Plates {
    /// Those of a world at its start, if it has two grips that part.
    pub(crate) fn find(world: &World) -> Option<Self> {
        let [a, b] = world.grips.as_slice() else { return None };
        let pulls = u16::from(b.velocity.length() >= a.velocity.length());
        let apart = if pulls == 1 { b.velocity - a.velocity } else { a.velocity - b.velocity };
        let p = &world.particles;
        let mut ends = vec![End::Free; p.ids.iter().max().map_or(0, |id| *id as usize + 1)];
        for (&id, motion) in p.ids.iter().zip(&p.motions) {
            if let Motion::Gripped(grip) = motion {
                ends[id as usize] = if *grip == pulls { End::Pulls } else { End::Holds };
            }
        }
        let mut plates = Self {
            axis: apart.try_normalize()?,
            spacing: world.spacing,
            ends,
            from: 0.0,
            section: 1.0,
            height: 0.0,
        };
        let along = |end: End| plates.along(end, &p.ids, &p.positions);
        let (floor, from) = (along(End::Holds).reduce(f32::max)?, along(End::Pulls).reduce(f32::min)?);
        let top = along(End::Free).reduce(f32::max)?;
        (plates.from, plates.height) = (from, f64::from(top - floor));
        plates.section = plates.measure(&p.ids, &p.positions).1;
        Some(plates)
    }

    fn along<'a>(&self, end: End, ids: &'a [u32], x: &'a [Vec3]) -> impl Iterator<Item = f32> + use<'_, 'a> {
        let of = |id: u32| self.ends.get(id as usize).copied().unwrap_or(End::Free);
        ids.iter().zip(x).filter(move |(id, _)| of(**id) == end).map(|(_, x)| self.axis.dot(*x))
    }

    /// Height of the piece on the plate that holds, and where the other plate is along the axis, in m; particles in the
    /// narrowest section; whether the fluid is parted.
    fn measure(&self, ids: &[u32], x: &[Vec3]) -> ([f32; 2], f32, bool) {
        let d = self.spacing;
        let floor = self.along(End::Holds, ids, x).fold(f32::MIN, f32::max);
        let plate = self.along(End::Pulls, ids, x).fold(f32::MAX, f32::min);
        let mut along: Vec<f32> = x.iter().map(|x| self.axis.dot(*x)).collect();
        along.sort_unstable_by(f32::total_cmp);
        let gap = along.windows(2).find(|s| s[1] - s[0] > GAP * d);
        let half = SECTION * d;
        let section = |at: f32| {
            let first = along.partition_point(|s| *s < at - half);
            let inside = along[first..].iter().take_while(|s| **s < at + half);
            inside.map(|s| 1.0 - (s - at).abs() / half).sum::<f32>()
        };
        let sections = ((plate - floor - 2.0 * half) / (0.5 * d)).max(0.0) as usize;
        let narrowest =
            (0..=sections).map(|k| section(floor + half + 0.5 * d * k as f32)).fold(f32::INFINITY, f32::min);
        ([gap.map_or(plate, |gap| gap[0]) - floor, plate], narrowest, gap.is_some())
    }

    /// The fluid at one moment.
    pub(crate) fn sample(&self, time: f64, ids: &[u32], positions: &[Vec3]) -> ThreadSample {
        let ([piece, plate], section, parted) = self.measure(ids, positions);
        ThreadSample {
            time,
            way: f64::from(plate - self.from),
            piece: f64::from(piece),
            narrowest: if parted { 0.0 } else { f64::from(section / self.section) },
            parted,
        }
    }

    /// Height of the fluid above the plate that holds, at the start, in m.
    pub(crate) fn height(&self) -> f64 {
        self.height
    }
}

/// The course of a run.
#[derive(Default)]
pub(crate) struct Thread {
    pub(crate) samples: Vec<ThreadSample>,
    /// Height of the fluid at the start, in m.
    pub(crate) height: f64,
}

impl Thread {
    pub(crate) fn curve(&self, value: impl Fn(&ThreadSample) -> f64) -> Vec<(f64, f64)> {
        self.samples.iter().map(|s| (s.time, value(s))).collect()
    }

    /// The first moment at which the fluid is parted.
    pub(crate) fn parted(&self) -> Option<&ThreadSample> {
        self.samples.iter().find(|s| s.parted)
    }

    /// The last moment before.
    pub(crate) fn last_whole(&self) -> Option<&ThreadSample> {
        self.samples.iter().take_while(|s| !s.parted).last()
    }

    /// Time from the parting until the piece on the plate that holds is no higher than the fluid was at the start, in s.
    pub(crate) fn shrinking(&self) -> Option<f64> {
        let parted = self.parted()?.time;
        let low = self.samples.iter().find(|s| s.time >= parted && s.piece <= self.height)?;
        Some(low.time - parted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use visco::Scene;

    const SCENE: &str = r#"
name = "pull"
spacing = 0.1
gravity = [0, 0, 0]
time = { fps = 10, frames = 2, steps_per_frame = 1 }
material = [{ name = "gum", viscosity = 10 }]
fluid = [{ material = "gum", shape = { box = { min = [0, 0, 0], max = [2, 0.4, 0.4] } } }]
[[grip]]
shape = { box = { min = [-1, -1, -1], max = [0.4, 1, 1] } }
velocity = [-0.5, 0, 0]
[[grip]]
shape = { box = { min = [1.6, -1, -1], max = [3, 1, 1] } }
"#;

    /// Along x, as the fluid moves: the first grip pulls against it.
    #[test]
    fn a_bar_gets_thin_parts_and_shrinks() {
        let world = World::new(&Scene::from_toml(SCENE).expect("a scene")).expect("a world");
        let plates = Plates::find(&world).expect("two grips");
        let p = &world.particles;
        let at = |bend: &dyn Fn(f32) -> f32| {
            let x: Vec<Vec3> = p.positions.iter().map(|x| Vec3::new(bend(x.x), x.y, x.z)).collect();
            plates.sample(1.0, &p.ids, &x)
        };
        let start = at(&|x| x);
        assert!(start.way.abs() < 1e-6 && !start.parted && (start.narrowest - 1.0).abs() < 1e-5);
        // From 1.65, the first held, to 0.35, and the free fluid from 1.55 to 0.45.
        assert!((start.piece - 1.3).abs() < 1e-5 && (plates.height() - 1.2).abs() < 1e-5, "{start:?}");
        // Twice as far apart, there are half as many in a section.
        let drawn =
            at(&|x| if x < 0.4 { x - 1.3 } else { 1.65 - 2.0 * (1.65 - x).max(0.0) + (x - 1.65).max(0.0) });
        assert!((drawn.way - 1.3).abs() < 1e-5 && !drawn.parted, "{drawn:?}");
        assert!((drawn.narrowest - 0.5).abs() < 0.05, "{drawn:?}");
        // A gap of three spacings at 1.
        let parted = at(&|x| if x < 1.0 { x - 0.3 } else { x });
        assert!(parted.parted && parted.narrowest == 0.0, "{parted:?}");
        assert!((parted.piece - 0.6).abs() < 1e-5 && (parted.way - 0.3).abs() < 1e-5, "{parted:?}");
    }

    #[test]
    fn shrinking_begins_with_the_parting_and_ends_at_the_height_of_the_start() {
        let sample = |k: i32| {
            let time = 0.01 * f64::from(k);
            let piece = if time < 1.0 { 10.0 + 18.0 * time } else { 28.0 * (-(time - 1.0)).exp() };
            ThreadSample { time, way: 18.0 * time, piece, narrowest: 0.5, parted: time >= 1.0 }
        };
        let thread = Thread { samples: (0..300).map(sample).collect(), height: 10.0 };
        assert!((thread.parted().expect("parted").way - 18.0).abs() < 0.3);
        assert!((thread.last_whole().expect("whole").time - 0.99).abs() < 1e-9);
        // 28 e^(−t) = 10.
        let time = thread.shrinking().expect("it shrinks");
        assert!((time - 1.030).abs() < 0.015, "{time}");
        let whole = Thread { samples: (0..90).map(sample).collect(), height: 10.0 };
        assert_eq!((whole.parted(), whole.shrinking()), (None, None));
    }
}

//! What pictures of surfaces show.

use glam::Vec3;
use image::RgbImage;
use visco_render::{Camera, Gpu, Look, Mesh, Picture, Renderer, Shown, Solids};

const SIZE: (u32, u32) = (320, 180);
const CENTER: Vec3 = Vec3::new(0.0, 0.03, 0.0);
const RADIUS: f32 = 0.02;

/// Spheres of triangles.
#[derive(Default)]
struct Balls {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    kinds: Vec<u8>,
    triangles: Vec<[u32; 3]>,
}

impl Balls {
    fn with(mut self, center: Vec3, radius: f32, kind: u8) -> Self {
        let (rows, columns) = (48, 96);
        let first = self.positions.len() as u32;
        for i in 0..=rows {
            for j in 0..columns {
                let (v, u) = (
                    std::f32::consts::PI * i as f32 / rows as f32,
                    std::f32::consts::TAU * j as f32 / columns as f32,
                );
                let normal = Vec3::new(v.sin() * u.cos(), v.cos(), -v.sin() * u.sin());
                self.positions.push(center + normal * radius);
                self.normals.push(normal);
                self.kinds.push(kind);
            }
        }
        for i in 0..rows {
            for j in 0..columns {
                let at = |i: u32, j: u32| first + i * columns + j % columns;
                let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
                self.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        self
    }

    fn draw(&self, looks: &[Look], solids: &Solids) -> RgbImage {
        let Self { positions, normals, kinds, triangles } = self;
        let picture = Picture {
            size: SIZE,
            samples: 1,
            camera: Camera { eye: CENTER + Vec3::Z * 0.15, target: CENTER, fov: 0.6 },
            positions,
            spacing: 0.002,
            shown: Shown::Mesh(Mesh { normals, kinds, triangles, looks }),
            solids,
        };
        let gpu = Gpu::open().expect("a graphics driver; Mesa's lavapipe will do");
        Renderer::new(gpu).draw(&picture).expect("a picture")
    }
}

fn ground() -> Solids {
    let mut solids = Solids::default();
    solids.ground = Some(0.0);
    solids
}

/// Absorbs and does nothing else.
fn glass(absorption: f32) -> Look {
    let honey = Look::named("honey").expect("a look");
    Look { absorption: Vec3::splat(absorption), scatter: 0.0, reflectance: 0.0, ..honey }
}

/// Green light at a point, in m beside the middle.
fn light(picture: &RgbImage, x: f32, y: f32) -> f32 {
    // Where a line of sight to a point in the middle's plane meets the picture.
    let pixels = SIZE.1 as f32 / (2.0 * 0.3f32.tan() * 0.15);
    let (cx, cy) = (SIZE.0 as f32 / 2.0 + x * pixels, SIZE.1 as f32 / 2.0 - y * pixels);
    let mut sum = 0.0;
    for dx in 0..3 {
        for dy in 0..3 {
            let encoded = f32::from(picture.get_pixel(cx as u32 + dx - 1, cy as u32 + dy - 1).0[1]) / 255.0;
            sum += ((encoded + 0.055) / 1.055).powf(2.4) / 9.0;
        }
    }
    sum
}

/// The way through a ball of a line of sight that passes its middle at a distance.
fn way(radius: f32, aside: f32) -> f32 {
    // Distance of the line, which starts at the eye.
    let from_line = aside / (1.0 + (aside / 0.15).powi(2)).sqrt();
    2.0 * (radius * radius - from_line * from_line).max(0.0).sqrt()
}

#[test]
fn a_translucent_ball_absorbs_as_its_thickness_says() {
    let solids = Solids::default();
    let empty = Balls::default().draw(&[], &solids);
    let absorption = 35.0;
    let picture = Balls::default().with(CENTER, RADIUS, 0).draw(&[glass(absorption)], &solids);
    let mut last = 0.0;
    for aside in [0.0, 0.4, 0.6, 0.75] {
        let x = aside * RADIUS;
        let left = light(&picture, x, 0.0) / light(&empty, x, 0.0);
        let expected = (-absorption * way(RADIUS, x)).exp();
        assert!((left / expected - 1.0).abs() < 0.05, "{left} is left for {expected}, {aside} radii beside");
        assert!(left > last, "darkest in the middle");
        last = left;
    }
}

#[test]
fn ways_through_several_materials_add_up() {
    let solids = Solids::default();
    let empty = Balls::default().draw(&[], &solids);
    let (half, apart) = (0.5 * RADIUS, Vec3::Z * 0.4 * RADIUS);
    let balls = Balls::default().with(CENTER + apart, half, 0).with(CENTER - apart, half, 1);
    for looks in [[glass(20.0), glass(20.0)], [glass(10.0), glass(30.0)], [glass(30.0), glass(10.0)]] {
        let left = light(&balls.draw(&looks, &solids), 0.0, 0.0) / light(&empty, 0.0, 0.0);
        let expected = (-20.0 * 4.0 * half).exp();
        assert!((left / expected - 1.0).abs() < 0.05, "{left} is left for {expected}");
    }
}

#[test]
fn what_is_opaque_is_seen_through_what_is_not() {
    let look = |color| Look { color, ..Look::named("clay").expect("a look") };
    let looks = [glass(5.0), look(Vec3::new(0.7, 0.02, 0.02))];
    let color = |balls: Balls| {
        let p = balls.draw(&looks, &Solids::default()).get_pixel(SIZE.0 / 2, SIZE.1 / 2).0;
        p.map(i32::from)
    };
    let inside = color(Balls::default().with(CENTER, RADIUS, 0).with(CENTER, 0.4 * RADIUS, 1));
    assert!(inside[0] > inside[1] + 60, "a red ball in glass is {inside:?}");
    let around = color(Balls::default().with(CENTER, 0.4 * RADIUS, 0).with(CENTER, RADIUS, 1));
    let alone = color(Balls::default().with(CENTER, RADIUS, 1));
    assert_eq!(around, alone, "what is inside a red ball is not seen");
}

#[test]
fn an_opaque_ball_is_bright_towards_the_sun_and_has_a_shadow() {
    let solids = ground();
    let cream = [Look::named("whipped-cream").expect("a look")];
    let picture = Balls::default().with(CENTER, RADIUS, 0).draw(&cream, &solids);
    let [lit, away] = [(-0.45, 0.6), (0.45, -0.6)].map(|(x, y)| light(&picture, x * RADIUS, y * RADIUS));
    assert!(lit > 1.4 * away, "{lit} towards the sun, {away} away from it");
    let empty = Balls::default().draw(&[], &solids);
    let green = |p: &RgbImage, x, y| i32::from(p.get_pixel(x, y).0[1]);
    let below = (0..SIZE.0).flat_map(|x| (SIZE.1 * 3 / 4..SIZE.1).map(move |y| (x, y)));
    let darker = below.filter(|&(x, y)| green(&picture, x, y) < green(&empty, x, y) - 25).count();
    assert!(darker > 100, "{darker} pixels of shadow");
}

#[test]
fn the_shadow_of_a_translucent_ball_has_its_colour() {
    let solids = ground();
    let red = Look { absorption: Vec3::new(1.0, 90.0, 90.0), ..glass(0.0) };
    let picture = Balls::default().with(CENTER, RADIUS, 0).draw(&[red], &solids);
    let empty = Balls::default().draw(&[], &solids);
    let reddish = |(x, y, p): (u32, u32, &image::Rgb<u8>)| {
        let was = empty.get_pixel(x, y).0.map(i32::from);
        let [r, g, _] = p.0.map(i32::from);
        y > SIZE.1 * 4 / 5 && (was[0] - r) < 12 && (was[1] - g) > 25
    };
    let count = picture.enumerate_pixels().filter(|&p| reddish(p)).count();
    assert!(count > 100, "{count} pixels of red shadow");
}

#[test]
fn light_is_coloured_below_translucent_fluid_and_not_above() {
    let sun = Vec3::new(-0.45, 0.80, 0.40).normalize();
    let red = Look { absorption: Vec3::new(1.0, 90.0, 90.0), ..glass(0.0) };
    let looks = [Look::named("whipped-cream").expect("a look"), red];
    let solids = Solids::default();
    let lit = |balls: Balls| light(&balls.draw(&looks, &solids), -0.3 * RADIUS, 0.4 * RADIUS);
    let cream = || Balls::default().with(CENTER, RADIUS, 0);
    let alone = lit(cream());
    let [below, above] =
        [-1.0, 1.0].map(|side| lit(cream().with(CENTER + sun * side * 2.3 * RADIUS, RADIUS, 1)));
    assert!((below / alone - 1.0).abs() < 0.02, "{below} with red fluid below, {alone} alone");
    assert!(above < 0.8 * alone, "{above} with red fluid above, {alone} alone");
}

#[test]
fn a_surface_of_nothing_is_the_empty_scene_and_bad_triangles_are_left_out() {
    let solids = ground();
    let honey = [Look::named("honey").expect("a look")];
    let empty = Balls::default().draw(&[], &solids);
    assert_eq!(empty, Balls::default().draw(&honey, &solids));
    let ball = || Balls::default().with(CENTER, RADIUS, 0);
    let mut bad = ball();
    bad.positions.push(Vec3::NAN);
    let last = bad.positions.len() as u32;
    bad.triangles.extend([[0, 1, last - 1], [0, 1, last]]);
    assert_eq!(bad.draw(&honey, &solids), ball().draw(&honey, &solids));
}

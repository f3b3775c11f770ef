//! What pictures show. They are drawn with whatever driver there is; in continuous integration with Mesa's lavapipe.

use glam::Vec3;
use image::RgbImage;
use visco_render::{
    Balls, Camera, Fluid, Gpu, Look, Picture, RenderError, Renderer, Shown, Smoothing, Solids, Triangle,
};

const SIZE: (u32, u32) = (320, 180);
const SPACING: f32 = 0.002;

fn renderer() -> Renderer {
    Renderer::new(Gpu::open().expect("a graphics driver; Mesa's lavapipe will do"))
}

/// A ball of fluid, a little above the ground, of 4 cm diameter.
fn ball() -> Vec<Vec3> {
    let n = 10;
    let mut points = Vec::new();
    for i in -n..=n {
        for j in -n..=n {
            for k in -n..=n {
                let x = Vec3::new(i as f32, j as f32, k as f32) * SPACING;
                if x.length() < 0.02 {
                    points.push(x + Vec3::Y * 0.03);
                }
            }
        }
    }
    points
}

fn camera() -> Camera {
    Camera { eye: Vec3::new(0.0, 0.05, 0.15), target: Vec3::Y * 0.03, fov: 0.6 }
}

fn ground() -> Solids {
    let mut solids = Solids::default();
    solids.ground = Some(0.0);
    solids
}

fn draw(positions: &[Vec3], shown: Shown<'_>, solids: &Solids) -> RgbImage {
    let picture =
        Picture { size: SIZE, samples: 1, camera: camera(), positions, spacing: SPACING, shown, solids };
    renderer().draw(&picture).expect("a picture")
}

fn fluid(looks: &[Look]) -> Shown<'_> {
    Shown::Fluid(Fluid { kinds: &[], looks, smoothing: Smoothing::default() })
}

/// Mean colour of a square around a point of the picture, in parts of its sides.
fn color(picture: &RgbImage, x: f32, y: f32) -> [f32; 3] {
    let (cx, cy) = ((x * SIZE.0 as f32) as u32, (y * SIZE.1 as f32) as u32);
    let mut sum = [0.0; 3];
    for dx in 0..9 {
        for dy in 0..9 {
            let p = picture.get_pixel(cx + dx - 4, cy + dy - 4).0;
            (0..3).for_each(|c| sum[c] += f32::from(p[c]) / 81.0);
        }
    }
    sum
}

fn difference(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|c| (a[c] - b[c]).abs()).sum()
}

#[test]
fn honey_is_amber_and_cream_is_white() {
    let look = |name: &str| Look::named(name).expect("a look");
    let positions = ball();
    let picture = |name: &str| draw(&positions, fluid(&[look(name)]), &ground());
    let [r, g, b] = color(&picture("honey"), 0.5, 0.55);
    assert!(r > g + 25.0 && g > b + 40.0 && r > 110.0, "honey is {r} {g} {b}");
    let [r, g, b] = color(&picture("whipped-cream"), 0.5, 0.55);
    assert!(r > 150.0 && r - b < 40.0 && (r - g).abs() < 20.0, "cream is {r} {g} {b}");
    let dark = color(&picture("molten-chocolate"), 0.5, 0.55);
    assert!(dark[0] < r - 60.0, "chocolate is {dark:?}, cream {r} {g} {b}");
}

#[test]
fn light_goes_through_water_and_not_through_cream() {
    let solids = ground();
    let empty = draw(&[], fluid(&[]), &solids);
    let positions = ball();
    let beside = color(&empty, 0.9, 0.8);
    let looks = ["water", "whipped-cream"].map(|name| Look::named(name).expect("a look"));
    let [water, cream] = looks.map(|look| draw(&positions, fluid(&[look]), &solids));
    for picture in [&water, &cream] {
        assert!(difference(color(picture, 0.9, 0.8), beside) < 3.0, "far from the fluid nothing changes");
    }
    let behind = color(&empty, 0.5, 0.6);
    let (through, before) = (color(&water, 0.5, 0.6), color(&cream, 0.5, 0.6));
    assert!(
        difference(through, behind) < 0.6 * difference(before, behind),
        "{behind:?} {through:?} {before:?}"
    );
}

#[test]
fn shadows_fall_on_the_ground() {
    let positions = ball();
    let cream = [Look::named("whipped-cream").expect("a look")];
    let picture = draw(&positions, fluid(&cream), &ground());
    let empty = draw(&[], fluid(&[]), &ground());
    let darker = picture.enumerate_pixels().filter(|&(x, y, p)| {
        y > SIZE.1 / 2 && i32::from(p.0[1]) < i32::from(empty.get_pixel(x, y).0[1]) - 25
    });
    assert!(darker.count() > 200);
}

#[test]
fn smoothing_hides_the_particles() {
    let positions = ball();
    let cream = [Look::named("whipped-cream").expect("a look")];
    let roughness = |smoothing| {
        let particles = Shown::Fluid(Fluid { kinds: &[], looks: &cream, smoothing });
        let picture = draw(&positions, particles, &ground());
        let at = |x: u32, y: u32| f32::from(picture.get_pixel(x, y).0[1]);
        let mut sum = 0.0;
        for x in 150..170 {
            for y in 85..105 {
                sum += (at(x + 1, y) + at(x - 1, y) + at(x, y + 1) + at(x, y - 1) - 4.0 * at(x, y)).abs();
            }
        }
        sum
    };
    let raw = roughness(Smoothing::NONE);
    for smoothing in [
        Smoothing::default(),
        Smoothing { bilateral: 2, curvature_flow: 0 },
        Smoothing { bilateral: 0, curvature_flow: 80 },
    ] {
        let smooth = roughness(smoothing);
        assert!(smooth < 0.6 * raw, "{smoothing:?}: {smooth} for {raw}");
    }
}

#[test]
fn a_wall_hides_what_is_behind_it() {
    let mut solids = ground();
    let corner = |x: f32, y: f32| Vec3::new(x, y, 0.05);
    let (a, b, c, d) = (corner(-0.1, 0.0), corner(0.1, 0.0), corner(0.1, 0.1), corner(-0.1, 0.1));
    for corners in [[a, b, c], [a, c, d]] {
        solids.push(&Triangle { corners, normals: [Vec3::Z; 3], color: Vec3::new(0.1, 0.2, 0.8) });
    }
    let positions = ball();
    let honey = [Look::named("honey").expect("a look")];
    let red = [[250, 20, 20]];
    let colors = vec![red[0]; positions.len()];
    for particles in [fluid(&honey), Shown::Balls(Balls { colors: &colors, radius: 0.6 })] {
        let [r, _, b] = color(&draw(&positions, particles, &solids), 0.5, 0.55);
        assert!(b > r + 40.0, "{r} red and {b} blue");
        let [r, _, b] = color(&draw(&positions, particles, &ground()), 0.5, 0.55);
        assert!(r > b + 40.0, "{r} red and {b} blue without the wall");
    }
}

#[test]
fn particles_have_their_own_colours() {
    let positions = [Vec3::new(-0.02, 0.03, 0.0), Vec3::new(0.02, 0.03, 0.0)];
    let colors = [[250, 20, 20], [20, 20, 250]];
    let picture = draw(&positions, Shown::Balls(Balls { colors: &colors, radius: 5.0 }), &ground());
    let at = |x: f32| color(&picture, x, 0.5);
    assert!(at(0.36)[0] > at(0.36)[2] + 60.0, "{:?}", at(0.36));
    assert!(at(0.64)[2] > at(0.64)[0] + 60.0, "{:?}", at(0.64));
    // In the light from all around a colour is much as given, so that a legend tells it.
    let dark = draw(&positions, Shown::Balls(Balls { colors: &[[70, 20, 90]; 2], radius: 5.0 }), &ground());
    let found = color(&dark, 0.36, 0.5);
    assert!(difference(found, [70.0, 20.0, 90.0]) < 60.0, "{found:?}");
}

#[test]
fn pictures_are_the_same_every_time_and_bad_positions_are_left_out() {
    let honey = [Look::named("honey").expect("a look")];
    let mut positions = ball();
    let first = draw(&positions, fluid(&honey), &ground());
    assert_eq!(first, draw(&positions, fluid(&honey), &ground()));
    positions.push(Vec3::new(f32::NAN, 0.0, 0.0));
    assert_eq!(first, draw(&positions, fluid(&honey), &ground()));
}

#[test]
fn a_picture_that_is_too_large_is_refused() {
    let solids = ground();
    let particles = fluid(&[]);
    let picture = Picture {
        size: (100_000, 16),
        samples: 1,
        camera: camera(),
        positions: &[],
        spacing: SPACING,
        shown: particles,
        solids: &solids,
    };
    assert!(matches!(renderer().draw(&picture), Err(RenderError::TooLarge { width: 100_000, .. })));
}

#[test]
fn containers_stand_on_their_floor() {
    let ground = |boundary: &str| {
        let text = format!(
            "name = \"w\"\nspacing = 0.01\ntime = {{ fps = 10, frames = 2, steps_per_frame = 1 }}\n\
             material = [{{ name = \"m\", viscosity = 1 }}]\n\
             fluid = [{{ material = \"m\", shape = {{ sphere = {{ center = [0, 0.2, 0], radius = 0.02 }} }} }}]\n\
             boundary = [{boundary}]"
        );
        let scene = visco::Scene::from_toml(&text).expect("a scene");
        let world = visco::world::World::new(&scene).expect("a world");
        Solids::of_world(&world, &Look::of_walls(&scene), 0.0).ground
    };
    let tank = r#"{ side = "inside", shape = { box = { min = [-1, 0.125, -1], max = [1, 1.125, 1] } } }"#;
    assert_eq!(ground(tank), Some(0.125));
    assert_eq!(ground(r#"{ shape = { box = { min = [-1, -1, -1], max = [1, 0.1, 1] } } }"#), None);
    let plane = "{ shape = { plane = { point = [0, -0.2, 0], normal = [0, 1, 0] } } }";
    assert_eq!(ground(plane), Some(-0.2));
    assert_eq!(ground(&format!("{plane}, {tank}")), Some(0.125));
}

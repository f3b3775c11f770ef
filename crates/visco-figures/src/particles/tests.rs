use super::*;

const RED: [u8; 3] = [220, 30, 30];
const BLUE: [u8; 3] = [30, 30, 220];

fn front_view() -> View {
    View { eye: Vec3::new(0.0, 0.0, 5.0), target: Vec3::ZERO, up: Vec3::Y, lens: Lens::Perspective(0.8) }
}

fn picture<'a>(positions: &'a [Vec3], colors: &'a [[u8; 3]]) -> ParticlePicture<'a> {
    ParticlePicture {
        positions,
        colors,
        radius: 0.5,
        camera: front_view(),
        ground: None,
        width: 81,
        height: 61,
    }
}

fn is_red(pixel: &image::Rgb<u8>) -> bool {
    pixel[0].saturating_sub(pixel[2]) > 60
}

#[test]
fn a_sphere_in_the_middle_covers_the_centre_only() {
    let image = picture(&[Vec3::ZERO], &[RED]).render();
    assert_eq!(image.dimensions(), (81, 61));
    assert!(is_red(image.get_pixel(40, 30)));
    assert!(!is_red(image.get_pixel(2, 2)));
    // π r² of the pixels: 61 pixels show 2·5·tan(0.4) m.
    let radius = 0.5 * 61.0 / (10.0 * 0.4f64.tan());
    let expected = std::f64::consts::PI * radius * radius;
    let red = image.pixels().filter(|p| is_red(p)).count() as f64;
    assert!((red / expected - 1.0).abs() < 0.08, "{red} {expected}");
}

#[test]
fn the_nearer_particle_hides_the_farther() {
    let near_last = [Vec3::ZERO, Vec3::Z];
    let near_first = [Vec3::Z, Vec3::ZERO];
    for lens in [Lens::Perspective(0.8), Lens::Orthographic(3.0)] {
        let mut scene = picture(&near_last, &[BLUE, RED]);
        scene.camera.lens = lens;
        assert!(is_red(scene.render().get_pixel(40, 30)));
        scene.positions = &near_first;
        scene.colors = &[RED, BLUE];
        assert!(is_red(scene.render().get_pixel(40, 30)));
    }
}

#[test]
fn the_ground_hides_what_is_below_and_takes_a_shadow() {
    let below = [Vec3::new(0.0, -2.0, 0.0)];
    let mut scene = picture(&below, &[RED]);
    scene.camera.eye = Vec3::new(0.0, 4.0, 4.0);
    scene.ground = Some(-1.0);
    assert!(!scene.render().pixels().any(is_red));

    let above = [Vec3::new(0.0, 0.5, 0.0)];
    scene.positions = &above;
    let darkest = |scene: &ParticlePicture| {
        let image = scene.render();
        let grey = image.pixels().filter(|p| !is_red(p));
        grey.map(|p| p[2]).min().unwrap()
    };
    let lit = darkest(&picture(&[], &[]));
    scene.ground = Some(0.0);
    assert!(darkest(&scene) < lit - 30);
}

#[test]
fn fit_shows_every_particle() {
    let positions: Vec<Vec3> = (0..200)
        .map(|i| i as f32)
        .map(|i| Vec3::new((i * 0.7).sin() * 3.0, i * 0.01, (i * 1.3).cos()))
        .chain([Vec3::NAN])
        .collect();
    for direction in [Vec3::NEG_Z, Vec3::NEG_Y, Vec3::new(1.0, -0.5, -1.0), Vec3::ZERO] {
        let mut scene = picture(&positions, &[RED]);
        scene.radius = 0.01;
        scene.camera = View::fit(&positions, direction, 81.0 / 61.0);
        let image = scene.render();
        let red = || image.enumerate_pixels().filter(|(_, _, p)| p[0].saturating_sub(p[2]) > 30);
        let edge = |(x, y, _): (u32, u32, _)| x == 0 || y == 0 || x == 80 || y == 60;
        assert!(!red().any(edge), "{direction}");
        let left = red().map(|(x, _, _)| x).min().unwrap();
        let top = red().map(|(_, y, _)| y).min().unwrap();
        assert!(left < 12 || top < 12, "{direction}: too far away");
    }
}

#[test]
fn empty_and_broken_input_make_a_picture() {
    let broken = [Vec3::NAN, Vec3::splat(f32::INFINITY), Vec3::splat(1e30)];
    for positions in [&[][..], &broken] {
        let mut scene = picture(positions, &[]);
        scene.ground = Some(0.0);
        scene.camera = View::fit(positions, Vec3::NEG_Z, 1.0);
        scene.render();
        (scene.width, scene.height) = (0, 0);
        scene.render();
    }
}

#[test]
fn a_contact_sheet_keeps_every_picture() {
    let plain = |value, width| RgbImage::from_pixel(width, 10, image::Rgb([value; 3]));
    let sheet = contact_sheet(&[plain(10, 20), plain(20, 16), plain(30, 20)], 2);
    assert_eq!(sheet.dimensions(), (2 * 26 + 6, 2 * 16 + 6));
    for (value, x, y) in [(10, 16, 11), (20, 42, 11), (30, 16, 27)] {
        assert_eq!(sheet.get_pixel(x, y).0, [value; 3]);
    }
    contact_sheet(&[], 0);
}

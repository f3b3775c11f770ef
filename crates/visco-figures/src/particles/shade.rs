//! Depth first, light second: spheres go into a depth buffer, then every pixel is lit once.

use glam::{Vec2, Vec3};
use image::{Rgb, RgbImage};

use super::{Lens, ParticlePicture};

/// Sphere that a pixel shows: none.
const NOTHING: u32 = u32::MAX;
/// Pixels along an edge of the shadow map.
const SHADOW: usize = 1024;

/// An orthographic or perspective projection onto a grid of pixels.
struct Projection {
    eye: Vec3,
    axes: [Vec3; 3],
    /// Pixels per tangent of the angle (perspective) or per metre (orthographic).
    scale: f32,
    perspective: bool,
    middle: Vec2,
}

impl Projection {
    /// Pixel, depth along the view and pixels per metre there.
    fn project(&self, point: Vec3) -> Option<(Vec2, f32, f32)> {
        let p = point - self.eye;
        let depth = self.axes[2].dot(p);
        let scale = if !self.perspective {
            self.scale
        } else if depth > 0.0 {
            self.scale / depth
        } else {
            return None;
        };
        let pixel = self.middle + Vec2::new(self.axes[0].dot(p), -self.axes[1].dot(p)) * scale;
        pixel.is_finite().then_some((pixel, depth, scale))
    }

    /// Start and direction of the ray through a pixel; one unit along it is one metre of depth.
    fn ray(&self, pixel: Vec2) -> (Vec3, Vec3) {
        let at = (pixel - self.middle) / self.scale;
        let sideways = self.axes[0] * at.x - self.axes[1] * at.y;
        if self.perspective {
            (self.eye, self.axes[2] + sideways)
        } else {
            (self.eye + sideways, self.axes[2])
        }
    }
}

/// The nearest sphere of every pixel.
struct DepthBuffer {
    width: usize,
    height: usize,
    depth: Vec<f32>,
    sphere: Vec<u32>,
    projection: Projection,
}

impl DepthBuffer {
    fn new((width, height): (usize, usize), projection: Projection, picture: &ParticlePicture) -> Self {
        let mut buffer = Self {
            width,
            height,
            depth: vec![f32::INFINITY; width * height],
            sphere: vec![NOTHING; width * height],
            projection,
        };
        for (i, position) in picture.positions.iter().enumerate() {
            if position.is_finite() {
                buffer.splat(i as u32, *position, picture.radius);
            }
        }
        buffer
    }

    fn splat(&mut self, i: u32, position: Vec3, radius: f32) {
        let Some((centre, depth, scale)) = self.projection.project(position) else {
            return;
        };
        // Small spheres still show: a thin thread must not fall between the pixels.
        let reach = (radius * scale).max(0.75);
        if self.projection.perspective && depth <= radius {
            return;
        }
        let span = |c: f32, size: usize| {
            let from = (c - reach).ceil().max(0.0);
            let to = (c + reach).floor().min(size as f32 - 1.0);
            // An empty range where the sphere lies outside.
            from as usize..(to + 1.0).max(0.0) as usize
        };
        for y in span(centre.y, self.height) {
            for x in span(centre.x, self.width) {
                let off = (Vec2::new(x as f32, y as f32) - centre) / reach;
                let bulge = 1.0 - off.length_squared();
                if bulge < 0.0 {
                    continue;
                }
                let near = depth - radius * bulge.sqrt();
                let at = y * self.width + x;
                if near < self.depth[at] {
                    self.depth[at] = near;
                    self.sphere[at] = i;
                }
            }
        }
    }
}

/// Everything that a pixel's light depends on.
pub(super) struct Canvas {
    view: DepthBuffer,
    shadow: Option<DepthBuffer>,
    /// Towards the lamp.
    light: Vec3,
    /// The point that the camera looks at, and the height that the picture shows there, in m.
    /// The ground depends on these alone, so that it keeps still while the particles move.
    scene: (Vec3, f32),
    /// Edge of a field of the ground's checker, in m.
    tile: f32,
}

impl Canvas {
    pub(super) fn new(picture: &ParticlePicture, width: u32, height: u32) -> Self {
        let camera = &picture.camera;
        let [right, up, forward] = camera.axes();
        let high = height as f32;
        let (scale, perspective) = match camera.lens {
            Lens::Perspective(fov) => {
                let half = (fov / 2.0).clamp(1e-3, 1.5);
                (high / 2.0 / half.tan(), true)
            }
            Lens::Orthographic(metres) => (high / metres.max(f32::MIN_POSITIVE), false),
        };
        let projection = Projection {
            eye: camera.eye,
            axes: [right, up, forward],
            scale,
            perspective,
            middle: Vec2::new(width as f32 - 1.0, high - 1.0) / 2.0,
        };
        let view = DepthBuffer::new((width as usize, height as usize), projection, picture);

        // From the upper left, a little towards the camera: shadows fall where they can be seen.
        let light = (camera.up.normalize_or(Vec3::Y) - 0.55 * right - 0.35 * forward).normalize();
        let ball = ball_around(picture);
        let shadow = (ball.1 > 0.0).then(|| shadow_map(picture, light, ball));
        let distance = (camera.target - camera.eye).length();
        let shown = high / scale * if perspective { distance } else { 1.0 };
        Self { view, shadow, light, scene: (camera.target, shown), tile: round_length(shown / 7.0) }
    }

    pub(super) fn paint(&self, picture: &ParticlePicture) -> RgbImage {
        let mut image = RgbImage::new(self.view.width as u32, self.view.height as u32);
        for (x, y, pixel) in image.enumerate_pixels_mut() {
            let color = self.pixel(picture, x as usize, y as usize);
            let bytes = color.to_array().map(|c| encode(c.clamp(0.0, 1.0)));
            *pixel = Rgb(bytes);
        }
        image
    }

    /// Light of a pixel, linear.
    fn pixel(&self, picture: &ParticlePicture, x: usize, y: usize) -> Vec3 {
        let at = y * self.view.width + x;
        let (start, direction) = self.view.projection.ray(Vec2::new(x as f32, y as f32));
        let depth = self.view.depth[at];
        let ground = picture.ground.and_then(|height| {
            let distance = (height - start.y) / direction.y;
            let seen = distance.is_finite()
                && distance < depth
                && (distance > 0.0 || !self.view.projection.perspective);
            seen.then(|| start + direction * distance)
        });
        let background = self.background(y);
        if let Some(point) = ground {
            return self.lit_ground(point, background, picture.radius);
        }
        match self.view.sphere[at] {
            NOTHING => background,
            i => {
                let point = start + direction * depth;
                let centre = picture.positions[i as usize];
                let normal = (point - centre).normalize_or(-self.view.projection.axes[2]);
                let color = Vec3::from(picture.color(i as usize).map(decode));
                let toward_eye = -direction.normalize();
                let open = self.openness(x, y, picture.radius);
                self.lit_sphere((point, normal, color), toward_eye, open, picture.radius)
            }
        }
    }

    fn background(&self, y: usize) -> Vec3 {
        let down = y as f32 / self.view.height as f32;
        Vec3::from([0.93, 0.945, 0.965]).lerp(Vec3::from([0.80, 0.83, 0.87]), down)
    }

    /// Lambert with a soft terminator, a narrow highlight, sky light from above.
    fn lit_sphere(
        &self,
        (point, normal, color): (Vec3, Vec3, Vec3),
        toward_eye: Vec3,
        open: f32,
        radius: f32,
    ) -> Vec3 {
        let lamp = self.unshadowed(point + normal * (0.6 * radius), radius);
        let facing = (0.15 + 0.85 * normal.dot(self.light)).max(0.0) * lamp;
        let sky = 0.5 + 0.5 * normal.y;
        let half = (self.light + toward_eye).normalize_or_zero();
        let shine = 0.16 * normal.dot(half).max(0.0).powi(40) * lamp;
        let ambient = (0.2 + 0.28 * sky) * open;
        color * (1.05 * facing + ambient) + Vec3::splat(shine * open)
    }

    fn lit_ground(&self, point: Vec3, background: Vec3, radius: f32) -> Vec3 {
        let field = ((point.x / self.tile).floor() + (point.z / self.tile).floor()) as i64;
        let base = if field.rem_euclid(2) == 0 { 0.70 } else { 0.76 };
        let lamp = self.unshadowed(point, radius);
        let color = Vec3::new(0.99, 1.0, 1.02) * base * (0.45 + 0.55 * lamp);
        // The ground dissolves into the background before its fields become too fine to draw.
        let away = (point - self.scene.0).length() / self.scene.1.max(f32::MIN_POSITIVE);
        let fade = ((away - 0.8) / 1.5).clamp(0.0, 1.0);
        color.lerp(background, fade * fade * (3.0 - 2.0 * fade))
    }

    /// How much of the lamp reaches a point, from 0 to 1, with a soft edge.
    fn unshadowed(&self, point: Vec3, radius: f32) -> f32 {
        let Some(map) = &self.shadow else {
            return 1.0;
        };
        let Some((pixel, depth, scale)) = map.projection.project(point) else {
            return 1.0;
        };
        let blur = (1.2 * radius * scale).clamp(1.0, 8.0) / 2.0;
        let mut lit = 0;
        for dy in -2..=2 {
            for dx in -2..=2 {
                let at = pixel + Vec2::new(dx as f32, dy as f32) * blur;
                let inside = at.x >= 0.0 && at.y >= 0.0;
                let (x, y) = (at.x as usize, at.y as usize);
                let blocked = inside
                    && x < map.width
                    && y < map.height
                    && map.depth[y * map.width + x] + 1.1 * radius < depth;
                lit += i32::from(!blocked);
            }
        }
        lit as f32 / 25.0
    }

    /// Ambient occlusion from the depth buffer: how little the surroundings stand in front.
    fn openness(&self, x: usize, y: usize, radius: f32) -> f32 {
        let depth = self.view.depth[y * self.view.width + x];
        let scale = if self.view.projection.perspective {
            self.view.projection.scale / depth
        } else {
            self.view.projection.scale
        };
        let mut hidden = 0.0;
        for (rings, reach) in [(8, 2.5), (8, 6.0)] {
            let pixels = (reach * radius * scale).clamp(2.0, 90.0);
            for k in 0..rings {
                let angle = std::f32::consts::TAU * (k as f32 + 0.3 * reach) / rings as f32;
                let sx = x as f32 + pixels * angle.cos();
                let sy = y as f32 + pixels * angle.sin();
                if sx < 0.0 || sy < 0.0 {
                    continue;
                }
                let (sx, sy) = (sx as usize, sy as usize);
                if sx >= self.view.width || sy >= self.view.height {
                    continue;
                }
                let front = depth - self.view.depth[sy * self.view.width + sx];
                let rise = front / (reach * radius);
                // What stands far in front is another object, not a dent.
                if rise > 0.15 && rise < 4.0 {
                    hidden += (rise - 0.15).min(1.0);
                }
            }
        }
        (1.0 - hidden / 11.0).max(0.15)
    }
}

/// A ball around the finite particles: middle of their box, half its diagonal.
fn ball_around(picture: &ParticlePicture) -> (Vec3, f32) {
    let seen = picture.positions.iter().filter(|p| p.is_finite());
    let (low, high) =
        seen.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
    if low.x > high.x {
        return (picture.camera.target, 0.0);
    }
    ((low + high) / 2.0, (high - low).length() / 2.0 + picture.radius)
}

fn shadow_map(picture: &ParticlePicture, light: Vec3, (middle, reach): (Vec3, f32)) -> DepthBuffer {
    let right = light.any_orthonormal_vector();
    let projection = Projection {
        eye: middle + light * reach,
        axes: [right, right.cross(-light), -light],
        scale: SHADOW as f32 / (2.1 * reach),
        perspective: false,
        middle: Vec2::splat(SHADOW as f32 / 2.0),
    };
    DepthBuffer::new((SHADOW, SHADOW), projection, picture)
}

/// 1, 2 or 5 times a power of ten, near a length, so that a field of the ground is a measure.
fn round_length(length: f32) -> f32 {
    if !(length.is_finite() && length > 0.0) {
        return 1.0;
    }
    let power = 10f32.powf(length.log10().floor());
    match length / power {
        m if m < 1.5 => power,
        m if m < 3.5 => 2.0 * power,
        m if m < 7.5 => 5.0 * power,
        _ => 10.0 * power,
    }
}

/// Stored byte to linear light, with the exponent that approximates sRGB.
fn decode(byte: u8) -> f32 {
    (f32::from(byte) / 255.0).powf(2.2)
}

fn encode(light: f32) -> u8 {
    (light.powf(1.0 / 2.2) * 255.0).round() as u8
}

//! A picture of particles without a GPU: shaded spheres, shadows and a ground, to see at a glance
//! what a run did.

use glam::{Vec2, Vec3};
use image::RgbImage;
use image::imageops::{FilterType, replace, resize};

mod shade;

/// How the camera projects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lens {
    /// Farther is smaller; the angle of view from the lower to the upper edge, in radians.
    Perspective(f32),
    /// Sizes can be compared; what fits between the lower and the upper edge, in m.
    Orthographic(f32),
}

/// Where the camera stands and what it sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Position of the camera, in m.
    pub eye: Vec3,
    /// The point in the middle of the picture, in m.
    pub target: Vec3,
    /// The direction that is up in the picture.
    pub up: Vec3,
    /// How the camera projects.
    pub lens: Lens,
}

impl View {
    /// A perspective view in `direction` that shows every finite particle in a picture that is
    /// `aspect` times as wide as high. The y axis is up, unless the camera looks along it.
    pub fn fit(positions: &[Vec3], direction: Vec3, aspect: f32) -> Self {
        let up = match direction.normalize_or_zero() {
            d if d.y.abs() > 0.999 => Vec3::Z,
            _ => Vec3::Y,
        };
        let forward = direction.try_normalize().unwrap_or(Vec3::NEG_Z);
        let fov = 30f32.to_radians();
        let mut view = Self { eye: -forward, target: Vec3::ZERO, up, lens: Lens::Perspective(fov) };
        let [right, up, forward] = view.axes();
        let seen = || positions.iter().copied().filter(|p| p.is_finite());
        let along = |p: Vec3| Vec3::new(right.dot(p), up.dot(p), forward.dot(p));
        let (low, high) = seen()
            .map(along)
            .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
        if low.x > high.x {
            return view;
        }
        let middle = (low + high) / 2.0;
        let tangent = Vec2::new(aspect.max(1e-3), 1.0) * (fov / 2.0).tan();
        // The nearest place from which each particle is still inside the frame.
        let distance = seen()
            .map(|p| along(p) - middle)
            .map(|p| (p.x.abs() / tangent.x).max(p.y.abs() / tangent.y) - p.z)
            .fold(0.0, f32::max);
        let size = (high - low).max_element();
        // A margin for the radius of the particles; one particle alone has no size.
        let distance = 1.12 * distance + 0.02 * size + f32::from(u8::from(size == 0.0));
        view.target = right * middle.x + up * middle.y + forward * middle.z;
        view.eye = view.target - forward * distance;
        view
    }

    /// Right, up and forward, orthonormal whatever the fields say.
    fn axes(&self) -> [Vec3; 3] {
        let forward = (self.target - self.eye).try_normalize().unwrap_or(Vec3::NEG_Z);
        let right =
            forward.cross(self.up).try_normalize().unwrap_or_else(|| forward.any_orthonormal_vector());
        [right, right.cross(forward), forward]
    }
}

/// What a software picture shows.
#[derive(Clone, Debug)]
pub struct ParticlePicture<'a> {
    /// Centres of the particles, in m. Those that are not finite are left out.
    pub positions: &'a [Vec3],
    /// Red, green and blue of each particle. With fewer colours than particles, the last goes on
    /// (one colour paints them all); with none they look like honey.
    pub colors: &'a [[u8; 3]],
    /// Radius of the spheres, in m. A little over half the spacing closes the surface.
    pub radius: f32,
    /// Where the camera stands.
    pub camera: View,
    /// Height (y) of a horizontal ground, in m.
    pub ground: Option<f32>,
    /// Width of the picture, in pixels.
    pub width: u32,
    /// Height of the picture, in pixels.
    pub height: u32,
}

/// The colour of particles that were given none.
pub const HONEY: [u8; 3] = [232, 160, 38];

impl ParticlePicture<'_> {
    /// Draws the picture.
    pub fn render(&self) -> RgbImage {
        let (width, height) = (self.width.max(1), self.height.max(1));
        // Four samples a pixel smooth the edges.
        let fine = shade::Canvas::new(self, width * 2, height * 2).paint(self);
        resize(&fine, width, height, FilterType::Triangle)
    }

    fn color(&self, i: usize) -> [u8; 3] {
        let color = self.colors.get(i).or(self.colors.last());
        color.copied().unwrap_or(HONEY)
    }
}

/// The picture at another width.
pub fn shrink(picture: &RgbImage, width: u32) -> RgbImage {
    let height = (u64::from(picture.height()) * u64::from(width) / u64::from(picture.width().max(1))).max(1);
    resize(picture, width.max(1), height as u32, FilterType::Triangle)
}

/// Puts pictures side by side in rows of `columns`, each cell as large as the largest picture.
pub fn contact_sheet(images: &[RgbImage], columns: usize) -> RgbImage {
    const GAP: u32 = 6;
    let columns = columns.clamp(1, images.len().max(1));
    let rows = images.len().div_ceil(columns).max(1);
    let width = images.iter().map(RgbImage::width).max().unwrap_or(1);
    let height = images.iter().map(RgbImage::height).max().unwrap_or(1);
    let mut sheet = RgbImage::new(columns as u32 * (width + GAP) + GAP, rows as u32 * (height + GAP) + GAP);
    sheet.fill(255);
    for (i, picture) in images.iter().enumerate() {
        let (column, row) = ((i % columns) as u32, (i / columns) as u32);
        let x = GAP + column * (width + GAP) + (width - picture.width()) / 2;
        let y = GAP + row * (height + GAP) + (height - picture.height()) / 2;
        replace(&mut sheet, picture, i64::from(x), i64::from(y));
    }
    sheet
}

#[cfg(test)]
mod tests;

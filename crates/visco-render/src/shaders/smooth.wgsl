// Smooths the depth of the fluid's surface, so that it does not show its particles.

@group(1) @binding(0) var depth: texture_2d<f32>;

@vertex
fn everywhere(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4f {
    return vec4f(f32(corner & 1u) * 4.0 - 1.0, f32(corner >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

fn depth_at(at: vec2i) -> f32 {
    let size = vec2i(textureDimensions(depth));
    return textureLoad(depth, clamp(at, vec2i(0), size - 1), 0).x;
}

// Pixels of a length in m at a distance.
fn pixels(length: f32, z: f32) -> f32 {
    return length * view.screen.y / (2.0 * view.screen.w * z);
}

// How much light is lost on the way through the fluid, without the grain of its particles.
fn blurred(at: vec2i, direction: vec2i) -> vec4f {
    let size = vec2i(textureDimensions(depth));
    let eye = (view.to_world * vec4f(0.0, 0.0, 0.0, 1.0)).xyz;
    let reach = clamp(pixels(1.3 * view.ground.w, distance(eye, view.middle.xyz)), 1.0, WIDEST);
    let n = i32(ceil(reach));
    var sum = vec4f(0.0);
    var total = 0.0;
    for (var k = -n; k <= n; k++) {
        let w = exp(-2.0 * f32(k * k) / (reach * reach));
        sum += w * textureLoad(depth, clamp(at + k * direction, vec2i(0), size - 1), 0);
        total += w;
    }
    return sum / total;
}

@fragment
fn blur_across(@builtin(position) at: vec4f) -> @location(0) vec4f {
    return blurred(vec2i(at.xy), vec2i(1, 0));
}

@fragment
fn blur_up(@builtin(position) at: vec4f) -> @location(0) vec4f {
    return blurred(vec2i(at.xy), vec2i(0, 1));
}

const WIDEST = 40.0;

// One direction of a bilateral filter: neighbours of other depth, beyond what a smooth surface can have, do not count.
fn along(at: vec2i, direction: vec2i) -> f32 {
    let z = depth_at(at);
    if (z <= 0.0) {
        return 0.0;
    }
    let reach = clamp(pixels(view.middle.w, z), 1.0, WIDEST);
    let narrow = 1.0 / (0.6 * view.middle.w * view.middle.w);
    let n = i32(ceil(reach));
    let falloff = 2.0 / (reach * reach);
    var sum = z;
    var total = 1.0;
    for (var k = 1; k <= n; k++) {
        let a = depth_at(at + k * direction);
        let b = depth_at(at - k * direction);
        let w = exp(-f32(k * k) * falloff);
        let da = a - z;
        let db = b - z;
        let wa = select(0.0, w * exp(-da * da * narrow), a > 0.0);
        let wb = select(0.0, w * exp(-db * db * narrow), b > 0.0);
        sum += wa * a + wb * b;
        total += wa + wb;
    }
    return sum / total;
}

@fragment
fn bilateral_across(@builtin(position) at: vec4f) -> @location(0) f32 {
    return along(vec2i(at.xy), vec2i(1, 0));
}

@fragment
fn bilateral_up(@builtin(position) at: vec4f) -> @location(0) f32 {
    return along(vec2i(at.xy), vec2i(0, 1));
}

// A step of curvature flow (van der Laan et al. 2009): the surface moves by its mean curvature. Pixels are the unit of
// length on the screen; a step of a quarter is the longest that is stable.
@fragment
fn curvature_flow(@builtin(position) position: vec4f) -> @location(0) f32 {
    let at = vec2i(position.xy);
    let z = depth_at(at);
    if (z <= 0.0) {
        return 0.0;
    }
    let pixel = 2.0 * view.screen.w * z / view.screen.y;
    let far = 4.0 * view.ground.w;
    var side: array<f32, 8>;
    var offsets = array<vec2i, 8>(vec2i(-1, 0), vec2i(1, 0), vec2i(0, -1), vec2i(0, 1), vec2i(-1, -1), vec2i(1, -1), vec2i(-1, 1), vec2i(1, 1));
    for (var k = 0; k < 8; k++) {
        let d = depth_at(at + offsets[k]);
        // At an outline the surface goes on as it is.
        side[k] = select(z, d, d > 0.0 && abs(d - z) < far) / pixel;
    }
    let here = z / pixel;
    let dx = 0.5 * (side[1] - side[0]);
    let dy = 0.5 * (side[3] - side[2]);
    let dxx = side[1] + side[0] - 2.0 * here;
    let dyy = side[3] + side[2] - 2.0 * here;
    let dxy = 0.25 * (side[7] - side[6] - side[5] + side[4]);
    let steep = 1.0 + dx * dx + dy * dy;
    let curvature = ((1.0 + dy * dy) * dxx - 2.0 * dx * dy * dxy + (1.0 + dx * dx) * dyy) / steep;
    return z + 0.24 * pixel * clamp(curvature, -1.0, 1.0);
}

// What every shader knows: where the camera stands, where the light comes from, how materials look.

struct View {
    // From the world to the eye, from the eye to the screen, from the world to the light's own screen.
    to_eye: mat4x4f,
    to_screen: mat4x4f,
    to_light: mat4x4f,
    // From the eye's axes to the world's.
    to_world: mat4x4f,
    // Towards the light; w is its strength.
    sun: vec4f,
    // Width, height, and tangents of half the angles of view.
    screen: vec4f,
    // Height of the ground, whether there is one, its fade-out radius, and the spacing of particles.
    ground: vec4f,
    // Middle of what is seen, and the radius of the smoothing, in m.
    middle: vec4f,
}

struct Look {
    // Reflected colour; 1 in w is opaque.
    color: vec4f,
    // Absorption per m, and roughness of the surface.
    absorption: vec4f,
    // Light that is scattered per m, glow through thin parts, and reflectance at right angles.
    scatter: vec4f,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> looks: array<Look, 256>;

const PI = 3.14159265;

// A studio: grey walls, a floor, and soft boxes that make highlights.
fn surroundings(direction: vec3f, roughness: f32) -> vec3f {
    let up = direction.y;
    var light = mix(vec3f(0.30, 0.30, 0.31), vec3f(0.50, 0.53, 0.58), smoothstep(0.0, 0.8, up));
    light = mix(light, vec3f(0.36, 0.35, 0.34), smoothstep(0.0, -0.4, up));
    let blur = 0.05 + 0.7 * roughness;
    let spread = 1.0 / (1.0 + 5.0 * roughness);
    light += 7.0 * spread * soft_box(direction, normalize(vec3f(-0.55, 0.70, 0.50)), 0.28, blur);
    light += 3.5 * spread * soft_box(direction, normalize(vec3f(0.90, 0.45, 0.20)), 0.18, blur);
    light += 2.5 * spread * soft_box(direction, normalize(vec3f(-0.20, 0.35, -0.95)), 0.35, blur);
    light += 11.0 * spread * strip(direction, normalize(vec2f(-0.75, 0.66)), 0.16, blur);
    light += 6.0 * spread * strip(direction, normalize(vec2f(0.95, 0.30)), 0.10, blur);
    return light;
}

// A tall, narrow light: upright ropes show it.
fn strip(direction: vec3f, toward: vec2f, size: f32, blur: f32) -> f32 {
    let flat = length(direction.xz);
    if (flat < 1e-3) {
        return 0.0;
    }
    let aside = 1.0 - dot(direction.xz / flat, toward);
    let width = 0.5 * size * size;
    let inside = 1.0 - smoothstep(width * (1.0 - min(blur, 0.9)), width * (1.0 + 4.0 * blur), aside);
    return inside * (1.0 - smoothstep(0.35, 0.7, abs(direction.y)));
}

fn soft_box(direction: vec3f, toward: vec3f, size: f32, blur: f32) -> f32 {
    let side = normalize(cross(toward, vec3f(0.0, 1.0, 0.0)));
    let above = cross(side, toward);
    let ahead = dot(direction, toward);
    if (ahead <= 0.05) {
        return 0.0;
    }
    let at = abs(vec2f(dot(direction, side), dot(direction, above))) / ahead;
    let inside = vec2f(1.0) - smoothstep(vec2f(size - blur * 0.5), vec2f(size + blur), at);
    return inside.x * inside.y;
}

// Light from all around on a surface with this normal.
fn ambient(normal: vec3f) -> vec3f {
    return mix(vec3f(0.36, 0.35, 0.34), vec3f(0.66, 0.68, 0.72), 0.5 + 0.5 * normal.y);
}

fn fresnel(cosine: f32, at_right_angles: f32) -> f32 {
    return at_right_angles + (1.0 - at_right_angles) * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0);
}

// The highlight of the sun, after Blinn and Phong, normalised.
fn highlight(normal: vec3f, toward_eye: vec3f, roughness: f32) -> f32 {
    let half_way = normalize(toward_eye + view.sun.xyz);
    let power = 2.0 / max(pow(roughness, 4.0), 1e-4);
    return min((power + 8.0) / (8.0 * PI), 40.0) * pow(max(dot(normal, half_way), 0.0), power);
}

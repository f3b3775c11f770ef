// The fluid before what lies behind it: reflection, refraction, colour, and the picture.

@group(2) @binding(0) var surface: texture_2d<f32>;
@group(2) @binding(1) var kind: texture_2d<u32>;
@group(2) @binding(2) var through: texture_2d<f32>;
@group(2) @binding(3) var behind: texture_2d<f32>;
@group(2) @binding(4) var normals: texture_2d<f32>;
@group(2) @binding(5) var faces: texture_2d<f32>;

@vertex
fn everywhere(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4f {
    return vec4f(f32(corner & 1u) * 4.0 - 1.0, f32(corner >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

fn surface_at(at: vec2i) -> f32 {
    return textureLoad(surface, clamp(at, vec2i(0), vec2i(view.screen.xy) - 1), 0).x;
}

// The point of the surface at a pixel, seen from the eye.
fn point(at: vec2i, z: f32) -> vec3f {
    let across = ((vec2f(at) + 0.5) / view.screen.xy * 2.0 - 1.0) * view.screen.zw * vec2f(1.0, -1.0);
    return vec3f(across, -1.0) * z;
}

// The difference to the neighbour on the side where the surface goes on.
fn slope(at: vec2i, here: vec3f, step: vec2i) -> vec3f {
    let a = surface_at(at + step);
    let b = surface_at(at - step);
    let ahead = point(at + step, a) - here;
    let back = here - point(at - step, b);
    if (a <= 0.0) {
        return select(vec3f(vec2f(step), 0.0) * vec3f(1.0, -1.0, 1.0), back, b > 0.0);
    }
    if (b <= 0.0) {
        return ahead;
    }
    return select(back, ahead, abs(ahead.z) < abs(back.z));
}

fn background(at: vec2f) -> vec3f {
    let pixel = clamp(vec2i(at), vec2i(0), vec2i(view.screen.xy) - 1);
    return textureLoad(behind, pixel, 0).rgb;
}

// A normal turned towards the eye, so that it looks at it by a part at least.
fn turned(normal: vec3f, toward_eye: vec3f, least: f32) -> vec3f {
    return normalize(normal + toward_eye * max(least - dot(normal, toward_eye), 0.0));
}

// The way of light through the fluid, and what is lost on it.
struct Way {
    length: f32,
    lost: vec3f,
}

// The light of a point of the surface, seen from the eye, at a pixel.
fn shaded(pixel: vec2f, here: vec3f, in_eye: vec3f, way: Way) -> vec3f {
    let normal = normalize((view.to_world * vec4f(in_eye, 0.0)).xyz);
    let toward_eye = normalize((view.to_world * vec4f(-here, 0.0)).xyz);
    let world = (view.to_world * vec4f(here, 1.0)).xyz;
    let look = looks[textureLoad(kind, vec2i(pixel), 0).x];
    let roughness = look.absorption.w;
    let cosine = max(dot(normal, toward_eye), 0.0);
    // At an outline a pixel sees a range of angles, and not the mirror of the steepest.
    let mirrored = fresnel(max(cosine, 0.15), look.scatter.z) * (1.0 - 0.6 * roughness);
    let reflected = surroundings(reflect(-toward_eye, normal), roughness);
    let spacing = view.ground.w;
    let sun = view.sun.w * sunlight(world + normal * spacing * 1.5, look.color.w > 0.5, 0.003);
    let facing = dot(normal, view.sun.xyz);
    var inside: vec3f;
    if (look.color.w > 0.5) {
        // Light goes a little way into cream and comes out beside.
        let wrapped = max((facing + look.scatter.y) / (1.0 + look.scatter.y), 0.0);
        inside = look.color.rgb * (ambient(normal) * 0.95 + 0.62 * sun * wrapped);
    } else {
        let bend = in_eye.xy * vec2f(1.0, -1.0) * min(way.length, 6.0 * spacing + 0.25 * way.length);
        let pixels = view.screen.y / (2.0 * view.screen.w * -here.z);
        let beyond = background(pixel - bend * pixels * 0.8);
        let clouded = 1.0 - exp(-look.scatter.x * way.length);
        let glow = look.color.rgb * (ambient(normal) * 0.9 + 0.5 * sun * (0.5 + 0.5 * max(facing, 0.0)));
        inside = mix(beyond * exp(-way.lost), glow, clouded);
    }
    let gleam = highlight(normal, toward_eye, max(roughness, 0.12)) * max(facing, 0.0) * sun * look.scatter.z * 3.0;
    return mix(inside, reflected, mirrored) + gleam;
}

// Fluid of particles: normals are those of the smoothed depth.
@fragment
fn compose(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let at = vec2i(position.xy);
    let z = surface_at(at);
    if (z <= 0.0) {
        return vec4f(background(position.xy), 1.0);
    }
    let here = point(at, z);
    // At an outline the surface is that of single spheres, whose rims would gleam one by one.
    let steep = normalize(cross(slope(at, here, vec2i(1, 0)), slope(at, here, vec2i(0, -1))));
    let in_eye = turned(steep, normalize(-here), 0.35);
    // At grazing angles light is bent into the fluid, and its way is longer than the straight one.
    let straight = textureLoad(through, at, 0);
    let spacing = view.ground.w;
    let length = straight.w + (1.0 - max(dot(in_eye, normalize(-here)), 0.0)) * 2.0 * spacing;
    let way = Way(length, straight.rgb * (length / max(straight.w, 0.25 * spacing)));
    return vec4f(shaded(position.xy, here, in_eye, way), 1.0);
}

// Fluid of triangles.
@fragment
fn compose_mesh(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let at = vec2i(position.xy);
    let z = surface_at(at);
    if (z <= 0.0) {
        return vec4f(background(position.xy), 1.0);
    }
    let here = point(at, z);
    // Normals between corners may look away from the eye at the outline.
    let in_eye = turned(textureLoad(normals, at, 0).xyz, normalize(-here), 0.02);
    let sum = textureLoad(through, at, 0);
    let length = abs(sum.w);
    let way = Way(length, sum.rgb / max(textureLoad(faces, at, 0).x, 1.0) * length);
    return vec4f(shaded(position.xy, here, in_eye, way), 1.0);
}

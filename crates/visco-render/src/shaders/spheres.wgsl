// Particles as spheres: their depth, how much fluid lies behind each pixel, and what they throw on the light's screen.

struct Corner {
    @builtin(position) screen: vec4f,
    @location(0) at: vec2f,
    @location(1) center: vec3f,
    @location(2) @interpolate(flat) radius: f32,
    @location(3) @interpolate(flat) look: u32,
    @location(4) @interpolate(flat) color: vec3f,
}

@vertex
fn corners(
    @builtin(vertex_index) corner: u32,
    @location(0) place: vec4f,
    @location(1) look: u32,
    @location(2) color: vec4f,
) -> Corner {
    let at = vec2f(f32(corner & 1u), f32(corner >> 1u)) * 2.0 - 1.0;
    let center = (view.to_eye * vec4f(place.xyz, 1.0)).xyz;
    var out: Corner;
    out.screen = view.to_screen * vec4f(center + vec3f(at * place.w, 0.0), 1.0);
    out.at = at;
    out.center = center;
    out.radius = place.w;
    out.look = look;
    out.color = light_of(color.rgb);
    return out;
}

// From a colour of a picture to light.
fn light_of(color: vec3f) -> vec3f {
    return select(pow((color + 0.055) / 1.055, vec3f(2.4)), color / 12.92, color <= vec3f(0.04045));
}

// How far the sphere's surface comes towards the eye here, in radii; below 0 outside of it.
fn bulge(at: vec2f) -> f32 {
    return 1.0 - dot(at, at);
}

fn depth_on_screen(z: f32) -> f32 {
    let clip = view.to_screen * vec4f(0.0, 0.0, z, 1.0);
    return clip.z / clip.w;
}

struct Nearest {
    @builtin(frag_depth) depth: f32,
    @location(0) distance: f32,
    @location(1) look: u32,
}

@group(1) @binding(0) var solid_depth: texture_depth_2d;

fn front(in: Corner) -> Nearest {
    let height = bulge(in.at);
    if (height < 0.0) {
        discard;
    }
    let z = in.center.z + in.radius * sqrt(max(height, 0.0));
    return Nearest(depth_on_screen(z), -z, in.look);
}

// Opaque fluid.
@fragment
fn foremost(in: Corner) -> Nearest {
    return front(in);
}

// Translucent fluid.
@fragment
fn nearest(in: Corner) -> Nearest {
    let found = front(in);
    if (found.depth > textureLoad(solid_depth, vec2i(in.screen.xy), 0)) {
        discard;
    }
    return found;
}

// Light lost on the way through, and the way itself; where spheres overlap they share what each particle holds.
@fragment
fn thickness(in: Corner) -> @location(0) vec4f {
    let height = bulge(in.at);
    if (height < 0.0 || depth_on_screen(in.center.z) > textureLoad(solid_depth, vec2i(in.screen.xy), 0)) {
        discard;
    }
    return lost(in, height);
}

fn lost(in: Corner, height: f32) -> vec4f {
    let spacing = view.ground.w;
    let share = spacing * spacing * spacing / (4.0 / 3.0 * PI * in.radius * in.radius * in.radius);
    let way = 2.0 * in.radius * sqrt(max(height, 0.0)) * share;
    let look = looks[in.look];
    return vec4f(look.absorption.rgb * way, way);
}

// On the light's screen: what translucent fluid takes out of the light.
@fragment
fn shade(in: Corner) -> @location(0) vec4f {
    let height = bulge(in.at);
    if (height < 0.0) {
        discard;
    }
    let scatter = vec3f(looks[in.look].scatter.x);
    let all = lost(in, height);
    return vec4f(all.rgb + scatter * all.w, all.w);
}

// On the light's screen: how far light comes.
@fragment
fn block(in: Corner) {
    if (bulge(in.at) < 0.0) {
        discard;
    }
}

struct Ball {
    @builtin(frag_depth) depth: f32,
    @location(0) color: vec4f,
}

// A particle by itself, in its own colour.
@fragment
fn ball(in: Corner) -> Ball {
    let height = bulge(in.at);
    if (height < 0.0) {
        discard;
    }
    let normal = (view.to_world * vec4f(in.at, sqrt(height), 0.0)).xyz;
    let at = in.center + in.radius * vec3f(in.at, sqrt(height));
    let eye = normalize((view.to_world * vec4f(-at, 0.0)).xyz);
    let sun = 0.5 * view.sun.w * max(dot(normal, view.sun.xyz), 0.0);
    let gleam = 0.25 * highlight(normal, eye, 0.45);
    return Ball(depth_on_screen(at.z), vec4f(in.color * (ambient(normal) * 0.9 + sun) + gleam * 0.2, 1.0));
}

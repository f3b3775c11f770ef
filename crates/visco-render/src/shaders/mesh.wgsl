// A fluid's surface as triangles: its depth, normals, and how much fluid lies behind each pixel. From the light as from
// the eye.

struct Vertex {
    @builtin(position) @invariant screen: vec4f,
    // From the eye's plane, in m.
    @location(0) distance: f32,
    // Seen from the eye.
    @location(1) normal: vec3f,
    @location(2) @interpolate(flat) look: u32,
}

@vertex
fn surface(@location(0) position: vec3f, @location(1) normal: vec3f, @location(2) look: u32) -> Vertex {
    let eye = view.to_eye * vec4f(position, 1.0);
    return Vertex(view.to_screen * eye, -eye.z, (view.to_eye * vec4f(normal, 0.0)).xyz, look);
}

struct Nearest {
    @location(0) distance: f32,
    @location(1) look: u32,
    @location(2) normal: vec4f,
}

struct First {
    @location(0) distance: f32,
    @location(1) look: u32,
}

// What hides: opaque solids, and opaque fluid before translucent one.
@group(1) @binding(0) var solid_depth: texture_depth_2d;
// The translucent fluid that is seen first: distance and look.
@group(1) @binding(1) var first_distance: texture_2d<f32>;
@group(1) @binding(2) var first_look: texture_2d<u32>;

// Depth of what hides at a pixel; on the light's screen it is kept more finely.
fn hiding_depth(at: vec2f) -> f32 {
    let finer = vec2f(textureDimensions(solid_depth)) / view.screen.xy;
    return textureLoad(solid_depth, vec2i(at * finer), 0);
}

fn is_hidden(in: Vertex) -> bool {
    return in.screen.z > hiding_depth(in.screen.xy);
}

fn face(in: Vertex, front: bool) -> Nearest {
    return Nearest(in.distance, in.look, vec4f(normalize(select(-in.normal, in.normal, front)), 0.0));
}

// Opaque fluid.
@fragment
fn foremost(in: Vertex, @builtin(front_facing) front: bool) -> Nearest {
    return face(in, front);
}

// Translucent fluid.
@fragment
fn nearest(in: Vertex, @builtin(front_facing) front: bool) -> Nearest {
    if (is_hidden(in)) {
        discard;
    }
    return face(in, front);
}

// Translucent fluid on the light's screen.
@fragment
fn first(in: Vertex) -> First {
    if (is_hidden(in)) {
        discard;
    }
    return First(in.distance, in.look);
}

// Distance from the eye's plane of a depth on the screen.
fn distance_of(depth: f32) -> f32 {
    let m = view.to_screen;
    return -(m[3][2] - depth * m[3][3]) / (depth * m[2][3] - m[2][2]);
}

// What a face adds to the way through the fluid, counted from the first face: summed up, that of the back faces less
// that of the front faces is the way, and the digits are not lost to the distance of the eye.
fn added_way(in: Vertex, front: bool) -> f32 {
    let end = distance_of(hiding_depth(in.screen.xy));
    let start = textureLoad(first_distance, vec2i(in.screen.xy), 0).x;
    return (min(in.distance, end) - start) * select(1.0, -1.0, front);
}

fn is_fluid(at: vec2f) -> bool {
    return textureLoad(first_distance, vec2i(at), 0).x > 0.0;
}

struct Through {
    // Sum of the absorptions of faces, and the way.
    @location(0) sum: vec4f,
    // Number of those faces.
    @location(1) count: vec4f,
}

// Materials of faces need not agree along a line of sight: the way has the mean of their absorptions.
@fragment
fn thickness(in: Vertex, @builtin(front_facing) front: bool) -> Through {
    if (!is_fluid(in.screen.xy)) {
        discard;
    }
    let look = looks[in.look];
    let counts = select(1.0, 0.0, look.color.w > 0.5 || is_hidden(in));
    return Through(vec4f(counts * look.absorption.rgb, added_way(in, front)), vec4f(counts, 0.0, 0.0, 0.0));
}

// On the light's screen: what translucent fluid takes out of the light, after the look of the first.
@fragment
fn shade(in: Vertex, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    if (!is_fluid(in.screen.xy)) {
        discard;
    }
    let look = looks[textureLoad(first_look, vec2i(in.screen.xy), 0).x];
    let way = added_way(in, front);
    return vec4f((look.absorption.rgb + look.scatter.x) * way, way);
}

// What reaches a point of the sun's light.

@group(1) @binding(0) var blocked: texture_depth_2d;
@group(1) @binding(1) var dimmed: texture_2d<f32>;
@group(1) @binding(2) var smooth_sampler: sampler;
@group(1) @binding(3) var compare: sampler_comparison;
// Where light first meets translucent fluid.
@group(1) @binding(4) var entered: texture_depth_2d;

fn unblocked_near(at: vec2f, depth: f32, reach: i32, step: i32) -> f32 {
    let texel = 1.0 / f32(textureDimensions(blocked).x);
    var free = 0.0;
    var count = 0.0;
    for (var i = -reach; i <= reach; i += step) {
        for (var j = -reach; j <= reach; j += step) {
            let near = at + 1.6 * texel * vec2f(f32(i), f32(j));
            free += textureSampleCompareLevel(blocked, compare, near, depth);
            count += 1.0;
        }
    }
    return free / count;
}

// How much of the sun is seen; shadows have soft edges, and where there is none around, few looks are enough.
fn unblocked(at: vec2f, depth: f32) -> f32 {
    let free = unblocked_near(at, depth, 2, 2);
    if (free <= 0.0 || free >= 1.0) {
        return free;
    }
    return unblocked_near(at, depth, 2, 1);
}

// The sun's light at a point of the world: coloured by the fluid above it, none behind what is opaque.
fn sunlight(point: vec3f, through_fluid: bool, bias: f32) -> vec3f {
    let clip = view.to_light * vec4f(point, 1.0);
    let at = clip.xy * vec2f(0.5, -0.5) + 0.5;
    if (any(at < vec2f(0.0)) || any(at > vec2f(1.0))) {
        return vec3f(1.0);
    }
    // What is farther than the light's screen reaches is as free as its end.
    let free = unblocked(at, min(clip.z, 1.0) - bias);
    if (free <= 0.0) {
        return vec3f(0.0);
    }
    if (!through_fluid) {
        return vec3f(free);
    }
    // Only the fluid above the point counts: the way from where light enters it, as far as it is fluid.
    let texels = vec2f(textureDimensions(dimmed));
    let depth = 1.0 / length(vec3f(view.to_light[0].z, view.to_light[1].z, view.to_light[2].z));
    var left = vec3f(0.0);
    for (var i = -1; i <= 1; i++) {
        for (var j = -1; j <= 1; j++) {
            let near = clamp(at + 1.5 / texels * vec2f(f32(i), f32(j)), vec2f(0.0), vec2f(1.0) - 0.5 / texels);
            let all = max(textureSampleLevel(dimmed, smooth_sampler, near, 0.0), vec4f(0.0));
            let below = depth * (clip.z - textureLoad(entered, vec2i(near * texels), 0));
            left += exp(-all.rgb * clamp(below / max(all.w, 1e-9), 0.0, 1.0)) / 9.0;
        }
    }
    return free * left;
}

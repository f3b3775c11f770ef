// What reaches a point of the sun's light.

@group(1) @binding(0) var blocked: texture_depth_2d;
@group(1) @binding(1) var dimmed: texture_2d<f32>;
@group(1) @binding(2) var smooth_sampler: sampler;
@group(1) @binding(3) var compare: sampler_comparison;

// The sun's light at a point of the world: coloured by the fluid above it, none behind what is opaque.
fn sunlight(point: vec3f, through_fluid: bool, bias: f32) -> vec3f {
    let clip = view.to_light * vec4f(point, 1.0);
    let at = clip.xy * vec2f(0.5, -0.5) + 0.5;
    if (any(at < vec2f(0.0)) || any(at > vec2f(1.0))) {
        return vec3f(1.0);
    }
    let texel = 1.0 / f32(textureDimensions(blocked).x);
    var free = 0.0;
    for (var i = -2; i <= 2; i++) {
        for (var j = -2; j <= 2; j++) {
            let near = at + 1.6 * texel * vec2f(f32(i), f32(j));
            free += textureSampleCompareLevel(blocked, compare, near, clip.z - bias) / 25.0;
        }
    }
    if (!through_fluid) {
        return vec3f(free);
    }
    var left = vec3f(0.0);
    let wide = 1.5 / f32(textureDimensions(dimmed).x);
    for (var i = -1; i <= 1; i++) {
        for (var j = -1; j <= 1; j++) {
            let near = at + wide * vec2f(f32(i), f32(j));
            left += exp(-max(textureSampleLevel(dimmed, smooth_sampler, near, 0.0).rgb, vec3f(0.0))) / 9.0;
        }
    }
    return free * left;
}

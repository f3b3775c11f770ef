// From light to a picture: tone curve and smooth edges.

@group(1) @binding(0) var picture: texture_2d<f32>;

@vertex
fn everywhere(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4f {
    return vec4f(f32(corner & 1u) * 4.0 - 1.0, f32(corner >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

// Bright light bends towards white instead of being cut off.
fn tone(light: vec3f) -> vec3f {
    let x = max(light, vec3f(0.0));
    let knee = vec3f(0.8);
    return select(knee + (1.0 - knee) * (1.0 - exp(-(x - knee) / (1.0 - knee))), x, x < knee);
}

fn color_at(at: vec2i) -> vec3f {
    return tone(textureLoad(picture, clamp(at, vec2i(0), vec2i(view.screen.xy) - 1), 0).rgb);
}

fn brightness(color: vec3f) -> f32 {
    return sqrt(dot(color, vec3f(0.299, 0.587, 0.114)));
}

// Where neighbours differ, the mean along the edge.
@fragment
fn finish(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let at = vec2i(position.xy);
    let here = color_at(at);
    let n = color_at(at + vec2i(0, -1));
    let s = color_at(at + vec2i(0, 1));
    let w = color_at(at + vec2i(-1, 0));
    let e = color_at(at + vec2i(1, 0));
    let lights = vec4f(brightness(n), brightness(s), brightness(w), brightness(e));
    let own = brightness(here);
    let darkest = min(min(min(lights.x, lights.y), min(lights.z, lights.w)), own);
    let brightest = max(max(max(lights.x, lights.y), max(lights.z, lights.w)), own);
    let contrast = brightest - darkest;
    if (contrast < max(0.03, 0.1 * brightest)) {
        return vec4f(here, 1.0);
    }
    let gradient = vec2f(lights.w - lights.z, lights.y - lights.x);
    let direction = vec2i(round(normalize(vec2f(-gradient.y, gradient.x) + 1e-5)));
    let mean = (n + s + w + e) / 4.0;
    let line = 0.5 * (color_at(at + direction) + color_at(at - direction));
    return vec4f(mix(here, 0.5 * (mean + line), 0.5), 1.0);
}

// What is not fluid: the ground, walls and obstacles.

struct Vertex {
    @builtin(position) screen: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec3f,
}

@vertex
fn mesh(@location(0) position: vec3f, @location(1) normal: vec3f, @location(2) color: vec3f) -> Vertex {
    return Vertex(view.to_screen * view.to_eye * vec4f(position, 1.0), position, normal, color);
}

fn eye() -> vec3f {
    return (view.to_world * vec4f(0.0, 0.0, 0.0, 1.0)).xyz;
}

@fragment
fn solid(in: Vertex) -> @location(0) vec4f {
    let toward_eye = normalize(eye() - in.world);
    var normal = normalize(in.normal);
    if (dot(normal, toward_eye) < 0.0) {
        normal = -normal;
    }
    let sun = sunlight(in.world + normal * view.ground.w, true, 0.002) * max(dot(normal, view.sun.xyz), 0.0);
    let gleam = 0.05 * surroundings(reflect(-toward_eye, normal), 0.5);
    return vec4f(in.color * (ambient(normal) * 0.85 + 0.55 * view.sun.w * sun) + gleam, 1.0);
}

@vertex
fn everywhere(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4f {
    return vec4f(f32(corner & 1u) * 4.0 - 1.0, f32(corner >> 1u) * 4.0 - 1.0, 1.0, 1.0);
}

struct Ground {
    @builtin(frag_depth) depth: f32,
    @location(0) color: vec4f,
}

// A pale floor that fades into the studio's wall.
@fragment
fn ground(@builtin(position) at: vec4f) -> Ground {
    let across = (at.xy / view.screen.xy * 2.0 - 1.0) * view.screen.zw * vec2f(1.0, -1.0);
    let ray = normalize((view.to_world * vec4f(across, -1.0, 0.0)).xyz);
    let wall = mix(vec3f(0.60, 0.61, 0.63), vec3f(0.30, 0.33, 0.38), smoothstep(-0.1, 0.6, ray.y));
    let start = eye();
    let below = start.y - view.ground.x;
    if (view.ground.y < 0.5 || ray.y >= -1e-4 || below <= 0.0) {
        return Ground(1.0, vec4f(wall, 1.0));
    }
    let point = start + ray * (below / -ray.y);
    let clip = view.to_screen * view.to_eye * vec4f(point, 1.0);
    let sun = sunlight(point, true, 0.002);
    // Tiles of two shades, ten spacings wide; they melt into one where they are finer than a pixel.
    let tile = 12.0 * view.ground.w;
    let cell = (point.xz - view.middle.xz) / tile;
    let width = fwidth(cell) + 0.02;
    let wave = (abs(fract(cell * 0.5) - 0.5) * 2.0 - 0.5) / width;
    let check = clamp(wave.x, -1.0, 1.0) * clamp(wave.y, -1.0, 1.0) * exp(-0.6 * length(width));
    let lit = (vec3f(0.52, 0.51, 0.50) + 0.022 * check) * (ambient(vec3f(0.0, 1.0, 0.0)) + 0.52 * view.sun.w * view.sun.y * sun);
    let far = smoothstep(0.35, 1.0, distance(point, view.middle.xyz) / view.ground.z);
    return Ground(clamp(clip.z / clip.w, 0.0, 1.0), vec4f(mix(lit, wall, far), 1.0));
}

//! What the help of the commands ends with.

pub(super) const EXIT_CODES: &str = "\
Exit codes:
  0    success
  1    the run failed
  2    wrong use, or a scene that does not pass the check
  130  stopped by the user (Ctrl-C or SIGTERM) after the frame that was under way";

pub(super) const EXAMPLES: &str = "\
Examples:
  visco scenes                        what there is to try
  visco run honey                     run a built-in scene
  visco scenes honey > mine.toml      start a scene of your own
  visco run mine.toml -o out/mine     run it";

pub(super) const RUN_EXAMPLES: &str = "\
Examples:
  visco run honey
  visco run honey --set quality=small --frames 30
  visco run mine.toml -o out/mine --format ply,vtp,bgeo,usd
  visco run mine.toml --set solver.tolerance=1e-4 --set spacing=0.004
  visco run honey --json | jq .time
  visco run honey --resume            go on after an interruption
  visco run honey --resume --frames 300

Ctrl-C finishes and writes the current frame and a checkpoint, then stops; a second one stops at once. \
Checkpoints are in OUT/checkpoints, the last two are kept. A run that is resumed writes, bit for bit, the \
frames of a run that was never interrupted.";

pub(super) const CHECK_EXAMPLES: &str = "\
Examples:
  visco check mine.toml
  visco check honey --set spacing=0.001";

pub(super) const SCENES_EXAMPLES: &str = "\
Examples:
  visco scenes
  visco scenes honey > mine.toml";

pub(super) const MATERIALS_EXAMPLES: &str = "\
Examples:
  visco materials
  visco run mine.toml --set material.0.preset=slime";

pub(super) const SCHEMA_EXAMPLES: &str = "\
Example:
  visco schema > visco.schema.json    for editors that complete TOML by a schema";

pub(super) const INFO_EXAMPLES: &str = "\
Examples:
  visco info out/honey/frames/particles_000149.ply
  visco info out/honey
  visco info out/honey/checkpoints/000149.visco
  visco info mine.toml --json";

pub(super) const CONVERT_EXAMPLES: &str = "\
Examples:
  visco convert out/honey out/honey --format usd      beside the frames that are there
  visco convert out/honey out/houdini --format bgeo,vtp
  visco convert out/honey/frames frames --format vtp
  visco convert scan.vtp scan.ply
  visco convert cloud.bgeo.gz cloud.usdc

PLY, VTP and BGEO are read, of other programs, too; USD is written only. Of a folder, frames that are there \
already and not older than their source are left alone: the same command goes on after an interruption.";

pub(super) const FIGURE_EXAMPLES: &str = "\
Examples:
  visco figure                          what there is
  visco figure barreiro2017-fig04       to out/figures
  visco figure barreiro2017-fig06 -o docs/figures
  visco figure takahashi2016-fig04 --set quality=full     with the paper's number of particles
  visco figure takahashi2016-fig11 --set model=dragon.obj
  visco figure --all                    all of them, with a list in README.md

Figures whose scenes can be changed take --set, as `visco run` does; the others say so. A figure is made even where a measured value is not as expected; its table says so.";

pub(super) const RENDER_EXAMPLES: &str = "\
Examples:
  visco run honey && visco render out/honey
  visco render out/honey --show speed
  visco mesh out/honey && visco render out/honey --show mesh
  visco render out/honey --size 1920x1080 --samples 2

Pictures that are there already and newer than their frames are kept, so that a second call goes on where the \
first one stopped.";

pub(super) const MESH_EXAMPLES: &str = "\
Examples:
  visco run honey && visco mesh out/honey
  visco mesh out/honey --format ply,usd
  visco mesh out/honey --cell 0.35 --anisotropic
  visco mesh cloud.vtp -o surface.obj --spacing 0.01

Lengths are in spacings of the particles, so that the same numbers suit every scene. Surfaces that are there \
already, newer than their frames and made in the same way, are kept: a second call goes on where the first one \
stopped. OUT/mesh/index.json lists them, with materials, camera and walls.";

pub(super) const RHEOMETER_EXAMPLES: &str = "\
Examples:
  visco measure rheometer honey             a preset
  visco measure rheometer mine.toml:slime   a material of a scene
  visco measure rheometer mine.toml:slime --set solver.position_iterations=8";

pub(super) const COILING_EXAMPLES: &str = "\
Examples:
  visco run honey && visco measure coiling out/honey
  visco measure coiling out/honey --json

The first 1.5 turns, in which the rope finds its way, do not count.";

pub(super) const VOLUME_EXAMPLES: &str = "\
Example:
  visco measure volume out/honey";

pub(super) const SPREAD_EXAMPLES: &str = "\
Example:
  visco measure spread out/blocks";

pub(super) const PULL_EXAMPLES: &str = "\
Example:
  visco run spinnability --set quality=printed-small && visco measure pull out/spinnability

The fluid is parted where a gap of 2.1 spacings crosses it; it has shrunk when the piece on the plate that holds is no \
higher than the fluid was at the start.";

pub(super) const COMPARE_EXAMPLES: &str = "\
Examples:
  visco compare blocks --methods coupled,dcpbd,pbf
  visco compare press --methods velocity_correction,coupled --set quality=small
  visco compare mine.toml --methods coupled,dcpbd --frames 60 -o out/mine
  visco compare blocks --methods dcpbd,pbf:viscosity=lengths:iterations=40

Every method runs into OUT/METHOD, as by `visco run SCENE --set method=METHOD`; what a method ignores of the \
scene is a note. OUT/compare.png draws drift, volume left by compression and by plain Σ m/ρ, density error, energy, iterations and time \
side by side, OUT/compare.csv holds the numbers. A method that ends early counts as far as it came.";

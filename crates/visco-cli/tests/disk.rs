//! Disks that are full, folders that refuse, files that vanish, particles that run away: the run ends with the reason,
//! and what was written before stays readable.
#![cfg(unix)]

mod common;

use common::{Done, Place, wait_for};
use std::fs;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use visco_io::{checkpoints, ply};

/// A rope that gets longer, so that frames and checkpoints grow.
const ROPE: &str = r#"
name = "rope"
spacing = 0.005
time = { fps = 100, frames = 60, steps_per_frame = 1 }
gravity = [0, -1, 0]
material = [{ name = "slime", viscosity = 20, relaxation_time = 0.1 }]
[[emitter]]
material = "slime"
nozzle = { disc = { radius = 0.015 } }
position = [0, 0.5, 0]
direction = [0, -1, 0]
speed = 0.5
"#;

fn place() -> Place {
    let place = Place::new();
    fs::write(place.path("rope.toml"), ROPE).unwrap();
    place
}

/// Everything under its final name is whole, and nothing else is left. Returns the number of frames.
#[track_caller]
fn assert_readable(out: &Path) -> usize {
    let names = |folder: &str| -> Vec<PathBuf> {
        let entries = fs::read_dir(out.join(folder)).into_iter().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let frames = names("frames");
    for (number, path) in frames.iter().enumerate() {
        assert_eq!(ply::read(path).unwrap().number as usize, number, "{}", path.display());
    }
    for path in names("checkpoints") {
        checkpoints::read(&path).unwrap();
    }
    if let Ok(text) = fs::read_to_string(out.join("diagnostics.csv")) {
        assert!(text.ends_with('\n') || text.is_empty(), "a row is cut off");
        let columns = |row: &str| row.split(',').count();
        assert!(text.lines().all(|row| columns(row) == visco::StepReport::COLUMNS.len()));
    }
    frames.len()
}

/// A file system of its own, so small that the run does not fit; unmounted at the end.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: PathBuf, kilobytes: u32) -> Option<Self> {
        fs::create_dir(&at).unwrap();
        let size = format!("size={kilobytes}k");
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&at).output();
        if mount.is_ok_and(|done| done.status.success()) {
            return Some(Self(at));
        }
        // Past the test's capture: a check that was left out should be seen.
        let _ =
            writeln!(std::io::stderr(), "\nSKIPPED: a full disk, for no file system can be mounted here\n");
        None
    }

    fn grow(&self, kilobytes: u32) {
        let size = format!("remount,size={kilobytes}k");
        assert!(Command::new("mount").args(["-o", &size]).arg(&self.0).status().unwrap().success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_ends_the_run_and_room_lets_it_go_on() {
    let place = place();
    let Some(disk) = SmallDisk::mount(place.path("disk"), 1000) else {
        return;
    };
    let args = "run rope.toml -o disk/out --checkpoint-every 3";
    let done = place.visco(args).ends_with(1);
    assert!(done.stderr.contains("No space left on device"), "{done:?}");
    assert!(done.stderr.contains("the last good checkpoint is disk/out/checkpoints/0000"), "{done:?}");
    assert!(done.stderr.contains("Next: visco run rope.toml -o disk/out --resume"), "{done:?}");
    let frames = assert_readable(&disk.0.join("out"));
    assert!((3..60).contains(&frames), "{frames} frames");

    // Still full: again the reason, and still nothing is broken.
    let done = place.visco(&format!("{args} --resume")).ends_with(1);
    assert!(done.stderr.contains("No space left on device"), "{done:?}");
    assert_readable(&disk.0.join("out"));

    disk.grow(100_000);
    place.visco(&format!("{args} --resume")).ends_with(0);
    assert_eq!(assert_readable(&disk.0.join("out")), 60);
    place.visco("run rope.toml -o whole").ends_with(0);
    let last = "frames/particles_000059.ply";
    assert!(
        fs::read(place.path("whole").join(last)).unwrap() == fs::read(disk.0.join("out").join(last)).unwrap()
    );
}

/// The program under a limit for the size of each file, in kB: a full disk that needs no mount.
fn limited(place: &Place, kilobytes: u32, args: &str) -> Done {
    let program = env!("CARGO_BIN_EXE_visco");
    // A shell counts in blocks of 512 bytes; the signal is ignored so that the write fails instead.
    let script = format!("trap '' XFSZ; ulimit -f {}; exec {program} {args}", 2 * kilobytes);
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(place.path("")).stdin(Stdio::null());
    Done::from(command.output().unwrap())
}

#[test]
fn a_file_that_may_not_grow_ends_the_run() {
    let place = place();
    // First the checkpoints do not fit, then the frames, then the diagnostics.
    for (kilobytes, more, what) in [
        (24, "--checkpoint-every 1", "checkpoints/0000"),
        (24, "--checkpoint-every 0", "frames/particles_0000"),
        (2, "--set spacing=0.02 --checkpoint-every 0", "diagnostics.csv"),
    ] {
        let done = limited(&place, kilobytes, &format!("run rope.toml -o a {more}")).ends_with(1);
        assert!(done.stderr.contains("File too large") && done.stderr.contains(what), "{done:?}");
        assert!(assert_readable(&place.path("a")) > 0);
    }
}

/// The program as a user for whom permissions count: they do not for root.
fn as_user(place: &Place, args: &str) -> Done {
    let mut command = place.command(args);
    if fs::metadata("/proc/self").is_ok_and(|m| m.uid() == 0) {
        let program = place.path("visco");
        if !program.exists() {
            fs::copy(env!("CARGO_BIN_EXE_visco"), &program).unwrap();
            fs::set_permissions(place.path(""), fs::Permissions::from_mode(0o777)).unwrap();
        }
        command = Command::new(program);
        command.args(args.split_whitespace()).current_dir(place.path("")).uid(65534).gid(65534);
    }
    command.stdin(Stdio::null());
    // Another test that starts a program just now may hold the copy open for a moment.
    let mut output = command.output();
    wait_for("the program's copy", || {
        let busy = output.as_ref().is_err_and(|error| error.kind() == ErrorKind::ExecutableFileBusy);
        if busy {
            output = command.output();
        }
        !busy
    });
    Done::from(output.unwrap())
}

#[test]
fn a_folder_that_is_not_writable_ends_the_run() {
    let place = place();
    let lock = |folder: &str, mode: u32| {
        fs::set_permissions(place.path(folder), fs::Permissions::from_mode(mode)).unwrap();
    };
    fs::create_dir(place.path("locked")).unwrap();
    lock("locked", 0o555);
    let done = as_user(&place, "run rope.toml -o locked/out").ends_with(1);
    assert!(done.stderr.contains("cannot create locked/out: Permission denied"), "{done:?}");

    as_user(&place, "run rope.toml -o a --frames 5").ends_with(0);
    for folder in ["frames", "checkpoints"] {
        lock(&format!("a/{folder}"), 0o555);
        let done =
            as_user(&place, "run rope.toml -o a --frames 9 --resume --checkpoint-every 1").ends_with(1);
        assert!(done.stderr.contains(folder) && done.stderr.contains("Permission denied"), "{done:?}");
        assert!(done.stderr.contains("the last good checkpoint is a/checkpoints/000004.visco"), "{done:?}");
        assert!(assert_readable(&place.path("a")) >= 5);
        lock(&format!("a/{folder}"), 0o755);
    }
    as_user(&place, "run rope.toml -o a --frames 9 --resume").ends_with(0);
    assert_eq!(assert_readable(&place.path("a")), 9);
}

fn start(place: &Place, args: &str) -> Child {
    let mut command = place.command(args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn what_vanishes_during_a_run_ends_it() {
    for what in ["frames", "checkpoints", "diagnostics.csv"] {
        let place = place();
        let child = start(&place, "run rope.toml -o a --frames 100000 --checkpoint-every 1");
        wait_for("a checkpoint", || place.path("a/checkpoints/000002.visco").exists());
        fs::rename(place.path("a").join(what), place.path("gone")).unwrap();
        let done = Done::from(child.wait_with_output().unwrap()).ends_with(1);
        assert!(done.stderr.contains(&format!("cannot write a/{what}")), "{done:?}");
        let reason = if what == "diagnostics.csv" { "it was removed" } else { "No such file" };
        assert!(done.stderr.contains(reason), "{done:?}");
        assert_readable(&place.path("a"));
    }
}

#[test]
fn a_runaway_particle_names_the_last_good_checkpoint() {
    let place = Place::new();
    // The density constraint as an equality is known to blow up at a free surface.
    let scene = r#"
name = "trouble"
spacing = 0.1
time = { fps = 30, frames = 60, steps_per_frame = 1 }
solver = { density = "equality" }
material = [{ name = "water", viscosity = 0.001 }]
[[emitter]]
material = "water"
nozzle = { disc = { radius = 0.4 } }
position = [0, 2, 0]
direction = [0, -1, 0]
speed = 1
active = [[0.2, 9]]
"#;
    fs::write(place.path("trouble.toml"), scene).unwrap();
    let done = place.visco("run trouble.toml -o a --checkpoint-every 1").ends_with(1);
    assert!(done.stderr.contains("error: step ") && done.stderr.contains(": particle "), "{done:?}");
    let frames = assert_readable(&place.path("a"));
    let last = format!("a/checkpoints/{:06}.visco", frames - 1);
    assert!(done.stderr.contains(&format!("the last good checkpoint is {last}")), "{done:?}");
    assert!(place.path(&last).is_file());
    let next = "Next: visco run trouble.toml -o a --resume --allow-changes --set time.steps_per_frame=2";
    assert!(done.stderr.contains(next), "{done:?}");
    // The same again fails again at the same step; with the usual constraint it goes on from there.
    let again = place.visco("run trouble.toml -o a --resume").ends_with(1);
    let reason = |done: &Done| done.stderr.lines().find(|l| l.starts_with("error: ")).map(str::to_owned);
    assert_eq!(reason(&again), reason(&done));
    let cure = "--allow-changes --set solver.density=unilateral";
    place.visco(&format!("run trouble.toml -o a --resume {cure} --frames {}", frames + 3)).ends_with(0);
}

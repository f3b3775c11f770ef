//! Scenes by file or by built-in name, with the meshes that they name.

use crate::console::Usage;
use crate::memory;
use anyhow::Result;
use std::fs;
use std::path::{self, Path, PathBuf};
use visco::mesh::Assets;
use visco::scene::{BuiltinScene, Estimate, Override, builtin_scenes};
use visco::{Scene, SceneError, Simulation};

/// No scene that a person wrote is larger; a frame given by mistake is.
const MAX_SCENE_BYTES: u64 = 16 << 20;

/// A checked scene, with what is needed to point at its lines.
pub(crate) struct Loaded {
    pub(crate) scene: Scene,
    assets: Assets,
    spec: String,
    text: String,
    overrides: Vec<Override>,
}

/// Reads a scene, a file or a built-in one, with changes such as `solver.tolerance=1e-4`.
pub(crate) fn load(spec: &str, changes: &[String]) -> Result<Loaded> {
    let overrides = self::changes(changes)?;
    read_scene(spec, text_of(spec)?, overrides)
}

/// Reads what `--set` gave.
pub(crate) fn changes(texts: &[String]) -> Result<Vec<Override>, Usage> {
    let parse = |text: &String| Override::parse(text).map_err(|e| Usage(format!("--set {text}: {e}")));
    texts.iter().map(parse).collect()
}

/// A scene by its text; `spec` is what problems are told of.
pub(crate) fn parse(spec: &str, text: &str) -> Result<Loaded> {
    read_scene(spec, text.to_owned(), vec![])
}

fn read_scene(spec: &str, text: String, overrides: Vec<Override>) -> Result<Loaded> {
    let mut scene = Scene::from_toml_with(&text, &overrides).map_err(|error| problems(spec, &error))?;
    let assets = read_meshes(&mut scene, spec, &overrides)
        .map_err(|error| problems(spec, &Scene::locate(&text, &overrides, error)))?;
    Ok(Loaded { scene, assets, spec: spec.to_owned(), text, overrides })
}

/// Reads the meshes that a scene names, and makes their paths absolute: the scene as run can be run from anywhere.
fn read_meshes(scene: &mut Scene, spec: &str, overrides: &[Override]) -> Result<Assets, SceneError> {
    let mut assets = Assets::new();
    let mut problems = Vec::new();
    let folder = Path::new(spec).parent().filter(|_| Path::new(spec).is_file()).unwrap_or(Path::new(""));
    let model_set = overrides.iter().any(|o| o.path == "model");
    for file in scene.mesh_files() {
        // What was typed begins where it was typed.
        let typed = file.field == "model" && model_set;
        let found = if typed { PathBuf::from(&*file.path) } else { folder.join(&*file.path) };
        let absolute = path::absolute(&found).unwrap_or(found);
        let given = std::mem::replace(file.path, absolute.to_string_lossy().into_owned());
        if assets.mesh(file.path).is_some() {
            continue;
        }
        match visco_io::mesh::read(&absolute) {
            Ok(mesh) => assets.insert(file.path.as_str(), mesh),
            Err(error) => {
                let one = SceneError::single(file.field, Some(format!("{given:?}")), error.to_string());
                problems.extend(one.problems);
            }
        }
    }
    if problems.is_empty() { Ok(assets) } else { Err(SceneError { problems }) }
}

impl Loaded {
    /// How large the scene is, with its meshes.
    pub(crate) fn estimate(&self) -> Estimate {
        self.scene.estimate_with(&self.assets)
    }

    /// Builds the world if it fits into the memory; volumes that overlap are found here.
    pub(crate) fn build(&self) -> Result<Simulation, Usage> {
        memory::check(self.scene.spacing, self.estimate())?;
        Simulation::with_assets(&self.scene, &self.assets)
            .map_err(|error| problems(&self.spec, &Scene::locate(&self.text, &self.overrides, error)))
    }
}

/// Every problem of a scene, one a line, in the form `file:12: …` that editors and terminals link.
fn problems(spec: &str, error: &SceneError) -> Usage {
    let lines = error.display_with(spec);
    Usage(format!("the scene does not pass the check\n{lines}"))
}

/// The text of a scene. A file wins over a built-in scene of the same name.
fn text_of(spec: &str) -> Result<String, Usage> {
    let path = Path::new(spec);
    if path.is_file() {
        return read(path).map_err(|reason| Usage(format!("cannot read {spec}: {reason}")));
    }
    match BuiltinScene::find(spec) {
        Some(builtin) => Ok(builtin.toml.to_owned()),
        None => Err(unknown(spec)),
    }
}

fn read(path: &Path) -> Result<String, String> {
    let length = fs::metadata(path).map_err(|e| e.to_string())?.len();
    if length > MAX_SCENE_BYTES {
        return Err("it is too large for a scene".into());
    }
    let bytes = fs::read(path).map_err(|e| e.to_string())?;
    String::from_utf8(bytes).map_err(|_| "it is not a text file".into())
}

/// Says what else the user may have meant.
pub(crate) fn unknown(spec: &str) -> Usage {
    let mut message = if Path::new(spec).is_dir() {
        format!("{spec} is a folder, not a scene file or the name of a built-in scene")
    } else {
        format!("there is no scene file {spec:?} and no built-in scene of that name")
    };
    if Path::new(spec).join("scene.toml").is_file() {
        message += &format!("; did you mean {}?", Path::new(spec).join("scene.toml").display());
    } else if let Some(name) = nearest(spec) {
        message += &format!("; did you mean {name:?}?");
    }
    let names: Vec<&str> = builtin_scenes().iter().map(|s| s.name).collect();
    message += &format!("\nbuilt-in scenes: {}", names.join(", "));
    Usage(message)
}

/// The built-in name closest to a misspelt one.
fn nearest(spec: &str) -> Option<&'static str> {
    let stem = Path::new(spec).file_stem()?.to_str()?.to_lowercase();
    builtin_scenes()
        .iter()
        .flat_map(|s| std::iter::once(&s.name).chain(s.aliases))
        .map(|name| (strsim::jaro_winkler(name, &stem), *name))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

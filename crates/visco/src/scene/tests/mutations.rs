//! Damaged scenes: whatever the text, the reader answers.

use crate::scene::{BuiltinScene, Method, Override, Scene, builtin_scenes};

/// Marsaglia's xorshift64: the same damage in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// Pieces that are likely to hurt.
const PIECES: &[&str] = &[
    "nan",
    "inf",
    "-inf",
    "-1",
    "0",
    "1e999",
    "99999999999999999999",
    "0x7fffffffffffffff",
    "\"\"",
    "\"small\"",
    "[]",
    "{}",
    "[[]]",
    "[1]",
    "true",
    "1979-05-27",
    "name",
    "variant",
    "material",
    "plane",
    "box",
    "sphere = {}",
    "quality",
    "\n",
    "\"\"\"",
    "=",
    ".",
    "[[fluid]]",
    "[variant.full]",
    "\u{e9}",
    "\u{0}",
    "[time]",
    "1e-300",
    "1e6",
];

const SETS: &[&str] = &[
    "quality=small",
    "quality=3",
    "spacing=1e-6",
    "material.honey.viscosity=nan",
    "material=[]",
    "material=3",
    "emitter.0.active.0.1=inf",
    "emitter={}",
    "boundary.0.shape.box.min.0=1",
    "time.dt=1",
    "gravity.2=x",
    "camera={}",
    "boundary[0].shape={}",
    "fluid.0.shape=1",
    "solver=[]",
    "variant=1",
    "emitter[0].nozzle.disc=0",
];

fn mutate(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..1 + random.below(3) {
        let boundary = |mut at: usize| {
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = boundary(random.below(text.len() + 1));
        match random.below(4) {
            // A token is replaced.
            0 | 1 => {
                let is_end = |c: char| c.is_whitespace() || ",[]{}".contains(c);
                let end = text[start..].find(is_end).map_or(text.len(), |at| start + at);
                text.replace_range(start..end, random.pick(PIECES));
            }
            // A stretch is cut, or copied to another place.
            2 => {
                let end = boundary((start + random.below(40)).min(text.len())).max(start);
                text.replace_range(start..end, "");
            }
            _ => {
                let end = boundary((start + random.below(80)).min(text.len())).max(start);
                let to = boundary(random.below(text.len() + 1));
                let piece = text[start..end].to_owned();
                text.insert_str(to, &piece);
            }
        }
    }
    text
}

#[test]
fn no_damage_makes_the_reader_panic() {
    let honey = BuiltinScene::find("honey").expect("a built-in scene").toml;
    let all: Vec<&str> = builtin_scenes().iter().map(|scene| scene.toml).collect();
    let methods = Method::ALL.map(|method| format!("method={}", method.name()));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut passed, mut refused) = (0, 0);
    for _ in 0..100_000 {
        // Every second time any scene, by any method.
        let any = random.below(2) == 0;
        let text = mutate(if any { random.pick(&all) } else { honey }, &mut random);
        let mut sets: Vec<Override> = (0..random.below(4).saturating_sub(1))
            .filter_map(|_| Override::parse(&mutate(random.pick(SETS), &mut random)).ok())
            .collect();
        if any {
            sets.extend(Override::parse(&methods[random.below(methods.len())]));
        }
        match Scene::from_toml_with(&text, &sets) {
            Ok(scene) => {
                passed += 1;
                let written = scene.to_toml();
                assert_eq!(Scene::from_toml(&written), Ok(scene), "{written}");
            }
            Err(error) => {
                refused += 1;
                assert!(!error.problems.is_empty(), "{text}");
                for problem in &error.problems {
                    assert!(!problem.message.is_empty(), "{text}");
                    // A problem without a place is serde's: the check let something through.
                    assert!(problem.line.is_some() || !problem.field.is_empty(), "{problem}\n{text}");
                    let last = text.lines().count() + 1;
                    assert!(problem.line.is_none_or(|line| 1 <= line && line <= last), "{problem}\n{text}");
                }
                assert_eq!(error.display_with("x").lines().count(), error.problems.len(), "{error}");
            }
        }
    }
    // The damage must be neither fatal always nor harmless always, or the test would say little.
    assert!(passed > 2500 && refused > 2500, "{passed} passed, {refused} refused");
}

//! One prim with attributes that change: its layer of a frame, and the stage that plays all of them.

use super::layer::{Kind, Layer, Rep};
use std::borrow::Cow;
use std::io::{self, Write};

/// What is written.
pub(super) struct Prim {
    pub(super) name: &'static str,
    /// Its schema, such as `Points`.
    pub(super) kind: &'static str,
    /// Tokens that never change.
    pub(super) uniforms: &'static [(&'static str, &'static str)],
}

/// What is known of an attribute without its value.
pub(super) struct Declared {
    pub(super) name: Cow<'static, str>,
    pub(super) kind: &'static str,
    pub(super) interpolation: Option<&'static str>,
}

/// The frames of a stage.
pub(super) struct Played<'a> {
    /// Name of the stage's own file.
    pub(super) stage: &'a str,
    /// Numbers of the frames, ascending; they are the time codes.
    pub(super) frames: &'a [u32],
    pub(super) fps: f64,
    /// Name of the file of a frame.
    pub(super) file: &'a dyn Fn(u32) -> String,
}

impl Prim {
    /// Writes the layer of a frame, in which the values of its attributes lie already.
    pub(super) fn write_layer(
        &self,
        w: &mut impl Write,
        mut layer: Layer,
        (number, attributes): (u32, &[(Declared, Rep)]),
    ) -> io::Result<()> {
        let code = f64::from(number);
        let fields = [
            ("primChildren", layer.token_vector(&[self.name])),
            ("defaultPrim", layer.token_value(self.name)),
            ("upAxis", layer.token_value("Y")),
            ("metersPerUnit", layer.double(1.0)),
            ("startTimeCode", layer.double(code)),
            ("endTimeCode", layer.double(code)),
        ];
        layer.spec(Kind::Root, "", &fields);

        let changing = attributes.iter().map(|(declared, _)| &*declared.name);
        let names: Vec<&str> = self.uniforms.iter().map(|(name, _)| *name).chain(changing).collect();
        let fields = [
            ("specifier", layer.definition()),
            ("typeName", layer.token_value(self.kind)),
            ("properties", layer.token_vector(&names)),
        ];
        layer.spec(Kind::Prim, self.name, &fields);

        for (name, value) in self.uniforms {
            let fields = [
                ("typeName", layer.token_value("token")),
                ("custom", layer.no()),
                ("variability", layer.uniform()),
                ("default", layer.token_value(value)),
            ];
            layer.spec(Kind::Attribute, name, &fields);
        }
        let times = layer.double_vector(&[code]);
        for (declared, value) in attributes {
            let mut fields = vec![
                ("typeName", layer.token_value(declared.kind)),
                ("custom", layer.no()),
                ("variability", layer.varying()),
                ("timeSamples", layer.time_samples(times, &[*value])),
            ];
            if let Some(interpolation) = declared.interpolation {
                fields.push(("interpolation", layer.token_value(interpolation)));
            }
            layer.spec(Kind::Attribute, &declared.name, &fields);
        }
        w.write_all(&layer.finish())
    }

    /// Writes the stage. It is its own manifest: it says itself which attributes the clips have. They are listed one by
    /// one: a template would need a dot before the number.
    pub(super) fn write_stage(
        &self,
        w: &mut impl Write,
        played: &Played,
        attributes: impl Iterator<Item = Declared>,
    ) -> io::Result<()> {
        let Played { stage, frames, fps, file } = played;
        let (name, kind) = (self.name, self.kind);
        let (first, last) = (frames.first().unwrap_or(&0), frames.last().unwrap_or(&0));
        let assets = listed(frames.iter().map(|&n| format!("@./{}@", file(n))));
        let active = listed(frames.iter().enumerate().map(|(i, n)| format!("({n}, {i})")));
        write!(
            w,
            r#"#usda 1.0
(
    defaultPrim = "{name}"
    startTimeCode = {first}
    endTimeCode = {last}
    timeCodesPerSecond = {fps}
    framesPerSecond = {fps}
    metersPerUnit = 1
    upAxis = "Y"
)

def {kind} "{name}" (
    clips = {{
        dictionary default = {{
            asset manifestAssetPath = @./{stage}@
            string primPath = "/{name}"
            asset[] assetPaths = [{assets}]
            double2[] active = [{active}]
            double2[] times = [({first}, {first}), ({last}, {last})]
        }}
    }}
)
{{
"#
        )?;
        for (name, value) in self.uniforms {
            writeln!(w, "    uniform token {name} = \"{value}\"")?;
        }
        for attribute in attributes {
            write!(w, "    {} {}", attribute.kind, attribute.name)?;
            match attribute.interpolation {
                Some(interpolation) => writeln!(w, " (interpolation = \"{interpolation}\")")?,
                None => writeln!(w)?,
            }
        }
        writeln!(w, "}}")
    }
}

fn listed(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

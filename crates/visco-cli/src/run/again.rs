//! The command that runs a scene again.

use crate::args::RunArgs;
use visco_io::Format;

/// `visco run SCENE …` with what was chosen before, so many frames, and more words.
pub(super) fn command(args: &RunArgs, frames: Option<u32>, more: &[&str]) -> String {
    let mut words = vec!["visco".to_owned(), "run".into(), args.scene.scene.clone()];
    if let Some(out) = &args.out {
        words.extend(["-o".into(), out.display().to_string()]);
    }
    if let Some(frames) = frames {
        words.extend(["--frames".into(), frames.to_string()]);
    }
    if args.format != [Format::Ply] {
        let names: Vec<&str> = args.format.iter().map(|f| f.name()).collect();
        words.extend(["--format".into(), names.join(",")]);
    }
    if args.preview {
        words.push("--preview".into());
    }
    for change in &args.scene.set {
        words.extend(["--set".into(), change.clone()]);
    }
    words.extend(more.iter().map(|&word| word.to_owned()));
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word as a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Command};
    use clap::Parser;

    #[test]
    fn the_command_keeps_what_was_chosen() {
        let text =
            "visco run my.toml -o a --frames 9 --format ply,vtp --set gravity=[0,1,0] --threads 2 --quiet";
        let Command::Run(args) = Args::parse_from(text.split(' ')).command else {
            panic!("a run");
        };
        assert_eq!(
            command(&args, args.frames, &["--resume"]),
            "visco run my.toml -o a --frames 9 --format ply,vtp --set 'gravity=[0,1,0]' --resume"
        );
    }
}

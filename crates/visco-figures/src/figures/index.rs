//! `README.md` of a folder of figures: a section for each, in the order of [`FIGURES`].

use super::report::{FigureReport, file_name, push, table};
use super::{FIGURES, FigureSpec};
use crate::FigureError;
use std::path::Path;
use visco::scene::Override;

const TITLE: &str = "# Figures\n\nFigures of the papers, made again, and flows with an analytic solution.\n";
const ABOUT: &str = "Everything in this folder, this page included, is written by `visco figure NAME -o FOLDER`, with the \
                     settings that stand below each figure; `visco figure --all` makes all of them with their own. The \
                     column “expected” holds what the reproduction must reach; rows without an expectation are what else \
                     the runs showed.\n";
/// What a section begins with.
const HEAD: &str = "## [";

/// The section of a figure.
fn section(figure: &FigureSpec, report: &FigureReport, changes: &[Override]) -> String {
    let FigureSpec { name, title, source, claim, .. } = figure;
    let (holds, all) = report.score();
    let mut text = String::new();
    push(&mut text, format_args!("{HEAD}{source}]({name}.md): {title}\n\n{claim}\n"));
    push(&mut text, format_args!("{holds} of {all} expectations hold.\n"));
    push(&mut text, format_args!("{}", table(&report.statements)));
    if let Some((path, caption)) = report.pictures.first() {
        push(&mut text, format_args!("[![{caption}]({})]({name}.md)\n", file_name(path)));
    }
    push(&mut text, format_args!("{}", command(figure, changes)));
    text
}

/// How a figure is made, as a block of code.
pub(super) fn command(figure: &FigureSpec, changes: &[Override]) -> String {
    let changes: String = changes.iter().map(|change| format!(" --set {change}")).collect();
    format!("```sh\nvisco figure {}{changes}\n```\n", figure.name)
}

/// A list of figures in which one is new, or made again. None if what is there is no such list.
fn updated(old: &str, figure: &FigureSpec, section: &str) -> Option<String> {
    if !old.is_empty() && !old.starts_with(TITLE) {
        return None;
    }
    let starts: Vec<usize> = old.match_indices(&format!("\n{HEAD}")).map(|(at, _)| at + 1).collect();
    let ends = starts.iter().skip(1).copied().chain([old.len()]);
    let mut sections: Vec<&str> = starts.iter().zip(ends).map(|(&start, end)| &old[start..end]).collect();
    let is_of = |text: &str, figure: &FigureSpec| {
        text.lines().next().is_some_and(|head| head.contains(&format!("]({}.md)", figure.name)))
    };
    sections.retain(|text| !is_of(text, figure));
    sections.push(section);
    // Those that are not known any more come last.
    let place = |text: &&str| FIGURES.iter().position(|f| is_of(text, f)).unwrap_or(FIGURES.len());
    sections.sort_by_key(place);
    let mut text = format!("{TITLE}\n{ABOUT}");
    for section in sections {
        push(&mut text, format_args!(""));
        push(&mut text, format_args!("{}", section.trim_end()));
    }
    Some(text)
}

/// Writes what came of a figure into the list of its folder. Another's `README.md` is left as it is.
pub(super) fn update(
    figure: &FigureSpec,
    report: &FigureReport,
    (out, changes): (&Path, &[Override]),
) -> Result<(), FigureError> {
    let path = out.join("README.md");
    let old = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        // Not text, or not to be read: not ours.
        Err(_) => return Ok(()),
    };
    match updated(&old, figure, &section(figure, report, changes)) {
        Some(text) => Ok(crate::files::write_atomically(&path, text.as_bytes())?),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Statement;
    use super::*;

    fn made(value: f64) -> FigureReport {
        let statements = vec![Statement::below("a", (value, ""), 1.0)];
        FigureReport { statements, pictures: vec![("a.png".into(), "A.".into())], ..FigureReport::default() }
    }

    #[test]
    fn figures_stand_in_their_order_and_are_replaced_when_made_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("README.md");
        let [first, third] = [&FIGURES[0], &FIGURES[2]];
        let full = [Override::parse("quality=full").expect("a change")];
        let write = |figure: &FigureSpec, value, changes: &[Override]| {
            update(figure, &made(value), (folder.path(), changes)).expect("it can be written");
            std::fs::read_to_string(&path).expect("it is there")
        };
        let alone = write(third, 2.0, &full);
        assert!(alone.starts_with(TITLE) && alone.contains("--set quality=") && alone.ends_with("```\n"));
        let both = write(first, 0.5, &[]);
        let at = |text: &str, figure: &FigureSpec| {
            text.find(&format!("]({}.md): ", figure.name)).expect("its section")
        };
        assert!(at(&both, first) < at(&both, third));
        assert!(both.contains("0 of 1 expectations hold.") && both.contains("1 of 1 expectations hold."));
        // The same once more changes nothing; made again with other results, only these.
        assert_eq!(write(first, 0.5, &[]), both);
        assert_eq!(
            write(third, 0.2, &full),
            both.replace("0 of 1", "1 of 1").replace("2.00 | < 1 | **no**", "0.200 | < 1 | yes")
        );
    }

    /// Every figure is among the project's results, and the list says of each what its page says.
    #[test]
    fn the_list_of_results_agrees_with_their_pages() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/figures");
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it is there");
        let rows = |text: &str| -> Vec<String> {
            text.lines().filter(|line| line.starts_with("| ")).map(str::to_owned).collect()
        };
        let list = read("README.md");
        for figure in FIGURES {
            let head = format!("{HEAD}{}]({}.md): ", figure.source, figure.name);
            let from = list.find(&head).unwrap_or_else(|| panic!("{} is not in the list", figure.name));
            let to = list[from + 1..].find(HEAD).map_or(list.len(), |at| from + 1 + at);
            let page = read(&format!("{}.md", figure.name));
            assert!(page.contains(figure.claim), "{}: its page has another claim", figure.name);
            assert_eq!(rows(&list[from..to]), rows(&page), "{}", figure.name);
        }
    }

    #[test]
    fn a_readme_of_someone_else_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("README.md");
        std::fs::write(&path, "# My project\n").expect("written");
        update(&FIGURES[0], &made(0.5), (folder.path(), &[])).expect("nothing is wrong");
        assert_eq!(std::fs::read_to_string(&path).expect("it is there"), "# My project\n");
    }
}

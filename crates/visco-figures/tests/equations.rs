//! EQUATIONS.md names code and tests; these tests fail when a name in it does not exist.

use std::fs;
use std::path::{Path, PathBuf};

/// Words that define an item, in Rust and (`fn`, `struct`, `const`) in WGSL.
const DEFINING: [&str; 9] = ["fn", "struct", "enum", "const", "trait", "type", "mod", "static", "union"];

#[test]
fn every_name_in_equations_md_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join("EQUATIONS.md")).expect("EQUATIONS.md is readable");
    let wrong = wrong_names(&root, &text);
    assert!(wrong.is_empty(), "EQUATIONS.md:\n{}", wrong.join("\n"));
}

/// One message for each name in the tables that does not resolve.
fn wrong_names(root: &Path, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for (i, line) in text.lines().enumerate() {
        for name in names(line) {
            if let Err(reason) = resolve(root, name) {
                wrong.push(format!("line {}: `{name}`: {reason}", i + 1));
            }
        }
    }
    wrong
}

/// The checked names of a table row; other lines have none, so that prose may show the notation.
fn names(line: &str) -> Vec<&str> {
    if !line.trim_start().starts_with('|') {
        return Vec::new();
    }
    let quoted = line.split('`').skip(1).step_by(2);
    quoted.filter(|q| is_item(q) || q.starts_with("test:")).collect()
}

fn is_item(quoted: &str) -> bool {
    let head = quoted.split("::").next().unwrap_or_default();
    quoted.contains("::") && (head == "visco" || head.starts_with("visco_"))
}

fn resolve(root: &Path, name: &str) -> Result<(), String> {
    match name.strip_prefix("test:") {
        Some(test) => resolve_test(root, test),
        None => resolve_item(root, name),
    }
}

/// `visco/src/kernel.rs::integrates_to_one`: that function, marked as a test, in that file.
fn resolve_test(root: &Path, test: &str) -> Result<(), String> {
    let (file, name) = test
        .rsplit_once("::")
        .filter(|(file, _)| file.ends_with(".rs"))
        .ok_or("a test is written `test:CRATE/PATH.rs::name`")?;
    let path = root.join("crates").join(file);
    let source = fs::read_to_string(&path).map_err(|e| format!("crates/{file}: {e}"))?;
    let tokens = tokens(&source);
    let at = tokens
        .windows(2)
        .position(|pair| pair[0] == "fn" && pair[1] == name)
        .ok_or_else(|| format!("no `fn {name}` in crates/{file}"))?;
    // Attributes stand between the end of the item before and the function.
    let before = tokens[..at].iter().rev();
    let mut attributes = before.take_while(|t| !matches!(t.as_str(), "}" | "{" | ";"));
    if attributes.any(|t| t == "test") {
        Ok(())
    } else {
        Err(format!("`fn {name}` in crates/{file} is not a test"))
    }
}

/// `visco::a::b::item`: the item in the file of the longest part of the path that is a module.
fn resolve_item(root: &Path, name: &str) -> Result<(), String> {
    let mut parts: Vec<&str> = name.split("::").collect();
    let folder = parts.remove(0).replace('_', "-");
    let source = root.join("crates").join(folder).join("src");
    if parts.iter().any(|part| !is_identifier(part)) {
        return Err("not a path".into());
    }
    for split in (0..=parts.len()).rev() {
        let (module, item) = parts.split_at(split);
        let files = module_files(&source, module);
        if files.is_empty() {
            continue;
        }
        let found = files
            .iter()
            .filter_map(|file| fs::read_to_string(file).ok())
            .any(|text| defines(&tokens(&text), item));
        let shown: Vec<String> = files.iter().map(|f| relative(root, f)).collect();
        return found
            .then_some(())
            .ok_or_else(|| format!("no `{}` in {}", item.join("::"), shown.join(" or ")));
    }
    Err(format!("no such crate: {}", relative(root, &source)))
}

fn relative(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    path.display().to_string()
}

fn is_identifier(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The files in which the items of a module can be.
fn module_files(source: &Path, module: &[&str]) -> Vec<PathBuf> {
    let path = source.join(module.join("/"));
    let candidates = if module.is_empty() {
        vec![source.join("lib.rs"), source.join("main.rs")]
    } else {
        vec![path.with_extension("rs"), path.with_extension("wgsl"), path.join("mod.rs")]
    };
    candidates.into_iter().filter(|f| f.is_file()).collect()
}

/// Whether the tokens define an item, looking for `a::b` inside the blocks that belong to `a`.
fn defines(tokens: &[String], path: &[&str]) -> bool {
    match path {
        [] => true,
        [item] => tokens.windows(2).any(|pair| DEFINING.contains(&pair[0].as_str()) && pair[1] == *item),
        [outer, inner @ ..] => blocks_of(tokens, outer).into_iter().any(|block| defines(block, inner)),
    }
}

/// The blocks of `impl … name`, `trait name` and `mod name`.
fn blocks_of<'a>(tokens: &'a [String], name: &str) -> Vec<&'a [String]> {
    let mut blocks = Vec::new();
    for (i, word) in tokens.iter().enumerate() {
        let rest = &tokens[i + 1..];
        let Some(end) = rest.iter().position(|t| t == "{" || t == ";") else {
            break;
        };
        let head = &rest[..end];
        let belongs = match word.as_str() {
            "mod" | "trait" => head.first().is_some_and(|t| t == name),
            "impl" => implemented(head) == Some(name),
            _ => false,
        };
        if belongs && rest[end] == "{" {
            blocks.push(block(&rest[end..]));
        }
    }
    blocks
}

/// The type of an `impl` head: the last word outside of angle brackets and before `where`.
fn implemented(head: &[String]) -> Option<&str> {
    let mut depth = 0;
    let mut last = None;
    let mut before = "";
    for token in head {
        match token.as_str() {
            "<" => depth += 1,
            // Not the arrow of `Fn() -> T`.
            ">" if before != "-" => depth -= 1,
            "where" if depth == 0 => break,
            word if depth == 0 && is_identifier(word) => last = Some(word),
            _ => {}
        }
        before = token;
    }
    last
}

/// What stands between the brace that `tokens` begin with and its partner.
fn block(tokens: &[String]) -> &[String] {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &tokens[1..i];
        }
    }
    &tokens[1..]
}

/// Words and single signs of a source, without comments and literals.
fn tokens(source: &str) -> Vec<String> {
    let chars: Vec<char> = source.chars().collect();
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i];
        i = match (c, chars.get(i + 1)) {
            ('/', Some('/')) => skip_until(&chars, i, |c| c == '\n'),
            ('/', Some('*')) => skip_comment(&chars, i),
            ('"', _) => skip_string(&chars, i),
            ('\'', _) => skip_character(&chars, i),
            _ if in_word(c) => {
                let end = skip_until(&chars, i, |c| !in_word(c));
                let word: String = chars[i..end].iter().collect();
                match raw_string_hashes(&word, &chars[end..]) {
                    Some(hashes) => skip_raw_string(&chars, end, hashes),
                    None => {
                        found.push(word);
                        end
                    }
                }
            }
            _ => {
                if !c.is_whitespace() {
                    found.push(c.to_string());
                }
                i + 1
            }
        };
    }
    found
}

fn skip_until(chars: &[char], from: usize, stop: impl Fn(char) -> bool) -> usize {
    let rest = chars.get(from..).unwrap_or_default();
    let length = rest.iter().position(|c| stop(*c));
    length.map_or(chars.len(), |n| from + n)
}

/// Past a block comment, which may contain others.
fn skip_comment(chars: &[char], from: usize) -> usize {
    let mut depth = 0;
    let mut i = from;
    while i < chars.len() {
        match chars.get(i..i + 2) {
            Some(['/', '*']) => depth += 1,
            Some(['*', '/']) => depth -= 1,
            _ => {
                i += 1;
                continue;
            }
        }
        i += 2;
        if depth == 0 {
            break;
        }
    }
    i
}

fn skip_string(chars: &[char], from: usize) -> usize {
    let mut i = from + 1;
    while i < chars.len() && chars[i] != '"' {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

/// Past a character; of a lifetime, only past its mark.
fn skip_character(chars: &[char], from: usize) -> usize {
    match (chars.get(from + 1), chars.get(from + 2)) {
        (Some('\\'), _) => skip_until(chars, from + 3, |c| c == '\'') + 1,
        (Some(_), Some('\'')) => from + 3,
        _ => from + 1,
    }
}

/// The number of `#` where a word opens a raw string.
fn raw_string_hashes(word: &str, rest: &[char]) -> Option<usize> {
    let hashes = rest.iter().take_while(|c| **c == '#').count();
    let raw = matches!(word, "r" | "br" | "cr");
    (raw && rest.get(hashes) == Some(&'"')).then_some(hashes)
}

fn skip_raw_string(chars: &[char], from: usize, hashes: usize) -> usize {
    let closing: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
    let inside = from + hashes + 1;
    let length = chars[inside..].windows(closing.len()).position(|w| w == closing);
    length.map_or(chars.len(), |n| inside + n + closing.len())
}

mod resolver {
    use super::*;

    /// A small workspace with every kind of item, and with traps.
    const FILES: [(&str, &str); 7] = [
        ("visco/src/lib.rs", "pub mod methods; pub struct Top; pub use x::Frame;"),
        (
            "visco/src/methods/mod.rs",
            r####"
            pub mod dcpbd;
            mod inline { pub const fn within<'a>() {} }
            // fn only_in_a_comment() {}
            const C: [char; 3] = ['{', '\'', '"'];
            const S: &str = "fn only_in_a_string \" {";
            const R: &str = r#"fn only_raw " {"#;
            /* fn a /* fn b */ fn c */
            fn after_the_traps() {}
            "####,
        ),
        (
            "visco/src/methods/dcpbd.rs",
            "
            pub(crate) fn project() {}
            pub struct Solver<T>(T);
            impl<T: Fn() -> u8> Solver<T> where T: Copy {
                fn step(&self) { if true {} }
                const LIMIT: u8 = 1;
            }
            struct Other;
            impl Default for Other { fn default() {} }
            mod tests {
                #[test]
                fn rests() {}
                fn helper() {}
                #[test]
                #[ignore]
                fn long() {}
            }
            ",
        ),
        ("visco-gpu/src/lib.rs", ""),
        ("visco-gpu/src/density.rs", ""),
        ("visco-gpu/src/density.wgsl", "@compute @workgroup_size(64) fn density_main() {}"),
        ("visco/tests/coiling.rs", "#[test] fn honey_coils() {}"),
    ];

    fn workspace() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in FILES {
            let path = root.path().join("crates").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn present_names_pass() {
        let root = workspace();
        for name in [
            "visco::Top",
            "visco::methods",
            "visco::methods::dcpbd",
            "visco::methods::inline::within",
            "visco::methods::after_the_traps",
            "visco::methods::dcpbd::project",
            "visco::methods::dcpbd::Solver",
            "visco::methods::dcpbd::Solver::step",
            "visco::methods::dcpbd::Solver::LIMIT",
            "visco::methods::dcpbd::Other::default",
            "visco_gpu::density::density_main",
            "test:visco/src/methods/dcpbd.rs::rests",
            "test:visco/src/methods/dcpbd.rs::long",
            "test:visco/tests/coiling.rs::honey_coils",
        ] {
            assert_eq!(resolve(root.path(), name), Ok(()), "{name}");
        }
    }

    #[test]
    fn missing_names_fail() {
        let root = workspace();
        for name in [
            "visco::Frame",
            "visco::Bottom",
            "visco::methods::only_in_a_comment",
            "visco::methods::only_in_a_string",
            "visco::methods::only_raw",
            "visco::methods::b",
            "visco::methods::c",
            "visco::methods::inline::without",
            "visco::methods::inline::after_the_traps",
            "visco::methods::dcpbd::projec",
            "visco::methods::dcpbd::Solver::default",
            "visco::methods::dcpbd::Other::step",
            "visco::methods::pbf::project",
            "visco::methods::dcpbd::project()",
            "visco_play::page",
            "test:visco/src/methods/dcpbd.rs::helper",
            "test:visco/src/methods/dcpbd.rs::gone",
            "test:visco/tests/gone.rs::honey_coils",
            "test:visco::coiling::honey_coils",
        ] {
            assert!(resolve(root.path(), name).is_err(), "{name}");
        }
    }

    #[test]
    fn only_table_rows_count_and_the_line_is_named() {
        let root = workspace();
        let text = "Write `visco::nothing`.\n| `dcpbd` | `visco run` | `visco::Top` |\n\
                    | eq. 3 | `visco::gone::item` |\n";
        let wrong = wrong_names(root.path(), text);
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(wrong[0].starts_with("line 3: `visco::gone::item`"));
        assert!(wrong[0].contains("crates/visco/src/lib.rs"), "{wrong:?}");
    }
}

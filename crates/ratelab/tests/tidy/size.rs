//! How long files, functions and lines may be.

use super::tree::numbered;

const FILE: usize = 400;
const FUNCTION: usize = 70;
const LINE: usize = 100;

/// A Rust file of too many lines.
pub(super) fn long_file(path: &str, text: &str) -> Vec<String> {
    let lines = text.lines().count();
    if lines <= FILE {
        return Vec::new();
    }
    vec![format!(
        "{path}:{}: {lines} lines, at most {FILE}: split by idea",
        FILE + 1
    )]
}

/// Lines of too many columns. rustfmt leaves comments and strings as they are.
pub(super) fn long_lines(path: &str, text: &str) -> Vec<String> {
    numbered(text)
        .map(|(number, line)| (number, line.chars().count()))
        .filter(|&(_, columns)| columns > LINE)
        .map(|(number, columns)| format!("{path}:{number}: {columns} columns, at most {LINE}"))
        .collect()
}

/// Functions of too many lines, from `fn` to the closing brace, comments included.
///
/// clippy counts code alone, and does not see what a macro makes.
pub(super) fn long_functions(path: &str, text: &str) -> Vec<String> {
    let lines: Vec<_> = text.lines().collect();
    (0..lines.len())
        .filter_map(|first| {
            Some((
                first,
                function_name(lines[first])?,
                end(&lines, first)? - first,
            ))
        })
        .filter(|&(_, _, length)| length > FUNCTION)
        .map(|(first, name, length)| {
            format!(
                "{path}:{}: fn {name} has {length} lines, at most {FUNCTION}",
                first + 1
            )
        })
        .collect()
}

/// The name of the function whose header begins on a line.
fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let qualifier = |word: &str| {
        ["const", "async", "unsafe", "extern", "default"].contains(&word)
            || word.starts_with("pub")
            || word.starts_with('"')
    };
    let header = before.is_empty() || before.ends_with(' ');
    (header && before.split_whitespace().all(qualifier))
        .then(|| after.split(['(', '<']).next().unwrap_or_default())
}

/// The line after a function's last. Leans on rustfmt: the closing brace of a function stands alone
/// under its header's first letter.
fn end(lines: &[&str], first: usize) -> Option<usize> {
    let header = lines[first];
    let closing = header.len() - header.trim_start().len();
    let mut open = false;
    for (number, line) in lines.iter().enumerate().skip(first) {
        let line = line.trim_end();
        if !open && line.ends_with([';', '}']) {
            return None; // a declaration, or all on one line
        }
        if open && line.len() == closing + 1 && line.ends_with('}') {
            return Some(number + 1);
        }
        open |= line.ends_with('{');
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(header: &str, body: usize) -> String {
        format!(
            "mod m {{\n    {header} {{\n{}    }}\n}}\n",
            "        f();\n".repeat(body)
        )
    }

    #[test]
    fn a_file_too_long() {
        assert_eq!(long_file("a.rs", &"\n".repeat(400)), [""; 0]);
        let found = long_file("a.rs", &"\n".repeat(401));
        assert_eq!(found, ["a.rs:401: 401 lines, at most 400: split by idea"]);
    }

    #[test]
    fn a_line_too_long() {
        let text = format!("{}\n{}\n", "ü".repeat(100), "x".repeat(101));
        assert_eq!(
            long_lines("a.rs", &text),
            ["a.rs:2: 101 columns, at most 100"]
        );
    }

    #[test]
    fn a_function_too_long() {
        for header in [
            "fn f()",
            "pub(super) const unsafe fn f<T>(t: T)",
            "pub async fn f()",
        ] {
            assert_eq!(long_functions("a.rs", &function(header, 68)), [""; 0]);
            let found = long_functions("a.rs", &function(header, 69));
            assert_eq!(found, ["a.rs:2: fn f has 71 lines, at most 70"]);
        }
    }

    #[test]
    fn what_only_looks_like_a_long_function() {
        let far = "\n".repeat(80);
        for short in [
            "// the fn f() {",
            "fn f() {}",
            "fn f();",
            "fn f(\n    x: u8,\n) -> u8;",
        ] {
            assert_eq!(
                long_functions("a.rs", &format!("{short}\n{far}}}\n")),
                [""; 0],
                "{short}"
            );
        }
    }
}

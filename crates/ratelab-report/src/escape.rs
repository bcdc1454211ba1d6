//! Untrusted text on its way out: one function per target.
//!
//! Variant names, keys, values and questions come from somebody's file. A control character could
//! move a terminal's cursor, a pipe could break a table, an equals sign could run in a spreadsheet,
//! a line break could forge a CI command. All functions first make control characters visible, so
//! that what a reader sees is what is there.

use std::fmt::Write;

/// Whether a character acts instead of showing: controls, bidirectional overrides, line separators,
/// and what XML 1.0 forbids.
fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
            | '\u{e0000}'..='\u{e007f}')
}

/// One line of plain text for a terminal, an XML value or a picture: what acts is shown as an
/// escape, `\n` or `\u{1b}`.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if acts(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// Like [`visible`], but keeps line breaks and tabs: for whole files.
pub fn visible_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            '\r' => {}
            c if acts(c) => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}

/// Text or a quoted attribute of HTML, SVG and XML.
pub fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// Running text of Markdown, safe in a table cell too.
pub fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '@' => out.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' | '#' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// A code block of Markdown that nothing inside can close.
pub fn markdown_block(language: &str, text: &str) -> String {
    let text = visible_lines(text);
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest.max(2) + 1);
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{text}{end}{fence}\n")
}

/// A text cell of CSV: what a spreadsheet would take for a formula gets a leading apostrophe.
/// Quoting is the writer's business.
pub fn csv(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = visible(text);
    if formula { format!("'{text}") } else { text }
}

/// The message of a GitHub workflow command.
pub fn github_message(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A property of a GitHub workflow command.
pub fn github_property(text: &str) -> String {
    github_message(&visible(text))
        .replace(':', "%3A")
        .replace(',', "%2C")
}

/// JSON inside a `<script>` element: nothing in it can end the element or start a comment.
pub fn json_in_html(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// A word for a shell: quoted unless it is plain.
pub fn shell(text: &str) -> String {
    let text = visible(text);
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

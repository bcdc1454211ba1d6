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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_shown() {
        assert_eq!(
            visible("a\n\u{1b}[31mb\u{202e}\u{0}"),
            "a\\n\\u{1b}[31mb\\u{202e}\\u{0}"
        );
        assert_eq!(visible("Grüße 任务 ½ ✓"), "Grüße 任务 ½ ✓");
        assert_eq!(visible_lines("a\r\n\tb\u{7}"), "a\n\tb\\u{7}");
        assert_eq!(visible("\u{fffe}\u{feff}"), "\\u{fffe}\\u{feff}");
    }

    #[test]
    fn html_and_svg() {
        assert_eq!(
            html("<a href='x'>&\""),
            "&lt;a href=&#39;x&#39;&gt;&amp;&quot;"
        );
    }

    #[test]
    fn markdown_stays_text() {
        assert_eq!(markdown("a|b_c*`<i>@me"), "a\\|b\\_c\\*\\`&lt;i&gt;&#64;me");
        assert_eq!(markdown("[x](y) # ~5 $"), "\\[x\\](y) \\# \\~5 \\$");
        assert_eq!(markdown("a\nb"), "a\\\\nb");
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        assert_eq!(
            markdown_block("sh", "a ```` b"),
            "`````sh\na ```` b\n`````\n"
        );
        assert_eq!(markdown_block("", "a\n"), "```\na\n```\n");
    }

    #[test]
    fn spreadsheets_run_nothing() {
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"] {
            assert!(csv(formula).starts_with('\''), "{formula:?}");
        }
        assert_eq!(csv("retry-after"), "retry-after");
    }

    #[test]
    fn github_commands() {
        assert_eq!(github_message("50 %\r\nx"), "50 %25%0D%0Ax");
        assert_eq!(github_property("a:b,c%"), "a%3Ab%2Cc%25");
    }

    #[test]
    fn json_ends_no_script() {
        assert_eq!(
            json_in_html("[\"</script>&\"]"),
            "[\"\\u003c/script\\u003e\\u0026\"]"
        );
    }

    #[test]
    fn shell_words() {
        assert_eq!(shell("experiments/a-1.toml"), "experiments/a-1.toml");
        assert_eq!(shell("it's; rm"), "'it'\\''s; rm'");
    }
}

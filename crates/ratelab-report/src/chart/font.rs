//! The font: `DejaVu` Sans, embedded, so that every machine measures and draws the same.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, PxScale, ScaleFont};

static REGULAR: LazyLock<FontRef<'static>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../assets/DejaVuSans.ttf");
    FontRef::try_from_slice(bytes).expect("the embedded font is sound")
});
static BOLD: LazyLock<FontRef<'static>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../assets/DejaVuSans-Bold.ttf");
    FontRef::try_from_slice(bytes).expect("the embedded font is sound")
});

/// What SVG asks for: the embedded font, else one of the same width, else any.
pub(crate) const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

fn face(bold: bool) -> &'static FontRef<'static> {
    if bold { &BOLD } else { &REGULAR }
}

/// The scale at which an em is `size` pixels.
#[allow(clippy::cast_possible_truncation)]
fn scale(face: &FontRef, size: f64) -> PxScale {
    let units = f64::from(face.units_per_em().unwrap_or(2048.0));
    PxScale::from((size * f64::from(face.height_unscaled()) / units) as f32)
}

/// The width of a text.
#[allow(clippy::cast_possible_truncation)]
pub(crate) fn measure(text: &str, size: i32, bold: bool) -> i32 {
    let face = face(bold);
    let font = face.as_scaled(scale(face, f64::from(size)));
    let width: f32 = text.chars().map(|c| font.h_advance(font.glyph_id(c))).sum();
    width.ceil() as i32
}

/// Text no wider than `room`, cut with an ellipsis.
pub(crate) fn fit(text: &str, size: i32, bold: bool, room: i32) -> String {
    if measure(text, size, bold) <= room {
        return text.to_owned();
    }
    let mut out = text.to_owned();
    while out.pop().is_some() {
        let cut = format!("{}…", out.trim_end());
        if measure(&cut, size, bold) <= room {
            return cut;
        }
    }
    String::new()
}

/// A bold name no wider than `room`, cut in the middle: names often differ at their ends.
pub(crate) fn fit_name(name: &str, size: i32, room: i32) -> String {
    if measure(name, size, true) <= room {
        return name.to_owned();
    }
    let chars: Vec<char> = name.chars().collect();
    let tail: String = chars[chars.len().saturating_sub(9)..].iter().collect();
    let space = room - measure(&tail, size, true);
    let front = fit(name, size, true, space);
    if front.chars().count() < 4 {
        return fit(name, size, true, room);
    }
    format!("{front}{tail}")
}

/// Calls `draw` with each pixel that a text covers and how much of it, the baseline starting at
/// `(x, y)`.
#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
pub(crate) fn rasterise(
    text: &str,
    (size, bold): (f64, bool),
    (x, y): (f64, f64),
    draw: &mut dyn FnMut(i32, i32, f64),
) {
    let face = face(bold);
    let font = face.as_scaled(scale(face, size));
    let mut pen = x as f32;
    for c in text.chars() {
        let mut glyph = font.scaled_glyph(c);
        glyph.position = ab_glyph::point(pen, y as f32);
        pen += font.h_advance(glyph.id);
        if let Some(outline) = font.outline_glyph(glyph) {
            let bounds = outline.px_bounds();
            let (left, top) = (bounds.min.x as i32, bounds.min.y as i32);
            outline.draw(|dx, dy, cover| {
                draw(left + dx as i32, top + dy as i32, f64::from(cover));
            });
        }
    }
}

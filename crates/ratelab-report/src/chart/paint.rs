//! Marks to a plotters backend, whichever it is.

use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBAColor, RGBColor, TextStyle};
use plotters_backend::{DrawingBackend, DrawingErrorKind};

use super::font;
use super::picture::{Anchor, Ink, Mark, Place, Type};

/// How plotters turns a font's size into SVG's `font-size`.
const PLOTTERS_SIZE: f64 = 1.24;
/// How far below its place plotters puts the baseline of text in SVG, in ems.
const PLOTTERS_TOP: f64 = 0.76;

type Done<DB> = Result<(), DrawingErrorKind<<DB as DrawingBackend>::ErrorType>>;

fn rgba(ink: Ink) -> RGBAColor {
    let (red, green, blue) = ink.colour;
    RGBColor(red, green, blue).mix(ink.alpha)
}

/// Paints everything but text, each unit of the grid as `scale` of the backend's.
pub(crate) fn shape<DB: DrawingBackend>(backend: &mut DB, mark: &Mark, scale: i32) -> Done<DB> {
    let at = |&(x, y): &Place| (x * scale, y * scale);
    match mark {
        Mark::Rect(from, to, ink) => {
            let (to_x, to_y) = at(to);
            // A bitmap's rectangle includes its last row and column.
            let to = (to_x - (scale - 1).max(0), to_y - (scale - 1).max(0));
            backend.draw_rect(at(from), to, &rgba(*ink), true)
        }
        Mark::Area(places, ink) => backend.fill_polygon(places.iter().map(at), &rgba(*ink)),
        Mark::Line(places, ink, width) => {
            let width = width * scale.unsigned_abs();
            backend.draw_path(places.iter().map(at), &rgba(*ink).stroke_width(width))
        }
        Mark::Dot(place, radius, ink) => {
            let radius = radius * scale.unsigned_abs();
            backend.draw_circle(at(place), radius, &rgba(*ink).filled(), true)
        }
        Mark::Text(..) => Ok(()),
    }
}

/// Writes text as text, for SVG.
#[allow(clippy::cast_possible_truncation)]
pub(crate) fn letters<DB: DrawingBackend>(backend: &mut DB, mark: &Mark) -> Done<DB> {
    let Mark::Text((x, y), text, look) = mark else {
        return Ok(());
    };
    let size = f64::from(look.size);
    let style = if look.bold {
        (font::FAMILY, size * PLOTTERS_SIZE)
            .into_font()
            .style(plotters::style::FontStyle::Bold)
    } else {
        (font::FAMILY, size * PLOTTERS_SIZE).into_font()
    };
    let h_pos = match look.anchor {
        Anchor::Start => HPos::Left,
        Anchor::Middle => HPos::Center,
        Anchor::End => HPos::Right,
    };
    let colour = rgba(look.colour.into());
    let style = TextStyle::from(style)
        .color(&colour)
        .pos(Pos::new(h_pos, VPos::Top));
    let top = (size * PLOTTERS_TOP).round() as i32;
    backend.draw_text(text, &style, (*x, y - top))
}

/// Paints text pixel by pixel, for bitmaps.
pub(crate) fn pixels<DB: DrawingBackend>(backend: &mut DB, mark: &Mark) -> Done<DB> {
    let Mark::Text((x, y), text, look) = mark else {
        return Ok(());
    };
    let mut done = Ok(());
    let start = f64::from(start(*x, text, look));
    let place = (start, f64::from(*y));
    font::rasterise(
        text,
        (f64::from(look.size), look.bold),
        place,
        &mut |x, y, cover| {
            if done.is_ok() && cover > 0.0 {
                let ink = Ink {
                    colour: look.colour,
                    alpha: cover.min(1.0),
                };
                let colour = plotters::style::Color::to_backend_color(&rgba(ink));
                done = backend.draw_pixel((x, y), colour);
            }
        },
    );
    done
}

fn start(x: i32, text: &str, look: &Type) -> i32 {
    match look.anchor {
        Anchor::Start => x,
        Anchor::Middle => x - look.measure(text) / 2,
        Anchor::End => x - look.measure(text),
    }
}

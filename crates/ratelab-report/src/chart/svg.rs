//! Pictures as SVG: what plotters writes, with a title for those who cannot see it and runs of
//! equal marks joined into one path (a strip of dots is a tenth of the size that way).

use std::fmt::Write;

use plotters::backend::SVGBackend;

use super::paint;
use super::picture::{Ink, Mark, Picture, Place};
use super::theme::{self, DENSITY, WIDTH, hex};
use crate::escape;

/// The picture on the theme's paper, for a file.
pub fn svg(picture: &Picture) -> String {
    document(picture, &body(picture, true))
}

/// The picture without paper and with the theme's colours as CSS variables, for a page.
pub fn inline(picture: &Picture) -> String {
    let mut body = body(picture, false);
    for (colour, variable) in theme::VARIABLES {
        let hex = hex(colour);
        for attribute in ["fill", "stroke"] {
            body = body.replace(
                &format!("{attribute}=\"{hex}\""),
                &format!("{attribute}=\"var({variable})\""),
            );
        }
    }
    document(picture, &body)
}

fn document(picture: &Picture, body: &str) -> String {
    let (title, about) = (escape::html(&picture.title), escape::html(&picture.about));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{}\" height=\"{}\" \
         viewBox=\"0 0 {WIDTH} {}\" font-family=\"{}\">\n<title>{title}</title>\n\
         <desc>{about}</desc>\n{body}</svg>\n",
        WIDTH / DENSITY,
        picture.height / DENSITY,
        picture.height,
        super::font::FAMILY,
    )
}

/// The marks without the root element.
fn body(picture: &Picture, paper: bool) -> String {
    let mut body = String::new();
    if paper {
        let all = (WIDTH, picture.height);
        body.push_str(&plotters(&Mark::Rect((0, 0), all, theme::PAPER.into())));
    }
    let mut marks = picture.marks.as_slice();
    while let Some(first) = marks.first() {
        let run = marks
            .iter()
            .take_while(|mark| alike(first, mark))
            .count()
            .max(1);
        if run > 1 {
            body.push_str(&joined(&marks[..run]));
        } else {
            body.push_str(&plotters(first));
        }
        marks = &marks[run..];
    }
    body
}

/// One mark as plotters writes it.
fn plotters(mark: &Mark) -> String {
    let mut text = String::new();
    {
        let mut backend = SVGBackend::with_string(&mut text, (1, 1));
        paint::shape(&mut backend, mark, 1).expect("painting to memory does not fail");
        paint::letters(&mut backend, mark).expect("painting to memory does not fail");
    }
    let start = text.find('\n').map_or(0, |at| at + 1);
    let end = text.rfind("</svg>").unwrap_or(text.len());
    let family = format!(" font-family=\"{}\"", super::font::FAMILY);
    let element = &text[start..end];
    let element = if matches!(mark, Mark::Text(..)) {
        // plotters puts the text on a line of its own; a reader would select the break too.
        format!("{}\n", element.replace('\n', ""))
    } else {
        element.to_owned()
    };
    element
        .replace(" opacity=\"1\"", "")
        .replace(" stroke=\"none\" stroke-width=\"1\"", "")
        .replace(&family, "")
        .replace(" \"/>", "\"/>")
}

/// Whether two marks may become one path: opaque dots or lines of one look.
fn alike(a: &Mark, b: &Mark) -> bool {
    match (a, b) {
        (Mark::Dot(_, r, ink), Mark::Dot(_, s, other)) => r == s && ink == other && opaque(*ink),
        (Mark::Line(_, ink, w), Mark::Line(_, other, v)) => w == v && ink == other && opaque(*ink),
        _ => false,
    }
}

fn opaque(ink: Ink) -> bool {
    ink.alpha >= 1.0
}

/// A run of equal dots or lines as one path: a dot is a line of no length with a round end.
fn joined(run: &[Mark]) -> String {
    let mut path = String::new();
    let mut last = (0, 0);
    let (mut ink, mut width, mut cap) = (theme::INK, 1, "");
    for mark in run {
        match mark {
            Mark::Dot(place, radius, colour) => {
                (ink, width, cap) = (colour.colour, radius * 2, " stroke-linecap=\"round\"");
                step(&mut path, 'm', *place, &mut last);
                path.push_str("h0");
            }
            Mark::Line(places, colour, wide) => {
                (ink, width) = (colour.colour, *wide);
                for (at, place) in places.iter().enumerate() {
                    step(
                        &mut path,
                        if at == 0 { 'm' } else { 'l' },
                        *place,
                        &mut last,
                    );
                }
            }
            _ => {}
        }
    }
    format!(
        "<path fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\"{cap} d=\"{path}\"/>\n",
        hex(ink)
    )
}

fn step(path: &mut String, letter: char, place: Place, last: &mut Place) {
    let (dx, dy) = (place.0 - last.0, place.1 - last.1);
    let _ = match (letter, dx, dy) {
        ('l', dx, 0) => write!(path, "h{dx}"),
        ('l', 0, dy) => write!(path, "v{dy}"),
        (letter, dx, dy) => write!(path, "{letter}{dx} {dy}"),
    };
    *last = place;
}

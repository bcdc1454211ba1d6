//! A picture: marks in the order in which they are painted, and what a pointer over it can read.
//!
//! Charts make pictures and know no backend. [`super::svg`] and [`super::png`] paint the same
//! marks, so both show the same.

use serde::Serialize;

use super::font;
use super::theme::{self, Colour};

/// A place on the grid.
pub type Place = (i32, i32);

/// A colour and how much it covers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ink {
    /// The colour.
    pub colour: Colour,
    /// From zero, nothing, to one.
    pub alpha: f64,
}

impl From<Colour> for Ink {
    fn from(colour: Colour) -> Self {
        Self { colour, alpha: 1.0 }
    }
}

/// Which end of a text stands at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Its start.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// How a text looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Type {
    /// Its size: pixels of the grid per em.
    pub size: i32,
    /// Whether it is bold.
    pub bold: bool,
    /// Its colour.
    pub colour: Colour,
    /// Which end stands at its place.
    pub anchor: Anchor,
}

impl Type {
    /// Plain type at the start.
    pub const fn new(size: i32, colour: Colour) -> Self {
        Self {
            size,
            bold: false,
            colour,
            anchor: Anchor::Start,
        }
    }

    /// The same, bold.
    #[must_use]
    pub const fn bold(mut self) -> Self {
        self.bold = true;
        self
    }

    /// The same, anchored elsewhere.
    #[must_use]
    pub const fn at(mut self, anchor: Anchor) -> Self {
        self.anchor = anchor;
        self
    }

    /// The width of a text in this type.
    pub fn measure(&self, text: &str) -> i32 {
        font::measure(text, self.size, self.bold)
    }
}

/// One thing to paint.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A filled rectangle between two corners.
    Rect(Place, Place, Ink),
    /// A filled polygon.
    Area(Vec<Place>, Ink),
    /// A line through places.
    Line(Vec<Place>, Ink, u32),
    /// A filled circle.
    Dot(Place, u32, Ink),
    /// A line of text, its baseline at the place.
    Text(Place, String, Type),
}

/// What a pointer over a plot reads: values over its horizontal axis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reading {
    /// Whose values.
    pub name: String,
    /// The positions at which they start to hold.
    pub at: Vec<f64>,
    /// The values.
    pub values: Vec<f64>,
}

/// One plot of a picture, for a pointer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Panel {
    /// Left, top, right, bottom.
    pub frame: [i32; 4],
    /// The ends of its horizontal axis.
    pub ends: [f64; 2],
    /// What stands after a position: ` s`.
    pub unit: String,
    /// The positions as text, where numbers do not say enough.
    pub names: Vec<String>,
    /// What there is to read.
    pub readings: Vec<Reading>,
}

/// A picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Its height; the width is the theme's.
    pub height: i32,
    /// What it shows, for those who cannot see it.
    pub title: String,
    /// A longer description for the same.
    pub about: String,
    /// What to paint, in order.
    pub marks: Vec<Mark>,
    /// What to read.
    pub panels: Vec<Panel>,
}

impl Picture {
    /// An empty picture with its title and a line under it.
    pub fn new(title: &str, about: &str) -> Self {
        let mut picture = Self {
            height: theme::MARGIN,
            title: title.to_owned(),
            about: about.to_owned(),
            marks: Vec::new(),
            panels: Vec::new(),
        };
        let room = theme::WIDTH - 2 * theme::MARGIN;
        let baseline = theme::MARGIN + theme::TITLE * 3 / 4;
        let head = font::fit(title, theme::TITLE, true, room);
        let large = Type::new(theme::TITLE, theme::INK).bold();
        picture.text((theme::MARGIN, baseline), &head, large);
        picture.height = baseline + 14;
        for line in lines(about, room) {
            let baseline = picture.height + theme::SMALL;
            let small = Type::new(theme::SMALL, theme::SOFT);
            picture.text((theme::MARGIN, baseline), &line, small);
            picture.height = baseline + 8;
        }
        picture.height += 16;
        picture
    }

    /// Paints text.
    pub fn text(&mut self, place: Place, text: &str, look: Type) {
        if !text.is_empty() {
            self.marks.push(Mark::Text(place, text.to_owned(), look));
        }
    }

    /// Paints a line.
    pub fn line(&mut self, places: Vec<Place>, ink: impl Into<Ink>, width: u32) {
        self.marks.push(Mark::Line(places, ink.into(), width));
    }

    /// Paints a filled rectangle.
    pub fn rect(&mut self, from: Place, to: Place, ink: impl Into<Ink>) {
        self.marks.push(Mark::Rect(from, to, ink.into()));
    }

    /// Paints a dashed horizontal line.
    pub fn dashes(&mut self, (from, until): (i32, i32), y: i32, ink: Colour) {
        let mut x = from;
        while x < until {
            self.line(
                vec![(x, y), ((x + theme::DASH).min(until), y)],
                ink,
                theme::THIN,
            );
            x += theme::DASH * 2;
        }
    }
}

/// Breaks a text at spaces into lines that fit.
fn lines(text: &str, room: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if font::measure(&format!("{line} {word}"), theme::SMALL, false) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(font::fit(word, theme::SMALL, false, room)),
        }
    }
    lines
}

//! The look of every chart: sizes, margins, fonts, colours. Nothing else holds a number of these.
//!
//! Pictures are drawn on a grid of half CSS pixels, so that whole numbers are fine enough. The hues
//! are those of Okabe and Ito, <https://jfly.uni-koeln.de/color/>: they survive colour blindness
//! and, in this order, a grey printer. HTML replaces each colour by a variable, see [`VARIABLES`].

/// Units of the grid per CSS pixel.
pub const DENSITY: i32 = 2;
/// Width of every picture.
pub const WIDTH: i32 = 1600;
/// Space around a picture.
pub const MARGIN: i32 = 36;
/// Room for the labels of a vertical axis.
pub const AXIS_ROOM: i32 = 84;
/// Room for the labels of a horizontal axis.
pub const AXIS_FOOT: i32 = 52;
/// Space between a plot and the labels beside it.
pub const GAP: i32 = 12;
/// Space between two panels.
pub const PANEL_GAP: i32 = 26;
/// Height of the line above a panel that names it.
pub const PANEL_HEAD: i32 = 40;
/// Height of the tab that names an outage.
pub const TAB: i32 = 32;
/// Widest label at the right of a plot.
pub const LABEL_ROOM: i32 = 420;

/// Type sizes: a picture's title, a panel's name, everything else.
pub const TITLE: i32 = 32;
/// See [`TITLE`].
pub const NAME: i32 = 25;
/// See [`TITLE`].
pub const SMALL: i32 = 22;

/// Width of a data line, and of a thin one.
pub const LINE: u32 = 4;
/// See [`LINE`].
pub const THIN: u32 = 2;
/// Radius of the dot that shows a row's hue.
pub const DOT: i32 = 8;
/// Length of a dash and of the space after it.
pub const DASH: i32 = 10;

/// Rows that a picture of many panels shows at most.
pub const MOST_ROWS: usize = 8;

/// A colour.
pub type Colour = (u8, u8, u8);

/// The background.
pub const PAPER: Colour = (0xFF, 0xFF, 0xFF);
/// Text.
pub const INK: Colour = (0x1F, 0x23, 0x28);
/// Text of less weight, and axes.
pub const SOFT: Colour = (0x59, 0x63, 0x6E);
/// Lines of the mesh.
pub const MESH: Colour = (0xE3, 0xE7, 0xEB);
/// An outage.
pub const SHADE: Colour = (0xF0, 0xEA, 0xE0);
/// The ideal arm, and other arms.
pub const IDEAL: Colour = (0x8B, 0x94, 0x9E);

/// Blue, vermillion, green, purple, orange, sky blue, yellow.
pub const HUES: [Colour; 7] = [
    (0x00, 0x72, 0xB2),
    (0xD5, 0x5E, 0x00),
    (0x00, 0x9E, 0x73),
    (0xCC, 0x79, 0xA7),
    (0xE6, 0x9F, 0x00),
    (0x56, 0xB4, 0xE9),
    (0xC9, 0xB8, 0x1E),
];

/// How an attempt's outcome is coloured: done, refused, error, lost, under way.
pub const OUTCOMES: [Colour; 5] = [HUES[0], HUES[1], HUES[3], INK, IDEAL];

/// Opacity of the area under a line, and of a band.
pub const UNDER: f64 = 0.22;
/// See [`UNDER`].
pub const BAND: f64 = 0.28;

/// Every colour with the name of its CSS variable.
pub const VARIABLES: [(Colour, &str); 13] = [
    (PAPER, "--paper"),
    (INK, "--ink"),
    (SOFT, "--soft"),
    (MESH, "--mesh"),
    (SHADE, "--shade"),
    (IDEAL, "--ideal"),
    (HUES[0], "--hue-1"),
    (HUES[1], "--hue-2"),
    (HUES[2], "--hue-3"),
    (HUES[3], "--hue-4"),
    (HUES[4], "--hue-5"),
    (HUES[5], "--hue-6"),
    (HUES[6], "--hue-7"),
];

/// A colour as SVG and CSS write it.
pub fn hex((red, green, blue): Colour) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

/// The hue of the n-th line; past the seventh it is ink.
pub fn hue(n: usize) -> Colour {
    HUES.get(n).copied().unwrap_or(INK)
}

//! Pictures as PNG, twice as many pixels as CSS pixels: crisp in a chat.
//!
//! Shapes are painted twice as large and then averaged, because plotters draws sloped lines without
//! smooth edges; text has its own.

use plotters::backend::BitMapBackend;

use super::picture::Picture;
use super::{paint, theme};

/// How much larger shapes are painted.
const OVERSAMPLE: i32 = 2;

/// The picture's bytes.
///
/// # Panics
///
/// Never: memory takes every pixel and every byte.
pub fn png(picture: &Picture) -> Vec<u8> {
    let (width, height) = (side(theme::WIDTH), side(picture.height));
    let factor = side(OVERSAMPLE);
    let (wide, high) = (width * factor, height * factor);
    let mut large = vec![0xFF; wide * high * 3];
    {
        let mut backend = BitMapBackend::with_buffer(&mut large, (bits(wide), bits(high)));
        for mark in &picture.marks {
            paint::shape(&mut backend, mark, OVERSAMPLE).expect("painting to memory does not fail");
        }
    }
    let mut pixels = shrink(&large, width, height);
    {
        let mut backend = BitMapBackend::with_buffer(&mut pixels, (bits(width), bits(height)));
        for mark in &picture.marks {
            paint::pixels(&mut backend, mark).expect("painting to memory does not fail");
        }
    }
    encode(&pixels, bits(width), bits(height))
}

fn side(length: i32) -> usize {
    usize::try_from(length).expect("sides are positive")
}

fn bits(length: usize) -> u32 {
    u32::try_from(length).expect("pictures are small")
}

/// The mean of each square of four.
#[allow(clippy::cast_possible_truncation)]
fn shrink(large: &[u8], width: usize, height: usize) -> Vec<u8> {
    let stride = width * 2 * 3;
    let mut out = Vec::with_capacity(width * height * 3);
    for row in 0..height {
        let upper = &large[row * 2 * stride..(row * 2 + 1) * stride];
        let lower = &large[(row * 2 + 1) * stride..(row * 2 + 2) * stride];
        for (upper, lower) in upper.chunks_exact(6).zip(lower.chunks_exact(6)) {
            for channel in 0..3 {
                let sum = u16::from(upper[channel])
                    + u16::from(upper[channel + 3])
                    + u16::from(lower[channel])
                    + u16::from(lower[channel + 3]);
                out.push((sum.div_ceil(4)).min(255) as u8);
            }
        }
    }
    out
}

fn encode(pixels: &[u8], width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(::png::ColorType::Rgb);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.set_compression(::png::Compression::Fast);
    let done = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(pixels)?;
        writer.finish()
    });
    done.expect("encoding to memory does not fail");
    bytes
}

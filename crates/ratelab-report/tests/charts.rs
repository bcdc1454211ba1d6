//! Every chart as a snapshot of its SVG; what all of them promise.

use insta::assert_snapshot;
use ratelab_report::chart::picture::{Mark, Picture};
use ratelab_report::chart::{CHARTS, charts, png, svg, theme};

use crate::fixture::{self, Run};

fn draw(name: &str, run: &Run) -> Picture {
    let chart = CHARTS
        .iter()
        .find(|chart| chart.name == name)
        .expect("a chart");
    assert!((chart.applies)(&run.view()), "{name} does not apply");
    (chart.draw)(&run.view())
}

macro_rules! snapshot {
    ($($test:ident: $name:literal of $fixture:ident;)+) => {
        $(#[test]
        fn $test() {
            assert_snapshot!(svg::svg(&draw($name, &fixture::$fixture())));
        })+
    };
}

snapshot! {
    requests: "requests" of outage;
    cumulative: "cumulative" of outage;
    recovery: "recovery" of troubled;
    attempts: "attempts" of outage;
    spread: "spread" of outage;
    sweep: "sweep" of sweep;
}

#[test]
fn a_sweep_chart_needs_a_sweep() {
    let run = fixture::outage();
    assert!(
        charts(&run.view())
            .iter()
            .all(|chart| chart.name != "sweep")
    );
}

#[test]
fn every_mark_stays_inside_its_picture() {
    for run in [
        fixture::outage(),
        fixture::sweep(),
        fixture::lockstep(),
        fixture::hostile(),
    ] {
        for chart in charts(&run.view()) {
            let picture = (chart.draw)(&run.view());
            let inside = |(x, y): (i32, i32)| {
                (0..=theme::WIDTH).contains(&x) && (0..=picture.height).contains(&y)
            };
            for mark in &picture.marks {
                let fits = match mark {
                    Mark::Rect(from, to, _) => inside(*from) && inside(*to),
                    Mark::Area(places, _) | Mark::Line(places, ..) => {
                        places.iter().all(|place| inside(*place))
                    }
                    Mark::Dot(place, ..) => inside(*place),
                    Mark::Text(place, text, look) => {
                        use ratelab_report::chart::picture::Anchor;
                        let width = look.measure(text);
                        let left = match look.anchor {
                            Anchor::Start => place.0,
                            Anchor::Middle => place.0 - width / 2,
                            Anchor::End => place.0 - width,
                        };
                        inside((left, place.1)) && inside((left + width, place.1))
                    }
                };
                assert!(fits, "{}: {mark:?} leaves the picture", chart.name);
            }
        }
    }
}

#[test]
fn labels_at_line_ends_do_not_overlap() {
    let mut run = fixture::outage();
    for series in &mut run.series {
        series.cumulative = vec![40.0; 240];
    }
    let picture = draw("cumulative", &run);
    let mut ys: Vec<i32> = picture
        .marks
        .iter()
        .filter_map(|mark| match mark {
            Mark::Text((_, y), text, _) if text.starts_with("40 ") => Some(*y),
            _ => None,
        })
        .collect();
    ys.sort_unstable();
    assert_eq!(ys.len(), 5);
    assert!(ys.windows(2).all(|pair| pair[1] - pair[0] >= theme::SMALL));
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let run = fixture::lockstep();
    let once = || {
        let view = run.view();
        let pictures: Vec<Picture> = charts(&view).iter().map(|c| (c.draw)(&view)).collect();
        let bytes: Vec<_> = pictures
            .iter()
            .map(|p| (svg::svg(p), png::png(p)))
            .collect();
        bytes
    };
    assert_eq!(once(), once());
}

#[test]
fn svg_is_for_everybody() {
    for chart in charts(&fixture::outage().view()) {
        let picture = draw(chart.name, &fixture::outage());
        let file = svg::svg(&picture);
        assert!(
            file.contains("role=\"img\"") && file.contains("<title>"),
            "{}",
            chart.name
        );
        let inline = svg::inline(&picture);
        assert!(
            !inline.contains("=\"#"),
            "a colour without a variable in {}",
            chart.name
        );
        assert!(inline.contains("var(--ink)"));
    }
}

#[test]
fn png_says_what_it_is() {
    let bytes = png::png(&draw("cumulative", &fixture::outage()));
    assert_eq!(&bytes[1..4], b"PNG");
    assert_eq!(u32::from_be_bytes(bytes[16..20].try_into().unwrap()), 1600);
}

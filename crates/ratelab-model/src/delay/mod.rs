//! Delays: how long something takes: a way over the network, a service, a think time.
//!
//! Written as a duration (`"20ms"`) a delay is always the same; written as a table it is drawn each
//! time, from the stream that the draw is named by. A drawn delay is a whole number of nanoseconds.

use std::fmt;

use ratelab_core::{Exponential, Findings, Lognormal, Span, Stream, catalog};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{self, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What every kind of drawn delay can do.
pub trait DelayRole: fmt::Debug {
    /// Says what is wrong with the parameters.
    fn check(&self, findings: &mut Findings);

    /// Its sampler, with all constants worked out.
    fn sampler(&self) -> Sampler;

    /// Its mean, for people and for caps on work.
    fn mean(&self) -> Span;

    /// The share of delays that are not longer than this.
    fn below(&self, span: Span) -> f64;

    /// The longest that is ever drawn; none where there is no bound.
    fn longest(&self) -> Option<Span> {
        None
    }

    /// A few words for a headline: `exponential 1s`.
    fn about(&self) -> String;
}

catalog! {
    /// Which kind of drawn delay, and its parameters.
    pub enum DelayParams as dyn DelayRole {
        uniform: Uniform,
        exponential: Exponential,
        lognormal: Lognormal,
    }
}

/// Draws one delay.
pub type Draw = Box<dyn Fn(&mut Stream) -> Span + Send>;

/// A delay, ready to be drawn.
pub enum Sampler {
    /// Always the same; nothing is drawn.
    Constant(Span),
    /// Exponential. The two laws that runs are full of go without a call.
    Exponential(Exponential),
    /// Lognormal, up to a cap.
    Lognormal(Lognormal, Span),
    /// Any other.
    Drawn(Draw),
}

impl Sampler {
    /// One delay; `stream` is called only when something is drawn.
    #[inline(always)]
    pub fn sample(&self, stream: impl FnOnce() -> Stream) -> Span {
        match self {
            Self::Constant(span) => *span,
            drawn => drawn.sample_from(&mut stream()),
        }
    }

    /// One delay, out of a stream.
    #[inline(always)]
    pub fn sample_from(&self, stream: &mut Stream) -> Span {
        match self {
            Self::Constant(span) => *span,
            Self::Exponential(law) => stream.exponential(*law),
            Self::Lognormal(law, cap) => stream.lognormal(*law).min(*cap),
            Self::Drawn(draw) => draw(stream),
        }
    }
}

/// A delay as written.
#[derive(Debug, Clone, PartialEq)]
pub enum Delay {
    /// A duration.
    Constant(Span),
    /// A distribution.
    Drawn(DelayParams),
}

impl Default for Delay {
    fn default() -> Self {
        Self::Constant(Span::ZERO)
    }
}

impl Delay {
    /// Says what is wrong.
    pub fn check(&self, findings: &mut Findings) {
        if let Self::Drawn(params) = self {
            findings.within(&params.name(), |f| params.role().check(f));
        }
    }

    /// Ready to be drawn.
    pub fn sampler(&self) -> Sampler {
        match self {
            Self::Constant(span) => Sampler::Constant(*span),
            Self::Drawn(params) => params.role().sampler(),
        }
    }

    /// Its mean.
    pub fn mean(&self) -> Span {
        match self {
            Self::Constant(span) => *span,
            Self::Drawn(params) => params.role().mean(),
        }
    }

    /// The longest it can be; none where there is no bound.
    pub fn longest(&self) -> Option<Span> {
        match self {
            Self::Constant(span) => Some(*span),
            Self::Drawn(params) => params.role().longest(),
        }
    }

    /// Whether it is drawn.
    pub const fn is_random(&self) -> bool {
        matches!(self, Self::Drawn(_))
    }
}

impl fmt::Display for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(span) => write!(f, "{span}"),
            Self::Drawn(params) => f.write_str(&params.role().about()),
        }
    }
}

impl Serialize for Delay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Constant(span) => span.serialize(serializer),
            Self::Drawn(params) => params.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Delay {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Delay;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a duration or a table that names a distribution")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Delay, E> {
                text.parse().map(Delay::Constant).map_err(E::custom)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Delay, A::Error> {
                DelayParams::deserialize(MapAccessDeserializer::new(map)).map(Delay::Drawn)
            }
        }

        deserializer.deserialize_any(Either)
    }
}

impl JsonSchema for Delay {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Delay".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = DelayParams::json_schema(generator);
        let constant = generator.subschema_for::<Span>();
        if let Some(list) = schema.get_mut("oneOf").and_then(|list| list.as_array_mut()) {
            list.push(constant.to_value());
        }
        schema.insert(
            "description".to_owned(),
            "A duration, or a distribution.".into(),
        );
        schema.insert("examples".to_owned(), vec!["20ms"].into());
        schema
    }
}

#[cfg(test)]
mod tests {
    use ratelab_core::{Actor, Purpose, Seed};

    use super::*;

    fn delay(text: &str) -> Delay {
        #[derive(Deserialize)]
        struct File {
            delay: Delay,
        }
        toml::from_str::<File>(text)
            .unwrap_or_else(|error| panic!("{text}: {error}"))
            .delay
    }

    /// The mean and the share above the median of many draws.
    fn moments(delay: &Delay) -> (f64, f64) {
        let sampler = delay.sampler();
        let draw = |n| sampler.sample(|| Seed(1).draw(Actor::Worker(n), Purpose::Out, 0));
        let n = 400_000u32;
        let draws: Vec<f64> = (0..n).map(|n| draw(n).as_secs_f64()).collect();
        let mean = draws.iter().sum::<f64>() / f64::from(n);
        let variance = draws.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / f64::from(n);
        (mean, (variance / f64::from(n)).sqrt())
    }

    #[test]
    fn every_entry_has_the_mean_it_says() {
        for entry in DelayParams::ENTRIES {
            let delay = delay(&format!(
                "delay = {}",
                entry
                    .about
                    .example
                    .split_once('=')
                    .expect("a key and a value")
                    .1
            ));
            let mut findings = Findings::default();
            delay.check(&mut findings);
            assert!(findings.list().is_empty(), "{delay}");
            let (mean, error) = moments(&delay);
            let wanted = delay.mean().as_secs_f64();
            assert!(
                (mean - wanted).abs() < 5.0 * error,
                "{delay}: {mean} for {wanted}"
            );
            assert!(delay.is_random());
            let Delay::Drawn(params) = &delay else {
                continue;
            };
            // The share below some lengths, against counting.
            let sampler = delay.sampler();
            let draw = |n| sampler.sample(|| Seed(2).draw(Actor::Worker(n), Purpose::Out, 0));
            let draws: Vec<Span> = (0..100_000).map(draw).collect();
            for part in [1, 2, 3, 5, 8] {
                let length = delay.mean() * part / 3;
                let seen = draws.iter().filter(|draw| **draw <= length).count() as f64 / 1e5;
                let wanted = params.role().below(length);
                assert!(
                    (seen - wanted).abs() < 0.01,
                    "{delay} at {length}: {seen}, {wanted}"
                );
            }
        }
    }

    #[test]
    fn a_duration_is_a_constant_and_goes_back_to_one() {
        let constant = delay("delay = \"20ms\"");
        assert_eq!(constant, Delay::Constant(Span::from_millis(20)));
        assert_eq!(constant.to_string(), "20ms");
    }

    #[test]
    fn a_cap_cuts_the_tail_and_moves_the_mean() {
        let capped = delay(
            "delay = { lognormal = { median = \"50ms\", sigma = \"50%\", \
                            cap = \"60ms\" } }",
        );
        let (mean, error) = moments(&capped);
        let wanted = capped.mean().as_secs_f64();
        assert!((mean - wanted).abs() < 5.0 * error, "{mean} for {wanted}");
        assert!(capped.mean() < Span::from_millis(50));
    }
}

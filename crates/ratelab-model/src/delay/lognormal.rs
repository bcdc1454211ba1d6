//! Lognormal: what latencies over a network look like, mostly short with a long tail.

use ratelab_core::catalog::About;
use ratelab_core::{Findings, Lognormal, Ratio, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DelayRole, Sampler};

/// What it is.
pub const ABOUT: About = About {
    summary: "mostly short with a long tail; what latencies look like",
    text: "Its logarithm is normal: `median · e^(sigma · z)`, cut at `cap` where there is one. \
           With sigma 50% the 99th percentile is 3.2 medians. The normal number is drawn by the \
           ziggurat with an exact tail.",
    source: "Marsaglia and Tsang 2000, normal numbers",
    example: "one-way = { lognormal = { median = \"50ms\", sigma = \"50%\" } }",
};

/// The distribution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Half of all are shorter.
    pub median: Span,
    /// The standard deviation of the logarithm.
    pub sigma: Ratio,
    /// The longest; none by default.
    #[serde(default)]
    pub cap: Option<Span>,
}

impl DelayRole for Params {
    fn check(&self, findings: &mut Findings) {
        let what = "a median of zero is no distribution";
        let instead = "write \"1ms\" or more, or a plain \"0s\" for none";
        findings.demand(!self.median.is_zero(), "median", what, instead);
        let small = self.sigma.as_f64() <= 5.0;
        let what = "a sigma above five is no latency";
        findings.demand(small, "sigma", what, "write \"50%\", as networks have it");
        if let Some(cap) = self.cap {
            let positive = !cap.is_zero();
            findings.demand(
                positive,
                "cap",
                "a cap of zero leaves nothing",
                "write \"2s\"",
            );
        }
    }

    fn sampler(&self) -> Sampler {
        let law = Lognormal::of(self.median, self.sigma.as_f64());
        Sampler::Lognormal(law, self.cap.unwrap_or(Span::MAX))
    }

    /// With a cap: the part below it, and the cap for the rest.
    fn mean(&self) -> Span {
        let (median, sigma) = (self.median.as_secs_f64(), self.sigma.as_f64());
        let whole = median * (sigma * sigma / 2.0).exp();
        let seconds = match self.cap.filter(|_| sigma > 0.0) {
            None => whole.min(self.cap.unwrap_or(Span::MAX).as_secs_f64()),
            Some(cap) => {
                let z = (cap.as_secs_f64() / median).ln() / sigma;
                whole * normal(z - sigma) + cap.as_secs_f64() * normal(-z)
            }
        };
        Span::rounded(seconds * 1e9)
    }

    fn below(&self, span: Span) -> f64 {
        let beyond = self.cap.is_some_and(|cap| span >= cap);
        if beyond || span.is_zero() {
            return f64::from(u8::from(beyond));
        }
        let log = (span.as_secs_f64() / self.median.as_secs_f64()).ln();
        normal(log / self.sigma.as_f64().max(1e-9))
    }

    fn longest(&self) -> Option<Span> {
        self.cap
    }

    fn about(&self) -> String {
        let cap = self.cap.map(|cap| format!(" ≤ {cap}")).unwrap_or_default();
        format!("lognormal {} σ {}{cap}", self.median, self.sigma)
    }
}

/// The normal distribution function, to about 10^-7 (Abramowitz and Stegun 26.2.17): for people.
fn normal(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let terms = [
        1.330_274_429,
        -1.821_255_978,
        1.781_477_937,
        -0.356_563_782,
        0.319_381_530,
    ];
    let series = terms.iter().fold(0.0, |sum, term| (sum + term) * t);
    let tail = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * series;
    if z >= 0.0 { 1.0 - tail } else { tail }
}

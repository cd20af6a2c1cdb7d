use std::fmt;
use std::str::FromStr;

use thiserror::Error;

#[cfg(target_arch = "aarch64")]
use crate::Neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::Simd128;
#[cfg(target_arch = "x86_64")]
use crate::{Avx2, Avx512, Sse4};
use crate::{Kernel, Portable};

/// Work to be done with the best kernel there is.
///
/// ```
/// use emilia_simd::{Kernel, Task, Tier};
///
/// /// Own discs and the opponent's; a1 is bit 0.
/// struct CountMoves(u64, u64);
/// impl Task for CountMoves {
///     type Output = u32;
///     fn run<K: Kernel>(self, kernel: K) -> u32 {
///         kernel.moves(self.0, self.1).count_ones()
///     }
/// }
/// let (d5_e4, d4_e5) = (1 << 35 | 1 << 28, 1 << 27 | 1 << 36);
/// assert_eq!(Tier::best().run(CountMoves(d5_e4, d4_e5)), 4);
/// ```
pub trait Task {
    /// What comes of it.
    type Output;

    /// Does the work.
    fn run<K: Kernel>(self, kernel: K) -> Self::Output;
}

/// A kind of processor for which there is a kernel, and which this one is known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tier(pub(crate) Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Sse4(Sse4),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(Simd128),
}

impl Tier {
    /// The tiers this processor has, slowest first. The portable one is always there, but for WebAssembly with vectors: a
    /// module travels, and every tier is one more copy of the search.
    pub fn available() -> impl DoubleEndedIterator<Item = Tier> {
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        let portable = Some(Tier(Kind::Portable(Portable)));
        #[cfg(target_arch = "x86_64")]
        let tiers = [
            portable,
            Sse4::detect().map(|kernel| Tier(Kind::Sse4(kernel))),
            Avx2::detect().map(|kernel| Tier(Kind::Avx2(kernel))),
            Avx512::detect().map(|kernel| Tier(Kind::Avx512(kernel))),
        ];
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        let tiers = [Some(Tier(Kind::Simd128(Simd128)))];
        #[cfg(target_arch = "aarch64")]
        let tiers = [portable, Some(Tier(Kind::Neon(Neon)))];
        #[cfg(not(any(
            target_arch = "x86_64",
            target_arch = "aarch64",
            all(target_arch = "wasm32", target_feature = "simd128")
        )))]
        let tiers = [portable];
        tiers.into_iter().flatten()
    }

    /// The fastest tier of this processor.
    #[must_use]
    pub fn best() -> Tier {
        Tier::available().next_back().unwrap_or(Tier(Kind::Portable(Portable)))
    }

    /// Does the work with the kernel of this tier. A task whose `run` is always inlined is compiled for that kind of
    /// processor from top to bottom; of another, only what enters the kernel again.
    pub fn run<T: Task>(self, task: T) -> T::Output {
        match self.0 {
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
            Kind::Portable(kernel) => task.run(kernel),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kind::Portable(_) => task.run(Simd128),
            #[cfg(target_arch = "x86_64")]
            Kind::Sse4(kernel) => kernel.enter(
                #[inline(always)]
                || task.run(kernel),
            ),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(kernel) => kernel.enter(
                #[inline(always)]
                || task.run(kernel),
            ),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512(kernel) => kernel.enter(
                #[inline(always)]
                || task.run(kernel),
            ),
            #[cfg(target_arch = "aarch64")]
            Kind::Neon(kernel) => task.run(kernel),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kind::Simd128(kernel) => task.run(kernel),
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.0 {
            Kind::Portable(_) => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Sse4(_) => "sse4",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512(_) => "avx512",
            #[cfg(target_arch = "aarch64")]
            Kind::Neon(_) => "neon",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kind::Simd128(_) => "simd128",
        })
    }
}

/// A tier that does not exist or that this processor does not have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("this processor has no tier {wanted:?}; it has {available}")]
pub struct TierError {
    /// What was asked for.
    pub wanted: String,
    /// What there is, separated by commas.
    pub available: String,
}

impl FromStr for Tier {
    type Err = TierError;

    fn from_str(text: &str) -> Result<Tier, TierError> {
        Tier::available().find(|tier| tier.to_string() == text).ok_or_else(|| TierError {
            wanted: text.to_owned(),
            available: Tier::available().map(|tier| tier.to_string()).collect::<Vec<_>>().join(", "),
        })
    }
}

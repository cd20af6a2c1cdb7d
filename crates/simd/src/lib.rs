//! What is spelt once for each kind of processor: flips and move generation on 64-bit boards, of which everything else is
//! made, and the sums that a network of many small numbers lives on.
//!
//! This is the only crate with unsafe code. It is of two kinds: calls of processor intrinsics (a hint to an ARM processor
//! has none and is written as it is), and the step into a function that was compiled for a newer processor. Both are sound
//! because a value of [`Sse4`], [`Avx2`] or [`Avx512`] exists only on a processor that has these instructions: the only way
//! to get one is a [`Tier`], and a tier is only handed out after the processor was asked. Every 64-bit ARM processor has
//! what `Neon` needs. WebAssembly is compiled with vectors or without, and whoever runs it has checked that before.
//!
//! A feature check costs more than a flip, so a search does not choose at every board. It chooses once, at its root, with
//! [`Tier::run`], and is generic over [`Kernel`] from there on.

mod kernel;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod lines;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
mod rays;
#[cfg(target_arch = "x86_64")]
mod sse;
mod tier;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use kernel::Kernel;
#[cfg(target_arch = "aarch64")]
pub use neon::Neon;
pub use portable::Portable;
#[cfg(target_arch = "x86_64")]
pub use sse::Sse4;
pub use tier::{Task, Tier, TierError};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use wasm::Simd128;
#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512};

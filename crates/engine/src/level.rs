//! The instruction sets that the bodies are compiled for, and the choice of one.

use std::sync::OnceLock;

/// An instruction set to run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What every processor of the target has: SSE2 on x86-64, NEON on AArch64, SIMD on WebAssembly where it is on.
    Portable,
    /// AVX2: 8 lanes at a time.
    Avx2,
    /// AVX-512 F, BW, DQ and VL: 16 lanes at a time.
    Avx512,
}

impl Level {
    /// Every level, the slowest first.
    pub const ALL: [Level; 3] = [Level::Portable, Level::Avx2, Level::Avx512];

    /// Its name in `GPUZOO_SIMD`.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Portable => "portable",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
        }
    }

    /// True if this processor can run it.
    pub fn is_supported(self) -> bool {
        match self {
            Level::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx2")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Level::Avx2 | Level::Avx512 => false,
        }
    }

    /// The level that kernels run on: the one named in the environment variable `GPUZOO_SIMD` if this processor has
    /// it, else the fastest that it has. The variable is read once in a process.
    pub fn chosen() -> Level {
        static CHOSEN: OnceLock<Level> = OnceLock::new();
        *CHOSEN.get_or_init(|| {
            let wanted = std::env::var("GPUZOO_SIMD").unwrap_or_default();
            let named = Level::ALL.into_iter().find(|level| level.name() == wanted);
            let fastest = || Level::ALL.into_iter().rev().find(|level| level.is_supported());
            named.filter(|level| level.is_supported()).or_else(fastest).unwrap_or(Level::Portable)
        })
    }
}

/// A level that this processor was seen to support; there is no other way to make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Supported(Level);

impl Supported {
    /// The level, or the portable one where this processor does not have it.
    pub(crate) fn or_portable(level: Level) -> Supported {
        Supported(if level.is_supported() { level } else { Level::Portable })
    }

    pub(crate) fn level(self) -> Level {
        self.0
    }
}

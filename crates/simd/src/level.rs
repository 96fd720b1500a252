//! The instruction sets that loops are compiled for, and the choice of one.

use std::sync::OnceLock;

/// An instruction set to run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What every processor of the target has: SSE2 on x86-64, NEON on AArch64, SIMD on WebAssembly where it is on.
    Portable,
    /// AVX2 and FMA: 8 lanes at a time. Nothing is fused but what says so.
    Avx2,
    /// AVX-512 F, BW, DQ and VL: 16 lanes at a time.
    Avx512,
    /// AVX-512, and machine code that gpuzoo-engine makes for the program at hand: what is cheap stays in registers from
    /// step to step. Only with the feature `jit`; everything else runs as with AVX-512.
    Jit,
}

impl Level {
    /// Every level, the slowest first.
    pub const ALL: [Level; 4] = [Level::Portable, Level::Avx2, Level::Avx512, Level::Jit];

    /// Its name in `GPUZOO_SIMD`.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Portable => "portable",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
            Level::Jit => "jit",
        }
    }

    /// True if this processor can run it.
    pub fn is_supported(self) -> bool {
        match self {
            Level::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && Level::Avx2.is_supported()
            }
            #[cfg(not(target_arch = "x86_64"))]
            Level::Avx2 | Level::Avx512 => false,
            Level::Jit => cfg!(feature = "jit") && Level::Avx512.is_supported(),
        }
    }

    /// The level of a name.
    ///
    /// # Errors
    /// If no level has that name, or this processor cannot run it.
    ///
    /// ```
    /// use gpuzoo_simd::Level;
    /// assert_eq!(Level::named("portable"), Ok(Level::Portable));
    /// assert!(Level::named("avx3").is_err());
    /// ```
    pub fn named(name: &str) -> Result<Level, NoSuchLevel> {
        let known = Level::ALL.into_iter().find(|level| level.name() == name);
        known.filter(|level| level.is_supported()).ok_or_else(|| NoSuchLevel(name.to_owned()))
    }

    /// The level that the environment variable `GPUZOO_SIMD` names, else the fastest that this processor has. The
    /// variable is read once in a process.
    ///
    /// # Errors
    /// If no level has that name, or this processor cannot run it. A program should report it.
    #[allow(
        clippy::disallowed_methods,
        reason = "the one variable that a library reads: tests and benchmarks choose with it"
    )]
    pub fn requested() -> Result<Level, NoSuchLevel> {
        static REQUESTED: OnceLock<Result<Level, NoSuchLevel>> = OnceLock::new();
        let read = || match std::env::var_os(VARIABLE) {
            Some(name) if !name.is_empty() => Level::named(&name.to_string_lossy()),
            _ => Ok(Level::fastest()),
        };
        REQUESTED.get_or_init(read).clone()
    }

    /// The level that loops run on: the [requested](Level::requested) one, or the fastest where that is an error.
    pub fn chosen() -> Level {
        Level::requested().unwrap_or_else(|_| Level::fastest())
    }

    fn fastest() -> Level {
        Level::ALL.into_iter().rev().find(|level| level.is_supported()).unwrap_or(Level::Portable)
    }
}

/// The environment variable that names a level.
const VARIABLE: &str = "GPUZOO_SIMD";

/// A name that no level of this processor has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchLevel(String);

impl std::fmt::Display for NoSuchLevel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let NoSuchLevel(name) = self;
        let known = Level::ALL.iter().any(|level| level.name() == name);
        let why = match known {
            true if name == Level::Jit.name() && !cfg!(feature = "jit") => {
                "this build has no machine code, so not"
            }
            true => "this processor cannot run",
            false => "no instruction set is called",
        };
        let names = Level::ALL.into_iter().filter(|level| level.is_supported()).map(Level::name);
        let names = names.collect::<Vec<_>>().join(", ");
        write!(f, "{why} `{name}`, which {VARIABLE} asks for; there are {names}")
    }
}

impl std::error::Error for NoSuchLevel {}

/// A level that this processor was seen to support; there is no other way to make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Supported(Level);

impl Supported {
    /// The level, or the portable one where this processor does not have it.
    pub fn or_portable(level: Level) -> Supported {
        Supported(if level.is_supported() { level } else { Level::Portable })
    }

    /// Which level it is.
    pub fn level(self) -> Level {
        self.0
    }

    /// True if [`f32::mul_add`] is an instruction on this level; elsewhere it may be a call, with the same result.
    pub fn fuses(self) -> bool {
        self.0 >= Level::Avx2
    }
}

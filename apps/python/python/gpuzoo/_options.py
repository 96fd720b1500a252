"""Options of functions, by name. Written by `cargo xtask gen` from the options in the sources; edit those."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict


class ReadOptions(TypedDict, total=False):
    """Options of reading a program."""

    from_: str
    """Form of the program; by default the one of its extension or content."""
    dialect: str
    """Assembly dialect, on machines that have several; by default the one of the source's header."""
    numbering: str
    """Numbering of constants (and of inputs in NV2A's dialect vp), on machines that have several."""
    entry: str
    """Entry point of a source in a shading language that has several."""
    stage: Literal["vertex", "fragment"]
    """Stage of such a source, if it has both or does not name it; by default vertex."""
    host_constants: bool
    """Move what such a source computes from uniforms alone out of the program: the host computes it, as further constants."""
    position: Literal["screen", "clip"]
    """Space in which the program leaves positions: pixels, on machines that expect them, or clip space; by default screen."""
    define: Sequence[str]
    """Define a macro of GLSL, Cg or NV2A's Direct3D dialect (NAME is 1), or a symbol of 65C02 sources (NAME is 0)."""
    draw: int
    """Draw of a command log, from 0; by default the first one with a program, else the first launch."""
    launch: int
    """Launch of a state program in a command log, from 0."""


class CompileOptions(TypedDict, total=False):
    """Options of compiling a source in a shading language."""

    level: Literal["source", "quick", "usual", "longest"]
    """Optimization level: 0 keeps the source's order, 3 searches longest; by default ``usual``."""
    fast_math: bool
    """Let sums be reordered, and choices and floors take forms that are exact for finite numbers of usual sizes only."""
    constants_at: int
    """First constant for uniforms and literals; by default the machine's."""
    bind_output: Mapping[str, str]
    """Register of an output: ``1=oT0``, ``fog=oFog``; an output is ``position``, ``size``, the number of a location or a name."""


class DisassembleOptions(TypedDict, total=False):
    """Options of disassembling a program."""

    dialect: str
    """Assembly dialect, on machines that have several; by default the machine's first."""
    numbering: str
    """Numbering of constants, on machines that have several."""
    exact: bool
    """Preserve every bit: words that no text assembles to become ``.word``."""


class TranslateOptions(TypedDict, total=False):
    """Options of translating a program."""

    to: Literal["wgsl", "spirv", "spirv10", "spvasm", "glsl", "glsl330", "essl300", "essl310", "hlsl", "msl"]
    """Target language; by default the one of the output's extension, or WGSL."""
    shape: Literal["vertex", "fragment", "compute", "function"]
    """Kind of shader; by default the stage that the program has in a pipeline."""
    fidelity: Literal["fast", "exact"]
    """Arithmetic: ``fast`` uses the host's floats, ``exact`` gives the machine's bits; by default ``fast``."""
    group: int
    """Group of all resources, 0 to 31: the set of Vulkan, the register space of Direct3D; by default 0."""
    bind: Mapping[str, int]
    """Binding of a resource, 0 to 254; ``--explain`` shows the resources and their default bindings."""
    all_outputs: bool
    """Also return the outputs that the program does not write."""
    point_size: bool
    """Write the size of points to the pipeline's built-in variable, not to a varying."""
    prefix: str
    """Prefix of the names of functions, types and resources."""
    strip: bool
    """Write SPIR-V without names and lines."""


class StateOptions(TypedDict, total=False):
    """Options of the state in which a program runs."""

    profile: str
    """Numeric profile; by default the machine's first."""
    modes: Mapping[str, str]
    """Switch of the machine; ``gpuzoo list modes`` shows them."""


class CompileArguments(ReadOptions, CompileOptions, total=False):
    """Options of ``ShaderUnit.compile``."""


class TranslateArguments(TranslateOptions, StateOptions, total=False):
    """Options of ``Program.translate``."""

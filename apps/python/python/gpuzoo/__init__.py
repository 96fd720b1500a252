"""gpuzoo: one toolchain for the shader units of small graphics processors.

>>> import gpuzoo
>>> program = gpuzoo.nv2a.assemble("add oPos, v0, v0")
>>> program.run({"v0": [[1.0, 2.0, 3.0, 4.0]]})["oPos"]
array([[2., 4., 6., 8.]], dtype=float32)

A machine gives programs, a program runs over arrays. All of it is the Rust crate ``gpuzoo``: results have its bits.
"""

from typing import cast

from ._conform import Conformance
from ._diagnostics import AssembleError, CompileError, Diagnostic, Edit, Error, Fix, Label, Place
from ._machine import Computer, ShaderUnit, machine, machines
from ._options import CompileOptions, DisassembleOptions, ReadOptions, StateOptions, TranslateOptions
from ._picture import Picture
from ._program import Check, Constant, Outputs, Program, Translation, Uniform
from ._scene import Film, Scene, render
from ._software import Cpu, Machine, Memory, Report, Software, Vera
from ._trace import Ancestry, Session, Step, Trace

dreambox = cast(ShaderUnit, machine("dreambox"))
nv2a = cast(ShaderUnit, machine("nv2a"))
picogpu = cast(ShaderUnit, machine("picogpu"))
servaru = cast(ShaderUnit, machine("servaru"))
vera = cast(Computer, machine("vera"))

# What they are called in messages, and by pickles.
for _class in (AssembleError, CompileError, Error):
    _class.__module__ = __name__

__all__ = [
    "Ancestry",
    "AssembleError",
    "Check",
    "CompileError",
    "CompileOptions",
    "Computer",
    "Conformance",
    "Constant",
    "Cpu",
    "Diagnostic",
    "DisassembleOptions",
    "Edit",
    "Error",
    "Film",
    "Fix",
    "Label",
    "Machine",
    "Memory",
    "Outputs",
    "Picture",
    "Place",
    "Program",
    "ReadOptions",
    "Report",
    "Scene",
    "Session",
    "ShaderUnit",
    "Software",
    "StateOptions",
    "Step",
    "Trace",
    "TranslateOptions",
    "Translation",
    "Uniform",
    "Vera",
    "dreambox",
    "machine",
    "machines",
    "nv2a",
    "picogpu",
    "render",
    "servaru",
    "vera",
]

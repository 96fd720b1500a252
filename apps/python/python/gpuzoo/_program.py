"""Programs of shader units."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _arrow, _native
from ._arrays import Results, columns
from ._arrays import constants as registers
from ._diagnostics import Diagnostic, diagnostics
from ._files import Files
from ._named import as_json
from ._show import frame
from ._trace import Session, Trace

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import DisassembleOptions, StateOptions, TranslateArguments

Floats = npt.NDArray[np.float32]


class Outputs(dict[str, npt.NDArray[Any]]):
    """The outputs of a run by name, each of the shape (n, 4).

    A NaN keeps its bits; ``outputs["oPos"].view("uint32")`` shows them.
    """

    killed: npt.NDArray[np.bool_] | None
    """For each vertex whether the program killed it; none if it kills none. What the outputs of a killed vertex hold means nothing."""
    constants: dict[str, Floats]
    """The constants that the program changed, with their last values."""
    remarks: list[Diagnostic]
    """What is worth knowing about the run."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return _arrow.stream(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _outputs, (dict(self), self.killed, self.constants, self.remarks)


def _outputs(
    arrays: dict[str, npt.NDArray[Any]],
    killed: npt.NDArray[np.bool_] | None,
    changed: dict[str, Floats],
    remarks: list[Diagnostic],
) -> Outputs:
    outputs = Outputs(arrays)
    outputs.killed, outputs.constants, outputs.remarks = killed, changed, remarks
    return outputs


@dataclass(frozen=True)
class Constant:
    """Constants of a program: what its text calls them, the first register, how many there are, and values if it gives some."""

    name: str | None
    register: str
    count: int
    components: str
    """Of each register those that are its own, ``xyzw`` or some of them: several constants may share one."""
    values: Floats


@dataclass(frozen=True)
class Uniform:
    """A uniform of a source that was compiled, and how many registers it has."""

    name: str
    type: str
    registers: int


@dataclass(frozen=True)
class Check:
    """What there is to say about a program without running it."""

    figures: dict[str, Any]
    """Sizes and costs, as ``gpuzoo check --format json`` has them."""
    diagnostics: list[Diagnostic]
    """What is suspicious."""
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Translation:
    """A program as a shader of the host."""

    to: str
    """The language."""
    data: bytes
    """What a file of it holds."""
    reflection: dict[str, Any]
    """Inputs, outputs, bindings: what the host has to provide."""
    explanation: str
    """The same for people, and where results may differ from the machine's."""
    is_words: bool
    """True for SPIR-V, whose words are no text."""

    @property
    def text(self) -> str:
        """The shader's text; a ValueError for SPIR-V, whose words have none."""
        if self.is_words:
            raise ValueError(f"{self.to} is words and no text: `data` has them")
        return self.data.decode()

    def __str__(self) -> str:
        return self.explanation if self.is_words else self.text


State = tuple[str, list[tuple[str, list[int]]]]


class Program:
    """A program without errors, which knows its machine.

    It can be pickled: it travels as the text or the words that it was read from, with how they were read, and is read and compiled
    again where it is used.
    """

    machine: str
    """The id of its machine."""
    name: str
    """What messages call it."""
    uniforms: tuple[Uniform, ...]
    """The uniforms of a source that was compiled."""
    warnings: list[Diagnostic]
    """What the compiler says about a source."""

    _how: tuple[Any, ...]
    _kernels: dict[str, _native.Kernel]
    _own: _native.Program
    _text: str | None

    @classmethod
    def _of(cls, machine: str, name: str, own: bytes, options: str, is_source: bool, files: Files) -> Program:
        program = cls.__new__(cls)
        program.machine, program.name, program.uniforms, program.warnings = machine, name, (), []
        program._text = None
        if is_source:
            program._own, facts = _native.compile(machine, name, own, options, files)
            known = json.loads(facts)
            program._text = known["text"]
            program.uniforms = tuple(Uniform(**uniform) for uniform in known["uniforms"])
            program.warnings = diagnostics(known["warnings"])
        else:
            program._own = _native.read(machine, name, own, options, files)
        program._how = (_again, (machine, name, own, options, is_source, files.read))
        program._kernels = {}
        return program

    def __reduce__(self) -> tuple[Any, ...]:
        return self._how

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Program) and self.machine == other.machine and self._own.words() == other._own.words()

    def __hash__(self) -> int:
        return hash((self.machine, self._own.words()))

    def __repr__(self) -> str:
        return f"<gpuzoo.Program {self.name!r} of {self.machine}, {len(self.words)} words>"

    def _repr_html_(self) -> str:
        return frame(self._own.html(), self.disassemble())

    @property
    def words(self) -> npt.NDArray[np.uint32]:
        """The words of its binary, which :meth:`ShaderUnit.load` takes."""
        return np.frombuffer(self._own.words(), "<u4").astype(np.uint32)

    @property
    def constants(self) -> tuple[Constant, ...]:
        """The constants to which it gives names or values."""
        return tuple(
            Constant(
                of["name"],
                of["register"],
                of["count"],
                of["components"],
                np.array(of["values"], np.uint32).reshape(-1, 4).view(np.float32),
            )
            for of in json.loads(self._own.constants())
        )

    def disassemble(self, **options: Unpack[DisassembleOptions]) -> str:
        """A text that does the same, or with ``exact`` one that assembles to the same words.

        The options are those of :class:`DisassembleOptions`.
        """
        return self._own.disassemble(as_json(options))[0]

    def optimize(self, *, vectors: int | None = None) -> Program:
        """The same program with fewer slots, if there is a way; that it computes the same bits is proven.

        Both programs are also run on so many vectors of edge values and random ones, by default on 64.
        """
        program = type(self).__new__(type(self))
        program.machine, program.name = self.machine, self.name
        program.uniforms, program.warnings, program._text = self.uniforms, self.warnings, None
        program._own = self._own.optimize(vectors)
        program._how = (_optimized, (self, vectors))
        program._kernels = {}
        return program

    def listing(self) -> str:
        """Of a program that was compiled the text with the places that each slot comes from; else :meth:`disassemble`."""
        return self.disassemble() if self._text is None else self._text

    def check(self) -> Check:
        """What it costs, and what is suspicious about it."""
        known = json.loads(self._own.check())
        return Check(known["figures"], diagnostics(known["diagnostics"]), known["text"])

    def _kernel(self, state: State, only: tuple[str, ...] | None = None) -> _native.Kernel:
        key = repr((state, only))
        kernel = self._kernels.get(key)
        if kernel is None:
            whole = self._own.kernel(state)
            # Two threads may both do it: the second one's is as good as the first's.
            kernel = self._kernels[key] = whole if only is None else whole.only(list(only))
        return kernel

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of its outputs."""
        return tuple(self._kernel(_state({}, None)).outputs)

    def run(
        self,
        inputs: Mapping[str, Any] | Any = (),
        constants: Mapping[str, Any] | None = None,
        *,
        before: Mapping[str, Any] | None = None,
        zeros: bool = False,
        out: Mapping[str, Any] | None = None,
        **options: Unpack[StateOptions],
    ) -> Outputs:
        """Runs it for all vertices.

        ``inputs`` has arrays by name, of the shape (n, 1) to (n, 4): floats are numbers, uint32 are bits; components that are missing are
        those of (0, 0, 0, 1). One value of 1 to 4 components is that of all vertices. An Arrow table does, too. Rows of 32-bit elements
        are read where they are, whatever lies between them; other layouts and types are copied.

        ``constants`` has values by name, of 1 to 4 components, or rows of them for registers behind each other. ``before`` says what
        outputs hold before, on machines where that counts. What the program reads and is not given is an error, unless ``zeros`` says
        that it reads as zeros.

        The options are those of :class:`StateOptions`, ``profile`` and ``modes``.

        ``out`` has arrays of the shape (n, 4) by output, for those outputs that are wanted; none of them may lie in the memory of an input.

        Other threads of Python run meanwhile, and may not change the arrays.

        Raises :class:`Error` for names that are not known and what is missing, TypeError and ValueError for arrays that do not fit.
        """
        rows = columns(_arrow.inputs(inputs))
        count = rows[0][1].shape[0] if rows else 1
        kernel = self._kernel(_state(options, before), None if out is None else tuple(out))
        results = Results(kernel.outputs, count, out, rows)
        killed, facts = kernel.run(rows, registers(constants), zeros, results.words)
        results.finish()
        known = json.loads(facts)
        changed = {name: np.array(bits, np.uint32).view(np.float32) for name, bits in known["constants"]}
        flags = np.frombuffer(killed, np.bool_) if killed else None
        return _outputs(results.arrays, flags, changed, diagnostics(known["remarks"]))

    def trace(
        self,
        inputs: Mapping[str, Any] | Any = (),
        constants: Mapping[str, Any] | None = None,
        *,
        vertex: int = 0,
        before: Mapping[str, Any] | None = None,
        zeros: bool = False,
        **options: Unpack[StateOptions],
    ) -> Trace:
        """The run of one vertex, step by step. The arguments are those of :meth:`run`."""
        rows = columns(_arrow.inputs(inputs))
        given = registers(constants)
        return Trace(self._own.trace(_state(options, before), rows, given, zeros, vertex))

    def debug(
        self,
        inputs: Mapping[str, Any] | Any = (),
        constants: Mapping[str, Any] | None = None,
        *,
        vertex: int = 0,
        before: Mapping[str, Any] | None = None,
        zeros: bool = False,
        **options: Unpack[StateOptions],
    ) -> Session:
        """A session over the run of one vertex, which goes forward and back. The arguments are those of :meth:`run`."""
        rows = columns(_arrow.inputs(inputs))
        given = registers(constants)
        return Session(self._own.session(_state(options, before), rows, given, zeros, vertex))

    def translate(self, to: str | None = None, /, **options: Unpack[TranslateArguments]) -> Translation:
        """The program as a shader of the host, in ``"wgsl"``, ``"spirv"``, ``"glsl"``, ``"glsl330"``, ``"hlsl"``, ``"msl"`` and others.

        The options are those of :class:`TranslateOptions` and :class:`StateOptions`: ``shape`` is ``"vertex"``, ``"fragment"``,
        ``"compute"`` or ``"function"``; with the fidelity ``"exact"`` it computes with the machine's numbers. ``group`` and ``bind`` (by
        name) are where its resources are bound.
        """
        language, data, is_words, reflection, explanation = self._own.translate(as_json(options, to=to))
        return Translation(language, data, json.loads(reflection), explanation, is_words)


def _state(options: Mapping[str, Any], before: Mapping[str, Any] | None) -> State:
    return as_json(options), [(name, rows[0]) for name, rows in registers(before)]


def _again(machine: str, name: str, own: bytes, options: str, is_source: bool, files: dict[str, bytes]) -> Program:
    """A program that was pickled."""
    return Program._of(machine, name, own, options, is_source, Files(files))


def _optimized(program: Program, vectors: int | None) -> Program:
    """An optimized program that was pickled."""
    return program.optimize(vectors=vectors)

"""The machines: where programs come from."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._conform import Conformance, checked
from ._files import Files, Folder
from ._named import as_json
from ._program import Program
from ._software import Software

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CompileArguments, ReadOptions

Include = Mapping[str, bytes] | Folder | None
"""Files that a text may name: their bytes by name, or the folder in which they lie."""


def _read(source: str | bytes | os.PathLike[str], name: str | None, include: Include) -> tuple[bytes, str, Include]:
    """The bytes of a text, of bytes, or of a file; a name for messages; and where included files are."""
    if isinstance(source, os.PathLike):
        path = os.fspath(source)
        with open(path, "rb") as file:
            own = file.read()
        return own, name or path, os.path.dirname(path) or "." if include is None else include
    if isinstance(source, str):
        return source.encode(), name or "text", include
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source), name or "bytes", include
    raise TypeError(f"a program is a str, bytes or a path, not {type(source).__name__}")


class ShaderUnit:
    """A machine's shader unit, one of those in :data:`gpuzoo.machines`."""

    id: str
    """``nv2a``."""
    name: str
    """What it is called."""
    profiles: tuple[str, ...]
    """Its numeric profiles; the first is the default."""
    modes: tuple[str, ...]
    """Switches of its state."""

    def __init__(self, about: Mapping[str, Any]) -> None:
        self.id = about["id"]
        self.name = about["name"]
        self.profiles = tuple(about["profiles"])
        self.modes = tuple(about["modes"])

    def __repr__(self) -> str:
        return f"gpuzoo.{self.id}"

    def __reduce__(self) -> str | tuple[Any, ...]:
        return machine, (self.id,)

    def assemble(
        self,
        source: str | bytes | os.PathLike[str],
        *,
        name: str | None = None,
        include: Include = None,
        **options: Unpack[ReadOptions],
    ) -> Program:
        """A program of an assembly text, or of a file with one.

        ``name`` is shown in messages. Files that the text names come from ``include``, for a path from its folder.
        The options are those of :class:`ReadOptions`: ``define`` has macros (``"NAME"`` or ``"NAME=VALUE"``); ``dialect``,
        ``numbering`` and ``position`` are for machines whose texts are written in several ways (``gpuzoo list options``).

        Raises :class:`AssembleError` with everything that is wrong.
        """
        return self._program(source, "asm", name, include, options)

    def read(
        self,
        source: str | bytes | os.PathLike[str],
        form: str | None = None,
        /,
        *,
        name: str | None = None,
        include: Include = None,
        **options: Unpack[ReadOptions],
    ) -> Program:
        """A program in any form: ``"asm"``, ``"bin"``, ``"hex"``, ``"json"`` and others; else as the name or the bytes say.

        ``draw`` and ``launch`` choose a program of a command log. The options are those of :class:`ReadOptions`; ``form`` is its ``from_``.
        """
        return self._program(source, form, name, include, options)

    def load(self, words: Iterable[int] | np.ndarray[Any, Any] | bytes) -> Program:
        """A program of its binary: words, or the bytes of a file."""
        if isinstance(words, (bytes, bytearray, memoryview)) or (isinstance(words, np.ndarray) and words.dtype == np.uint8):
            return self._program(bytes(words), "bin", "words", None, {})
        array = np.asarray(words if isinstance(words, np.ndarray) else list(words))
        if array.size and array.dtype.kind not in "iu":
            raise TypeError(f"words are integers, not {array.dtype}")
        if array.size and (array.min() < 0 or array.max() > 0xFFFF_FFFF):
            raise ValueError("a word has 32 bits")
        return self._program(array.astype("<u4").tobytes(), "bin", "words", None, {})

    def _program(
        self,
        source: str | bytes | os.PathLike[str],
        form: str | None,
        name: str | None,
        include: Include,
        options: ReadOptions,
    ) -> Program:
        named = as_json(options, from_=form)
        own, name, include = _read(source, name, include)
        return Program._of(self.id, name, own, named, False, Files(include))

    def compile(
        self,
        source: str | bytes | os.PathLike[str],
        language: str | None = None,
        /,
        *,
        name: str | None = None,
        include: Include = None,
        **options: Unpack[CompileArguments],
    ) -> Program:
        """A program of a source in ``"wgsl"``, ``"glsl"``, ``"spv"`` or ``"cg"``; else as the file's name says.

        The options are those of :class:`ReadOptions` and :class:`CompileOptions`; ``language`` is ``from_``. The program's
        :attr:`~Program.uniforms` say which constants it wants.

        Raises :class:`CompileError` with everything that is wrong.
        """
        named = as_json(options, from_=language)
        own, name, include = _read(source, name, include)
        return Program._of(self.id, name, own, named, True, Files(include))

    def conform(self, *paths: str | os.PathLike[str], profile: str | None = None, failures: int = 10) -> Conformance:
        """Checks conformance vectors: those of files, and of the files in folders.

        So many records that failed are shown of each file.
        """
        return checked(self.id, paths, profile, failures)


class Computer:
    """A machine that a CPU's programs drive: :data:`gpuzoo.vera`, in a Commander X16."""

    id: str
    """``vera``."""
    name: str
    """What it is called."""
    profiles: tuple[str, ...]
    """Its numeric profiles; the first is the default."""
    views: tuple[str, ...]
    """What its pictures can show in place of the screen."""

    def __init__(self, about: Mapping[str, Any]) -> None:
        self.id = about["id"]
        self.name = about["name"]
        self.profiles = tuple(about["profiles"])
        self.views = tuple(about["views"])

    def __repr__(self) -> str:
        return f"gpuzoo.{self.id}"

    def __reduce__(self) -> str | tuple[Any, ...]:
        return machine, (self.id,)

    def assemble(self, source: str | bytes | os.PathLike[str], *, name: str | None = None, include: Include = None) -> Software:
        """A program of a text for the CPU, or of a file with one; files that it names come from ``include``, for a path from its
        folder.

        Raises :class:`AssembleError` with everything that is wrong.
        """
        own, name, include = _read(source, name, include)
        return Software._of(self.id, name, own, "asm", {}, Files(include))

    def read(
        self,
        source: str | bytes | os.PathLike[str],
        *,
        form: str | None = None,
        name: str | None = None,
        include: Include = None,
        **parameters: Any,
    ) -> Software:
        """A program in any form: ``"asm"``, ``"prg"``, ``"trace"``; else as the name or the bytes say."""
        own, name, include = _read(source, name, include)
        return Software._of(self.id, name, own, form, parameters, Files(include))

    def conform(self, *paths: str | os.PathLike[str], profile: str | None = None, failures: int = 10) -> Conformance:
        """Checks conformance vectors: those of files, and of the files in folders."""
        return checked(self.id, paths, profile, failures)


_ABOUT: list[dict[str, Any]] = json.loads(_native.machines())
machines: dict[str, ShaderUnit | Computer] = {
    about["id"]: Computer(about) if about["is_computer"] else ShaderUnit(about) for about in _ABOUT
}
"""All machines, by their ids."""


def machine(id: str) -> ShaderUnit | Computer:
    """The machine of an id."""
    if id not in machines:
        raise ValueError(f"there is no machine {id!r}; machines are {', '.join(machines)}")
    return machines[id]

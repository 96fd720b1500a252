"""Programs of shader units: what is asked of one, and what goes wrong."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gpuzoo
import numpy as np
import pytest

UNITS = [unit for unit in gpuzoo.machines.values() if isinstance(unit, gpuzoo.ShaderUnit)]


def test_all_machines_are_there() -> None:
    assert list(gpuzoo.machines) == ["dreambox", "nv2a", "picogpu", "servaru", "vera"]
    assert gpuzoo.machine("nv2a") is gpuzoo.nv2a
    assert gpuzoo.nv2a.profiles[0] == "hw"
    with pytest.raises(ValueError, match="there is no machine 'nv3'"):
        gpuzoo.machine("nv3")


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.id)
def test_an_example_goes_there_and_back(unit: gpuzoo.ShaderUnit, root: Path) -> None:
    source = {"dreambox": "teapot.vu", "nv2a": "light.vsh", "picogpu": "lit.pico", "servaru": "lit.svs"}[unit.id]
    program = unit.assemble(root / "examples" / unit.id / source)
    assert unit.load(program.words) == program
    assert unit.assemble(program.disassemble(exact=True)) == program
    check = program.check()
    assert check.figures["slots"] > 0
    assert str(check).startswith(f"{check.figures['slots']} ")
    assert not [problem for problem in check.diagnostics if problem.severity == "error"]
    assert f"of {unit.id}" in repr(program)
    assert "<iframe" in program._repr_html_()


def test_a_text_that_is_wrong_says_where() -> None:
    with pytest.raises(gpuzoo.AssembleError) as error:
        gpuzoo.nv2a.assemble("mov oPos, v0\nmov oPso, v1\nadd oD0, v0\n", name="p.vsh")
    found = error.value.diagnostics
    assert [problem.place.line for problem in found if problem.place] == [2, 3]
    assert found[0].severity == "error"
    assert found[0].labels[0].place is not None
    assert (found[0].labels[0].place.start, found[0].labels[0].place.column) == (17, 5)
    assert str(found[0]).startswith(f"p.vsh:2:5: error[{found[0].code}]: ")
    assert "2 | mov oPso, v1\n  |     ^^^^" in str(error.value)
    assert "srcdoc" in error.value._repr_html_()
    assert isinstance(error.value, ValueError)


def test_a_fix_can_be_applied() -> None:
    text = "mvo oPos, v0\n"
    with pytest.raises(gpuzoo.AssembleError) as error:
        gpuzoo.nv2a.assemble(text)
    edit = error.value.diagnostics[0].fixes[0].edits[0]
    assert edit.place is not None
    fixed = text[: edit.place.start] + edit.replacement + text[edit.place.end :]
    assert gpuzoo.nv2a.assemble(fixed) == gpuzoo.nv2a.assemble("mov oPos, v0")


def test_errors_travel() -> None:
    with pytest.raises(gpuzoo.AssembleError) as error:
        gpuzoo.nv2a.assemble("mvo oPos, v0\n")
    again = pickle.loads(pickle.dumps(error.value))
    assert type(again) is gpuzoo.AssembleError
    assert str(again) == str(error.value)
    assert again.diagnostics == error.value.diagnostics
    assert again._repr_html_() == error.value._repr_html_()


def test_programs_travel(root: Path) -> None:
    inputs = {"v0": np.random.default_rng(1).random((100, 4), np.float32)}
    included = gpuzoo.nv2a.assemble('vs.1.1\n#include "n.h"\nmov oPos, POSITION\n', include={"n.h": b"#define POSITION v0\n"})
    compiled = gpuzoo.nv2a.compile(root / "examples/compile/lit.wgsl", fast_math=True)
    for program in (included, gpuzoo.nv2a.load(included.words), compiled):
        expected = program.run(inputs, zeros=True)
        again = pickle.loads(pickle.dumps(program))
        assert again == program
        assert hash(again) == hash(program)
        assert again.uniforms == program.uniforms
        assert again.run(inputs, zeros=True)["oPos"].tobytes() == expected["oPos"].tobytes()
    # What was compiled does not travel, so that a program is small and any processor can take it.
    assert len(pickle.dumps(included)) < 1_000
    plain = gpuzoo.nv2a.assemble("mov oPos, v0")
    outputs = pickle.loads(pickle.dumps(plain.run(inputs)))
    assert np.array_equal(outputs["oPos"], inputs["v0"])
    assert (outputs.killed, outputs.constants, outputs.remarks) == (None, {}, [])


def test_files_are_named_only_where_they_may_be(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "p.vsh").write_text('vs.1.1\n#include "../n.h"\nmov oPos, POSITION\n')
    (tmp_path / "n.h").write_text("#define POSITION v0\n")
    with pytest.raises(gpuzoo.AssembleError, match="outside of the folder"):
        gpuzoo.nv2a.assemble(tmp_path / "own" / "p.vsh")
    with pytest.raises(gpuzoo.AssembleError, match="no files were given"):
        gpuzoo.nv2a.assemble((tmp_path / "own" / "p.vsh").read_text())


def test_names_and_what_is_missing() -> None:
    program = gpuzoo.nv2a.assemble("mul oPos, v0, c5")
    with pytest.raises(gpuzoo.Error, match="G0208"):
        program.run({"v0": [1, 2, 3, 4]})
    with pytest.raises(gpuzoo.Error, match="there is no input `v16`"):
        program.run({"v16": [1, 2, 3, 4]}, {"c5": [1]})
    with pytest.raises(gpuzoo.Error, match="G0103"):
        program.run({"v0": [1, 2, 3, 4]}, {"c5": [1]}, profile="hww")
    with pytest.raises(gpuzoo.Error, match="R0701"):
        program.run({"v0": [1, 2, 3, 4]}, {"c5": [1]}, modes={"no": "thing"})
    assert program.run({"v0": [1, 2, 3, 4]}, zeros=True)["oPos"].tolist() == [[0, 0, 0, 0]]
    with pytest.raises(TypeError, match="a str, bytes or a path, not int"):
        gpuzoo.nv2a.assemble(3)  # type: ignore[arg-type]


def test_profiles_have_their_own_bits() -> None:
    program = gpuzoo.nv2a.assemble("mul oPos, v0, v0")
    inputs = {"v0": np.array([[0x3DCC_CCCD] * 4], np.uint32)}
    bits = [program.run(inputs, profile=profile)["oPos"].view(np.uint32)[0, 0] for profile in ("hw", "cpu")]
    assert bits == [0x3C23_D70A, 0x3C23_D70B]


def test_a_binary_is_words_or_bytes() -> None:
    program = gpuzoo.nv2a.assemble("mul oPos, v0, v0")
    file = program.words.tobytes()
    for binary in (program.words, list(program.words), file, bytearray(file), np.frombuffer(file, np.uint8)):
        assert gpuzoo.nv2a.load(binary).run({"v0": [1.0, 2.0, 3.0, 1.0]})["oPos"].tolist() == [[1.0, 4.0, 9.0, 1.0]]
    with pytest.raises(gpuzoo.Error):
        gpuzoo.nv2a.load(file[:-1])


def test_a_wrong_name_is_told_once() -> None:
    with pytest.raises(gpuzoo.Error) as error:
        gpuzoo.nv2a.assemble("mov oPos, v0").run({"v0": [1.0]}, {"mm": np.zeros((4, 4), "f4")})
    assert [problem.code for problem in error.value.diagnostics] == ["G0206"]


def test_kills_are_told(root: Path) -> None:
    """As the golden file of this program says."""
    program = gpuzoo.servaru.assemble(root / "gpus/servaru/tests/programs/alpha_kill.svs")
    outputs = program.run({"P1": np.ones((3, 4), np.float32)}, zeros=True)
    assert outputs.killed is not None
    assert outputs.killed.tolist() == [True] * 3
    assert "killed 3 runs" in outputs.remarks[0].message
    assert program.trace({"P1": [1, 1, 1, 1]}, zeros=True).killed


def test_changed_constants_are_told(root: Path) -> None:
    """As the golden file of this program says."""
    program = gpuzoo.nv2a.assemble(root / "gpus/nv2a/tests/programs/constant_write.vsh")
    constants = {"c20": [[1, 2, 3, 4], [5, 6, 7, 8]]}
    outputs = program.run({"v0": [2, 0, 0, 0], "v1": [7, 8, 9, 9]}, constants)
    assert {name: value.tolist() for name, value in outputs.constants.items()} == {"c20": [7, 8, 3, 4]}
    assert pickle.loads(pickle.dumps(outputs)).constants["c20"].tolist() == [7, 8, 3, 4]


def test_a_trace_has_the_steps() -> None:
    program = gpuzoo.nv2a.assemble("add R1, v0, v0\nmul oPos, R1, R1\n")
    inputs = {"v0": np.array([[0, 0, 0, 0], [1, 2, 3, 4]], np.float32)}
    trace = program.trace(inputs, vertex=1)
    assert [(step.slot, step.line) for step in trace] == [(0, 1), (1, 2)]
    assert trace[0].writes[0].register == "R1"
    assert trace[0].writes[0].after.tolist() == [2, 4, 6, 8]
    assert trace.outputs["oPos"].tolist() == program.run(inputs)["oPos"][1].tolist()
    assert not trace.killed
    assert len(trace[:1]) == 1
    assert "vertex 1" in str(trace)
    assert "<iframe" in trace._repr_html_()
    ancestry = trace.why("oPos.y")
    assert "oPos.y = 16" in str(ancestry)
    assert ancestry._repr_svg_().startswith("<svg")
    assert ancestry.graph["nodes"]
    with pytest.raises(gpuzoo.Error):
        trace.why("oNo.x")
    with pytest.raises(gpuzoo.Error, match="G0212"):
        program.trace(inputs, vertex=2)


def test_a_session_goes_both_ways() -> None:
    program = gpuzoo.nv2a.assemble("add R1, v0, v0\nmul oPos, R1, R1\n")
    session = program.debug({"v0": [1, 2, 3, 4]})
    assert (session.position, session.total, session.last) == (0, 2, None)
    assert session.place is not None
    assert session.place.line == 1
    assert session.step()
    assert session.last is not None
    change = session.last.changes[0]
    assert (change.where, np.asarray(change.after).tolist()) == ("R1", [2, 4, 6, 8])
    assert np.asarray(session.last.reads[0].value).tolist() == [1, 2, 3, 4]
    assert session.step()
    assert not session.step()
    assert session.place is None
    assert np.asarray(session.registers["oPos"]).tolist() == [4, 16, 36, 64]
    assert session.back()
    session.position = 0
    assert not session.back()
    assert "oPos = (4, 16, 36, 64)" in session.command("run write oPos")
    session.command("back 2")
    session.command("poke v0.x = 5")
    session.position = 2
    assert np.asarray(session.registers["oPos"])[0] == 100
    with pytest.raises(gpuzoo.Error, match="G0301"):
        session.command("nonsense")


def test_sources_are_compiled(root: Path, cli: Callable[..., bytes]) -> None:
    program = gpuzoo.nv2a.compile(root / "examples/compile/lit.wgsl")
    words = cli("compile", "--gpu", "nv2a", "examples/compile/lit.wgsl", "--emit", "bin", "-o", "-")
    assert program.words.astype("<u4").tobytes() == words
    assert program.uniforms[0].name == "scene.mvp"
    assert (program.uniforms[0].type, program.uniforms[0].registers) == ("mat4x4<f32>", 4)
    known = json.loads(cli("compile", "--gpu", "nv2a", "examples/compile/lit.wgsl", "--emit", "json"))["constants"]
    assert [(own.name, own.register, own.count, own.components) for own in program.constants] == [
        (own["name"], own["register"], own["count"], own["components"]) for own in known
    ]
    assert {own.components for own in program.constants} == {"xyzw", "xyz", "w"}
    assert "scene.mvp" in program.listing()
    for name in ("lit.vert", "lit.vs.cg"):
        assert gpuzoo.nv2a.compile(root / "examples/compile" / name).words.size
    with pytest.raises(gpuzoo.CompileError) as error:
        gpuzoo.nv2a.compile("@vertex fn vs() -> @builtin(position) vec4f { return x; }", "wgsl")
    assert error.value.diagnostics[0].place is not None


def test_programs_are_translated(cli: Callable[..., bytes]) -> None:
    program = gpuzoo.machine("nv2a")
    assert isinstance(program, gpuzoo.ShaderUnit)
    translation = program.assemble("add oPos, v0, v0").translate("glsl330")
    assert "#version 330" in translation.text
    assert translation.reflection["inputs"][0]["register"] == "v0"
    spirv = program.assemble("add oPos, v0, v0").translate("spirv", fidelity="exact", shape="compute")
    assert spirv.data[:4] == (0x0723_0203).to_bytes(4, "little")
    assert "result" in str(spirv)
    with pytest.raises(ValueError, match="`data` has them"):
        spirv.text  # noqa: B018
    placed = program.assemble("add oPos, v0, c[4]").translate("glsl", group=2, bind={"c": 7}, prefix="mesh_", all_outputs=True)
    places = {resource["name"]: (resource["group"], resource["binding"]) for resource in placed.reflection["bindings"]}
    assert places["mesh_c_block"] == (2, 7)
    assert {"oD0", "oFog"} <= {output["register"] for output in placed.reflection["outputs"]}
    assert "mesh_" in placed.text
    with pytest.raises(gpuzoo.Error, match="T0107"):
        program.assemble("add oPos, v0, v0").translate(to="wgsl", bind={"nothing": 1})


SCALE = "float4 main(float4 p : POSITION, uniform float4 scale) : POSITION { return p * scale; }"


def test_options_go_by_name() -> None:
    compiled = gpuzoo.nv2a.compile(SCALE, from_="cg", level="longest", constants_at=np.uint16(100), bind_output={})
    assert compiled.constants[0].register == "c100"
    assert pickle.loads(pickle.dumps(compiled)).constants[0].register == "c100"
    text = "vs.1.1\n#if FOG && LIGHTS == 2\nmov oFog.x, v0.x\n#endif\nmov oPos, v0\n"
    program = gpuzoo.nv2a.assemble(text, define=("FOG", "LIGHTS=2"), position="clip")
    assert len(program.words) == 8
    assert program.run({"v0": [3, 0, 0, 0]}, profile="cpu", modes={})["oFog"][0, 0] == 3
    assert gpuzoo.nv2a.read(program.disassemble(exact=True), "asm") == program
    with pytest.raises(TypeError, match="the option 'from' is given twice"):
        gpuzoo.nv2a.read("mov oPos, v0", "asm", from_="asm")
    with pytest.raises(TypeError, match="not bytes"):
        gpuzoo.nv2a.assemble("mov oPos, v0", dialect=b"vp")  # type: ignore[arg-type]


def test_wrong_options_are_told() -> None:
    """As by all other ways to give options: an unknown name is G0141 with the nearest one, and a value that does not fit is G0140."""
    unit: Any = gpuzoo.nv2a
    program: Any = unit.assemble("mov oPos, v0")
    inputs = {"v0": [1, 2, 3, 4]}
    cases: list[tuple[Callable[[], object], str, str]] = [
        (lambda: unit.assemble("mov oPos, v0", dialct="vp"), "G0141", "did you mean `dialect`?"),
        (lambda: unit.read("mov oPos, v0", level="quick"), "G0141", "options are"),
        (lambda: unit.read("mov oPos, v0", draw=-1), "G0140", ""),
        (lambda: unit.read("mov oPos, v0", stage="geometry"), "G0140", ""),
        (lambda: unit.compile(SCALE, "cg", fast_mth=True), "G0141", "did you mean `fast_math`?"),
        (lambda: unit.compile(SCALE, "cg", level="longst"), "G0140", "did you mean `longest`?"),
        (lambda: unit.compile(SCALE, "cg", constants_at=70_000), "G0140", ""),
        (lambda: program.disassemble(exat=True), "G0141", "did you mean `exact`?"),
        (lambda: program.disassemble(exact="perhaps"), "G0140", ""),
        (lambda: program.translate("wgls"), "G0140", "did you mean `wgsl`?"),
        (lambda: program.translate("wgsl", bindings={"c": 7}), "G0141", ""),
        (lambda: program.translate("wgsl", fidelity="exakt"), "G0140", "did you mean `exact`?"),
        (lambda: program.run(inputs, profil="cpu"), "G0141", "did you mean `profile`?"),
        (lambda: program.trace(inputs, modes=3), "G0140", ""),
    ]
    for call, code, words in cases:
        with pytest.raises(gpuzoo.Error) as error:
            call()
        assert [problem.code for problem in error.value.diagnostics] == [code], error.value
        assert words in str(error.value)


def test_programs_are_made_shorter() -> None:
    text = "dp4 r0.x, v0, c[0]\ndp4 r0.y, v0, c[1]\nrcp r2.w, v1.x\nmul oD0, r0.x, r2.w\nmov oPos, r0.xyyy\n"
    program = gpuzoo.nv2a.assemble(text)
    shorter = program.optimize()
    assert (program.words.size, shorter.words.size) == (20, 16)
    assert program.optimize(vectors=100) == shorter
    assert pickle.loads(pickle.dumps(shorter)) == shorter
    inputs = {"v0": np.random.default_rng(2).random((50, 4), np.float32), "v1": [2.0]}
    constants = {"c[0]": [[1, 2, 3, 4], [5, 6, 7, 8]]}
    assert shorter.run(inputs, constants)["oD0"].tobytes() == program.run(inputs, constants)["oD0"].tobytes()


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.id)
def test_bits_are_those_of_the_command_line(unit: gpuzoo.ShaderUnit, root: Path, cli: Callable[..., bytes], tmp_path: Path) -> None:
    """Each standard program of the machine, over vertices with any numbers."""
    source, names = {
        "dreambox": ("transform.vu", ("in0", "in1", "in2")),
        "nv2a": ("light.vsh", ("v0", "v2", "v9")),
        "picogpu": ("lit.pico", ("in0",)),
        "servaru": ("lit.svs", ("P0", "P1", "P2")),
    }[unit.id]
    path = root / "examples" / unit.id / source
    program = unit.assemble(path)
    rng = np.random.default_rng(3)
    arrays = {name: rng.standard_normal((257, 4), np.float32) for name in names}
    lines = [",".join(f"{name}.{c}" for name in names for c in "xyzw")]
    for row in np.hstack([arrays[name] for name in names]):
        lines.append(",".join(f"0x{bits:08x}" for bits in row.view(np.uint32)))
    (tmp_path / "in.csv").write_text("\n".join(lines) + "\n")
    printed = cli("run", str(path), str(tmp_path / "in.csv"), "--bits", "--format", "csv")
    header, *rows = printed.decode().splitlines()
    columns = header.split(",")
    outputs = program.run(arrays, zeros=True)
    for number, line in enumerate(rows):
        for column, text in zip(columns, line.split(","), strict=True):
            name, _, component = column.partition(".")
            if component:
                assert int(text, 16) == outputs[name].view(np.uint32)[number, "xyzw".index(component)], (number, column)
    assert len(rows) == 257


def test_machines_travel() -> None:
    for machine in gpuzoo.machines.values():
        again: Any = pickle.loads(pickle.dumps(machine))
        assert again is machine

// Programs: from text to numbers, and what else there is to ask.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { GpuzooError } from "../dist/index.js";
import { bits, cli, gpuzoo, numbers, read, text, withoutCli } from "./common.mjs";

/** Programs with the input that vertices give. */
const PROGRAMS = [
  ["dreambox", "examples/dreambox/transform.vu", "in0", undefined],
  ["dreambox", "examples/dreambox/teapot.vu", "in0", undefined],
  ["nv2a", "examples/nv2a/light.vsh", "v0", "hw"],
  ["nv2a", "examples/nv2a/light.vsh", "v0", "cpu"],
  ["nv2a", "examples/nv2a/skin.vsh", "v0", "hw"],
  ["servaru", "examples/servaru/lit.svs", "P0", undefined],
  ["servaru", "examples/servaru/toon.svs", "P0", undefined],
];

// Two engines: SIMD128 here, what the processor has there. Native tests compare that one with the evaluator.
for (const [machine, path, input, profile] of PROGRAMS) {
  test(`${path} ${profile ?? ""} gives the command line's bits`, { skip: withoutCli }, () => {
    const count = 3001;
    const values = numbers(4 * count);
    const hex = (word) => `0x${word.toString(16).padStart(8, "0")}`;
    const row = (floats, at) => [...bits(floats).subarray(4 * at, 4 * at + 4)].map(hex);
    const lines = [[..."xyzw"].map((component) => `${input}.${component}`), ...Array.from({ length: count }, (_, at) => row(values, at))];
    const vertices = join(mkdtempSync(join(tmpdir(), "gpuzoo-")), "vertices.csv");
    writeFileSync(vertices, lines.map((line) => `${line.join()}\n`).join(""));
    const [header, ...wanted] = cli("run", path, vertices, "--bits", "--format", "csv", ...(profile ? ["--profile", profile] : []))
      .toString("utf8")
      .trim()
      .split("\n")
      .map((line) => line.split(","));
    assert.equal(wanted.length, count);
    const run = gpuzoo[machine].assemble(text(path), { name: path.split("/").at(-1) }).run({ [input]: values }, { zeros: true, profile });
    const columns = header.flatMap((title, at) => (title.includes(".") ? [[...title.split("."), at]] : []));
    assert.ok(columns.length >= 4);
    for (const [name, component, at] of columns) {
      const got = bits(run.outputs[name]);
      for (const [number, line] of wanted.entries()) {
        assert.equal(got[4 * number + "xyzw".indexOf(component)], Number(line[at].startsWith("0x") ? line[at] : `0x${line[at]}`), `vertex ${number}, ${name}.${component}`);
      }
    }
  });
}

test("values come as lists, arrays, columns, bits", () => {
  const program = gpuzoo.nv2a.assemble("add oPos, v0, v0");
  const of = (v0, options) => [...program.run({ v0 }, options).outputs.oPos];
  assert.deepEqual(of([[1, 2, 3, 4], [5, 6, 7, 8]]), [2, 4, 6, 8, 10, 12, 14, 16]);
  assert.deepEqual(of([1, 2]), [2, 4, 0, 2]);
  assert.deepEqual(of([[1, 2, 3]]), [2, 4, 6, 2]);
  assert.deepEqual(of(Float32Array.of(1, 2, 3, 4)), [2, 4, 6, 8]);
  assert.deepEqual(of(bits(Float32Array.of(1, 2, 3, 4))), [2, 4, 6, 8]);
  const records = Float32Array.of(9, 1, 2, 3, 9, 9, 4, 5, 6, 9);
  assert.deepEqual(of({ data: records, components: 3, stride: 5, offset: 1 }), [2, 4, 6, 2, 8, 10, 12, 2]);
  assert.deepEqual(of(new Float32Array(0)), []);
  // A view that does not begin at its buffer's start.
  assert.deepEqual(of(Float32Array.of(9, 9, 1, 2, 3, 4).subarray(2)), [2, 4, 6, 8]);
  const out = { oPos: new Float32Array(4) };
  assert.equal(program.run({ v0: [1, 2, 3, 4] }, { out }).outputs.oPos, out.oPos);
  assert.deepEqual([...out.oPos], [2, 4, 6, 8]);
  const nan = Uint32Array.of(0x7fc12345, 0, 0x80000000, 1);
  assert.deepEqual([...bits(gpuzoo.nv2a.assemble("mov oPos, v0").run({ v0: nan }).outputs.oPos)], [...nan]);
});

test("values that cannot be are refused, with what would be right", () => {
  const program = gpuzoo.nv2a.assemble("mul oPos, v0, c0");
  const refused = (inputs, options, said) => assert.throws(() => program.run(inputs, options), (error) => error instanceof GpuzooError && said.test(error.message));
  const c0 = { constants: { c0: [1, 1, 1, 1] } };
  refused({ v0: new Float32Array(7) }, c0, /v0 has 7 elements; four belong/);
  refused({ v0: new Float64Array(4) }, c0, /v0 is a Float64Array/);
  refused({ v0: [[1, 2], [3]] }, c0, /same length/);
  refused({ v0: { data: new Float32Array(8), components: 5 } }, c0, /5 components/);
  refused({ v0: { data: new Float32Array(8), components: 3, stride: 2 } }, c0, /cannot be/);
  refused({ v0: { data: new Float32Array(8), components: 3, offset: -1 } }, c0, /cannot be/);
  refused({ v0: { data: new Float32Array(2), components: 3 } }, c0, /no vertex of 3/);
  refused({ v0: new Float32Array(8), v3: new Float32Array(4) }, c0, /v3/);
  refused({ v0: [1, 2, 3, 4] }, {}, /c0/);
  refused({}, c0, /v0/);
  refused({ v0: [1, 2, 3, 4] }, { constants: { c0: new Float32Array(3) } }, /c0 has 3 elements/);
  refused({ v0: [1, 2, 3, 4] }, { constants: { c0: [] } }, /c0/);
  refused({ v0: [1, 2, 3, 4] }, { ...c0, out: { oPos: new Float32Array(3) } }, /4 are needed/);
  refused({ v0: [1, 2, 3, 4] }, { ...c0, profile: "software" }, /profile/);
  const out = new Float32Array(4);
  refused({ v0: [1, 2, 3, 4] }, { ...c0, out: { opos: out } }, /no output opos .* there are oPos/);
  refused({ v0: [1, 2, 3, 4] }, { ...c0, out: { oPos: out, oD0: out } }, /another output/);
  refused({ v0: [1, 2, 3, 4] }, { ...c0, out: { oPos: new Uint32Array(4) } }, /Uint32Array; a Float32Array is needed/);
  refused({ v0: [["a"]] }, c0, /list of other things than numbers/);
  refused({ v0: [[1, undefined]] }, c0, /list of other things than numbers/);
  refused({ v0: null }, c0, /v0 is null/);
  refused({ v0: 3 }, c0, /v0 is number 3/);
  refused({ v0: [1, 2, 3, 4] }, { constants: { mm: [[1], [2], [3], [4]] } }, /^(?:(?!G0206)[^])*G0206(?:(?!G0206)[^])*$/);
  program.close();
  refused({ v0: [1, 2, 3, 4] }, c0, /closed/);
});

test("a binary is words or bytes, and nothing else", () => {
  const { words } = gpuzoo.nv2a.assemble("mul oPos, v0, v0");
  const bytes = new Uint8Array(words.buffer);
  for (const binary of [words, [...words], bytes, Buffer.from(bytes)]) {
    assert.deepEqual([...gpuzoo.nv2a.load(binary).run({ v0: [1, 2, 3, 1] }).outputs.oPos], [1, 4, 9, 1]);
  }
  for (const wrong of [[-1], [2 ** 40], [0.5], [NaN], new Float32Array(4), "text", undefined]) {
    assert.throws(() => gpuzoo.nv2a.load(wrong), GpuzooError);
  }
  for (const wrong of [5, {}, ["mov oPos, v0"], undefined, null]) {
    assert.throws(() => gpuzoo.nv2a.assemble(wrong), GpuzooError);
    assert.throws(() => gpuzoo.put("n.s", wrong), GpuzooError);
  }
});

test("constants by name, and several from one on", () => {
  const program = gpuzoo.nv2a.assemble("#scale matrix4 96\nmul r0, v0, #scale[0]\nadd oPos, r0, #scale[1]", { name: "p.vsh" });
  assert.equal(program.constants[0].name, "scale");
  const run = program.run({ v0: [[1, 1, 1, 1]] }, { constants: { scale: [[2, 3, 4, 5], [10, 20, 30, 40]] } });
  assert.deepEqual([...run.outputs.oPos], [12, 23, 34, 45]);
});

test("what is wrong with a text is said with its place and its fix", () => {
  assert.throws(
    () => gpuzoo.nv2a.assemble("mvo oPos, v0\n", { name: "typo.vsh" }),
    (error) => {
      assert.ok(error instanceof GpuzooError);
      assert.match(error.message, /typo\.vsh:1:1/);
      assert.equal(error.diagnostics[0].code, "A0101");
      return true;
    },
  );
});

test("a program goes to words and back, and to other forms", () => {
  const program = gpuzoo.dreambox.assemble(text("examples/dreambox/teapot.vu"), { name: "teapot.vu" });
  const again = gpuzoo.dreambox.load(program.words);
  assert.deepEqual(again.words, program.words);
  assert.deepEqual(gpuzoo.dreambox.assemble(again.disassemble({ exact: true })).words, program.words);
  assert.match(Buffer.from(program.emit("c")).toString(), /uint32_t/);
  const { figures, diagnostics } = program.check();
  assert.ok(figures.slots > 10 && Array.isArray(diagnostics));
  assert.throws(() => program.emit("cobol"), GpuzooError);
});

test("a trace has the steps, and says where numbers come from", () => {
  const program = gpuzoo.nv2a.assemble("mul r0, v0, v0\nadd oPos, r0, r0", { name: "t.vsh" });
  const trace = program.trace({ v0: [3, 0, 0, 0] }, { why: "oPos.x" });
  assert.deepEqual(trace.steps.map(({ line }) => line), [1, 2]);
  assert.deepEqual([...trace.steps[0].writes[0].after], [9, 0, 0, 0]);
  assert.deepEqual([...trace.outputs.oPos], [18, 0, 0, 0]);
  assert.match(trace.ancestry.text, /v0/);
  assert.throws(() => program.trace({ v0: [3, 0, 0, 0] }, { why: "r99" }), GpuzooError);
});

test("sources are compiled", { skip: withoutCli }, () => {
  const path = "examples/compile/lit.wgsl";
  const program = gpuzoo.nv2a.compile(text(path), { name: "lit.wgsl", stage: "vertex" });
  assert.ok(program.uniforms.length > 0);
  assert.match(program.listing, /lit\.wgsl/);
  assert.deepEqual(Buffer.from(program.emit("hex")), cli("compile", "--gpu", "nv2a", path, "--emit", "hex"));
  assert.throws(() => gpuzoo.nv2a.compile("fn main() {", { from: "wgsl" }), GpuzooError);
  assert.throws(() => gpuzoo.nv2a.compile("", { from: "wgsl", level: "most" }), GpuzooError);
});

// The module has one thread and 1 MB of stack, and no larger one can be made.
test("nested sources are compiled or refused", () => {
  const glsl = (body) => `#version 450\nlayout(location = 0) in vec4 a;\nvoid main() { vec4 r = a; ${body} gl_Position = r; }`;
  const wgsl = (body) => `@vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f { var r = a; ${body} return r; }`;
  const cg = (body) => `void main(float4 a : POSITION, out float4 o : POSITION) { float4 r = a; ${body} o = r; }`;
  const ways = [
    ["r = ", "(", "a", ")", ";"],
    ["r = ", "abs(", "a", ")", ";"],
    ["", "{", "r = a;", "}", ""],
  ];
  for (const [name, source] of [["a.vert", glsl], ["a.wgsl", wgsl], ["a.vs.cg", cg]]) {
    for (const [before, open, middle, close, after] of ways) {
      const refused = (depth) => {
        try {
          gpuzoo.nv2a.compile(source(before + open.repeat(depth) + middle + close.repeat(depth) + after), { name });
          return undefined;
        } catch (error) {
          assert.ok(error instanceof GpuzooError, `${name}, ${open}: ${error}`);
          return error.message;
        }
      };
      // The deepest that is accepted, and the next one.
      let [accepted, tooDeep] = [1, 2048];
      assert.match(refused(tooDeep), /K0109|K0204|K0104/);
      while (tooDeep - accepted > 1) {
        const middle = (accepted + tooDeep) >> 1;
        if (refused(middle)) tooDeep = middle;
        else accepted = middle;
      }
      assert.ok(accepted >= 16, `${name}, ${open}: ${accepted}`);
    }
  }
});

test("programs are translated", { skip: withoutCli }, () => {
  const program = gpuzoo.nv2a.assemble(text("examples/nv2a/light.vsh"), { name: "light.vsh" });
  for (const to of ["wgsl", "glsl330", "hlsl", "msl"]) {
    const made = program.translate(to);
    assert.equal(made.text, cli("translate", "examples/nv2a/light.vsh", "--to", to).toString("utf8"));
    assert.ok(made.reflection.inputs !== undefined && made.explanation.length > 0);
  }
  const spirv = program.translate("spirv");
  assert.equal(spirv.text, null);
  assert.equal(new Uint32Array(spirv.bytes.buffer)[0], 0x07230203);
  assert.match(program.translate("glsl", { prefix: "sky_", pointSize: true, bind: { c: 7 } }).text, /sky_/);
});

test("options are those of the library", () => {
  const code = (call) => {
    try {
      return call();
    } catch (error) {
      return [error.diagnostics[0].code, error.message];
    }
  };
  const text = "mov oPos, v0\nmov oD0, v0\n";
  const [unknown, near] = code(() => gpuzoo.nv2a.assemble(text, { dialekt: "vp" }));
  assert.equal(unknown, "G0141");
  assert.match(near, /did you mean `dialect`/);
  assert.equal(code(() => gpuzoo.nv2a.assemble(text, { position: "clop" }))[0], "G0140");
  const program = gpuzoo.nv2a.assemble(text, { position: "clip" });
  assert.equal(code(() => program.translate("wgsl", { rawPosition: true }))[0], "G0141");
  assert.equal(code(() => program.run({ v0: [1, 2, 3, 4] }, { profile: "hw", modes: 1 }))[0], "G0140");
});

test("programs are optimized", () => {
  const text = "dp4 r0.x, v0, c[0]\ndp4 r0.y, v0, c[1]\nrcp r2.w, v1.x\nmul oD0, r0.x, r2.w\nmov oPos, r0.xyyy\n";
  const { program, slots, summary } = gpuzoo.nv2a.assemble(text).optimize();
  assert.deepEqual(slots, [5, 4]);
  assert.equal(program.words.length, 16);
  assert.match(summary, /5 slots → 4/);
});

test("pages of the reference", { skip: withoutCli }, () => {
  assert.equal(gpuzoo.explain("nv2a.dph").trim(), cli("explain", "nv2a.dph").toString("utf8").trim());
  assert.throws(() => gpuzoo.explain("nonsense", "nv2a"), GpuzooError);
});

test("the servers of editors answer", () => {
  const [{ result }] = gpuzoo.lsp({ jsonrpc: "2.0", id: 1, method: "initialize", params: { capabilities: {} } });
  assert.ok(result.capabilities.hoverProvider);
  const said = gpuzoo.dap({ seq: 1, type: "request", command: "initialize", arguments: {} });
  assert.equal(said[0].body.supportsStepBack, true);
});

test("a file that has been put is included", () => {
  gpuzoo.put("half.inc", "mul r0, v0, v0\n");
  assert.throws(() => gpuzoo.nv2a.read(read("examples/dreambox/corners.csv")), GpuzooError);
  gpuzoo.remove("half.inc");
});

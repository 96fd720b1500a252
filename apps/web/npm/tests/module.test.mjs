// The module itself: what it wants of its host, what instructions it is made of, what it does with nonsense.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { load, Module } from "../dist/index.js";
import { gpuzoo, modules } from "./common.mjs";

const compiled = new WebAssembly.Module(readFileSync(modules[0]));

/** How often three bytes follow one another. */
const count = (bytes, ...pattern) => {
  let found = 0;
  for (let at = bytes.indexOf(Buffer.from(pattern)); at >= 0; at = bytes.indexOf(Buffer.from(pattern), at + 1)) found += 1;
  return found;
};

for (const path of modules) {
  test(`${basename(path)} imports nothing, and exports what its page says`, () => {
    const module = new WebAssembly.Module(readFileSync(path));
    assert.deepEqual(WebAssembly.Module.imports(module), []);
    const page = readFileSync(new URL("../../wasm/README.md", import.meta.url), "utf8");
    for (const { name, kind } of WebAssembly.Module.exports(module)) {
      if (kind === "function" || kind === "memory") assert.ok(page.includes(`\`${name}`), `the page does not know ${name}`);
    }
  });

  // With the root crate at opt-level "s" the engine's loops are not vectorized, and these are a tenth.
  test(`${basename(path)} has loops of vectors`, () => {
    const bytes = readFileSync(path);
    // f32x4.add, f32x4.mul: two bytes of prefix and opcode, and the opcode's second.
    const [add, mul] = [count(bytes, 0xfd, 0xe4, 0x01), count(bytes, 0xfd, 0xe6, 0x01)];
    console.log(`f32x4.add ${add}, f32x4.mul ${mul}; ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} gzip`);
    assert.ok(add > 200 && mul > 200, `${add} ${mul}`);
  });
}

test("a module with some machines refuses what is the others'", async () => {
  const [, shaders, vera] = await Promise.all(modules.map((path) => load(pathToFileURL(path))));
  const refused = (work) => assert.throws(work, { name: "GpuzooError" });
  assert.deepEqual(shaders.machines().map(({ id }) => id), ["dreambox", "nv2a", "picogpu", "servaru"]);
  for (const work of [() => shaders.vera.device(), () => shaders.vera.machine(), () => shaders.vera.assemble(" rts")]) refused(work);
  assert.deepEqual(vera.machines().map(({ id }) => id), ["vera"]);
  refused(() => vera.nv2a.assemble("mov oPos, v0"));
  const machine = vera.vera.machine();
  machine.load(vera.vera.assemble(" lda #'A'\n jsr $ffd2\n rts\n"));
  assert.equal(machine.run({ frames: 2 }).output, "A");
});

test("nonsense is refused, and nothing breaks", () => {
  const module = new Module(new WebAssembly.Instance(compiled, {}));
  const refused = (op, about, data) => assert.throws(() => module.call(op, about, data), { name: "GpuzooError" }, `${op} ${JSON.stringify(about)}`);
  refused("nonsense", {});
  for (const op of ["put", "remove", "frame", "give", "open", "run", "trace", "close", "words", "hot", "check", "emit", "explain", "translate", "conform"]) {
    if (op !== "conform") refused(op, {});
    // What is closed already is nothing to close, and what is not there nothing to remove.
    if (op === "close") continue;
    refused(op, { gpu: "dremabox", program: "none.vu", subject: "none.toml", id: 7, name: 1, files: ["none"] });
  }
  for (const op of ["vera/picture", "vera/vram", "x16/run", "x16/cpu"]) refused(op, { id: 7 });
  refused("open", { gpu: "nv2a", data: 3 });
  refused("open", { gpu: "nv2a", text: "mov oPos, v0", stage: "geometry" });
  const { id } = module.call("open", { gpu: "nv2a", text: "mov oPos, v0" });
  refused("run", { id, inputs: { v0: { data: 0, components: 4, stride: 4, count: 1 } } });
  refused("run", { id, inputs: { v0: { data: 0, components: 4, stride: 4, count: 2 } } }, [new Float32Array(4)]);
  refused("run", { id, inputs: { v0: { data: 0, components: 5, stride: 4, count: 1 } } }, [new Float32Array(4)]);
  refused("run", { id, inputs: { v0: { data: 0, components: 4, stride: 0, count: 1 } } }, [new Float32Array(4)]);
  refused("run", { id, inputs: { v0: { data: 0, components: 4, stride: 4, count: -1 } } }, [new Float32Array(4)]);
  refused("run", { id, inputs: { v0: { data: 0, components: 4, stride: 4, count: 2 ** 31 } } }, [new Float32Array(4)]);
  refused("run", { id, inputs: { nothing: { data: 0, components: 4, stride: 4, count: 1 } } }, [new Float32Array(4)]);
  refused("run", { id, zeros: true, constants: { c0: 0 } }, [new Float32Array(3)]);
  refused("run", { id, zeros: true, profile: "software" });
  assert.equal(module.exports.vera_read(id, 0), -1);
  assert.equal(module.exports.vera_write(99, 0, 0), -1);
  assert.equal(module.exports.vera_advance(0, 1), -1);
  module.call("close", { id });
  refused("run", { id, zeros: true });
});

test("what is asked again and again takes no more memory", () => {
  const work = () => {
    const program = gpuzoo.nv2a.assemble("mul oPos, v0, c0");
    program.run({ v0: new Float32Array(40_000) }, { zeros: true });
    program.close();
    gpuzoo.vera.device().close();
  };
  for (let round = 0; round < 20; round += 1) work();
  const before = gpuzoo.module.exports.memory.buffer.byteLength;
  for (let round = 0; round < 200; round += 1) work();
  assert.equal(gpuzoo.module.exports.memory.buffer.byteLength, before);
});

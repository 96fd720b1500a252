// VERA on its bus, and the machine around it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { GpuzooError } from "../dist/index.js";
import { cli, files, gpuzoo, put, text, withoutCli } from "./common.mjs";

test("registers are the device's", () => {
  const vera = gpuzoo.vera.device();
  vera.write(0x9f20, 0x34);
  vera.write(0x9f21, 0x12);
  vera.write(0x9f22, 0x10);
  vera.write(0x9f23, 0xab);
  assert.equal(vera.vram(0x1234, 0x1235)[0], 0xab);
  assert.equal(vera.peek(0x9f20), 0x35);
  assert.equal(vera.read(0x9f20), 0x35);
  vera.setVram(0x1235, Uint8Array.of(7, 8));
  // A port fetches when its address is written, so it still has what was there.
  vera.write(0x9f20, 0x35);
  assert.deepEqual([vera.read(0x23), vera.read(0x23)], [7, 8]);
  assert.throws(() => vera.setVram(0x1ffff, Uint8Array.of(1, 2)), GpuzooError);
  assert.throws(() => vera.vram(5, 4), GpuzooError);
  assert.throws(() => vera.setVram(0, [1, 2, 3]), GpuzooError);
  for (const cycles of [-1, 0.5, 2 ** 32, NaN]) assert.throws(() => vera.advance(cycles), GpuzooError);
  assert.ok(Object.keys(vera.state()).length > 20);
  vera.close();
  assert.throws(() => vera.read(0), GpuzooError);
  vera.close();
});

test("a picture takes 420,000 clocks, and asks for an interrupt", () => {
  const vera = gpuzoo.vera.device({ listens: true });
  vera.write(0x9f26, 1);
  let cycles = 0;
  while (!vera.advance(4)) cycles += 4;
  assert.ok(cycles > 100_000 && cycles < 140_000, String(cycles));
  vera.advanceFrames(2);
  const { width, height, pixels } = vera.picture();
  assert.deepEqual([width, height, pixels.length], [640, 480, 640 * 480 * 4]);
  assert.ok(vera.samples().length > 2 * 1500);
});

test("a program is what the command line assembles, and its picture too", { skip: withoutCli }, () => {
  put("examples/vera");
  const prg = gpuzoo.vera.assemble(text("examples/vera/cube.s"), { name: "cube.s" });
  assert.ok(Buffer.from(prg).equals(cli("assemble", "examples/vera/cube.s", "-o", "-")));
  const machine = gpuzoo.vera.machine();
  machine.load(prg);
  const { over, cycles } = machine.run({ frames: 5 });
  assert.ok(!over && cycles > 600_000);
  assert.ok(machine.vera.picture().pixels.some((value) => value !== 0 && value !== 255));
  machine.close();
});

test("keys reach a program", () => {
  // GETIN, then CHROUT.
  const prg = gpuzoo.vera.assemble("loop: jsr $ffe4\n beq loop\n jsr $ffd2\n sta $0400\n bra loop\n");
  const machine = gpuzoo.vera.machine();
  machine.load(prg);
  machine.run({ frames: 2 });
  machine.give("0 keys HI\n");
  assert.match(machine.run({ frames: 60 }).output, /HI/i);
  assert.equal(machine.peek(0x0400, 0x0401)[0], "I".charCodeAt(0));
  assert.throws(() => machine.give("soon keys A"), /line 1/);
  machine.poke(0x0400, Uint8Array.of(1, 2));
  assert.deepEqual([...machine.peek(0x0400, 0x0402)], [1, 2]);
  assert.throws(() => machine.poke(0xffff, Uint8Array.of(1, 2)), GpuzooError);
  assert.equal(typeof machine.cpu.pc, "number");
});

test("errors of a text say where", () => {
  assert.throws(() => gpuzoo.vera.assemble(" lda\n nonsense x\n", { name: "e.s" }), /e\.s:2/);
  assert.ok(files("examples/vera").length > 5);
});

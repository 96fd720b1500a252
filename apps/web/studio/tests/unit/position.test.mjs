// Columns are UTF-16 units on both sides: behind an emoji and a letter outside the basic plane a squiggle is where it belongs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { install } from "./typescript.mjs";

install();
const { offsetOf, positionOf, spanOf } = await import("../../src/lsp/position.ts");

const TEXT = Text.of(["// 🫖 𝔸 é", "ld r0 0 // 👩‍🚀", "st pos r16"]);

test("every offset is a place, and back", () => {
  for (let offset = 0; offset <= TEXT.length; offset += 1) assert.equal(offsetOf(TEXT, positionOf(TEXT, offset)), offset);
});

test("an emoji is two units wide", () => {
  assert.deepEqual(positionOf(TEXT, "// 🫖".length), { line: 0, character: 5 });
  const { from, to } = spanOf(TEXT, { start: { line: 2, character: 7 }, end: { line: 2, character: 10 } });
  assert.equal(TEXT.sliceString(from, to), "r16");
});

test("a place behind the end is the end", () => {
  assert.equal(offsetOf(TEXT, { line: 9, character: 0 }), TEXT.length);
  assert.equal(offsetOf(TEXT, { line: 0, character: 99 }), TEXT.line(1).to);
});

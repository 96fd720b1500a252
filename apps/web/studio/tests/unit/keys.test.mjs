// A browser's keys and mouse, as the machine calls them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { install } from "./typescript.mjs";

install();
const { keyLine, keyOf, mouseLine } = await import("../../src/picture/keys.ts");

test("every key that is named is one of the machine's", () => {
  const source = readFileSync(new URL("../../../../../crates/x16/src/input/keys.rs", import.meta.url), "utf8");
  const known = new Set([...source.matchAll(/\(0x[0-9a-f]{2}, "((?:[^"\\]|\\.)+)"/g)].map(([, name]) => name.replace("\\\\", "\\")));
  assert.ok(known.size > 90, String(known.size));
  const keys = readFileSync(new URL("../../src/picture/keys.ts", import.meta.url), "utf8");
  const codes = [...keys.matchAll(/^ {2}(\w+): "/gm)].map(([, code]) => code);
  for (const code of [...codes, "KeyA", "Digit7", "F1", "F12", "Numpad0"]) assert.ok(known.has(keyOf(code)), `${code}: ${keyOf(code)}`);
});

test("Tab and Escape stay the browser's", () => {
  for (const code of ["Tab", "Escape", "MetaLeft", "F13x"]) assert.equal(keyLine(code, true), undefined);
});

test("what is done is a line", () => {
  assert.equal(keyLine("KeyQ", true), "@0 press Q");
  assert.equal(keyLine("Enter", false), "@0 release RETURN");
  assert.equal(mouseLine(3.7, -2.2, 0), "@0 motion 3,-2,0");
  assert.equal(mouseLine(0, 0, 5), "@0 motion 0,0,0 LEFT+MIDDLE");
});

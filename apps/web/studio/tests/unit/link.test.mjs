// Links: what is written is read again, and what nobody wrote is refused with a message, whatever it is.
import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { test } from "node:test";
import { install } from "./typescript.mjs";

install();
const { decode, encode, LinkError, LIMITS } = await import("../../src/state/link.ts");

const WORK = {
  example: "dreambox/teapot.toml",
  files: { "teapot.vu": "ld r0 0\nst pos r0 // 🫖 é\n".repeat(40) },
  open: "teapot.toml",
  profile: "cpu",
  time: 0.25,
  view: "overdraw",
  pixel: [320, 240],
  pane: "run",
};
const packed = (value) => `#1,${deflateRawSync(Buffer.from(typeof value === "string" ? value : JSON.stringify(value))).toString("base64url")}`;

test("a work comes back as it was", async () => {
  assert.deepEqual(await decode(await encode(WORK)), WORK);
});

test("an example as it is has a short link", async () => {
  assert.equal(await encode({ example: "nv2a/light.toml", files: undefined }), "#x=nv2a/light.toml");
  assert.deepEqual(await decode("#x=nv2a/light.toml"), { example: "nv2a/light.toml" });
  assert.equal(await decode("#"), undefined);
});

test("a program becomes shorter than it is", async () => {
  assert.ok((await encode(WORK)).length < WORK.files["teapot.vu"].length);
});

test("1,000 random fragments are refused or read, and nothing else happens", async () => {
  let state = 1;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_,=#%/";
  const whole = await encode(WORK);
  const refused = { random: 0, damaged: 0 };
  for (let round = 0; round < 1000; round += 1) {
    const isRandom = round % 2 === 0;
    let fragment = "#1,";
    if (isRandom) for (let left = random(200); left > 0; left -= 1) fragment += letters[random(letters.length)];
    else {
      const at = 3 + random(whole.length - 3);
      fragment = random(2) ? whole.slice(0, at) : whole.slice(0, at) + letters[random(letters.length)] + whole.slice(at + 1);
    }
    try {
      const link = await decode(fragment);
      assert.equal(typeof link, "object");
    } catch (error) {
      assert.ok(error instanceof LinkError, `${fragment}: ${error}`);
      refused[isRandom ? "random" : "damaged"] += 1;
    }
  }
  assert.ok(refused.random > 490 && refused.damaged > 250, JSON.stringify(refused));
});

test("a bomb is refused before it has unpacked", async () => {
  const bomb = packed("0".repeat(40_000_000));
  assert.ok(bomb.length < LIMITS.fragment);
  await assert.rejects(decode(bomb), /unpacks to more than 262144 bytes/);
  await assert.rejects(decode(`#1,${"A".repeat(LIMITS.fragment)}`), /more than 65536 characters/);
});

test("names, numbers and counts have limits", async () => {
  const refused = [
    { files: { "../a.vu": "" } },
    { files: { "a/b.vu": "" } },
    { files: { __proto__: 1, "a.vu": 3 } },
    { files: Object.fromEntries(Array.from({ length: 17 }, (_, number) => [`f${number}.vu`, ""])) },
    { example: "<img>" },
    { subject: 7 },
    { time: -1 },
    { time: null },
    { pixel: [1] },
    { pixel: [1, 1e9] },
    [],
    "text",
  ];
  for (const value of refused) await assert.rejects(decode(packed(value)), LinkError, JSON.stringify(value));
  await assert.rejects(decode("#x=../../etc"), LinkError);
  await assert.rejects(decode("#2,AA"), /no version/);
});

test("what a link does not know is dropped", async () => {
  assert.deepEqual(await decode(packed({ view: "depth", script: "alert(1)" })), { view: "depth" });
});

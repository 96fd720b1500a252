// Pictures: the command line's bytes.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PNG } from "pngjs";
import { load } from "../dist/index.js";
import { cli, files, gpuzoo, put, withoutCli } from "./common.mjs";

const scenes = ["dreambox", "nv2a", "picogpu", "servaru", "compile"].flatMap((folder) =>
  files(`examples/${folder}`).filter((path) => path.endsWith(".toml")),
);

/** What a screen shows of pixels: what blending left in their alpha is no part of it. */
function shown(pixels) {
  const copy = Buffer.from(pixels);
  for (let at = 3; at < copy.length; at += 4) copy[at] = 255;
  return copy;
}

/** The command line's picture. */
function wanted(path, ...options) {
  const png = join(mkdtempSync(join(tmpdir(), "gpuzoo-")), "picture.png");
  cli("render", path, "-o", png, "--frame", "0", ...options);
  return PNG.sync.read(readFileSync(png));
}

for (const path of scenes) {
  test(path, { skip: withoutCli }, async () => {
    const own = await load();
    put(path.split("/").slice(0, 2).join("/"), own);
    const { width, height, pixels } = own.render(path.split("/").at(-1));
    const { width: w, height: h, data } = wanted(path);
    assert.deepEqual([width, height], [w, h]);
    assert.ok(shown(pixels).equals(shown(data)), "other pixels");
  });
}

test("views", { skip: withoutCli }, () => {
  put("examples/dreambox");
  const { pixels } = gpuzoo.render("teapot.toml", { view: "overdraw" });
  assert.ok(shown(pixels).equals(shown(wanted("examples/dreambox/teapot.toml", "--view", "overdraw").data)));
});

test("a scene that is wrong says where", () => {
  gpuzoo.put("wrong.toml", 'gpu = "dreambox"\nnonsense = 1\n');
  assert.throws(() => gpuzoo.render("wrong.toml"), (error) => /wrong\.toml:2/.test(error.message) && error.diagnostics.length > 0);
  assert.throws(() => gpuzoo.render("missing.toml"), { name: "GpuzooError" });
});

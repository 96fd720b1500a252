// The package as its users have it: packed, installed somewhere else, imported by name, with its types; and what its pages show.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { text } from "./common.mjs";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const TSC = join(PACKAGE, "node_modules/.bin/tsc");

const folder = mkdtempSync(join(tmpdir(), "gpuzoo-"));
const packed = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: PACKAGE, stdio: ["ignore", "pipe", "ignore"] }));
writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }\n');
execFileSync("npm", ["install", "--no-audit", "--no-fund", "--offline", join(folder, packed[0].filename)], { cwd: folder, stdio: "pipe" });

test("it has what it needs, and nothing else", () => {
  const files = packed[0].files.map(({ path }) => path);
  for (const path of ["dist/index.js", "dist/index.d.ts", "dist/gpuzoo.wasm", "dist/shaders.wasm", "dist/vera.wasm", "README.md", "LICENSE-MIT", "LICENSE-APACHE"]) {
    assert.ok(files.includes(path), path);
  }
  assert.ok(!files.some((path) => /^(src|tests|node_modules)\//.test(path)), files.join());
});

for (const page of ["docs/javascript.md", "apps/web/npm/README.md"]) {
  test(`what ${page} shows runs`, () => {
    const blocks = [...text(page).matchAll(/^```js\n(.*?)^```/gms)].map(([, block]) => block);
    assert.ok(blocks.length > 0);
    const script = join(folder, "page.js");
    writeFileSync(script, `import assert from "node:assert/strict";\n${blocks.join("\n")}`);
    execFileSync("node", [script], { cwd: folder, stdio: "pipe" });
  });
}

test("its types know the machines", () => {
  const check = (name, source) => {
    writeFileSync(join(folder, name), source);
    const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "--types", ""];
    try {
      execFileSync(TSC, [...options, name], { cwd: folder, stdio: "pipe" });
      return "";
    } catch (error) {
      return error.stdout.toString();
    }
  };
  const use = 'import { load, type Run } from "gpuzoo";\nconst gpuzoo = await load();\nconst program = gpuzoo.nv2a.assemble("mov oPos, v0");\n';
  const right = `${use}const run: Run<"nv2a"> = program.run({ v0: [1, 2, 3, 4] }, { profile: "hw" });\nconst floats: Float32Array = run.outputs.oPos;\nfloats;\n`;
  assert.equal(check("right.ts", right), "");
  for (const wrong of ['program.run({ v0: "1" });', 'program.run({}, { profile: "software" });', 'program.translate("cobol");', 'program.translate("wgsl", { fidelity: "some" });', 'gpuzoo.nv2a.assemble("", { dialekt: "vp" });', 'gpuzoo.render("a.toml", { view: "x-ray" });']) {
    assert.match(check("wrong.ts", `${use}${wrong}\n`), /error TS/, wrong);
  }
});

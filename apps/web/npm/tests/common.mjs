// What the tests share: the package as it was built, the repository, the command line.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "../dist/index.js";

export const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
/** The package's modules, the whole one first. */
export const modules = ["gpuzoo", "shaders", "vera"].map((name) => fileURLToPath(new URL(`../dist/${name}.wasm`, import.meta.url)));
export const gpuzoo = await load();

/** The command line, with which bytes are compared. */
export const hasCli = process.env.GPUZOO !== undefined;
export const withoutCli = hasCli ? false : "GPUZOO does not name the command line; `cargo xtask npm` does";
export const cli = (...args) => execFileSync(process.env.GPUZOO, args, { cwd: ROOT, maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });

export const read = (path) => readFileSync(join(ROOT, path));
export const text = (path) => read(path).toString("utf8");

/** The files of a folder, those of folders in it too, by path from the root. */
export function files(folder) {
  return readdirSync(join(ROOT, folder))
    .sort()
    .flatMap((name) => {
      const path = `${folder}/${name}`;
      return statSync(join(ROOT, path)).isDirectory() ? files(path) : [path];
    });
}

/** Puts the files of a folder of examples. */
export function put(folder, to = gpuzoo) {
  for (const path of files(folder)) to.put(path.split("/").at(-1), new Uint8Array(read(path)));
}

/** Numbers that look random and are the same each time: floats from -2 to 2. */
export function numbers(count, seed = 1) {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.fround(state / 2 ** 30 - 2);
  });
}

export const bits = (floats) => new Uint32Array(floats.buffer, floats.byteOffset, floats.length);

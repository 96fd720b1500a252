// Lets node import the page's own sources: types are stripped by the compiler that Vite uses.
import { readFile } from "node:fs/promises";
import { register } from "node:module";
import { transformWithOxc } from "vite";

export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (!specifier.startsWith(".")) throw error;
    return next(`${specifier}.ts`, context);
  }
}

export async function load(url, context, next) {
  if (!url.endsWith(".ts")) return next(url, context);
  const { code } = await transformWithOxc(await readFile(new URL(url), "utf8"), url.slice("file://".length));
  return { format: "module", source: code, shortCircuit: true };
}

/** To be called before the sources are imported. */
export const install = () => register(import.meta.url);

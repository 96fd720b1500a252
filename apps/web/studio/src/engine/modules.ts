// The modules of the npm package: small ones with some of the machines, and the whole one, which compiles shading languages and translates programs as well.
// Each is fetched when it is needed first.
import shaders from "shaders.wasm?url";
import vera from "vera.wasm?url";
import whole from "gpuzoo.wasm?url";
import { compiled } from "../../../npm/src/load.ts";

const URLS = { shaders, vera, whole };
export type ModuleName = keyof typeof URLS;

const loading = new Map<ModuleName, Promise<WebAssembly.Module>>();

/** The small module that has a machine. */
export const moduleOf = (gpu: string): ModuleName => (gpu === "vera" ? "vera" : "shaders");

/** A module; asked again, the same. What could not be fetched is tried again. */
export function load(name: ModuleName): Promise<WebAssembly.Module> {
  const known = loading.get(name);
  if (known) return known;
  const module = compiled(new URL(URLS[name], location.href));
  module.catch(() => loading.delete(name));
  loading.set(name, module);
  return module;
}

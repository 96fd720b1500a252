/**
 * gpuzoo: one toolchain for the shader units of small graphics processors.
 *
 * ```js
 * import { load } from "gpuzoo";
 * const gpuzoo = await load();
 * const program = gpuzoo.nv2a.assemble("add oPos, v0, v0");
 * program.run({ v0: [[1, 2, 3, 4]] }).outputs.oPos; // Float32Array [2, 4, 6, 8]
 * ```
 */
import { Gpuzoo } from "./gpuzoo.ts";
import { compiled, type Source } from "./load.ts";
import { Module } from "./module.ts";

export type { Diagnostic, Place } from "./errors.ts";
export { GpuzooError, Trap } from "./errors.ts";
export type { FrameOptions, Report } from "./gpuzoo.ts";
export { Gpuzoo } from "./gpuzoo.ts";
export type { Source } from "./load.ts";
export type { Named } from "./machine.ts";
export { Computer, ShaderUnit } from "./machine.ts";
export type { Content, Draw, Exports, Frame, Picture } from "./module.ts";
export { Module } from "./module.ts";
export type { Machines, ShaderUnitId, Target } from "./names.ts";
export type { CompileOptions, DisassembleOptions, ReadOptions, StateOptions, TranslateOptions } from "./options.ts";
export type { Ancestry, Check, Column, Constant, Optimized, Run, RunOptions, State, Step, Trace, Translation, Uniform, Values } from "./program.ts";
export { Program } from "./program.ts";
export type { Cpu, Ending } from "./vera.ts";
export { Vera, X16 } from "./vera.ts";

/**
 * Compiles the module that lies beside this file, or another one, and makes an instance of it. Give a `WebAssembly.Module` to share one that
 * was compiled already, with workers for example.
 */
export async function load(source: Source = new URL("./gpuzoo.wasm", import.meta.url)): Promise<Gpuzoo> {
  // A page's main thread makes no instance of a module of this size at once, as a worker may.
  return new Gpuzoo(new Module(await WebAssembly.instantiate(await compiled(source), {})));
}

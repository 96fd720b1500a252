// Programs, their runs over arrays, and what there is to ask about them.
import { type Diagnostic, GpuzooError } from "./errors.ts";
import { kind, type Module } from "./module.ts";
import type { Machines, ShaderUnitId, Target } from "./names.ts";
import type { DisassembleOptions, StateOptions, TranslateOptions } from "./options.ts";

/** Closes an object of the module when nobody has it any more. */
const forgotten = new FinalizationRegistry(({ module, id }: { module: WeakRef<Module>; id: number }) => {
  try {
    module.deref()?.call("close", { id });
  } catch {
    // A module that has broken has nothing open.
  }
});

/** Closes what `owner` stands for with it. */
export function closing(owner: object, module: Module, id: number): void {
  forgotten.register(owner, { module: new WeakRef(module), id });
}

/** A name of a register's, or one of the program's own. */
type Named<N extends string> = N | (string & {});

/** Vertices that lie in an array with something else: numbers are counted in elements of four bytes. */
export interface Column {
  data: Float32Array | Uint32Array;
  /** Of each vertex; what is missing of four is that of (0, 0, 0, 1). */
  components: 1 | 2 | 3 | 4;
  /** From one vertex to the next; `components` without it. */
  stride?: number;
  /** Where the first one begins. */
  offset?: number;
}

/** Values of vertices or constants: four floats, or their bits, after the other; lists of 1 to 4 numbers; one such list. */
export type Values = Float32Array | Uint32Array | Column | readonly (readonly number[])[] | readonly number[];

/** Options of the state in which a machine runs a program, with the names of its profiles. */
export interface State<M extends ShaderUnitId> extends StateOptions {
  profile?: Machines[M]["profile"];
}

export interface RunOptions<M extends ShaderUnitId> extends State<M> {
  /** Constants by name, each with the rows from it on. */
  constants?: Readonly<Record<string, Values>>;
  /** What the program reads and is not given reads as zeros, which else is an error. */
  zeros?: boolean;
  /** These outputs alone. */
  only?: readonly Named<Machines[M]["output"]>[];
  /** Where outputs go; others get arrays of their own. */
  out?: Readonly<Record<string, Float32Array>>;
}

/** What a run gave. */
export interface Run<M extends ShaderUnitId> {
  /** Vertices. */
  count: number;
  /** Four floats a vertex. */
  outputs: { [name in Machines[M]["output"]]: Float32Array } & Record<string, Float32Array>;
  /** 1 for a vertex or fragment that was killed; missing for programs that cannot do that. */
  killed?: Uint8Array;
  /** Constants that the program changed. */
  constants: Record<string, Float32Array>;
  remarks: Diagnostic[];
}

/** A constant that the program names or gives a value. */
export interface Constant {
  name: string | null;
  register: string;
  count: number;
  values: Float32Array;
}

/** A uniform of a source that was compiled, and how many registers it has. */
export interface Uniform {
  name: string;
  type: string;
  registers: number;
}

/** What it costs, and what is suspicious about it. */
export interface Check {
  figures: Record<string, unknown>;
  diagnostics: Diagnostic[];
  text: string;
}

/** What an instruction did. */
export interface Step {
  slot: number;
  line: number | null;
  text: string;
  writes: { register: string; components: string; after: Float32Array }[];
}

/** Where a number comes from: in words, and as a graph. */
export interface Ancestry {
  text: string;
  graph: unknown;
}

/** The run of one vertex. */
export interface Trace {
  steps: Step[];
  outputs: Record<string, Float32Array>;
  killed: boolean;
  text: string;
  ancestry?: Ancestry;
}

/** A program as a shader of the host. */
export interface Translation {
  /** None of SPIR-V. */
  text: string | null;
  bytes: Uint8Array<ArrayBuffer>;
  /** Inputs, outputs, bindings: what the host has to provide. */
  reflection: Record<string, unknown>;
  explanation: string;
  shape: string;
}

/** A program that was made shorter. */
export interface Optimized<M extends ShaderUnitId> {
  program: Program<M>;
  /** The slots of the program before, and of this one. */
  slots: [number, number];
  /** The least number of slots for the operations that are left, where the machine's slots are shared. */
  bound: number | null;
  /** The number of instructions that were left out. */
  leftOut: number;
  /** All that in a line. */
  summary: string;
}

/** What the module says of a program that it has opened. */
export interface Opened {
  id: number;
  warnings: Diagnostic[];
  constants: { name: string | null; register: string; count: number; values: number[][] }[];
  words: number[];
  uniforms: Uniform[];
  listing: string | null;
}

/** A program without errors, which knows its machine. */
export class Program<M extends ShaderUnitId = ShaderUnitId> {
  readonly warnings: readonly Diagnostic[];
  /** The constants to which it gives names or values. */
  readonly constants: readonly Constant[];
  /** The words of its binary. */
  readonly words: Uint32Array;
  /** The uniforms of a source that was compiled. */
  readonly uniforms: readonly Uniform[];
  /** Of a source that was compiled the text with the places that each slot comes from. */
  readonly listing: string | null;
  readonly #id: number;

  constructor(
    private readonly module: Module,
    readonly machine: M,
    opened: Opened,
  ) {
    this.#id = opened.id;
    this.warnings = opened.warnings;
    this.constants = opened.constants.map((own) => ({ ...own, values: floats(own.values.flat()) }));
    this.words = Uint32Array.from(opened.words);
    this.uniforms = opened.uniforms;
    this.listing = opened.listing;
    closing(this, module, opened.id);
  }

  /** Runs it over vertices: values by the inputs' names. Without inputs it runs once. */
  run(inputs: { [name in Machines[M]["input"]]?: Values } = {}, options: RunOptions<M> = {}): Run<M> {
    const { about, data } = given(inputs, options);
    const places = Object.entries(options.out ?? {});
    for (const [name, array] of places) {
      if (!(array instanceof Float32Array)) throw new GpuzooError(`the array for ${name} is ${kind(array)}; a Float32Array is needed`);
      if (places.some(([other, own]) => other !== name && own === array)) throw new GpuzooError(`the array for ${name} is that of another output, too`);
    }
    const answer = this.#call("run", { ...about, outputs: options.only }, data) as Ran;
    const { bytes } = this.module;
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    const size = 4 * answer.count;
    const outputs: Record<string, Float32Array> = {};
    const missing = places.find(([name]) => !answer.outputs.includes(name));
    if (missing) throw new GpuzooError(`there is no output ${missing[0]} in this run; there are ${answer.outputs.join(", ")}`);
    answer.outputs.forEach((name, at) => {
      const from = new Float32Array(words.buffer, words.byteOffset + 4 * at * size, size);
      const to = options.out?.[name];
      if (to !== undefined && to.length < size) throw new GpuzooError(`the array for ${name} has ${to.length} elements; ${size} are needed`);
      to?.set(from);
      outputs[name] = to ?? from.slice();
    });
    const run = { count: answer.count, outputs, constants: each(answer.constants, floats), remarks: answer.remarks } as Run<M>;
    if (answer.killed) run.killed = Uint8Array.from(words.subarray(size * answer.outputs.length));
    return run;
  }

  /** The run of one vertex, step by step. With `why` (`"oD0.x"`, `"r3.xy@12"`) also where that comes from. */
  trace(
    inputs: { [name in Machines[M]["input"]]?: Values } = {},
    options: RunOptions<M> & { vertex?: number; why?: string } = {},
  ): Trace {
    const { about, data } = given(inputs, options);
    const { lines, text, why } = this.#call("trace", { ...about, vertex: options.vertex, why: options.why }, data) as Traced;
    const trace: Trace = { steps: [], outputs: {}, killed: false, text };
    for (const line of lines) {
      if (line.slot !== undefined) {
        const writes = (line.changes ?? []).map((change) => ({ ...change, after: floats(change.after) }));
        trace.steps.push({ slot: line.slot, line: line.line ?? null, text: line.text ?? "", writes });
      }
      trace.killed ||= line.killed === true;
      Object.assign(trace.outputs, each(line.outputs ?? {}, floats));
    }
    if (why !== undefined) trace.ancestry = why;
    return trace;
  }

  /** A text that does the same, or with `exact` one that assembles to the same words. */
  disassemble(options: DisassembleOptions = {}): string {
    return (this.#call("disassemble", { options }) as { text: string }).text;
  }

  /** The same program with fewer slots, if there is a way. */
  optimize(): Optimized<M> {
    const { slots, bound, leftOut, summary, ...opened } = this.#call("optimize") as Opened & Omit<Optimized<M>, "program">;
    return { program: new Program<M>(this.module, this.machine, opened), slots, bound, leftOut, summary };
  }

  /** What it costs, and what is suspicious about it. */
  check(): Check {
    return this.#call("check") as Check;
  }

  /** The program in one of the forms of `gpuzoo assemble --emit`, as bytes. */
  emit(form: string, options: { profile?: Machines[M]["profile"]; name?: string } = {}): Uint8Array<ArrayBuffer> {
    this.#call("emit", { form, ...options });
    return this.module.bytes.slice();
  }

  /** The program as a shader of the host. */
  translate(to: Target, options: Omit<TranslateOptions, "to"> & State<M> = {}): Translation {
    const made = this.#call("translate", { options: { ...options, to } }) as Omit<Translation, "bytes">;
    return { ...made, bytes: this.module.bytes.slice() };
  }

  /** Ends it; else that happens when nobody has it any more. */
  close(): void {
    this.module.call("close", { id: this.#id });
  }

  #call(op: string, about: object = {}, data: readonly ArrayBufferView[] = []): unknown {
    return this.module.call(op, { id: this.#id, ...about }, data);
  }
}

interface Ran {
  count: number;
  outputs: string[];
  killed: boolean;
  constants: Record<string, number[]>;
  remarks: Diagnostic[];
}

interface Traced {
  lines: {
    slot?: number;
    line?: number | null;
    text?: string;
    changes?: { register: string; components: string; after: string[] }[];
    killed?: boolean;
    outputs?: Record<string, string[]>;
  }[];
  text: string;
  why?: Ancestry;
}

function each<T, U>(all: Record<string, T>, of: (one: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(all).map(([name, one]) => [name, of(one)]));
}

/** Floats of bits, which are numbers or hexadecimal. */
function floats(bits: readonly (number | string)[]): Float32Array {
  return new Float32Array(Uint32Array.from(bits, (one) => (typeof one === "string" ? Number.parseInt(one, 16) : one)).buffer);
}

/** Inputs and constants as the module takes them: what they are, and their bytes by number. */
function given(inputs: Readonly<Record<string, Values | undefined>>, options: RunOptions<ShaderUnitId>): { about: object; data: ArrayBufferView[] } {
  const data: ArrayBufferView[] = [];
  const keep = (view: ArrayBufferView) => data.push(view) - 1;
  const columns: Record<string, object> = {};
  for (const [name, values] of Object.entries(inputs)) {
    if (values === undefined) continue;
    const { data: array, components, stride, offset } = column(name, checked(name, values));
    const words = array.subarray(offset);
    const count = Math.floor((words.length - components + stride) / stride);
    if (count < 1 && array.length > 0) throw new GpuzooError(`${name} has ${array.length} elements, in which no vertex of ${components} lies`);
    columns[name] = { data: keep(words), components, stride, count };
  }
  const constants: Record<string, number> = {};
  for (const [name, values] of Object.entries(options.constants ?? {})) constants[name] = keep(rows(name, checked(name, values)));
  const state: StateOptions = { profile: options.profile, modes: options.modes };
  return { about: { options: state, zeros: options.zeros, inputs: columns, constants }, data };
}

const isColumn = (values: Values): values is Column => "components" in values;

/** Throws for what is no value, whatever types say. */
function checked(name: string, values: Values): Values {
  const isNumber = (one: unknown) => typeof one === "number";
  const isRight = (one: unknown) => isNumber(one) || (Array.isArray(one) && one.every(isNumber));
  if (Array.isArray(values) ? values.every(isRight) : typeof values === "object" && values !== null) return values;
  throw new GpuzooError(`${name} is ${Array.isArray(values) ? "a list of other things than numbers" : kind(values)}; numbers are needed: an array or lists of them`);
}
const isList = (values: Values): values is readonly number[] => Array.isArray(values) && typeof values[0] === "number";

function column(name: string, values: Values): Required<Column> {
  if (isColumn(values)) {
    const { components, stride = components, offset = 0 } = values;
    const isRight = [1, 2, 3, 4].includes(components) && Number.isInteger(stride) && stride >= components && Number.isInteger(offset) && offset >= 0;
    if (!isRight) throw new GpuzooError(`${name} has ${components} components, ${stride} elements apart, from ${offset} on, which cannot be`);
    return { data: words(name, values.data), components, stride, offset };
  }
  if (ArrayBuffer.isView(values)) return { data: whole(name, words(name, values), "vertex. { data, components } says another number"), components: 4, stride: 4, offset: 0 };
  const lists = isList(values) ? [values] : (values as readonly (readonly number[])[]);
  const components = lists[0]?.length ?? 4;
  if (![1, 2, 3, 4].includes(components) || lists.some((list) => list.length !== components)) {
    throw new GpuzooError(`${name} needs lists of 1 to 4 numbers, all of the same length`);
  }
  return { data: Float32Array.from(lists.flat()), components: components as 1, stride: components, offset: 0 };
}

/** Constants: rows of four, of which lists that are shorter are filled up. */
function rows(name: string, values: Values): Float32Array | Uint32Array {
  if (isColumn(values)) throw new GpuzooError(`${name} is a constant: it has rows of four and no columns`);
  if (ArrayBuffer.isView(values)) return whole(name, words(name, values), "constant");
  const lists = isList(values) ? [values] : (values as readonly (readonly number[])[]);
  if (lists.some((list) => list.length < 1 || list.length > 4)) throw new GpuzooError(`${name} needs lists of 1 to 4 numbers`);
  return Float32Array.from(lists.flatMap((list) => [...list, ...[0, 0, 0, 1].slice(list.length)]));
}

function words(name: string, array: ArrayBufferView): Float32Array | Uint32Array {
  if (array instanceof Float32Array || array instanceof Uint32Array) return array;
  throw new GpuzooError(`${name} is a ${array.constructor.name}; a Float32Array of numbers or a Uint32Array of their bits is needed`);
}

function whole(name: string, array: Float32Array | Uint32Array, of: string): Float32Array | Uint32Array {
  if (array.length % 4 === 0) return array;
  throw new GpuzooError(`${name} has ${array.length} elements; four belong to each ${of}`);
}

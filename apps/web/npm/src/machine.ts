// The machines: where programs come from.
import { GpuzooError } from "./errors.ts";
import { type Content, contents, type Module } from "./module.ts";
import type { Machines, ShaderUnitId } from "./names.ts";
import { type Opened, Program } from "./program.ts";
import { Vera, X16 } from "./vera.ts";

/** How a text is read: what `gpuzoo assemble` takes. */
export interface ReadOptions {
  /** What messages call it; its extension can say the form. */
  name?: string;
  /** `asm`, `bin`, `hex` or `json`; else as the name or the bytes say. */
  form?: string;
  dialect?: string;
  numbering?: string;
  positions?: string;
  /** Macros: `NAME` or `NAME=VALUE`. */
  defines?: readonly string[];
}

/** How a source is compiled: what `gpuzoo compile` takes. */
export interface CompileOptions {
  name?: string;
  /** Else as the name says. */
  language?: "wgsl" | "glsl" | "spv" | "cg";
  entry?: string;
  stage?: "vertex" | "fragment";
  defines?: readonly string[];
  level?: "source" | "quick" | "usual" | "longest";
  fastMath?: boolean;
  rawPosition?: boolean;
  /** The first constant that uniforms get. */
  constantsAt?: number;
  /** Registers for outputs, by the source's names. */
  outputs?: Readonly<Record<string, string>>;
}

/** A machine whose programs run over vertices. */
export class ShaderUnit<M extends ShaderUnitId> {
  constructor(
    private readonly module: Module,
    readonly id: M,
  ) {}

  /** A program of an assembly text. Files that it includes have been put before. */
  assemble(text: string, options: Omit<ReadOptions, "form"> = {}): Program<M> {
    return this.read(text, { ...options, form: "asm" });
  }

  /** A program of its binary: words, or the bytes of a file. */
  load(binary: Uint32Array | Uint8Array | readonly number[]): Program<M> {
    const options = { form: "bin", name: "words" };
    if (binary instanceof Uint8Array) return this.read(binary, options);
    const isWord = (word: number) => Number.isInteger(word) && word >= 0 && word <= 0xffff_ffff;
    const isWords = binary instanceof Uint32Array || (Array.isArray(binary) && binary.every(isWord));
    if (!isWords) throw new GpuzooError("a program's binary is a Uint32Array or a list of its words, or a Uint8Array of bytes");
    return this.read(new Uint8Array(Uint32Array.from(binary).buffer), options);
  }

  /** A program in any form. */
  read(content: Content, options: ReadOptions = {}): Program<M> {
    return this.#open(content, options);
  }

  /** A program of a source in a shading language. */
  compile(source: Content, { name, language, entry, stage, defines, ...compile }: CompileOptions = {}): Program<M> {
    return this.#open(source, { name, form: language, entry, stage, defines, compile });
  }

  #open(content: Content, about: object): Program<M> {
    const given = contents(content);
    const request = { gpu: this.id, ...about, ...given.about };
    return new Program<M>(this.module, this.id, this.module.call("open", request, given.data) as Opened);
  }
}

/** A machine that programs of a CPU drive: VERA in a Commander X16. */
export class Computer {
  readonly id = "vera";

  constructor(private readonly module: Module) {}

  /** A PRG file of a text in 65C02 assembly, whose includes have been put before. */
  assemble(text: string, { name = "program.s" }: { name?: string } = {}): Uint8Array<ArrayBuffer> {
    this.module.call("x16/assemble", { name, text });
    return this.module.bytes.slice();
  }

  /** The device alone, just powered on: for an emulator of one's own. With `listens` its sound is kept. */
  device(options: { profile?: Machines["vera"]["profile"]; listens?: boolean } = {}): Vera {
    return new Vera(this.module, (this.module.call("vera", options) as { id: number }).id);
  }

  /** A Commander X16, with a ROM or with stand-ins for its routines. */
  machine(options: { profile?: Machines["vera"]["profile"]; ramBanks?: number; rom?: Uint8Array } = {}): X16 {
    const { rom, ...about } = options;
    const request = rom === undefined ? about : { ...about, rom: 0 };
    return new X16(this.module, (this.module.call("x16", request, rom === undefined ? [] : [rom]) as { id: number }).id);
  }
}

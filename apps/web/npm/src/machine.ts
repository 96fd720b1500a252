// The machines: where programs come from.
import { GpuzooError } from "./errors.ts";
import { type Content, contents, type Module } from "./module.ts";
import type { Machines, ShaderUnitId } from "./names.ts";
import type { CompileOptions, ReadOptions } from "./options.ts";
import { type Opened, Program } from "./program.ts";
import { Vera, X16 } from "./vera.ts";

/** What messages call a text; its extension is its form or language by default. */
export interface Named {
  name?: string;
}

/** A machine whose programs run over vertices. */
export class ShaderUnit<M extends ShaderUnitId> {
  constructor(
    private readonly module: Module,
    readonly id: M,
  ) {}

  /** A program of an assembly text. Files that it includes have been put before. */
  assemble(text: string, options: Named & Omit<ReadOptions, "from"> = {}): Program<M> {
    return this.read(text, { ...options, from: "asm" });
  }

  /** A program of its binary: words, or the bytes of a file. */
  load(binary: Uint32Array | Uint8Array | readonly number[]): Program<M> {
    const options = { from: "bin", name: "words" };
    if (binary instanceof Uint8Array) return this.read(binary, options);
    const isWord = (word: number) => Number.isInteger(word) && word >= 0 && word <= 0xffff_ffff;
    const isWords = binary instanceof Uint32Array || (Array.isArray(binary) && binary.every(isWord));
    if (!isWords) throw new GpuzooError("a program's binary is a Uint32Array or a list of its words, or a Uint8Array of bytes");
    return this.read(new Uint8Array(Uint32Array.from(binary).buffer), options);
  }

  /** A program in any form. */
  read(content: Content, { name, ...options }: Named & ReadOptions = {}): Program<M> {
    return this.#open("open", content, name, options);
  }

  /** A program of a source in a shading language. */
  compile(source: Content, { name, ...options }: Named & ReadOptions & CompileOptions = {}): Program<M> {
    return this.#open("compile", source, name, options);
  }

  #open(op: "open" | "compile", content: Content, name: string | undefined, options: object): Program<M> {
    const given = contents(content);
    const request = { gpu: this.id, name, options, ...given.about };
    return new Program<M>(this.module, this.id, this.module.call(op, request, given.data) as Opened);
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

// The module `gpuzoo.wasm`: JSON in, JSON out, and bytes beside both (apps/web/wasm has its interface). All else here is built on this.
import { type Diagnostic, GpuzooError, Trap } from "./errors.ts";

/** What the module exports. */
export interface Exports {
  memory: WebAssembly.Memory;
  alloc(size: number): number;
  attach(start: number, size: number): number;
  call(start: number, size: number): number;
  answer(): number;
  bytes(): number;
  vera_read(id: number, register: number): number;
  vera_peek(id: number, register: number): number;
  vera_write(id: number, register: number, value: number): number;
  vera_advance(id: number, cycles: number): number;
  panic_text(): number;
}

/** The bytes of a file, or its text. */
export type Content = string | Uint8Array;

/** A picture: red, green, blue, alpha of each pixel, from the upper left corner. */
export interface Picture {
  width: number;
  height: number;
  pixels: Uint8ClampedArray<ArrayBuffer>;
}

/** A picture of something that may move. */
export interface Frame extends Picture {
  /** Which one it is. */
  frame: number;
  /** Whether another time gives another picture. */
  moves: boolean;
  /** What each draw of a scene did; nothing of a program of a CPU. */
  draws: Draw[] | null;
}

/** What a draw did: a few of its figures. */
export interface Draw {
  /** That go through the vertex program on the machine. */
  vertices: number;
  /** In the unit of the machine's frame budget; 0 where it has none. */
  cost: number;
  /** Where the cost went, if the machine knows. */
  breakdown: Record<string, number>;
  primitives: number;
  fragments: number;
  written: number;
  [more: string]: unknown;
}

/** An instance of the module. What is asked is answered before the function returns. */
export class Module {
  readonly exports: Exports;
  #bytes = 0;

  constructor(instance: WebAssembly.Instance) {
    this.exports = instance.exports as unknown as Exports;
  }

  /**
   * Asks something. `data` are bytes that `about` names by their numbers. Throws a `GpuzooError` for what gpuzoo refuses, and a `Trap` if
   * the module has broken.
   */
  call(op: string, about: object = {}, data: readonly ArrayBufferView[] = []): unknown {
    try {
      const wrong = data.find((view) => !ArrayBuffer.isView(view));
      if (wrong !== undefined) throw new GpuzooError(`${kind(wrong)} is no array of bytes`);
      for (const view of data) this.exports.attach(...this.#put(new Uint8Array(view.buffer, view.byteOffset, view.byteLength)));
      const request = new TextEncoder().encode(JSON.stringify({ op, about }));
      const answer = JSON.parse(this.#text(this.exports.call(...this.#put(request)))) as Answer;
      if ("error" in answer) throw new GpuzooError(answer.error, answer.diagnostics);
      this.#bytes = answer.bytes;
      return answer.value;
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw new Trap(this.#panicText() || error.message);
      throw error;
    }
  }

  /** The bytes of the last answer, where they lie: the next call takes them away. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.exports.memory.buffer as ArrayBuffer, this.exports.bytes(), this.#bytes);
  }

  put(name: string, content: Content): void {
    const { about, data } = contents(content);
    this.call("put", { name, ...about }, data);
  }

  remove(name: string): void {
    this.call("remove", { name });
  }

  lsp(message: object): object[] {
    return this.call("lsp", message) as object[];
  }

  dap(message: object): object[] {
    return this.call("dap", message) as object[];
  }

  frame(about: object): Frame {
    return { ...(this.call("frame", about) as Omit<Frame, "pixels">), pixels: new Uint8ClampedArray(this.bytes) };
  }

  /** Where bytes lie in the module's memory, and how many there are. */
  #put(bytes: Uint8Array): [number, number] {
    const start = this.exports.alloc(bytes.length);
    new Uint8Array(this.exports.memory.buffer).set(bytes, start);
    return [start, bytes.length];
  }

  #panicText(): string {
    try {
      return this.#text(this.exports.panic_text());
    } catch {
      return "";
    }
  }

  #text(length: number): string {
    return new TextDecoder().decode(new Uint8Array(this.exports.memory.buffer, this.exports.answer(), length));
  }
}

/** A text or bytes, as requests have them. */
export function contents(content: Content): { about: object; data: ArrayBufferView[] } {
  if (typeof content === "string") return { about: { text: content }, data: [] };
  if (!ArrayBuffer.isView(content)) throw new GpuzooError(`${kind(content)} is neither a text nor an array of bytes`);
  return { about: { data: 0 }, data: [content] };
}

/** What something is, for messages. */
export function kind(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === "object" ? (value.constructor?.name ?? "an object") : `${typeof value} ${String(value)}`;
}

type Answer = { value: unknown; bytes: number } | { error: string; diagnostics: Diagnostic[] };

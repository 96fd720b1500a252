// The module `gpuzoo.wasm`: JSON in, JSON out, and pictures as bytes of its memory (apps/web/wasm has its interface).
import type { Content } from "../state/gallery";

interface Exports {
  memory: WebAssembly.Memory;
  alloc(size: number): number;
  put(start: number, size: number, name: number): void;
  call(start: number, size: number): number;
  answer(): number;
  pixels(): number;
  panic_text(): number;
}

export interface Picture {
  width: number;
  height: number;
  /** Red, green, blue, alpha, from the upper left corner. */
  pixels: Uint8ClampedArray<ArrayBuffer>;
  /** Whether another time gives another picture. */
  moves: boolean;
}

export const textOfError = (error: unknown) => (error instanceof Error ? error.message : String(error));

export class Module {
  readonly #exports: Exports;

  constructor(module: WebAssembly.Module) {
    this.#exports = new WebAssembly.Instance(module, {}).exports as unknown as Exports;
  }

  put(name: string, content: Content): void {
    const called = new TextEncoder().encode(name);
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const start = this.#exports.alloc(called.length + bytes.length);
    const memory = new Uint8Array(this.#exports.memory.buffer);
    memory.set(called, start);
    memory.set(bytes, start + called.length);
    this.#exports.put(start, called.length + bytes.length, called.length);
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

  call(op: string, about: object): unknown {
    const request = new TextEncoder().encode(JSON.stringify({ op, about }));
    const start = this.#exports.alloc(request.length);
    new Uint8Array(this.#exports.memory.buffer).set(request, start);
    const length = this.#exports.call(start, request.length);
    const answer = JSON.parse(this.#text(length)) as { value: unknown } | { error: string };
    if ("error" in answer) throw new Error(answer.error);
    return answer.value;
  }

  frame(about: object): Picture {
    const { width, height, moves } = this.call("frame", about) as Omit<Picture, "pixels">;
    const start = this.#exports.pixels();
    // The memory may grow with the next call, so the page gets a copy.
    const pixels = new Uint8ClampedArray(this.#exports.memory.buffer, start, width * height * 4).slice();
    return { width, height, moves, pixels };
  }

  /** What a panic said before the trap that it became. */
  panicText(): string {
    try {
      return this.#text(this.#exports.panic_text());
    } catch {
      return "";
    }
  }

  #text(length: number): string {
    return new TextDecoder().decode(new Uint8Array(this.#exports.memory.buffer, this.#exports.answer(), length));
  }
}

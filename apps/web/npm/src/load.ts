// Where the module comes from.

/** The module, its bytes, or where it is. */
export type Source = WebAssembly.Module | ArrayBuffer | Uint8Array<ArrayBuffer> | URL;

/** Compiles the module: in node from a file, elsewhere from where a server has it. */
export async function compiled(source: Source): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (!(source instanceof URL)) return WebAssembly.compile(source);
  if (source.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(new Uint8Array(await readFile(source)));
  }
  const answer = await fetch(source);
  if (!answer.ok) throw new Error(`${source}: ${answer.status} ${answer.statusText}`);
  // Some hosts do not know the type that streaming demands.
  if (answer.headers.get("Content-Type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(answer);
  return WebAssembly.compile(await answer.arrayBuffer());
}

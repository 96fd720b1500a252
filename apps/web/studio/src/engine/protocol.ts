// What the page and its workers say to each other. A worker answers every request once, in their order.
import type { Content } from "../state/gallery";

export type Request =
  | { op: "start"; module: WebAssembly.Module }
  | { op: "files"; put: [string, Content][]; remove: string[] }
  /** A message of the Language Server Protocol; answered with those of the server. */
  | { op: "lsp"; message: object }
  /** A message of the Debug Adapter Protocol; answered with those of the adapter. */
  | { op: "dap"; message: object }
  /** A question to the module: its operation and what it is about. */
  | { op: "call"; name: string; about: object }
  /** The same with bytes: those that the question names by number, and those of the answer. */
  | { op: "bytes"; name: string; about: object; data: readonly ArrayBufferView[] };

/** An answer with its bytes. */
export interface WithBytes<T> {
  value: T;
  bytes: Uint8Array<ArrayBuffer>;
}

export type Asked = Request & { id: number };
export type Answered = { id: number; value: unknown } | { id: number; error: string };

export const textOfError = (error: unknown) => (error instanceof Error ? error.message : String(error));

// What goes wrong: diagnostics as data, and the errors that have them.

/** A place in a text. Lines and columns count from 1; `start` and `end` are bytes. */
export interface Place {
  file: string;
  start: number;
  end: number;
  line: number;
  column: number;
}

/** Something that gpuzoo has found: what `--message-format json` prints. */
export interface Diagnostic {
  severity: "error" | "warning" | "note";
  code: string;
  message: string;
  labels: (Place & { message: string; primary: boolean })[];
  notes: string[];
  help: string[];
  [more: string]: unknown;
}

/** What gpuzoo refuses. Its message is what the command line prints; `diagnostics` has all that was found. */
export class GpuzooError extends Error {
  override readonly name = "GpuzooError";

  constructor(
    message: string,
    readonly diagnostics: readonly Diagnostic[] = [],
  ) {
    super(message);
  }
}

/** The module has broken: a mistake in gpuzoo. Its message is the panic's; what was open is lost, and another `load()` begins anew. */
export class Trap extends Error {
  override readonly name = "Trap";
}

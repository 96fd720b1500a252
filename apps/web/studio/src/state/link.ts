// A work as the fragment of an address: `#x=nv2a/light.toml` for an example as it is, `#1,…` for everything else, which is
// JSON, deflated, in base64url. What comes from an address is not trusted: every size has a limit, and beyond one nothing is run.

/** What an address says about a work. */
export interface Link {
  /** The example that it began as. */
  example?: string;
  /** Files that differ from the example's, or all of them. */
  files?: Record<string, string>;
  /** The file in the editor, and the one that is shown and debugged. */
  open?: string;
  subject?: string;
  profile?: string;
  time?: number;
  view?: string;
  turn?: [number, number];
  pixel?: [number, number];
  pane?: string;
}

/** What a fragment may cost. */
export const LIMITS = { fragment: 65_536, inflated: 262_144, files: 16, name: 64 } as const;
/** From here on other programs cut addresses off, so the page warns; and from here on it offers a file instead. */
export const LONG = 8_000;
export const TOO_LONG = 32_000;

/** Why an address was refused; its message is for people. */
export class LinkError extends Error {}

const NAME = /^[\w-][\w.-]*$/;
const EXAMPLE = /^[\w-]+\/[\w.-]+$/;

/** The fragment of a link, with its `#`. */
export async function encode(link: Link): Promise<string> {
  const { example, ...rest } = link;
  if (example && Object.values(rest).every((value) => value === undefined)) return `#x=${example}`;
  const bytes = new TextEncoder().encode(JSON.stringify(link));
  return `#1,${toBase64(await through(bytes, new CompressionStream("deflate-raw"), Infinity))}`;
}

/** The link of a fragment; nothing of an empty one. Throws a `LinkError` for what no studio has written. */
export async function decode(fragment: string): Promise<Link | undefined> {
  const text = fragment.startsWith("#") ? fragment.slice(1) : fragment;
  if (text === "") return undefined;
  if (text.length > LIMITS.fragment) throw new LinkError(`the link has more than ${LIMITS.fragment} characters`);
  if (text.startsWith("x=")) return checked({ example: text.slice(2) });
  if (!text.startsWith("1,")) throw new LinkError("the link is of no version that this page knows");
  const packed = fromBase64(text.slice(2));
  let value: unknown;
  try {
    const bytes = await through(packed, new DecompressionStream("deflate-raw"), LIMITS.inflated);
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof LinkError) throw error;
    throw new LinkError("the link is damaged: a part of it may be missing");
  }
  return checked(value);
}

/** What the page works with, of what came; other keys are dropped. */
function checked(value: unknown): Link {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new LinkError("the link holds no work");
  const of = value as Record<string, unknown>;
  const link: Link = {};
  if (of.example !== undefined) link.example = matching(of.example, EXAMPLE, "an example");
  if (of.files !== undefined) link.files = checkedFiles(of.files);
  if (of.open !== undefined) link.open = matching(of.open, NAME, "a file");
  if (of.subject !== undefined) link.subject = matching(of.subject, NAME, "a file");
  if (of.profile !== undefined) link.profile = matching(of.profile, NAME, "a profile");
  if (of.view !== undefined) link.view = matching(of.view, NAME, "a view");
  if (of.pane !== undefined) link.pane = matching(of.pane, NAME, "a pane");
  if (of.time !== undefined) link.time = inRange(of.time, 0, 1e6);
  if (of.turn !== undefined) link.turn = pair(of.turn, -360, 360);
  if (of.pixel !== undefined) {
    const [x, y] = pair(of.pixel, 0, 4096);
    link.pixel = [Math.floor(x), Math.floor(y)];
  }
  return link;
}

function checkedFiles(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new LinkError("the link's files have no names");
  const files = Object.entries(value);
  if (files.length > LIMITS.files) throw new LinkError(`the link has more than ${LIMITS.files} files`);
  return Object.fromEntries(
    files.map(([name, text]) => {
      matching(name, NAME, "a file");
      if (typeof text !== "string") throw new LinkError(`the link's file ${name} is no text`);
      return [name, text];
    }),
  );
}

function matching(value: unknown, pattern: RegExp, what: string): string {
  if (typeof value === "string" && value.length <= LIMITS.name && pattern.test(value)) return value;
  throw new LinkError(`the link names ${what} that cannot be`);
}

function pair(value: unknown, low: number, high: number): [number, number] {
  if (!Array.isArray(value) || value.length !== 2) throw new LinkError("a place or turn of the link is not two numbers");
  return [inRange(value[0], low, high), inRange(value[1], low, high)];
}

function inRange(value: unknown, low: number, high: number): number {
  if (typeof value === "number" && value >= low && value <= high) return value;
  throw new LinkError("a number of the link is out of range");
}

/** Bytes through a transformation, of which at most `limit` may come out: the rest is never made. */
async function through(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream, limit: number) {
  const writer = stream.writable.getWriter();
  // What is wrong with the bytes is thrown where they are read.
  void writer.write(bytes).catch(() => {});
  void writer.close().catch(() => {});
  const reader = stream.readable.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      void reader.cancel().catch(() => {});
      throw new LinkError(`the link unpacks to more than ${limit} bytes`);
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]*$/.test(text)) throw new LinkError("the link has characters that no link has");
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  } catch {
    throw new LinkError("the link is damaged: a part of it may be missing");
  }
}

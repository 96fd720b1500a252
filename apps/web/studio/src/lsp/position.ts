// Places of the protocol in CodeMirror's texts, and back. Both count UTF-16 units, so a column is a column.
import type { Text } from "@codemirror/state";
import type { Position, Range } from "./types";

/** The offset of a place; the nearest there is, if the text has become shorter since. */
export function offsetOf(text: Text, { line, character }: Position): number {
  if (line >= text.lines) return text.length;
  const at = text.line(line + 1);
  return Math.min(at.from + character, at.to);
}

export function positionOf(text: Text, offset: number): Position {
  const line = text.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

export const spanOf = (text: Text, { start, end }: Range) => ({ from: offsetOf(text, start), to: offsetOf(text, end) });

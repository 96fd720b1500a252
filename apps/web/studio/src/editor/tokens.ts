// Colours by what words are, as the language server says it.
import { type Extension, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";

const set = StateEffect.define<DecorationSet>();

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    for (const effect of transaction.effects) if (effect.is(set)) return effect.value;
    return shown.map(transaction.changes);
  },
  provide: (shown) => EditorView.decorations.from(shown),
});

export const tokens: Extension = field;

/** Shows the tokens of an answer: five numbers each, the first two counted from the token before. */
export function showTokens(view: EditorView, data: number[], types: string[]): void {
  view.dispatch({ effects: set.of(Decoration.set(marks(view.state.doc, data, types))) });
}

function marks(text: Text, data: number[], types: string[]) {
  const found = [];
  let line = 1;
  let column = 0;
  for (let at = 0; at + 4 < data.length; at += 5) {
    const [down, along, length, type] = data.slice(at, at + 4) as [number, number, number, number];
    column = down > 0 ? along : column + along;
    line += down;
    if (line > text.lines) break;
    const from = text.line(line).from + column;
    const to = Math.min(from + length, text.line(line).to);
    if (from < to) found.push(Decoration.mark({ class: `tok-${types[type]}` }).range(from, to));
  }
  return found;
}

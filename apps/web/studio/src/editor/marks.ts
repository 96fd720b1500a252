// Lines that the rest of the page points at: what is next in the run, and breakpoints in the gutter.
import { type Extension, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, gutter, GutterMarker } from "@codemirror/view";

interface Marks {
  /** From 1, as the debugger counts; none while nothing is debugged. */
  next: number | undefined;
  breakpoints: ReadonlySet<number>;
}

const set = StateEffect.define<Marks>();

const field = StateField.define<Marks>({
  create: () => ({ next: undefined, breakpoints: new Set() }),
  update(marks, transaction) {
    for (const effect of transaction.effects) if (effect.is(set)) return effect.value;
    return marks;
  },
});

class Breakpoint extends GutterMarker {
  override toDOM() {
    const dot = document.createElement("span");
    dot.className = "cm-breakpoint";
    dot.title = "breakpoint";
    return dot;
  }
}
const dot = new Breakpoint();

const nextLine = EditorView.decorations.compute([field, "doc"], (state) => {
  const { next } = state.field(field);
  if (next === undefined || next > state.doc.lines) return Decoration.none;
  return Decoration.set(Decoration.line({ class: "cm-next" }).range(state.doc.line(next).from));
});

/** The marks; `toggle` is called with the line whose place in the gutter is clicked. */
export function marks(toggle: (line: number) => void): Extension {
  return [
    field,
    nextLine,
    gutter({
      class: "cm-breakpoints",
      initialSpacer: () => dot,
      markers: (view) => {
        const { doc } = view.state;
        const lines = [...view.state.field(field).breakpoints].filter((line) => line <= doc.lines).sort((a, b) => a - b);
        return RangeSet.of(lines.map((line) => dot.range(doc.line(line).from)));
      },
      domEventHandlers: {
        mousedown(view, block) {
          toggle(view.state.doc.lineAt(block.from).number);
          return true;
        },
      },
    }),
  ];
}

export function showMarks(view: EditorView, shown: Marks): void {
  view.dispatch({ effects: set.of(shown) });
  if (shown.next !== undefined && shown.next <= view.state.doc.lines) {
    view.dispatch({ effects: EditorView.scrollIntoView(view.state.doc.line(shown.next).from, { y: "nearest", yMargin: 40 }) });
  }
}

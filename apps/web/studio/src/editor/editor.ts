// The editor: one view, whose state is another one for each file, so that each has its own history.
import { closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, nextDiagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  showTooltip,
  type Tooltip,
} from "@codemirror/view";
import type { LanguageClient } from "../lsp/client";
import { offsetOf } from "../lsp/position";
import type { Range } from "../lsp/types";
import { language, layOut, pageAt, toDefinition } from "./language";
import { marks } from "./marks";
import { theme } from "./theme";
import { tokens } from "./tokens";

export interface Happenings {
  changed(name: string, text: string): void;
  moved(line: number): void;
  toggled(name: string, line: number): void;
  /** A place in another file, or in this one. */
  go(name: string, range: Range): void;
  failed(error: unknown): void;
}

const setPage = StateEffect.define<Tooltip | null>();
/** The page that the keyboard has asked for; it goes when the cursor does. */
const pageField = StateField.define<Tooltip | null>({
  create: () => null,
  update(shown, transaction) {
    for (const effect of transaction.effects) if (effect.is(setPage)) return effect.value;
    return transaction.docChanged || transaction.selection ? null : shown;
  },
  provide: (shown) => showTooltip.from(shown),
});

export class Editor {
  readonly view: EditorView;
  name = "";
  #states = new Map<string, EditorState>();

  constructor(
    parent: HTMLElement,
    private readonly client: LanguageClient,
    private readonly happenings: Happenings,
    private readonly readOnly: boolean,
  ) {
    // The first styles are written here, before there is a file.
    this.view = new EditorView({ parent, extensions: EditorView.cspNonce.of("gpuzoo") });
    // Long lines scroll by keyboard, too.
    this.view.scrollDOM.tabIndex = 0;
    this.view.scrollDOM.setAttribute("role", "group");
    this.view.scrollDOM.setAttribute("aria-label", "the text, to be scrolled");
  }

  /** Shows a file; what was done in the one before is kept. */
  show(name: string, text: string): void {
    if (this.name !== "") this.#states.set(this.name, this.view.state);
    this.name = name;
    const kept = this.#states.get(name);
    this.view.setState(kept && kept.doc.toString() === text ? kept : this.#state(name, text));
  }

  /** Forgets what was done: another work begins. */
  forget(): void {
    this.#states.clear();
    this.name = "";
  }

  select(range: Range): void {
    const anchor = offsetOf(this.view.state.doc, range.start);
    const head = offsetOf(this.view.state.doc, range.end);
    this.view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }

  layOut(): void {
    layOut(this.client, this.name, this.view).catch((error) => this.happenings.failed(error));
  }

  #state(name: string, text: string): EditorState {
    return EditorState.create({ doc: text, extensions: this.#extensions(name) });
  }

  #extensions(name: string): Extension {
    const { client, happenings } = this;
    return [
      EditorView.cspNonce.of("gpuzoo"),
      EditorState.readOnly.of(this.readOnly),
      EditorView.contentAttributes.of({ "aria-label": `text of ${name}` }),
      indentUnit.of("    "),
      lineNumbers(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      drawSelection(),
      highlightSelectionMatches(),
      history(),
      closeBrackets(),
      lintGutter(),
      tokens,
      marks((line) => happenings.toggled(name, line)),
      language(client, name),
      pageField,
      theme,
      keymap.of([
        { key: "F12", run: toDefinition(client, name, happenings.go) },
        { key: "F1", run: (view) => this.#showPage(view) },
        { key: "F8", run: nextDiagnostic },
        { key: "F9", run: (view) => this.#toggle(view) },
        { key: "Shift-Alt-f", run: () => (this.layOut(), true) },
        { key: "Escape", run: (view) => this.#leave(view) },
        ...completionKeymap,
        ...searchKeymap,
        ...lintKeymap,
        ...historyKeymap,
        ...defaultKeymap,
        indentWithTab,
      ]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) happenings.changed(name, update.state.doc.toString());
        if (update.selectionSet || update.docChanged) {
          happenings.moved(update.state.doc.lineAt(update.state.selection.main.head).number - 1);
        }
      }),
    ];
  }

  #showPage(view: EditorView): boolean {
    void pageAt(this.client, this.name, view, view.state.selection.main.head).then((page) =>
      view.dispatch({ effects: setPage.of(page) }),
    );
    return true;
  }

  #toggle(view: EditorView): boolean {
    this.happenings.toggled(this.name, view.state.doc.lineAt(view.state.selection.main.head).number);
    return true;
  }

  /** Escape closes the page that F1 has opened, and lets the next Tab leave the editor. */
  #leave(view: EditorView): boolean {
    if (view.state.field(pageField)) {
      view.dispatch({ effects: setPage.of(null) });
      return true;
    }
    return false;
  }
}

// Hover pages, completion, layout and definitions, which the language server answers.
import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { type Command, type EditorView, hoverTooltip, type Tooltip } from "@codemirror/view";
import type { LanguageClient } from "../lsp/client";
import { nameOf } from "../lsp/client";
import { page } from "../lsp/markdown";
import { offsetOf, positionOf, spanOf } from "../lsp/position";
import type { CompletionItem, Hover, Range, TextEdit } from "../lsp/types";

/** What CodeMirror calls the kinds of the protocol. */
const KINDS: Record<number, string> = { 2: "method", 3: "function", 6: "variable", 10: "property", 14: "keyword", 21: "constant" };

export function language(client: LanguageClient, name: string): Extension {
  return [
    hoverTooltip((view, offset) => pageAt(client, name, view, offset)),
    autocompletion({ override: [(context) => completions(client, name, context)] }),
  ];
}

export async function pageAt(client: LanguageClient, name: string, view: EditorView, offset: number): Promise<Tooltip | null> {
  const text = view.state.doc;
  const hover = await client.about<Hover | null>("hover", name, { position: positionOf(text, offset) });
  if (!hover) return null;
  const span = hover.range ? spanOf(text, hover.range) : { from: offset, to: offset };
  return { pos: span.from, end: span.to, above: false, create: () => ({ dom: page(hover.contents.value) }) };
}

async function completions(client: LanguageClient, name: string, context: CompletionContext): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\w.#%@]+/);
  if (!word && !context.explicit) return null;
  const text = context.state.doc;
  const said = await client.about<{ items: CompletionItem[] } | null>("completion", name, {
    position: positionOf(text, context.pos),
  });
  const first = said?.items[0];
  if (!said || !first) return null;
  const from = first.textEdit ? offsetOf(text, first.textEdit.range.start) : (word?.from ?? context.pos);
  const options = said.items.map((item, index): Completion => {
    const documentation = typeof item.documentation === "string" ? item.documentation : item.documentation?.value;
    return {
      label: item.textEdit?.newText ?? item.label,
      displayLabel: item.label,
      detail: item.detail,
      type: KINDS[item.kind ?? 0],
      // The server's order is the one to keep among equals.
      boost: -index / 100,
      info: documentation === undefined ? undefined : () => page(documentation),
    };
  });
  return { from, options, validFor: /^[\w.#%@]*$/ };
}

/** Lays the text out, if it has no errors; says why not otherwise. */
export async function layOut(client: LanguageClient, name: string, view: EditorView): Promise<void> {
  const options = { tabSize: 4, insertSpaces: true };
  const edits = (await client.about<TextEdit[] | null>("formatting", name, { options })) ?? [];
  const changes = edits.map(({ range, newText }) => ({ ...spanOf(view.state.doc, range), insert: newText }));
  if (changes.length > 0) view.dispatch({ changes, userEvent: "input.format" });
}

/** Goes to where the name under the cursor comes from. `go` gets the file and the place. */
export function toDefinition(client: LanguageClient, name: string, go: (name: string, range: Range) => void): Command {
  return (view) => {
    const position = positionOf(view.state.doc, view.state.selection.main.head);
    void client
      .about<{ uri: string; range: Range } | { uri: string; range: Range }[] | null>("definition", name, { position })
      .then((said) => {
        const place = Array.isArray(said) ? said[0] : said;
        if (place) go(nameOf(place.uri), place.range);
      });
    return true;
  };
}

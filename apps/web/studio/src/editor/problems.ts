// Squiggles and their fixes: the language server's diagnostics and code actions as CodeMirror shows them.
import { type Action, type Diagnostic as Shown, setDiagnostics } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import type { LanguageClient } from "../lsp/client";
import { uriOf } from "../lsp/client";
import { spanOf } from "../lsp/position";
import type { CodeAction, Diagnostic } from "../lsp/types";

const SEVERITIES = ["error", "warning", "info", "hint"] as const;

/** The fixes of a file's problems, by what is wrong. */
export async function fixes(client: LanguageClient, name: string, problems: Diagnostic[]): Promise<CodeAction[]> {
  const last = problems.reduce((line, { range }) => Math.max(line, range.end.line), 0);
  const range = { start: { line: 0, character: 0 }, end: { line: last + 1, character: 0 } };
  return (await client.about<CodeAction[] | null>("codeAction", name, { range, context: { diagnostics: problems } })) ?? [];
}

const same = (one: Diagnostic, other: Diagnostic) =>
  one.code === other.code && JSON.stringify(one.range) === JSON.stringify(other.range);

/** The fixes of one problem, the one that the server prefers first. */
export function fixesOf(problem: Diagnostic, actions: CodeAction[]): CodeAction[] {
  return actions
    .filter(({ diagnostics }) => diagnostics?.some((one) => same(one, problem)))
    .sort((one, other) => Number(other.isPreferred ?? false) - Number(one.isPreferred ?? false));
}

export function showProblems(view: EditorView, name: string, problems: Diagnostic[], actions: CodeAction[]): void {
  const shown = problems.map((problem): Shown => {
    const { from, to } = spanOf(view.state.doc, problem.range);
    return {
      from,
      // A place without width is still to be seen.
      to: Math.max(to, Math.min(from + 1, view.state.doc.length)),
      severity: SEVERITIES[problem.severity - 1] ?? "error",
      source: problem.code,
      message: problem.message,
      actions: fixesOf(problem, actions).map(
        (action): Action => ({ name: `Fix: ${action.title}`, apply: () => applyFix(view, name, action) }),
      ),
    };
  });
  view.dispatch(setDiagnostics(view.state, shown));
}

/** Makes the changes of a fix that are in the file of the editor. */
export function applyFix(view: EditorView, name: string, action: CodeAction): void {
  const edits = action.edit?.changes[uriOf(name)] ?? [];
  const changes = edits.map(({ range, newText }) => ({ ...spanOf(view.state.doc, range), insert: newText }));
  if (changes.length > 0) view.dispatch({ changes, userEvent: "input.fix" });
  view.focus();
}

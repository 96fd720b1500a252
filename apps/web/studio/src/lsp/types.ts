// The parts of the Language Server Protocol that the page uses.

export interface Position {
  line: number;
  /** In UTF-16 units, which is how CodeMirror counts, too. */
  character: number;
}
export interface Range {
  start: Position;
  end: Position;
}
export interface TextEdit {
  range: Range;
  newText: string;
}
export interface Diagnostic {
  range: Range;
  severity: 1 | 2 | 3 | 4;
  code?: string;
  message: string;
  relatedInformation?: { location: { uri: string; range: Range }; message: string }[];
}
export interface CodeAction {
  title: string;
  isPreferred?: boolean;
  diagnostics?: Diagnostic[];
  edit?: { changes: Record<string, TextEdit[]> };
}
export interface CompletionItem {
  label: string;
  kind?: number;
  detail?: string;
  documentation?: string | { value: string };
  textEdit?: TextEdit;
}
export interface Hover {
  contents: { kind: string; value: string };
  range?: Range;
}
export interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

// The language server's client: documents that are open, requests, and what is wrong with each file.
import { signal } from "@preact/signals";
import type { Engine } from "../engine/client";
import { languageOf } from "../state/machines";
import type { Diagnostic, Message } from "./types";

const ROOT = "file:///";
export const uriOf = (name: string) => ROOT + encodeURIComponent(name);
export const nameOf = (uri: string) => decodeURIComponent(uri.slice(ROOT.length));

export class LanguageClient {
  /** What is wrong, by file. */
  readonly problems = signal<ReadonlyMap<string, Diagnostic[]>>(new Map());
  /** Kinds of words, in the order in which the server numbers them. */
  tokenTypes: string[] = [];
  #next = 1;
  #versions = new Map<string, number>();

  constructor(private readonly engine: Engine) {}

  async start(gpu: string): Promise<void> {
    this.#versions.clear();
    this.problems.value = new Map();
    const params = { capabilities: {}, rootUri: ROOT, initializationOptions: { gpu } };
    const said = await this.request<{ capabilities: { semanticTokensProvider: { legend: { tokenTypes: string[] } } } }>(
      "initialize",
      params,
    );
    this.tokenTypes = said.capabilities.semanticTokensProvider.legend.tokenTypes;
    await this.#send({ method: "initialized", params: {} });
  }

  /** Tells the server a file's text: opens it, or changes all of it. */
  async setText(name: string, text: string): Promise<void> {
    const version = (this.#versions.get(name) ?? 0) + 1;
    this.#versions.set(name, version);
    const uri = uriOf(name);
    if (version === 1) {
      const textDocument = { uri, languageId: languageOf(name), version, text };
      await this.#send({ method: "textDocument/didOpen", params: { textDocument } });
    } else {
      await this.#send({ method: "textDocument/didChange", params: { textDocument: { uri, version }, contentChanges: [{ text }] } });
    }
  }

  isOpen(name: string): boolean {
    return this.#versions.has(name);
  }

  /** Says that other files than those that are open have changed. */
  async saved(name: string): Promise<void> {
    await this.#send({ method: "textDocument/didSave", params: { textDocument: { uri: uriOf(name) } } });
  }

  async request<T>(method: string, params: object): Promise<T> {
    const id = this.#next++;
    const answer = (await this.#send({ id, method, params })).find((message) => message.id === id && !message.method);
    if (!answer) throw new Error(`the language server did not answer ${method}`);
    if (answer.error) throw new Error(answer.error.message);
    return answer.result as T;
  }

  /** A request about a place of a file. */
  about<T>(method: string, name: string, more: object = {}): Promise<T> {
    return this.request(`textDocument/${method}`, { textDocument: { uri: uriOf(name) }, ...more });
  }

  async #send(message: object): Promise<Message[]> {
    const said = await this.engine.ask<Message[]>({ op: "lsp", message: { jsonrpc: "2.0", ...message } });
    for (const { method, params } of said) {
      if (method !== "textDocument/publishDiagnostics") continue;
      const { uri, diagnostics } = params as { uri: string; diagnostics: Diagnostic[] };
      this.problems.value = new Map(this.problems.value).set(nameOf(uri), diagnostics);
    }
    return said;
  }
}

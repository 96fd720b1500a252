// The parts of the page together: two workers for questions, one for pictures, the editor, the session of the debugger.
import { computed, effect, signal, untracked } from "@preact/signals";
import { Session } from "./dap/session";
import { Editor } from "./editor/editor";
import { showMarks } from "./editor/marks";
import { applyFix, fixes, showProblems } from "./editor/problems";
import { showTokens } from "./editor/tokens";
import { Engine, latest, Stopped } from "./engine/client";
import { load, moduleOf } from "./engine/modules";
import { LanguageClient } from "./lsp/client";
import type { CodeAction, Range } from "./lsp/types";
import { Picture } from "./picture/client";
import { isShading } from "./state/machines";
import * as work from "./state/work";

export class Studio {
  readonly language: Engine;
  readonly debug: Engine;
  readonly picture: Picture;
  readonly lsp: LanguageClient;
  readonly session: Session;
  /** The fixes of the open file's problems. */
  readonly fixes = signal<CodeAction[]>([]);
  /** What profiles each machine has, the usual one first. */
  readonly profiles = signal<ReadonlyMap<string, readonly string[]>>(new Map());
  /** Grows with every text that the language server has read. */
  readonly read = signal(0);
  /** Whether what translates programs is there. */
  readonly translates = signal(false);
  editor: Editor | undefined;
  /** What the language server has been started for, and what texts it has got since. */
  #served = "";
  #sent = new Map<string, string>();
  /** The parts that have the whole module. */
  #grown = new Set<Engine | Picture>();

  constructor(readonly readOnly: boolean) {
    const worker = () => new Worker(new URL("./engine/worker.ts", import.meta.url), { type: "module" });
    const module = load(moduleOf(work.gpu.peek()));
    this.language = new Engine(module, worker);
    this.debug = new Engine(module, worker);
    this.picture = new Picture(module);
    const parts = [this.language, this.debug, this.picture];
    effect(() => {
      const own = load(moduleOf(work.gpu.value));
      // The whole one has every machine.
      untracked(() => parts.filter((part) => !this.#grown.has(part)).forEach((part) => part.use(own)));
    });
    this.lsp = new LanguageClient(this.language);
    this.session = new Session(this.debug);
    effect(() => {
      this.language.restarts.value;
      const machines = this.language.call<{ id: string; profiles: string[] }[]>("machines", {});
      this.attempt(machines.then((all) => (this.profiles.value = new Map(all.map(({ id, profiles }) => [id, profiles])))));
    });
    for (const engine of [this.language, this.debug]) effect(() => engine.setFiles(work.files.value));
    effect(() => this.picture.setFiles(work.files.value));
    const hasSources = computed(() => [...work.files.value.keys()].some(isShading));
    effect(() => {
      if (hasSources.value) this.#grow(...parts);
      else if (work.pane.value === "translate") this.#grow(this.language);
    });
    effect(() => {
      const { subject, gpu, profile, view, turn, time, playing } = work;
      this.picture.show({
        subject: subject.value,
        gpu: gpu.value,
        profile: profile.value,
        view: view.value,
        turn: turn.value,
        time: playing.value ? time.peek() : time.value,
        playing: playing.value,
      });
    });
    let texts = work.files.peek();
    effect(() => {
      if (work.files.value !== texts && this.session.active.peek()) this.session.stale.value = true;
      texts = work.files.value;
    });
    effect(() => {
      this.debug.restarts.value;
      work.opened.value;
      this.session.forget();
      this.session.breakpoints.value = new Map();
    });
    effect(() => {
      const served = [work.opened.value, this.language.restarts.value, work.gpu.value].join();
      const name = work.open.value;
      const text = work.openText.value;
      if (name !== "") void this.#tell(served, name, text);
    });
  }

  /** Puts the editor into the page. */
  edit(parent: HTMLElement): () => void {
    const editor = new Editor(
      parent,
      this.lsp,
      {
        changed: work.edit,
        moved: (line) => (work.line.value = line),
        toggled: (name, line) => this.attempt(this.session.toggle(name, line)),
        go: (name, range) => this.go(name, range),
        failed: (error) => this.failed(error),
      },
      this.readOnly,
    );
    this.editor = editor;
    const ends = [
      effect(() => {
        work.opened.value;
        editor.forget();
      }),
      effect(() => {
        work.opened.value;
        const name = work.open.value;
        if (name !== "" && name !== editor.name) editor.show(name, work.textOf(name));
      }),
      effect(() => this.#showMarks(editor)),
    ];
    return () => {
      for (const end of ends) end();
      editor.view.destroy();
      this.editor = undefined;
    };
  }

  go(name: string, range: Range): void {
    if (!work.files.value.has(name)) return;
    work.open.value = name;
    this.editor?.select(range);
  }

  fix(action: CodeAction): void {
    if (this.editor) applyFix(this.editor.view, work.open.value, action);
  }

  /** Says what went wrong, but for what somebody has stopped. */
  failed(error: unknown): void {
    if (!(error instanceof Stopped && error.isWanted)) work.trouble.value = error instanceof Error ? error.message : String(error);
  }

  attempt(done: Promise<unknown>): void {
    done.catch((error) => this.failed(error));
  }

  /** Gives parts of the page the whole module, once it is there. */
  #grow(...parts: (Engine | Picture)[]): void {
    const module = load("whole");
    const grown = () => {
      for (const part of parts) {
        this.#grown.add(part);
        part.use(module);
      }
      this.translates.value = true;
    };
    this.attempt(module.then(grown));
  }

  #showMarks(editor: Editor): void {
    const name = work.open.value;
    const frame = this.session.stale.value ? undefined : this.session.frame.value;
    const here = frame?.source?.name === name ? frame.line : undefined;
    const breakpoints = this.session.breakpoints.value.get(name) ?? new Set<number>();
    work.opened.value;
    queueMicrotask(() => editor.name === name && showMarks(editor.view, { next: here, breakpoints }));
  }

  #tell = latest(async (served: string, name: string, text: string) => {
    try {
      if (this.#served !== served) {
        this.#served = served;
        this.#sent.clear();
        await this.lsp.start(work.gpu.peek());
      }
      if (this.#sent.get(name) !== text) {
        this.#sent.set(name, text);
        await this.lsp.setText(name, text);
      }
      await this.#show(name);
      this.read.value += 1;
    } catch (error) {
      this.failed(error);
    }
  });

  /** Squiggles and colours of what the server has just read. */
  async #show(name: string): Promise<void> {
    const problems = this.lsp.problems.value.get(name) ?? [];
    const { editor } = this;
    // While a newer text is on its way, its answers will come.
    const isCurrent = () => editor?.name === name && editor.view.state.doc.toString() === this.#sent.get(name);
    if (!editor || !isCurrent()) return;
    showProblems(editor.view, name, problems, []);
    const actions = problems.length > 0 ? await fixes(this.lsp, name, problems) : [];
    if (!isCurrent()) return;
    this.fixes.value = actions;
    if (actions.length > 0) showProblems(editor.view, name, problems, actions);
    const { data } = (await this.lsp.about<{ data: number[] } | null>("semanticTokens/full", name)) ?? { data: [] };
    if (isCurrent()) showTokens(editor.view, data, this.lsp.tokenTypes);
  }
}

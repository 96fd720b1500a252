// A session of the debug adapter: what is debugged, its runs (threads), and where the chosen one is.
import { batch, signal } from "@preact/signals";
import type { Engine } from "../engine/client";
import type { Ancestry, Capabilities, Filter, Frame, Message, Scope, StoppedEvent, Thread, Variable } from "./types";

export type Motion = "next" | "stepIn" | "stepOut" | "stepBack" | "continue" | "reverseContinue";

/** Registers of a scope, and which of them differ from what they were before the last motion. */
export interface Registers {
  scope: string;
  variables: (Variable & { changed: boolean })[];
}

const PATH = "/";

export class Session {
  readonly threads = signal<Thread[]>([]);
  readonly thread = signal(0);
  readonly frame = signal<Frame | undefined>(undefined);
  readonly registers = signal<Registers[]>([]);
  readonly filters = signal<Filter[]>([]);
  /** Breakpoints by file. */
  readonly breakpoints = signal<ReadonlyMap<string, ReadonlySet<number>>>(new Map());
  /** Filters of exceptions that stop a run. */
  readonly stops = signal<ReadonlySet<string>>(new Set());
  /** Why the run stands where it stands. */
  readonly why = signal("");
  /** What the adapter says besides: warnings, what breakpoints say. */
  readonly said = signal("");
  readonly running = signal(false);
  readonly active = signal(false);
  /** A text has changed since: lines and instructions are those of the one before. */
  readonly stale = signal(false);
  #seq = 1;
  #stopped: ((event: StoppedEvent | undefined) => void) | undefined;
  #before = new Map<string, string>();
  #launched: object = {};

  constructor(private readonly engine: Engine) {}

  /** Begins to debug; throws what the adapter finds wrong with it. */
  async launch(what: object): Promise<void> {
    if (this.active.value) await this.end();
    this.#launched = what;
    this.stale.value = false;
    this.said.value = "";
    const { exceptionBreakpointFilters } = await this.#request<Capabilities>("initialize", {
      adapterID: "gpuzoo",
      linesStartAt1: true,
      columnsStartAt1: true,
      pathFormat: "path",
    });
    this.filters.value = exceptionBreakpointFilters ?? [];
    await this.#request("launch", { ...what, stopOnEntry: true });
    this.active.value = true;
    for (const name of this.breakpoints.value.keys()) await this.#sendBreakpoints(name);
    await this.#sendStops();
    const stopped = this.#untilStopped();
    await this.#request("configurationDone", {});
    const event = await stopped;
    const { threads } = await this.#request<{ threads: Thread[] }>("threads", {});
    this.#before.clear();
    batch(() => {
      this.threads.value = threads;
      this.thread.value = event?.threadId ?? threads[0]?.id ?? 1;
      this.why.value = "";
    });
    await this.#look();
  }

  /** Begins anew, with the texts as they are now. */
  again(): Promise<void> {
    return this.launch(this.#launched);
  }

  async end(): Promise<void> {
    if (!this.active.value) return;
    this.forget();
    await this.#request("disconnect", {}).catch(() => {});
  }

  /** The adapter is gone, and with it what it knew. */
  forget(): void {
    this.#stopped?.(undefined);
    batch(() => {
      this.active.value = false;
      this.running.value = false;
      this.frame.value = undefined;
      this.registers.value = [];
      this.threads.value = [];
    });
  }

  async move(motion: Motion, instruction = false): Promise<void> {
    if (!this.active.value || this.running.value) return;
    this.running.value = true;
    const stopped = this.#untilStopped();
    try {
      const granularity = instruction ? "instruction" : "line";
      await this.#request(motion, { threadId: this.thread.value, granularity, singleThread: true });
      const event = await stopped;
      const paused = event?.reason === "pause" ? "it goes on, and was stopped here" : undefined;
      this.why.value = paused ?? event?.description ?? event?.text ?? (event?.reason === "step" ? "" : (event?.reason ?? ""));
    } finally {
      this.running.value = false;
      this.#stopped = undefined;
    }
    if (this.active.value) await this.#look();
  }

  async choose(thread: number): Promise<void> {
    this.thread.value = thread;
    this.#before.clear();
    await this.#look();
  }

  async toggle(name: string, line: number): Promise<void> {
    const lines = new Set(this.breakpoints.value.get(name));
    if (!lines.delete(line)) lines.add(line);
    this.breakpoints.value = new Map(this.breakpoints.value).set(name, lines);
    if (this.active.value) await this.#sendBreakpoints(name);
  }

  async stopAt(filter: string, on: boolean): Promise<void> {
    const stops = new Set(this.stops.value);
    if (on) stops.add(filter);
    else stops.delete(filter);
    this.stops.value = stops;
    if (this.active.value) await this.#sendStops();
  }

  /** Where the value of a register comes from. */
  ancestry(expression: string): Promise<Ancestry> {
    return this.#request("gpuzoo/why", { expression, frameId: this.frame.value?.id });
  }

  evaluate(expression: string): Promise<{ result: string }> {
    return this.#request("evaluate", { expression, frameId: this.frame.value?.id, context: "repl" });
  }

  /** What the run looks like where it stands. */
  async #look(): Promise<void> {
    const { stackFrames } = await this.#request<{ stackFrames: Frame[] }>("stackTrace", { threadId: this.thread.value });
    const frame = stackFrames[0];
    if (!frame) return;
    const { scopes } = await this.#request<{ scopes: Scope[] }>("scopes", { frameId: frame.id });
    const registers: Registers[] = [];
    for (const { name, variablesReference } of scopes) {
      const { variables } = await this.#request<{ variables: Variable[] }>("variables", { variablesReference });
      registers.push({ scope: name, variables: variables.map((one) => ({ ...one, changed: this.#changed(name, one) })) });
    }
    this.#before = new Map(
      registers.flatMap(({ scope, variables }) => variables.map(({ name, value }) => [`${scope}/${name}`, value] as const)),
    );
    batch(() => {
      this.frame.value = frame;
      this.registers.value = registers;
    });
  }

  #changed(scope: string, { name, value }: Variable): boolean {
    const before = this.#before.get(`${scope}/${name}`);
    return before !== undefined && before !== value;
  }

  async #sendBreakpoints(name: string): Promise<void> {
    const breakpoints = [...(this.breakpoints.value.get(name) ?? [])].map((line) => ({ line }));
    const said = await this.#request<{ breakpoints: { line?: number }[] }>("setBreakpoints", {
      source: { path: PATH + name },
      breakpoints,
    });
    // The adapter moves them to lines that have code.
    const lines = new Set(said.breakpoints.flatMap(({ line }, index) => line ?? breakpoints[index]?.line ?? []));
    this.breakpoints.value = new Map(this.breakpoints.value).set(name, lines);
  }

  #sendStops(): Promise<unknown> {
    return this.#request("setExceptionBreakpoints", { filters: [...this.stops.value] });
  }

  #untilStopped(): Promise<StoppedEvent | undefined> {
    return new Promise((resolve) => (this.#stopped = resolve));
  }

  async #request<T>(command: string, about: object): Promise<T> {
    const seq = this.#seq++;
    const said = await this.engine.ask<Message[]>({ op: "dap", message: { seq, type: "request", command, arguments: about } });
    let answer: Message | undefined;
    for (const message of said) {
      if (message.type === "response" && message.request_seq === seq) answer = message;
      else if (message.type === "event") this.#happened(message);
    }
    if (!answer) throw new Error(`the debug adapter did not answer ${command}`);
    if (!answer.success) {
      const error = (answer.body as { error?: { format?: string } } | undefined)?.error?.format;
      throw new Error(error ?? answer.message ?? command);
    }
    return answer.body as T;
  }

  #happened({ event, body }: Message): void {
    if (event === "stopped") this.#stopped?.(body as StoppedEvent);
    else if (event === "output") this.said.value += (body as { output: string }).output;
    else if (event === "terminated") this.forget();
  }
}

export const pathOf = (name: string) => PATH + name;

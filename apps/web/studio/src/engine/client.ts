// A worker as the page sees it, from its first request on: requests as promises, and a watchdog. What takes longer than `SLOW` shows a Stop button; what takes
// longer than `HANGS`, or is stopped, ends with its worker, and a new one gets the same module and files.
import { signal } from "@preact/signals";
import type { Content } from "../state/gallery";
import type { Answered, Request, WithBytes } from "./protocol";

const SLOW = 2_000;
const HANGS = 10_000;

/** What an unanswered request becomes when its worker ends: because somebody wants it, or because it hangs or has broken. */
export class Stopped extends Error {
  constructor(
    why: string,
    readonly isWanted: boolean,
  ) {
    super(why);
  }
}

interface Waiting {
  since: number;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

export class Engine {
  /** Whether something takes long. */
  readonly slow = signal(false);
  /** Grows when a worker has been replaced: what it knew is gone. */
  readonly restarts = signal(0);
  #worker: Worker | undefined;
  /** What the worker is sent goes after the module, which may still be on its way. */
  #started: Promise<void> = Promise.resolve();
  #waiting = new Map<number, Waiting>();
  #files = new Map<string, Content>();
  #next = 1;

  constructor(
    private module: Promise<WebAssembly.Module>,
    private readonly make: () => Worker,
  ) {
    setInterval(() => this.#watch(), 250);
  }

  ask<T>(request: Request): Promise<T> {
    const id = this.#next++;
    const worker = (this.#worker ??= this.#begin());
    return new Promise<T>((resolve, reject) => {
      const waiting: Waiting = { since: Infinity, resolve: resolve as (value: unknown) => void, reject };
      this.#waiting.set(id, waiting);
      this.#started.then(() => {
        waiting.since = performance.now();
        worker.postMessage({ id, ...request });
      }, reject);
    });
  }

  call<T>(name: string, about: object): Promise<T> {
    return this.ask({ op: "call", name, about });
  }

  callWith<T>(name: string, about: object, data: readonly ArrayBufferView[]): Promise<WithBytes<T>> {
    return this.ask({ op: "bytes", name, about, data });
  }

  /** Makes the worker's files those of the work; sends only what differs. */
  setFiles(files: ReadonlyMap<string, Content>): void {
    const put = [...files].filter(([name, content]) => this.#files.get(name) !== content);
    const remove = [...this.#files.keys()].filter((name) => !files.has(name));
    if (put.length + remove.length === 0) return;
    this.#files = new Map(files);
    if (this.#worker) this.ask({ op: "files", put, remove }).catch(() => {});
  }

  /** Goes on with another module. A worker that has begun is replaced. */
  use(module: Promise<WebAssembly.Module>): void {
    if (module === this.module) return;
    this.module = module;
    if (this.#worker) this.stop("begun again with another module");
  }

  /** Ends what is being done. */
  stop(why = "stopped", isWanted = true): void {
    this.#worker?.terminate();
    for (const { reject } of this.#waiting.values()) reject(new Stopped(why, isWanted));
    this.#waiting.clear();
    this.slow.value = false;
    this.#worker = undefined;
    this.restarts.value += 1;
  }

  #begin(): Worker {
    const worker = this.make();
    worker.onmessage = ({ data }: MessageEvent<Answered>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ("error" in data) waiting?.reject(new Error(data.error));
      else waiting?.resolve(data.value);
    };
    worker.onerror = (event) => this.stop(event.message, false);
    const tell = (request: Request) => worker.postMessage({ id: 0, ...request });
    const files = [...this.#files];
    this.#started = this.module.then((module) => {
      tell({ op: "start", module });
      tell({ op: "files", put: files, remove: [] });
    });
    return worker;
  }

  #watch(): void {
    const oldest = this.#waiting.values().next().value;
    const age = oldest ? performance.now() - oldest.since : 0;
    this.slow.value = age > SLOW;
    if (age > HANGS) this.stop(`nothing came for ${HANGS / 1000} seconds, so it was stopped`, false);
  }
}

/** At most one question of a kind at a time; of those that wait, only the newest is asked. The others get nothing. */
export function latest<A extends unknown[], T>(ask: (...about: A) => Promise<T>): (...about: A) => Promise<T | undefined> {
  let busy = false;
  let next: { about: A; resolve: (value: T | undefined) => void; reject: (error: unknown) => void } | undefined;
  const run = async (about: A): Promise<T> => {
    busy = true;
    try {
      return await ask(...about);
    } finally {
      busy = false;
      const waiting = next;
      next = undefined;
      if (waiting) run(waiting.about).then(waiting.resolve, waiting.reject);
    }
  };
  return (...about) => {
    if (!busy) return run(about);
    next?.resolve(undefined);
    return new Promise((resolve, reject) => (next = { about, resolve, reject }));
  };
}

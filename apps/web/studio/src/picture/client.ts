// The picture's worker as the page sees it. A picture that never ends is stopped by ending the worker, with its canvas: the page then
// makes another of both.
import { signal } from "@preact/signals";
import type { Content } from "../state/gallery";
import type { FromPicture, ToPicture, Wanted } from "./protocol";

export type Drawn = Extract<FromPicture, { op: "drawn" }>;
const SLOW = 2_000;
const HANGS = 10_000;

export class Picture {
  readonly drawn = signal<Drawn | undefined>(undefined);
  readonly failed = signal<string | undefined>(undefined);
  readonly slow = signal(false);
  /** Grows with every worker; the page has a canvas for each. */
  readonly generation = signal(0);
  #worker: Worker | undefined;
  /** What the worker is sent goes after the module, which may still be on its way. */
  #started: Promise<void> = Promise.resolve();
  #files = new Map<string, Content>();
  #wanted: Wanted | undefined;
  /** Since when something is expected. */
  #since: number | undefined;
  #saved: ((picture: Blob) => void) | undefined;

  constructor(private module: Promise<WebAssembly.Module>) {
    setInterval(() => this.#watch(), 250);
  }

  /** Gives a canvas to a new worker. */
  attach(canvas: HTMLCanvasElement): void {
    this.#worker?.terminate();
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<FromPicture>) => this.#heard(data);
    worker.onerror = (event) => {
      this.failed.value = event.message;
      this.#since = undefined;
      this.#worker = undefined;
    };
    this.#worker = worker;
    const offscreen = canvas.transferControlToOffscreen();
    this.#started = this.module.then((module) =>
      worker.postMessage({ op: "start", module, canvas: offscreen } satisfies ToPicture, [offscreen]),
    );
    this.#tell({ op: "files", put: [...this.#files], remove: [] });
    if (this.#wanted) this.show(this.#wanted);
  }

  /** Goes on with another module, in a new worker. */
  use(module: Promise<WebAssembly.Module>): void {
    if (module === this.module) return;
    this.module = module;
    if (!this.#worker) return;
    this.#worker.terminate();
    this.generation.value += 1;
  }

  setFiles(files: ReadonlyMap<string, Content>): void {
    const put = [...files].filter(([name, content]) => this.#files.get(name) !== content);
    const remove = [...this.#files.keys()].filter((name) => !files.has(name));
    if (put.length + remove.length === 0) return;
    this.#files = new Map(files);
    this.#tell({ op: "files", put, remove });
    this.#expect();
  }

  show(wanted: Wanted): void {
    this.#wanted = wanted;
    this.#tell({ op: "show", wanted });
    this.#expect();
  }

  /** Lets a user do something in the program that is shown, before its next picture. */
  give(line: string): void {
    this.#tell({ op: "give", line });
  }

  save(): Promise<Blob> {
    this.#tell({ op: "save" });
    return new Promise((resolve) => (this.#saved = resolve));
  }

  stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#since = undefined;
    this.slow.value = false;
    this.failed.value = "stopped: a change draws it again";
    this.generation.value += 1;
  }

  #tell(message: ToPicture): void {
    // After a failure a change begins anew, with a worker that knows nothing of it.
    if (!this.#worker && this.failed.value !== undefined) {
      this.failed.value = undefined;
      this.generation.value += 1;
    }
    this.#toWorker((worker) => worker.postMessage(message));
  }

  #expect(): void {
    this.#toWorker(() => (this.#since ??= performance.now()));
  }

  #toWorker(work: (worker: Worker) => void): void {
    const worker = this.#worker;
    if (!worker) return;
    const last = () => worker === this.#worker && work(worker);
    // That the module cannot be had is said by the page itself.
    this.#started.then(last, () => {});
  }

  #heard(message: FromPicture): void {
    this.#since = undefined;
    if (message.op === "drawn") {
      this.failed.value = undefined;
      this.drawn.value = message;
    } else if (message.op === "failed") this.failed.value = message.error;
    else this.#saved?.(message.picture);
  }

  #watch(): void {
    const age = this.#since === undefined ? 0 : performance.now() - this.#since;
    this.slow.value = age > SLOW;
    if (age > HANGS) this.stop();
  }
}

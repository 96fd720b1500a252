// An instance of gpuzoo: its machines, its files, its pictures.
import type { Diagnostic } from "./errors.ts";
import { Computer, ShaderUnit } from "./machine.ts";
import type { Content, Frame, Module } from "./module.ts";
import type { MachineId, Machines, View } from "./names.ts";

/** A machine: what it is called and what it can be asked for. */
export interface About {
  id: MachineId;
  name: string;
  summary: string;
  extensions: string[];
  profiles: string[];
  /** Whether programs of a CPU drive it. */
  isComputer: boolean;
}

/** What of a scene or a program is drawn. */
export interface FrameOptions {
  /** In seconds from the start. */
  time?: number;
  /** What is shown in place of the colours. */
  view?: View;
  /** How numbers are computed; else as the machine's first profile does it. */
  profile?: string;
}

/** What became of a file of vectors. */
export interface Report {
  file: string;
  passed: number;
  failed: number;
  malformed: number;
  text: string;
  diagnostics?: Diagnostic[];
  [more: string]: unknown;
}

/** All of it. What one instance opens, another does not know. */
export class Gpuzoo {
  readonly dreambox: ShaderUnit<"dreambox">;
  readonly nv2a: ShaderUnit<"nv2a">;
  readonly picogpu: ShaderUnit<"picogpu">;
  readonly servaru: ShaderUnit<"servaru">;
  readonly vera: Computer;

  /** `module` is for what has no function here: it answers everything that apps/web/wasm/README.md lists. */
  constructor(readonly module: Module) {
    this.dreambox = new ShaderUnit(module, "dreambox");
    this.nv2a = new ShaderUnit(module, "nv2a");
    this.picogpu = new ShaderUnit(module, "picogpu");
    this.servaru = new ShaderUnit(module, "servaru");
    this.vera = new Computer(module);
  }

  /** The machines that there are. */
  machines(): About[] {
    return this.module.call("machines") as About[];
  }

  /** Puts a file that scenes and programs name. All are in one folder: names are looked for by their last part. */
  put(name: string, content: Content): void {
    this.module.put(name, content);
  }

  /** Takes a file away. */
  remove(name: string): void {
    this.module.remove(name);
  }

  /** A picture of a scene (`.toml`), or of a program of a CPU, which have been put before. */
  render(subject: string, { time = 0, view, profile }: FrameOptions = {}): Frame {
    return this.module.frame({ subject, time, view, profile, exact: true });
  }

  /** Checks files of conformance vectors that have been put. */
  conform<M extends MachineId>(gpu: M, files: readonly string[], options: { profile?: Machines[M]["profile"]; failures?: number } = {}): Report[] {
    return this.module.call("conform", { gpu, files, ...options }) as Report[];
  }

  /** A page of the reference: of an instruction, a register, a code, a word. */
  explain(what: string, gpu?: MachineId): string {
    return (this.module.call("explain", { what, gpu }) as { text: string }).text;
  }

  /** Gives a message to the language server, which `gpuzoo lsp` is; returns what it says. */
  lsp(message: object): object[] {
    return this.module.lsp(message);
  }

  /** Gives a message to the debug adapter, which `gpuzoo dap` is; returns what it says. */
  dap(message: object): object[] {
    return this.module.dap(message);
  }
}

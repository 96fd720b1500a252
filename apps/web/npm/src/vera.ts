// VERA alone, for somebody's emulator, and the Commander X16 around it.
import { GpuzooError } from "./errors.ts";
import type { Module, Picture } from "./module.ts";
import { closing } from "./program.ts";

/** VERA, exact to its source on every access and every pixel. */
export class Vera {
  constructor(
    private readonly module: Module,
    private readonly id: number,
  ) {
    closing(this, module, id);
  }

  /** What the CPU reads, side effects included. Of `register` the low five bits count: 0 to 31, or $9F20 to $9F3F. */
  read(register: number): number {
    return answered(this.module.exports.vera_read(this.id, register));
  }

  /** The same without side effects: for debuggers. */
  peek(register: number): number {
    return answered(this.module.exports.vera_peek(this.id, register));
  }

  /** Writes a register as the CPU does. */
  write(register: number, value: number): void {
    answered(this.module.exports.vera_write(this.id, register, value));
  }

  /** Lets cycles of the 8 MHz CPU pass. Returns whether VERA then asks for an interrupt. */
  advance(cycles: number): boolean {
    if (!Number.isInteger(cycles) || cycles < 0 || cycles > 0xffff_ffff) throw new GpuzooError(`${cycles} is no number of cycles from 0 to 2³² - 1`);
    return answered(this.module.exports.vera_advance(this.id, cycles)) === 1;
  }

  /** Lets time pass until so many pictures more are complete. Returns whether VERA then asks for an interrupt. */
  advanceFrames(frames = 1): boolean {
    return (this.#call("vera/advance", { frames }) as { irq: boolean }).irq;
  }

  /** The picture as the beam has drawn it. */
  picture(): Picture {
    const size = this.#call("vera/picture") as Omit<Picture, "pixels">;
    return { ...size, pixels: new Uint8ClampedArray(this.module.bytes) };
  }

  /** What was heard since the last call: left and right in turn, 48,828.125 of each a second, in 17 bits. */
  samples(): Int32Array<ArrayBuffer> {
    this.#call("vera/samples");
    return new Int32Array(this.module.bytes.slice().buffer);
  }

  /** Bytes of video memory. */
  vram(start = 0, end = 0x20000): Uint8Array<ArrayBuffer> {
    this.#call("vera/vram", { start, end });
    return this.module.bytes.slice();
  }

  /** Puts bytes into video memory, without the bus. */
  setVram(start: number, bytes: Uint8Array): void {
    this.#call("vera/poke", { start, data: 0 }, [bytes]);
  }

  /** Visible and hidden state by name. */
  state(): Record<string, number> {
    return this.#call("vera/state") as Record<string, number>;
  }

  /** Ends it; else that happens when nobody has it any more. */
  close(): void {
    this.module.call("close", { id: this.id });
  }

  #call(op: string, about: object = {}, data: readonly ArrayBufferView[] = []): unknown {
    return this.module.call(op, { id: this.id, ...about }, data);
  }
}

function answered(value: number): number {
  if (value < 0) throw new GpuzooError("the device is closed");
  return value;
}

/** What a run came to. */
export interface Ending {
  text: string;
  /** Whether the program is over. */
  over: boolean;
  /** Of the CPU, since power-on. */
  cycles: number;
  /** What the program has printed. */
  output: string;
}

/** The CPU's registers. */
export interface Cpu {
  pc: number;
  a: number;
  x: number;
  y: number;
  s: number;
  p: number;
}

/** A Commander X16. */
export class X16 {
  /** Its VERA. */
  readonly vera: Vera;

  constructor(
    private readonly module: Module,
    private readonly id: number,
  ) {
    this.vera = new Vera(module, id);
  }

  /** Loads a PRG file, and makes it the program that runs next. */
  load(prg: Uint8Array): void {
    this.#call("x16/load", { data: 0 }, [prg]);
  }

  /** Runs it for so many frames (1 without a limit, at most 600 a call) or cycles, or to its end. */
  run(limits: { frames?: number; cycles?: number } = {}): Ending {
    return this.#call("x16/run", limits) as Ending;
  }

  /** Lets a user do something from now on, as the files of `gpuzoo run --input` say it: `0 keys HELLO{RETURN}`. */
  give(input: string): void {
    this.#call("x16/give", { input });
  }

  /** Bytes as the CPU sees them, without side effects. */
  peek(start: number, end: number): Uint8Array<ArrayBuffer> {
    this.#call("x16/peek", { start, end });
    return this.module.bytes.slice();
  }

  /** Puts bytes into RAM; other places stay as they are. */
  poke(start: number, bytes: Uint8Array): void {
    this.#call("x16/poke", { start, data: 0 }, [bytes]);
  }

  get cpu(): Cpu {
    return this.#call("x16/cpu") as Cpu;
  }

  /** Ends it, and its VERA. */
  close(): void {
    this.vera.close();
  }

  #call(op: string, about: object = {}, data: readonly ArrayBufferView[] = []): unknown {
    return this.module.call(op, { id: this.id, ...about }, data);
  }
}

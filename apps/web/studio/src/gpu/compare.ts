// The translated program on the browser's GPU, and ours over the same rows: how far their results are apart.
import type { Engine } from "../engine/client";

// TypeScript's library has WebGPU's types, and not yet its constants.
declare const GPUBufferUsage: Record<"MAP_READ" | "COPY_SRC" | "COPY_DST" | "UNIFORM" | "STORAGE", number>;
declare const GPUMapMode: Record<"READ", number>;

/** Runs of both: a row of inputs each. */
const RUNS = 4096;

interface Binding {
  binding: number;
  name: string;
  bytes: number;
}
interface Shader {
  text: string;
  reflection: { entry: string; inputs: { register: string }[]; outputs: { register: string }[]; bindings: Binding[] };
}

/** How one output compares. */
export interface Compared {
  output: string;
  /** Components that have other bits; two NaNs are the same. */
  differ: number;
  of: number;
  /** The largest distance between two numbers. */
  apart: number;
}

export interface Comparison {
  adapter: string;
  runs: number;
  outputs: Compared[];
  /** Milliseconds, for all runs: the GPU with its answer's way back, and ours. */
  took: { gpu: number; ours: number };
}

/** What a program is, and how it is translated. */
export interface Asked {
  program: string;
  gpu: string;
  profile?: string;
  fidelity: "fast" | "exact";
}

const CONSTANTS = 0;
const INPUTS = 1;
const OUTPUTS = 2;

/** Runs both. Throws what stands in the way, for people to read. */
export async function compare(engine: Engine, asked: Asked): Promise<Comparison> {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) throw new Error("this browser gives no WebGPU");
  const { program, gpu, profile, fidelity } = asked;
  const options = { profile, fidelity, to: "wgsl", shape: "compute" };
  const shader = await engine.call<Shader>("translate", { program, gpu, options });
  const { inputs, outputs, bindings } = shader.reflection;
  const others = bindings.filter(({ binding }) => binding > OUTPUTS).map(({ name }) => name);
  if (others.length > 0) throw new Error(`the program needs ${others.join(", ")}, which rows of numbers have not got`);
  const rows = numbers(4 * RUNS * inputs.length);
  const constants = numbers((bindings.find(({ binding }) => binding === CONSTANTS)?.bytes ?? 0) / 4);
  const { bits, took } = await onGpu(adapter, shader, rows, constants);
  const began = performance.now();
  const registers = inputs.map(({ register }) => register);
  const ours = await engine.callWith<{ count: number; outputs: string[] }>("rows", { program, gpu, registers, options: { profile } }, [rows, constants]);
  const own = { names: ours.value.outputs, count: ours.value.count, bits: new Uint32Array(ours.bytes.buffer) };
  const names = outputs.map(({ register }) => register);
  const compared = own.names.filter((name) => names.includes(name)).map((name) => distance(name, own, { names, count: RUNS, bits }));
  const { vendor, architecture, description } = adapter.info;
  return {
    adapter: description || [vendor, architecture].filter(Boolean).join(" ") || "WebGPU",
    runs: RUNS,
    outputs: compared,
    took: { gpu: took, ours: performance.now() - began },
  };
}

/** Numbers from -2 to 2 that look random and are the same each time. */
function numbers(count: number): Float32Array<ArrayBuffer> {
  let state = 1;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 30 - 2;
  });
}

async function onGpu(adapter: GPUAdapter, { text, reflection }: Shader, rows: Float32Array<ArrayBuffer>, constants: Float32Array<ArrayBuffer>) {
  const device = await adapter.requestDevice();
  try {
    const module = device.createShaderModule({ code: text });
    const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute: { module, entryPoint: reflection.entry } });
    const size = RUNS * reflection.outputs.length * 16;
    const given = (values: Float32Array<ArrayBuffer>, usage: number) => {
      const buffer = device.createBuffer({ size: Math.max(16, values.byteLength), usage: usage | GPUBufferUsage.COPY_DST });
      device.queue.writeBuffer(buffer, 0, values);
      return buffer;
    };
    const results = device.createBuffer({ size, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
    const buffers = new Map([
      [CONSTANTS, given(constants, GPUBufferUsage.UNIFORM)],
      [INPUTS, given(rows, GPUBufferUsage.STORAGE)],
      [OUTPUTS, results],
    ]);
    const entries = reflection.bindings.flatMap(({ binding }) => {
      const buffer = buffers.get(binding);
      return buffer ? [{ binding, resource: { buffer } }] : [];
    });
    const back = device.createBuffer({ size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
    const began = performance.now();
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
    pass.dispatchWorkgroups(RUNS / 64);
    pass.end();
    encoder.copyBufferToBuffer(results, 0, back, 0, size);
    device.queue.submit([encoder.finish()]);
    await back.mapAsync(GPUMapMode.READ);
    return { bits: new Uint32Array(back.getMappedRange().slice(0)), took: performance.now() - began };
  } finally {
    device.destroy();
  }
}

interface Results {
  names: readonly string[];
  count: number;
  bits: Uint32Array;
}

function distance(output: string, ours: Results, theirs: Results): Compared {
  const compared: Compared = { output, differ: 0, of: 0, apart: 0 };
  const value = (of: Results, row: number, component: number) =>
    of.bits.subarray(4 * (row * of.names.length + of.names.indexOf(output)) + component).slice(0, 1);
  const killed = theirs.names.indexOf("killed");
  for (let row = 0; row < Math.min(ours.count, theirs.count); row += 1) {
    if (killed >= 0 && theirs.bits[4 * (row * theirs.names.length + killed)] !== 0) continue;
    for (let component = 0; component < 4; component += 1) {
      const [one, other] = [value(ours, row, component), value(theirs, row, component)];
      const [number, float] = [new Float32Array(one.buffer)[0] ?? 0, new Float32Array(other.buffer)[0] ?? 0];
      compared.of += 1;
      if (one[0] === other[0] || (Number.isNaN(number) && Number.isNaN(float))) continue;
      compared.differ += 1;
      compared.apart = Math.max(compared.apart, Math.abs(number - float) || 0);
    }
  }
  return compared;
}

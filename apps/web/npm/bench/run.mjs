// `Program.run` in node against `gpuzoo run`'s engine in Rust on one thread, in alternation: `cargo xtask npm --bench`.
//
// The yardstick is the same program as for Python (apps/python/bench/run.rs): it runs a kernel for each line that it gets, and prints
// seconds. GPUZOO_SIMD chooses its instructions. Both are processor time: other processes do not count.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { gpuzoo, ROOT, text } from "../tests/common.mjs";

const VERTICES = 1_000_000;
const TURNS = 11;
const PROGRAMS = [
  ["dreambox", "examples/dreambox/transform.vu", "in0"],
  ["dreambox", "examples/dreambox/teapot.vu", "in0"],
  ["nv2a", "examples/nv2a/light.vsh", "v0"],
  ["servaru", "examples/servaru/lit.svs", "P0"],
];
const median = (times) => [...times].sort((one, other) => one - other)[times.length >> 1];

const inputs = Float32Array.from({ length: 4 * VERTICES }, (_, at) => at / VERTICES);
for (const [machine, path, input] of PROGRAMS) {
  const environment = { ...process.env, RAYON_NUM_THREADS: "1", GPUZOO_SIMD: "avx2" };
  const other = spawn(process.env.YARDSTICK, [machine, `${ROOT}/${path}`, input], { env: environment, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: other.stdout })[Symbol.asyncIterator]();
  const program = gpuzoo[machine].assemble(text(path), { name: path.split("/").at(-1) });
  const out = program.run({ [input]: inputs }, { zeros: true }).outputs;
  const [rust, node] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    other.stdin.write("\n");
    rust.push(Number((await lines.next()).value.split(" ")[0]) * 1000);
    const began = process.cpuUsage();
    program.run({ [input]: inputs }, { zeros: true, out });
    const { user, system } = process.cpuUsage(began);
    node.push((user + system) / 1000);
  }
  other.stdin.end();
  const [avx2, simd128] = [median(rust), median(node)];
  console.log(`${path}: AVX2, one thread ${avx2.toFixed(1)} ms, node ${simd128.toFixed(1)} ms, ${(avx2 / simd128).toFixed(2)} of its speed`);
}

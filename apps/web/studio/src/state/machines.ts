// What the page itself knows about the machines: their names, and whose a file is. All else is asked of the module.

export const MACHINES = [
  { id: "dreambox", name: "Dreambox", start: "dreambox/teapot.toml" },
  { id: "nv2a", name: "NV2A (Xbox)", start: "nv2a/light.toml" },
  { id: "picogpu", name: "PicoGpu", start: "picogpu/knot.toml" },
  { id: "servaru", name: "Servaru-I", start: "servaru/toon.toml" },
  { id: "vera", name: "VERA (X16)", start: "vera/cube.s" },
] as const;

const GPUS: Record<string, string> = {
  vu: "dreambox",
  vsh: "nv2a",
  vp: "nv2a",
  xvs: "nv2a",
  pico: "picogpu",
  svs: "servaru",
  s: "vera",
  asm: "vera",
  inc: "vera",
};
const SHADING = ["wgsl", "vert", "frag", "glsl", "cg", "spv"];

export const extension = (name: string) => name.slice(name.lastIndexOf(".") + 1).toLowerCase();
/** The machine whose assembly a file is. */
export const gpuOfFile = (name: string): string | undefined => GPUS[extension(name)];
export const isScene = (name: string) => extension(name) === "toml";
export const isShading = (name: string) => SHADING.includes(extension(name));
/** Whether a file is a program of a CPU, which runs by itself. */
export const isSoftware = (name: string) => ["s", "asm"].includes(extension(name));

/** The language that the language server knows a file by. */
export function languageOf(name: string): string {
  const gpu = gpuOfFile(name);
  return gpu === undefined ? extension(name) : `gpuzoo-${gpu}`;
}

// Written by `cargo xtask gen` from the options in the sources; edit those.

/** Options of reading a program. */
export interface ReadOptions {
  /** Form of the program; by default the one of its extension or content. */
  from?: string;
  /** Assembly dialect, on machines that have several; by default the one of the source's header. */
  dialect?: string;
  /** Numbering of constants (and of inputs in NV2A's dialect vp), on machines that have several. */
  numbering?: string;
  /** Entry point of a source in a shading language that has several. */
  entry?: string;
  /** Stage of such a source, if it has both or does not name it; by default vertex. */
  stage?: "vertex" | "fragment";
  /** Move what such a source computes from uniforms alone out of the program: the host computes it, as further constants. */
  hostConstants?: boolean;
  /** Space in which the program leaves positions: pixels, on machines that expect them, or clip space; by default screen. */
  position?: "screen" | "clip";
  /** Define a macro of GLSL, Cg or NV2A's Direct3D dialect (NAME is 1), or a symbol of 65C02 sources (NAME is 0). */
  define?: readonly string[];
  /** Draw of a command log, from 0; by default the first one with a program, else the first launch. */
  draw?: number;
  /** Launch of a state program in a command log, from 0. */
  launch?: number;
}

/** Options of compiling a source in a shading language. */
export interface CompileOptions {
  /** Optimization level: 0 keeps the source's order, 3 searches longest. */
  level?: "source" | "quick" | "usual" | "longest";
  /** Let sums be reordered, and choices and floors take forms that are exact for finite numbers of usual sizes only. */
  fastMath?: boolean;
  /** First constant for uniforms and literals; by default the machine's. */
  constantsAt?: number;
  /** Register of an output: `1=oT0`, `fog=oFog`; an output is `position`, `size`, the number of a location or a name. */
  bindOutput?: Readonly<Record<string, string>>;
}

/** Options of disassembling a program. */
export interface DisassembleOptions {
  /** Assembly dialect, on machines that have several; by default the machine's first. */
  dialect?: string;
  /** Numbering of constants, on machines that have several. */
  numbering?: string;
  /** Preserve every bit: words that no text assembles to become `.word`. */
  exact?: boolean;
}

/** Options of translating a program. */
export interface TranslateOptions {
  /** Target language; by default the one of the output's extension, or WGSL. */
  to?: "wgsl" | "spirv" | "spirv10" | "spvasm" | "glsl" | "glsl330" | "essl300" | "essl310" | "hlsl" | "msl";
  /** Kind of shader; by default the stage that the program has in a pipeline. */
  shape?: "vertex" | "fragment" | "compute" | "function";
  /** Arithmetic: `fast` uses the host's floats, `exact` gives the machine's bits. */
  fidelity?: "fast" | "exact";
  /** Group of all resources, 0 to 31: the set of Vulkan, the register space of Direct3D. */
  group?: number;
  /** Binding of a resource, 0 to 254; `--explain` shows the resources and their default bindings. */
  bind?: Readonly<Record<string, number>>;
  /** Also return the outputs that the program does not write. */
  allOutputs?: boolean;
  /** Write the size of points to the pipeline's built-in variable, not to a varying. */
  pointSize?: boolean;
  /** Prefix of the names of functions, types and resources. */
  prefix?: string;
  /** Write SPIR-V without names and lines. */
  strip?: boolean;
}

/** Options of the state in which a program runs. */
export interface StateOptions {
  /** Numeric profile; by default the machine's first. */
  profile?: string;
  /** Switch of the machine; `gpuzoo list modes` shows them. */
  modes?: Readonly<Record<string, string>>;
}

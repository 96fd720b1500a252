// Written by `cargo xtask gen` from the tables in the sources; edit those.

/** What each machine's profiles, inputs and outputs are called. */
export interface Machines {
  dreambox: {
    profile: "document";
    input: "in0" | "in1" | "in2" | "in3" | "in4" | "in5" | "in6" | "in7";
    output: "pos" | "tex" | "col" | "ocol";
  };
  nv2a: {
    profile: "hw" | "cpu";
    input: "v0" | "v1" | "v2" | "v3" | "v4" | "v5" | "v6" | "v7" | "v8" | "v9" | "v10" | "v11" | "v12" | "v13" | "v14" | "v15";
    output: "oPos" | "oD0" | "oD1" | "oFog" | "oPts" | "oB0" | "oB1" | "oT0" | "oT1" | "oT2" | "oT3";
  };
  picogpu: {
    profile: "document" | "unit";
    input: "in0" | "in1" | "in2";
    output: `out${number}`;
  };
  servaru: {
    profile: "ieee";
    input: "P0" | "P1" | "P2" | "P3" | "P4" | "P5" | "P6" | "P7" | "P8";
    output: "P9" | "P10" | "P11" | "P12" | "P13" | "P14" | "P15" | "ZTS";
  };
  vera: {
    profile: "rtl" | "documented" | "x16emu";
    input: never;
    output: never;
  };
}

export type MachineId = "dreambox" | "nv2a" | "picogpu" | "servaru" | "vera";
/** Machines whose programs run over vertices. */
export type ShaderUnitId = "dreambox" | "nv2a" | "picogpu" | "servaru";
/** What a picture can show in place of the colours. */
export type View = "depth" | "overdraw" | "batch" | "lane" | "triangle" | "miplevel" | "vram" | "tiles" | "sprites" | "palette";
/** Languages that programs are translated to. */
export type Target = "wgsl" | "spirv" | "spirv10" | "spvasm" | "glsl" | "glsl330" | "essl300" | "essl310" | "hlsl" | "msl";

// Whole sessions with `gpuzoo dap`, a machine each, by Microsoft's own client:
//
//     npm install --no-package-lock && GPUZOO=../../../target/debug/gpuzoo npm test
"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { test } = require("node:test");
const { DebugClient } = require("@vscode/debugadapter-testsupport");

const program = path.resolve(process.env.GPUZOO ?? "gpuzoo");
const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "gpuzoo-dap-"));
process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));

/** Writes a file of a session. */
function file(name, lines) {
  const place = path.join(folder, name);
  fs.writeFileSync(place, lines.join("\n") + "\n");
  return place;
}

/** A session: it is begun, and left when the work is done. */
function session(name, work) {
  test(name, { timeout: 60_000 }, async () => {
    const client = new DebugClient(program, "dap", "gpuzoo", { cwd: folder });
    await client.start();
    client.defaultTimeout = 20_000;
    try {
      await work(client);
    } finally {
      await client.stop();
    }
  });
}

/** Begins a run that stops at its first instruction. */
async function launched(client, args) {
  await Promise.all([
    client.configurationSequence(),
    client.launch(args),
    client.assertStoppedLocation("entry", {}),
  ]);
}

/** Asks for a move; where the run is when it has stopped. */
async function moved(client, request, args = {}) {
  const threadId = args.threadId ?? 1;
  const [stopped] = await Promise.all([client.waitForEvent("stopped"), client.send(request, { threadId, ...args })]);
  const trace = await client.stackTraceRequest({ threadId });
  const [frame] = trace.body.stackFrames;
  return { ...stopped.body, line: frame.line, name: frame.name, frame };
}

async function value(client, expression, frameId = 1) {
  return (await client.evaluateRequest({ expression, frameId, context: "watch" })).body.result;
}

/** The variables of a scope, by name. */
async function scope(client, name, frameId = 1) {
  const { scopes } = (await client.scopesRequest({ frameId })).body;
  const { variablesReference } = scopes.find((scope) => scope.name === name);
  const { variables } = (await client.variablesRequest({ variablesReference })).body;
  return new Map(variables.map((variable) => [variable.name, variable]));
}

async function refused(promise, code) {
  await assert.rejects(promise, (error) => error.message.includes(code));
}

session("dreambox: a breakpoint, and back", async (client) => {
  const own = file("double.vu", ["ld r0 0", "add r0 r0", "", "add r0 r0", "st pos r0"]);
  const inputs = file("double.csv", ["in0.x,in0.y,in0.z,in0.w", "1,2,3,4"]);
  // Line 3 is empty; the breakpoint moves to the next one with code.
  const args = { program: own, inputs, stopOnEntry: false };
  await client.hitBreakpoint(args, { path: own, line: 3 }, { path: own, line: 4 }, { path: own, line: 4 });
  assert.equal(await value(client, "r0"), "(2, 4, 6, 8)");
  assert.equal((await moved(client, "next")).line, 5);
  assert.equal(await value(client, "r0"), "(4, 8, 12, 16)");
  assert.equal((await moved(client, "stepBack")).line, 4);
  assert.equal(await value(client, "r0"), "(2, 4, 6, 8)");
  const registers = await scope(client, "Temporaries");
  const { variablesReference } = registers.get("r0");
  await client.setVariableRequest({ variablesReference, name: "y", value: "0.5" });
  assert.equal((await moved(client, "continue")).reason, "end");
  assert.equal(await value(client, "pos"), "(4, 1, 12, 16)");
  assert.equal((await scope(client, "Outputs")).get("pos").value, "(4, 1, 12, 16)");
  // A continue at the end ends the session.
  await Promise.all([client.waitForEvent("terminated"), client.continueRequest({ threadId: 1 })]);
});

session("nv2a: halves of a slot, and where an infinity comes from", async (client) => {
  const own = file("lit.vsh", ["dp3 r0.w, v2, v2", "mul r3.xy, v2, v2 + rsq r1.x, r0.w", "mov oD0, r1.x"]);
  await launched(client, { program: own });
  await client.setExceptionBreakpointsRequest({ filters: ["inf"] });
  assert.equal((await moved(client, "stepIn", { granularity: "instruction" })).name, "MUL R3.xy, v2, v2");
  const half = await moved(client, "stepIn", { granularity: "instruction" });
  assert.deepEqual([half.name, half.line], ["RSQ R1.x, R0.w", 2]);
  const odd = await moved(client, "continue");
  assert.deepEqual([odd.reason, odd.line], ["exception", 3]);
  const info = (await client.exceptionInfoRequest({ threadId: 1 })).body;
  assert.equal(info.exceptionId, "inf");
  assert.match(info.description, /^lit\.vsh:2: RSQ R1\.x, R0\.w: R1\.x becomes infinite$/);
  const why = (await client.customRequest("gpuzoo/why", { expression: "r1.x", frameId: 1 })).body;
  assert.match(why.text, /it begins there from R0\.w = 0/);
  assert.deepEqual(why.ancestry.nodes.map((node) => node.register), ["v2", "R0", "R1"]);
  const typed = await client.evaluateRequest({ expression: "why r1.x", frameId: 1, context: "repl" });
  assert.match(typed.body.result, /it begins there from R0\.w = 0/);
  const code = await client.disassembleRequest({ memoryReference: half.frame.instructionPointerReference, instructionOffset: -2, instructionCount: 4 });
  assert.deepEqual(
    code.body.instructions.map((own) => own.instruction),
    ["DP3 R0.w, v2, v2", "MUL R3.xy, v2, v2", "RSQ R1.x, R0.w", "MOV oD0.xyzw, R1.x"],
  );
  assert.equal(code.body.instructions[0].instructionBytes.split(" ").length, 16);
  assert.equal((await moved(client, "reverseContinue")).reason, "entry");
});

session("picogpu: a write to a component, and a hover", async (client) => {
  const own = file("nan.pico", [
    "#vertexShader", "#input r0.xyzw", "#output r5.xyzw", "fmul r1.x r0 r0", "fsub r2.x r1 r1", "mov r5 r2", "trap",
  ]);
  const inputs = file("nan.csv", ["in0.x", "1e38"]);
  await launched(client, { program: own, inputs });
  const { dataId } = (await client.dataBreakpointInfoRequest({ name: "r2.x", frameId: 1 })).body;
  const set = await client.setDataBreakpointsRequest({ breakpoints: [{ dataId, accessType: "write", condition: "r2.x == nan" }] });
  assert.equal(set.body.breakpoints[0].verified, true);
  const hit = await moved(client, "continue");
  assert.deepEqual([hit.reason, hit.line], ["data breakpoint", 6]);
  const hover = await client.evaluateRequest({ expression: "r2.x", frameId: 1, context: "hover" });
  assert.equal(hover.body.result, "nan");
  const words = (await client.send("readMemory", { memoryReference: "R1".toLowerCase(), count: 4 })).body;
  assert.deepEqual([...Buffer.from(words.data, "base64")], [0, 0, 0x80, 0x7f]);
  await refused(client.evaluateRequest({ expression: "r99", frameId: 1 }), "G0303");
  await refused(client.stackTraceRequest({ threadId: 7 }), "G0342");
});

session("servaru: a pixel, and the vertices behind it", async (client) => {
  file("place.svs", [".vertex", ...["x", "y", "z", "w"].map((own, row) => `DP4 P9.${own}, P0, U${row};`)]);
  const shade = file("shade.svs", [".fragment", "MOV R1, U0;", "KIL R1.x;", "MOV P9, R1;"]);
  const scene = file("flat.toml", [
    'gpu = "servaru"', "size = [16, 12]", 'program.place.file = "place.svs"', 'program.shade.file = "shade.svs"',
    'mesh.sheet.shape = "plane"', "camera.eye = [0, 3, 1]", "[[draw]]", 'program = "place"', 'fragment = "shade"',
    'mesh = "sheet"', 'input.P0 = { attribute = "position", format = "FLOAT3" }',
    'constants.U0 = { matrix = { transpose = "model_view_projection" } }', "fragment_constants.U0 = [-1, 0.5, 0, 0]",
    'state.cull = "none"',
  ]);
  await launched(client, { program: scene, pixel: [8, 6] });
  const { threads } = (await client.threadsRequest()).body;
  assert.deepEqual(threads.map((thread) => thread.name), ["fragment (8, 6)", "vertex 0", "vertex 1", "vertex 2"]);
  await client.setExceptionBreakpointsRequest({ filters: ["kill"] });
  const killed = await moved(client, "continue");
  assert.deepEqual([killed.reason, killed.name], ["exception", "the end: killed"]);
  const targets = (await client.gotoTargetsRequest({ source: { path: shade }, line: 3 })).body.targets;
  assert.equal((await moved(client, "goto", { targetId: targets[0].id })).line, 3);
  await client.send("setExpression", { expression: "R1.x", value: "1", frameId: 1 });
  assert.equal((await moved(client, "continue")).reason, "end");
  assert.equal(await value(client, "P9"), "(1, 0.5, 0, 0)");
  // A vertex goes by itself.
  assert.equal((await moved(client, "next", { threadId: 3 })).line, 3);
  assert.equal((await scope(client, "Constants", 3)).has("U0"), true);
});

session("vera: labels, memory, a subroutine, frames, and a pause", async (client) => {
  const own = file("loop.s", [
    "start:", "  lda #$2a", "  sta $9f23", "  jsr twice", "loop:", "  inc $22", "  bra loop",
    "twice:", "  pha", "  asl", "  pla", "  rts",
  ]);
  await launched(client, { program: own });
  await client.setFunctionBreakpointsRequest({ breakpoints: [{ name: "twice" }] });
  const { dataId } = (await client.dataBreakpointInfoRequest({ name: "vram[$1b0a0..$1b0a9]", frameId: 1 })).body;
  await client.setDataBreakpointsRequest({ breakpoints: [{ dataId, accessType: "write" }] });
  assert.equal((await moved(client, "continue")).reason, "data breakpoint");
  const vram = (await client.send("readMemory", { memoryReference: "vram", offset: 0x1b0a0, count: 1 })).body;
  assert.equal(Buffer.from(vram.data, "base64")[0], 0x2a);
  const into = await moved(client, "continue");
  assert.deepEqual([into.reason, into.line], ["function breakpoint", 9]);
  assert.equal((await moved(client, "stepOut")).line, 6);
  assert.equal((await moved(client, "stepBack")).line, 12);
  assert.equal((await moved(client, "next")).line, 6);
  await client.setBreakpointsRequest({
    source: { path: own }, breakpoints: [{ line: 6, condition: "ram[$22] == 3", hitCondition: "1" }],
  });
  assert.equal((await moved(client, "continue")).reason, "breakpoint");
  assert.equal(await value(client, "ram[$22]"), "03");
  assert.deepEqual([...(await scope(client, "CPU")).keys()].slice(0, 6), ["A", "X", "Y", "S", "P", "PC"]);
  assert.equal((await scope(client, "VERA")).has("ADDR0"), true);
  assert.equal((await scope(client, "FX")).get("FX_CTRL").value, "$00");
  await client.setBreakpointsRequest({ source: { path: own }, breakpoints: [] });
  await client.setExceptionBreakpointsRequest({ filters: ["frame"] });
  assert.equal((await moved(client, "continue")).reason, "exception");
  // It has no end, but it can be paused, and goes back all the way.
  await client.setExceptionBreakpointsRequest({ filters: [] });
  await client.continueRequest({ threadId: 1 });
  await new Promise((done) => setTimeout(done, 300));
  await refused(client.scopesRequest({ frameId: 1 }), "G0341");
  assert.equal((await moved(client, "pause")).reason, "pause");
  await client.setFunctionBreakpointsRequest({ breakpoints: [] });
  await client.setDataBreakpointsRequest({ breakpoints: [] });
  const start = await moved(client, "reverseContinue");
  assert.deepEqual([start.reason, start.line], ["entry", 2]);
});

test("a port", { timeout: 60_000 }, async () => {
  const own = file("one.vu", ["ld r0 0", "st pos r0"]);
  const server = spawn(program, ["dap", "--port", "0"], { cwd: folder });
  try {
    const said = await new Promise((done) => server.stderr.once("data", (data) => done(data.toString())));
    const client = new DebugClient(program, "dap", "gpuzoo");
    await client.start(Number(/127\.0\.0\.1:(\d+)/.exec(said)[1]));
    await launched(client, { program: own });
    assert.equal((await moved(client, "next")).line, 2);
    await client.stop();
  } finally {
    server.kill();
  }
});

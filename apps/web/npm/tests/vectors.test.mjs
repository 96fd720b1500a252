// The repository's conformance vectors, all of them, through the module.
import assert from "node:assert/strict";
import { test } from "node:test";
import { files, gpuzoo, read } from "./common.mjs";

/** Files in which each profile of the NV2A has its records; the others are of no profile. */
const OF_HW = ["ops_hw_sample.jsonl", "programs_sample.jsonl", "programs_hw_sample.jsonl", "hw_observed.jsonl"];
const OF_CPU = ["ops_sample.jsonl"];
const base = (path) => path.split("/").at(-1);
const isVector = (name) => /\.(jsonl?|trace)$/.test(name);

/** Of records those that define something; where nothing is, or only that it is tiny, there is nothing to compare. */
const defined = (text) => text.split("\n").filter((line) => !/"chk": ?"[ud]+"/.test(line)).join("\n");

/** Puts what is in a folder; returns the names of the vector files. */
function put(folder) {
  const paths = files(folder);
  for (const path of paths) gpuzoo.put(base(path), path.endsWith(".jsonl") ? defined(read(path).toString("utf8")) : new Uint8Array(read(path)));
  return paths.map(base).filter(isVector);
}

function passes(id, names, least, options = {}) {
  let passed = 0;
  for (const report of gpuzoo.conform(id, names, options)) {
    assert.equal(report.failed + report.malformed, 0, report.text);
    passed += report.passed;
  }
  assert.ok(passed >= least, `${id}: ${passed}`);
}

for (const [id, least] of [["dreambox", 2300], ["picogpu", 390], ["servaru", 2400]]) {
  test(id, () => passes(id, put(`gpus/${id}/tests/vectors`), least));
}

test("nv2a", () => {
  const names = put("gpus/nv2a/tests/vectors");
  passes("nv2a", OF_HW, 570, { profile: "hw" });
  passes("nv2a", [...OF_CPU, "programs_sample.jsonl"], 560, { profile: "cpu" });
  const others = names.filter((name) => ![...OF_HW, ...OF_CPU].includes(name));
  passes("nv2a", others, 550);
});

test("vera", () => {
  let checked = 0;
  for (const folder of ["traces", "frames", "sound"]) {
    const names = put(`gpus/vera/tests/vectors/${folder}`).filter((name) => name.endsWith(".trace"));
    passes("vera", names, 1);
    checked += names.length;
  }
  assert.ok(checked > 20, String(checked));
});

test("what fails is told", () => {
  gpuzoo.put("wrong.jsonl", read("gpus/nv2a/tests/vectors/ops_sample.jsonl"));
  const [report] = gpuzoo.conform("nv2a", ["wrong.jsonl"], { profile: "hw", failures: 2 });
  assert.ok(report.failed > 0);
  gpuzoo.put("none.jsonl", '{"a": 1}\n');
  assert.equal(gpuzoo.conform("nv2a", ["none.jsonl"])[0].malformed, 1);
});

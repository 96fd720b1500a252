// A worker that answers requests with the module: language server, debug adapter, questions.
import { Trap } from "../../../npm/src/errors.ts";
import { Module } from "../../../npm/src/module.ts";
import { textOfError } from "./protocol";
import type { Answered, Asked } from "./protocol";

let module: Module;

self.onmessage = ({ data }: MessageEvent<Asked>) => {
  let answer: Answered;
  try {
    answer = { id: data.id, value: answered(data) };
  } catch (error) {
    // A trap leaves the module's memory as it was in the middle of something: the page starts a new worker.
    if (error instanceof Trap) throw error;
    answer = { id: data.id, error: textOfError(error) };
  }
  self.postMessage(answer);
};

function answered(request: Asked): unknown {
  switch (request.op) {
    case "start":
      module = new Module(new WebAssembly.Instance(request.module, {}));
      return undefined;
    case "files":
      for (const name of request.remove) module.remove(name);
      for (const [name, content] of request.put) module.put(name, content);
      return undefined;
    case "lsp":
      return module.lsp(request.message);
    case "dap":
      return module.dap(request.message);
    case "call":
      return module.call(request.name, request.about);
    case "bytes":
      return { value: module.call(request.name, request.about, request.data), bytes: module.bytes.slice() };
  }
}

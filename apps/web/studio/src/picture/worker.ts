// The worker that draws: asks the module for frames, and puts them on the canvas, as often as the browser draws while time runs.
import { Trap } from "../../../npm/src/errors.ts";
import { Module } from "../../../npm/src/module.ts";
import { textOfError } from "../engine/protocol";
import { isSoftware } from "../state/machines";
import type { FromPicture, ToPicture, Wanted } from "./protocol";

let module: Module;
let canvas: OffscreenCanvas;
let context: OffscreenCanvasRenderingContext2D;
let wanted: Wanted | undefined;
let scheduled = false;
/** What a user has done since the last picture. */
let given: string[] = [];
let count = 0;
/** When time was 0. */
let began = 0;

const tell = (message: FromPicture) => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToPicture>) => {
  switch (data.op) {
    case "start": {
      module = new Module(new WebAssembly.Instance(data.module, {}));
      canvas = data.canvas;
      const made = canvas.getContext("2d");
      if (!made) throw new Error("the browser gives no canvas");
      context = made;
      break;
    }
    case "files":
      for (const name of data.remove) module.remove(name);
      for (const [name, content] of data.put) module.put(name, content);
      // A program that has changed starts anew.
      if (wanted && isSoftware(wanted.subject)) began = performance.now();
      redraw();
      break;
    case "show":
      if (data.wanted.time !== wanted?.time || data.wanted.subject !== wanted.subject || !wanted.playing) {
        began = performance.now() - data.wanted.time * 1000;
      }
      wanted = data.wanted;
      redraw();
      break;
    case "give":
      if (wanted?.playing) given.push(data.line);
      break;
    case "save":
      void canvas.convertToBlob({ type: "image/png" }).then((picture) => tell({ op: "saved", picture }));
      break;
  }
};

/** Draws soon: after the messages that are there, or where time runs with the browser's next picture. */
function redraw(when: (then: () => void) => void = setTimeout): void {
  if (scheduled) return;
  scheduled = true;
  when(draw);
}

function draw(): void {
  scheduled = false;
  if (!wanted || wanted.subject === "") return;
  const start = performance.now();
  const time = wanted.playing ? Math.max(0, start - began) / 1000 : wanted.time;
  try {
    if (given.length > 0) module.call("give", { input: given.splice(0).join("\n") });
    const { width, height, pixels, moves, frame, draws } = module.frame({ ...wanted, time, exact: !wanted.playing });
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    // What blending left in the alpha is no part of what a screen shows.
    const whole = new Uint32Array(pixels.buffer);
    for (let at = 0; at < whole.length; at += 1) whole[at] = (whole[at] ?? 0) | 0xff000000;
    context.putImageData(new ImageData(pixels, width, height), 0, 0);
    count += 1;
    tell({ op: "drawn", count, frame, time, width, height, took: performance.now() - start, moves, draws });
    if (wanted.playing && moves) redraw(requestAnimationFrame);
  } catch (error) {
    if (error instanceof Trap) throw error;
    tell({ op: "failed", error: textOfError(error) });
  }
}

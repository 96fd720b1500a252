// Where sessions of the debugger begin: a pixel of a scene, a vertex of a program, a program of a CPU.
import { pathOf } from "../dap/session";
import { isScene, isSoftware } from "../state/machines";
import * as work from "../state/work";
import type { Studio } from "../studio";

export function debugPixel(studio: Studio, pixel: [number, number]): void {
  if (!isScene(work.subject.value)) return debugProgram(studio);
  work.pixel.value = pixel;
  begin(studio, { program: pathOf(work.subject.value), pixel, frame: studio.picture.drawn.value?.frame ?? 0, turn: work.turn.value });
}

/** The program of a CPU from its start, or the first vertex of a shader's. */
export function debugProgram(studio: Studio): void {
  const name = isSoftware(work.subject.value) ? work.subject.value : work.program.value;
  if (name !== "") begin(studio, { program: pathOf(name), gpu: work.gpu.value });
}

function begin(studio: Studio, what: object): void {
  work.pane.value = "run";
  const launch = { ...what, ...(work.profile.value === undefined ? {} : { profile: work.profile.value }) };
  const shown = () => {
    const file = studio.session.frame.value?.source?.name;
    if (file !== undefined && work.files.value.has(file)) work.open.value = file;
  };
  studio.attempt(studio.session.launch(launch).then(shown));
}

// The canvas. Of a scene a click debugs a pixel, and so does Enter, where the arrow keys have moved the cross; dragging turns the cameras,
// and so do arrow keys with Ctrl. A program of a CPU that runs gets keys and mouse, but for Tab, which leaves it.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { keyLine, mouseLine } from "../picture/keys";
import { isScene, isSoftware } from "../state/machines";
import * as work from "../state/work";
import type { Studio } from "../studio";
import { debugPixel } from "./debug";

type Pair = [number, number];

/** Degrees that a pixel of dragging turns, and a key. */
const DRAGGED = 0.5;
const KEY_TURNS = 5;
/** Pixels that a hand moves without dragging. */
const STILL = 4;
const ARROWS: Record<string, Pair> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const within = (value: number, size: number) => Math.min(size - 1, Math.max(0, value));

export function Screen({ studio }: { studio: Studio }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const cross = useSignal<Pair | undefined>(work.pixel.peek());
  const drag = useRef<{ from: Pair; turn: Pair; far: boolean } | undefined>(undefined);
  useEffect(() => (canvas.current ? studio.picture.attach(canvas.current) : undefined), []);
  useEffect(() => work.pixel.subscribe((pixel) => (cross.value = pixel)), []);
  const runs = isSoftware(work.subject.value) && work.playing.value;
  const size = (): Pair => {
    const { width, height } = studio.picture.drawn.value ?? { width: 1, height: 1 };
    return [width, height];
  };
  const at = (event: MouseEvent): Pair => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const [width, height] = size();
    const x = Math.floor(((event.clientX - box.left) / box.width) * width);
    const y = Math.floor(((event.clientY - box.top) / box.height) * height);
    return [within(x, width), within(y, height)];
  };
  const key = (event: KeyboardEvent, isDown: boolean) => {
    if (runs) {
      const line = event.repeat || event.metaKey ? undefined : keyLine(event.code, isDown);
      if (line !== undefined) studio.picture.give(line);
      if (line === undefined && !event.repeat) return;
    } else if (!isDown || !moves(event)) return;
    event.preventDefault();
  };
  const moves = (event: KeyboardEvent): boolean => {
    const by = ARROWS[event.key];
    if (by && event.ctrlKey) {
      if (!isScene(work.subject.value)) return false;
      turnTo(work.turn.value, [KEY_TURNS * by[0], -KEY_TURNS * by[1]]);
    } else if (by) {
      const step = event.shiftKey ? 16 : 1;
      const [width, height] = size();
      const [x, y] = cross.value ?? [Math.floor(width / 2), Math.floor(height / 2)];
      cross.value = [within(x + step * by[0], width), within(y + step * by[1], height)];
    } else if (event.key === "Enter" && cross.value) debugPixel(studio, cross.value);
    else return false;
    return true;
  };
  const press = (event: PointerEvent) => {
    drag.current = { from: [event.clientX, event.clientY], turn: work.turn.value, far: false };
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    mouse(event);
  };
  const move = (event: PointerEvent) => {
    mouse(event);
    const held = drag.current;
    if (!held || runs || !isScene(work.subject.value) || event.buttons === 0) return;
    const [right, down] = [event.clientX - held.from[0], event.clientY - held.from[1]];
    held.far ||= Math.hypot(right, down) > STILL;
    if (held.far) turnTo(held.turn, [-DRAGGED * right, DRAGGED * down]);
  };
  const mouse = (event: PointerEvent) => {
    if (!runs) return;
    const scale = size()[0] / (event.currentTarget as HTMLElement).clientWidth;
    studio.picture.give(mouseLine(event.movementX * scale, event.movementY * scale, event.buttons));
  };
  const click = (event: MouseEvent) => {
    if (!runs && !drag.current?.far) debugPixel(studio, at(event));
    drag.current = undefined;
  };
  const place = () => {
    const box = canvas.current;
    if (!cross.value || !box) return undefined;
    const [width, height] = size();
    const left = box.offsetLeft + ((cross.value[0] + 0.5) / width) * box.clientWidth;
    const top = box.offsetTop + ((cross.value[1] + 0.5) / height) * box.clientHeight;
    return { left: `${left}px`, top: `${top}px` };
  };
  const found = studio.picture.drawn.value && !runs ? place() : undefined;
  return (
    <div class="screen">
      <canvas
        ref={canvas}
        tabIndex={0}
        role="application"
        aria-label={labelOf(runs, cross.value)}
        onClick={click}
        onPointerDown={press}
        onPointerMove={move}
        onPointerUp={mouse}
        onKeyDown={(event) => key(event, true)}
        onKeyUp={(event) => key(event, false)}
      />
      {found && <span class="cross" style={found} />}
    </div>
  );
}

function turnTo([around, over]: Pair, [right, up]: Pair): void {
  work.turn.value = [(around + right) % 360, Math.min(180, Math.max(-180, over + up))];
}

function labelOf(runs: boolean, cross: Pair | undefined): string {
  const picture = `picture of ${work.subject.value}`;
  if (runs) return `${picture}; keys and mouse go to the program, Tab leaves it`;
  return cross ? `${picture}, cross at ${cross.join(", ")}; Enter debugs this pixel` : `${picture}; arrow keys move a cross, Enter debugs its pixel`;
}

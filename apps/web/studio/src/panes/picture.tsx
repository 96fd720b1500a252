// The picture, its time and what of it is seen. A click debugs a pixel; so does Enter, where the arrow keys have moved the cross.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../layout/icon";
import { isSoftware } from "../state/machines";
import * as work from "../state/work";
import type { Studio } from "../studio";
import { debugPixel } from "./debug";

const VIEWS = ["depth", "overdraw", "triangle", "batch", "lane", "miplevel"];
const SCREENS = ["vram", "tiles", "sprites", "palette"];

export function PicturePane({ studio }: { studio: Studio }) {
  const { picture } = studio;
  const software = isSoftware(work.subject.value);
  const drawn = picture.drawn.value;
  return (
    <section class="picture" aria-label="Picture">
      <div class="controls">
        <button type="button" aria-label={work.playing.value ? "Pause" : "Play"} onClick={() => toggle(studio)}>
          <Icon sign={work.playing.value ? "pause" : "on"} />
        </button>
        {software ? <Frames studio={studio} /> : drawn?.moves && <Time studio={studio} />}
        <label>
          View
          <select aria-label="View" value={work.view.value ?? ""} onChange={(event) => (work.view.value = event.currentTarget.value || undefined)}>
            <option value="">colour</option>
            {(software ? SCREENS : VIEWS).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {drawn && (
          <span class="figures" data-count={drawn.count}>
            {`${drawn.width} × ${drawn.height} · ${drawn.took.toFixed(0)} ms`}
          </span>
        )}
      </div>
      <Screen key={picture.generation.value} studio={studio} />
      {picture.failed.value !== undefined && <pre class="failed" tabIndex={0}>{picture.failed.value}</pre>}
    </section>
  );
}

function toggle({ picture }: Studio) {
  if (work.playing.value) work.time.value = Math.round((picture.drawn.value?.time ?? 0) * 100) / 100;
  work.playing.value = !work.playing.value;
}

function Time({ studio }: { studio: Studio }) {
  const shown = work.playing.value ? (studio.picture.drawn.value?.time ?? 0) : work.time.value;
  return (
    <label>
      <span class="hidden">Time in seconds</span>
      <input
        type="range"
        min="0"
        max="10"
        step="0.05"
        value={shown % 10}
        onInput={(event) => {
          work.playing.value = false;
          work.time.value = Number(event.currentTarget.value);
        }}
      />
      <span class="mono">{shown.toFixed(2)} s</span>
    </label>
  );
}

/** A program's pictures: from the start again, or one by one. */
function Frames({ studio }: { studio: Studio }) {
  const time = work.playing.value ? (studio.picture.drawn.value?.time ?? 0) : work.time.value;
  const to = (next: number) => {
    work.playing.value = false;
    work.time.value = Math.max(0, next);
  };
  return (
    <>
      <button type="button" aria-label="Back to the start" title="Back to the start" onClick={() => to(0)}>
        <Icon sign="start" />
      </button>
      <button type="button" aria-label="A picture back" title="A picture back" onClick={() => to(time - 1 / 60)}>
        <Icon sign="back" />
      </button>
      <button type="button" aria-label="The next picture" title="The next picture" onClick={() => to(time + 1 / 60)}>
        <Icon sign="on" />
      </button>
      <span class="mono">{time.toFixed(2)} s</span>
    </>
  );
}

function Screen({ studio }: { studio: Studio }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const cross = useSignal<[number, number] | undefined>(work.pixel.peek());
  useEffect(() => (canvas.current ? studio.picture.attach(canvas.current) : undefined), []);
  useEffect(() => work.pixel.subscribe((pixel) => (cross.value = pixel)), []);
  const size = (): [number, number] => {
    const { width, height } = studio.picture.drawn.value ?? { width: 1, height: 1 };
    return [width, height];
  };
  const at = (event: MouseEvent): [number, number] => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const [width, height] = size();
    const x = Math.floor(((event.clientX - box.left) / box.width) * width);
    const y = Math.floor(((event.clientY - box.top) / box.height) * height);
    return [Math.min(width - 1, Math.max(0, x)), Math.min(height - 1, Math.max(0, y))];
  };
  const press = (event: KeyboardEvent) => {
    const step = event.shiftKey ? 16 : 1;
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    const [width, height] = size();
    if (by) {
      const [x, y] = cross.value ?? [Math.floor(width / 2), Math.floor(height / 2)];
      cross.value = [Math.min(width - 1, Math.max(0, x + (by[0] ?? 0))), Math.min(height - 1, Math.max(0, y + (by[1] ?? 0)))];
    } else if (event.key === "Enter" && cross.value) debugPixel(studio, cross.value);
    else return;
    event.preventDefault();
  };
  const place = () => {
    const box = canvas.current;
    if (!cross.value || !box) return undefined;
    const [width, height] = size();
    const left = box.offsetLeft + ((cross.value[0] + 0.5) / width) * box.clientWidth;
    const top = box.offsetTop + ((cross.value[1] + 0.5) / height) * box.clientHeight;
    return { left: `${left}px`, top: `${top}px` };
  };
  const found = studio.picture.drawn.value ? place() : undefined;
  return (
    <div class="screen">
      <canvas
        ref={canvas}
        tabIndex={0}
        role="application"
        aria-label={
          cross.value
            ? `picture of ${work.subject.value}, cross at ${cross.value.join(", ")}; Enter debugs this pixel`
            : `picture of ${work.subject.value}; arrow keys move a cross, Enter debugs its pixel`
        }
        onClick={(event) => debugPixel(studio, at(event))}
        onKeyDown={press}
      />
      {found && <span class="cross" style={found} />}
    </div>
  );
}

// The picture, its time and what of it is seen.
import { Icon } from "../layout/icon";
import { isSoftware } from "../state/machines";
import * as work from "../state/work";
import type { Studio } from "../studio";
import { Screen } from "./screen";

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
        {work.turn.value.some((angle) => angle !== 0) && (
          <button type="button" onClick={() => (work.turn.value = [0, 0])}>
            Turn back
          </button>
        )}
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

// The run of a pixel's fragment, of a vertex, or of a CPU: where it stands, its registers, and steps in both directions.
import { useSignal } from "@preact/signals";
import type { Motion } from "../dap/session";
import type { Ancestry, Variable } from "../dap/types";
import { Icon, type Sign } from "../layout/icon";
import { isSoftware } from "../state/machines";
import * as work from "../state/work";
import type { Studio } from "../studio";
import { AncestryView } from "./ancestry";
import { debugProgram } from "./debug";

const MOTIONS: [Motion, Sign, string][] = [
  ["reverseContinue", "start", "Back to the breakpoint before, or the start"],
  ["stepBack", "back", "Step back"],
  ["next", "on", "Step on"],
  ["continue", "end", "On to the next breakpoint, or the end"],
];
const KEYS: Record<string, Motion> = { ArrowLeft: "stepBack", ArrowRight: "next", Home: "reverseContinue", End: "continue" };

export function RunPane({ studio }: { studio: Studio }) {
  const { session } = studio;
  const why = useSignal<{ of: string; found: Ancestry } | undefined>(undefined);
  if (!session.active.value) return <Begin studio={studio} />;
  const move = (motion: Motion) => {
    why.value = undefined;
    studio.attempt(session.move(motion).then(() => follow(studio)));
  };
  const press = (event: KeyboardEvent) => {
    const motion = KEYS[event.key];
    if (event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement) return;
    if (event.key === "n") studio.attempt(toNextNaN(studio));
    else if (motion) move(motion);
    else return;
    event.preventDefault();
  };
  const ask = (expression: string) =>
    studio.attempt(session.ancestry(expression).then((found) => (why.value = { of: expression, found })));
  return (
    <div class="run" onKeyDown={press}>
      <div class="controls">
        <select
          aria-label="Run"
          value={session.thread.value}
          onChange={(event) => {
            why.value = undefined;
            studio.attempt(session.choose(Number(event.currentTarget.value)).then(() => follow(studio)));
          }}
        >
          {session.threads.value.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        {MOTIONS.map(([motion, sign, name]) => (
          <button key={motion} type="button" aria-label={name} title={name} disabled={session.running.value} onClick={() => move(motion)}>
            <Icon sign={sign} />
          </button>
        ))}
        <Stops studio={studio} />
        <button type="button" onClick={() => studio.attempt(session.end())}>
          End
        </button>
      </div>
      <div>
        {session.stale.value && (
          <p class="side" role="status">
            The text has changed since: this is the run of the one before.
            <button type="button" class="primary" onClick={() => studio.attempt(session.again().then(() => follow(studio)))}>
              Start again
            </button>
          </p>
        )}
        <p class="place" role="status">
          Next: <code>{session.frame.value?.name}</code>
          {session.frame.value && `, line ${session.frame.value.line} of ${session.frame.value.source?.name ?? "?"}`}
          {session.why.value !== "" && ` — ${session.why.value}`}
        </p>
        {session.said.value !== "" && <pre class="text">{session.said.value}</pre>}
        {why.value && <AncestryView of={why.value.of} found={why.value.found} close={() => (why.value = undefined)} />}
        <div class="registers">
          {session.registers.value
            .filter(({ variables }) => variables.length > 0)
            .map(({ scope, variables }) => (
              <>
                <h3 key={scope}>{scope}</h3>
                {variables.map((one) => (
                  <Register key={`${scope}/${one.name}`} one={one} ask={ask} />
                ))}
              </>
            ))}
        </div>
      </div>
    </div>
  );
}

function Register({ one, ask }: { one: Variable & { changed: boolean }; ask(expression: string): void }) {
  const { name, value, changed, evaluateName } = one;
  return (
    <button
      type="button"
      class={changed ? "register changed" : "register"}
      title="Where does this come from?"
      disabled={evaluateName === undefined}
      onClick={() => evaluateName !== undefined && ask(evaluateName)}
    >
      <b>{name}</b>
      <span>
        {value} {changed && <i aria-label="changed">*</i>}
      </span>
    </button>
  );
}

/** What stops a run besides breakpoints. */
function Stops({ studio }: { studio: Studio }) {
  const { session } = studio;
  return (
    <details class="stops">
      <summary>Stop at …</summary>
      {session.filters.value.map(({ filter, label }) => (
        <label key={filter}>
          <input
            type="checkbox"
            checked={session.stops.value.has(filter)}
            onChange={(event) => studio.attempt(session.stopAt(filter, event.currentTarget.checked))}
          />
          {label}
        </label>
      ))}
    </details>
  );
}

function Begin({ studio }: { studio: Studio }) {
  const software = isSoftware(work.subject.value);
  return (
    <div class="empty">
      <p>
        {software
          ? "Step through the program from its start, forward and back."
          : "Click a pixel of the picture: its fragment and the vertices behind it are run here, forward and back."}
      </p>
      <p class="side">
        <button type="button" onClick={() => debugProgram(studio)}>
          {software ? "Debug the program" : "Debug a vertex of the program"}
        </button>
      </p>
    </div>
  );
}

/** The editor shows the file in which the run stands. */
function follow({ session }: Studio) {
  const file = session.frame.value?.source?.name;
  if (file !== undefined && work.files.value.has(file)) work.open.value = file;
}

/** On to the next NaN or infinity, whatever else is chosen to stop at. */
async function toNextNaN(studio: Studio) {
  const { session } = studio;
  const before = session.stops.value;
  for (const filter of ["nan", "inf"]) if (!before.has(filter)) await session.stopAt(filter, true);
  await session.move("continue");
  for (const filter of ["nan", "inf"]) if (!before.has(filter)) await session.stopAt(filter, false);
  follow(studio);
}

// The bar: machine, profile, examples, share, help, and how the program stands.
import { useComputed, useSignal } from "@preact/signals";
import { newVersion } from "../offline/register";
import { MACHINES } from "../state/machines";
import * as work from "../state/work";
import type { Studio } from "../studio";
import { Gallery } from "./gallery";
import { Help } from "./help";
import { Share } from "./share";

export function Bar({ studio }: { studio: Studio }) {
  const dialog = useSignal<"examples" | "share" | "help" | undefined>(undefined);
  const close = () => (dialog.value = undefined);
  return (
    <header class="bar">
      <h1>
        <img src="./icon.svg" alt="" />
        <span>gpuzoo studio</span>
      </h1>
      <select aria-label="Machine" value={work.gpu.value} onChange={(event) => start(event.currentTarget.value)}>
        {MACHINES.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <Profile studio={studio} />
      <button type="button" onClick={() => (dialog.value = "examples")}>
        Examples
      </button>
      <span class="space" />
      <Standing studio={studio} />
      {newVersion.value && (
        <button type="button" class="primary" onClick={newVersion.value}>
          New version
        </button>
      )}
      <button type="button" onClick={() => (dialog.value = "share")}>
        Share
      </button>
      <button type="button" aria-label="Help" onClick={() => (dialog.value = "help")}>
        ?
      </button>
      {dialog.value === "examples" && <Gallery close={close} />}
      {dialog.value === "share" && <Share studio={studio} close={close} />}
      {dialog.value === "help" && <Help close={close} />}
    </header>
  );
}

/** How the machine computes with numbers, where it does so in more than one way. */
function Profile({ studio }: { studio: Studio }) {
  const profiles = studio.profiles.value.get(work.gpu.value) ?? [];
  if (profiles.length < 2) return null;
  return (
    <select aria-label="Profile" value={work.profile.value ?? profiles[0]} onChange={(event) => choose(event.currentTarget.value, profiles)}>
      {profiles.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

const choose = (name: string, profiles: readonly string[]) => (work.profile.value = name === profiles[0] ? undefined : name);

function start(gpu: string) {
  const machine = MACHINES.find(({ id }) => id === gpu);
  if (machine) work.openLink({ example: machine.start });
}

/** Errors and warnings; and a way to end what takes long. */
function Standing({ studio }: { studio: Studio }) {
  const said = useComputed(() => {
    const problems = studio.lsp.problems.value.get(work.open.value) ?? [];
    const errors = problems.filter(({ severity }) => severity === 1).length;
    const warnings = problems.filter(({ severity }) => severity === 2).length;
    const count = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;
    if (errors + warnings === 0) return studio.picture.failed.value === undefined ? "no problems" : "no picture";
    return [errors && count(errors, "error"), warnings && count(warnings, "warning")].filter(Boolean).join(", ");
  });
  const slow = studio.language.slow.value || studio.debug.slow.value || studio.picture.slow.value;
  return (
    <>
      <span class="status wide" role="status">
        {slow ? "working …" : said.value}
      </span>
      {slow && (
        <button type="button" class="primary stop" onClick={() => stop(studio)}>
          Stop
        </button>
      )}
    </>
  );
}

function stop({ language, debug, picture }: Studio) {
  if (language.slow.value) language.stop();
  if (debug.slow.value) {
    debug.stop();
    work.trouble.value = "The run was stopped, and begins at its start again.";
  }
  if (picture.slow.value) picture.stop();
}

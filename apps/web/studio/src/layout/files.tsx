// The files of the work that can be edited: the one that is shown first, then those that it names.
import { useComputed } from "@preact/signals";
import { isScene } from "../state/machines";
import * as work from "../state/work";
import type { Studio } from "../studio";

export function FileTabs({ studio }: { studio: Studio }) {
  const names = useComputed(() => {
    const shown = related(work.subject.value);
    return shown.includes(work.open.value) || work.open.value === "" ? shown : [...shown, work.open.value];
  });
  return (
    <div class="files">
      <div class="tab-row" role="group" aria-label="Files">
        {names.value.map((name) => (
          <button key={name} type="button" aria-current={name === work.open.value ? "true" : undefined} onClick={() => (work.open.value = name)}>
            {name}
          </button>
        ))}
      </div>
      {!studio.readOnly && (
        <button type="button" class="wide" title="Shift Alt F" onClick={() => studio.editor?.layOut()}>
          Lay out
        </button>
      )}
    </div>
  );
}

/** A file and the texts that it names. */
function related(name: string): string[] {
  const pattern = isScene(name) ? /"([\w.-]+\.\w+)"/g : /include\s+"([\w.-]+)"/g;
  const named = [...work.textOf(name).matchAll(pattern)].map((found) => found[1] ?? "");
  const texts = named.filter((file) => typeof work.files.value.get(file) === "string");
  return isScene(name) ? [...new Set([...texts, name])] : [...new Set([name, ...texts])];
}

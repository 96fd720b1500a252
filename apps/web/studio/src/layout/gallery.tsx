// The examples of the repository, by machine, and the last works of this browser.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { decode } from "../state/link";
import { MACHINES } from "../state/machines";
import { type Recent, recents } from "../state/recent";
import * as work from "../state/work";
import { Dialog } from "./dialog";

export function Gallery({ close }: { close(): void }) {
  const last = useSignal<Recent[]>([]);
  useEffect(() => void recents().then((found) => (last.value = found)), []);
  const restore = async ({ fragment }: Recent) => {
    const link = await decode(fragment);
    if (link) work.openLink(link);
    close();
  };
  return (
    <Dialog title="Examples" close={close}>
      {MACHINES.map(({ id, name }) => (
        <section key={id}>
          <h3>{name}</h3>
          <div class="cards">
            {work.gallery.value.entries
              .filter(({ gpu }) => gpu === id)
              .map((entry) => (
                <button key={entry.id} type="button" data-example={entry.id} onClick={() => (work.openExample(entry), close())}>
                  <b class="mono">{entry.id}</b>
                  <small>{entry.title}</small>
                </button>
              ))}
          </div>
        </section>
      ))}
      {last.value.length > 0 && (
        <section>
          <h3>Your last works</h3>
          <div class="cards">
            {last.value.map((one) => (
              <button key={one.id} type="button" onClick={() => restore(one)}>
                <b class="mono">{one.title}</b>
                <small>{new Date(one.when).toLocaleString()}</small>
              </button>
            ))}
          </div>
        </section>
      )}
    </Dialog>
  );
}

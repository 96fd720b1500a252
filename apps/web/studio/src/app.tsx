// The page: a bar, the editor with its problems, the picture, and the panes that answer questions.
import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Bar } from "./layout/bar";
import { FileTabs } from "./layout/files";
import { Notice } from "./layout/notice";
import { Splitter } from "./layout/splitter";
import { Panes } from "./panes/panes";
import { PicturePane } from "./panes/picture";
import { Problems } from "./panes/problems";
import type { Studio } from "./studio";
import { pane } from "./state/work";

const across = signal(0.5);
const down = signal(0.5);

/** On a phone one part is shown at a time. */
const PARTS = [
  ["code", "Code"],
  ["picture", "Picture"],
  ["tools", "Tools"],
] as const;

interface Properties {
  studio: Studio;
  /** `code`, `picture` or `both`, in somebody else's page. */
  embed: string | null;
}

export function App({ studio, embed }: Properties) {
  const shown = useSignal<(typeof PARTS)[number][0]>("code");
  const style = { "--across": across.value, "--down": down.value };
  // A click on the picture debugs its pixel: on a phone that is to be seen.
  useEffect(() => {
    let before = pane.peek();
    return pane.subscribe((now) => {
      if (now === "run" && before !== "run") shown.value = "tools";
      before = now;
    });
  }, []);
  if (embed !== null) return <Embedded studio={studio} embed={embed} />;
  return (
    <div class="app" data-shown={shown.value} style={style}>
      <Bar studio={studio} />
      <main class="main">
        <section class="column left" aria-label="Program">
          <FileTabs studio={studio} />
          <EditorPane studio={studio} />
          <Problems studio={studio} />
        </section>
        <Splitter share={across} upright label="Width of the program" />
        <section class="column right" aria-label="Picture and answers">
          <PicturePane studio={studio} />
          <Splitter share={down} upright={false} label="Height of the picture" />
          <Panes studio={studio} />
        </section>
      </main>
      <nav class="phone-nav" aria-label="Parts of the page">
        {PARTS.map(([id, name]) => (
          <button key={id} type="button" aria-pressed={shown.value === id} onClick={() => (shown.value = id)}>
            {name}
          </button>
        ))}
      </nav>
      <Notice />
    </div>
  );
}

function EditorPane({ studio }: { studio: Studio }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => (place.current ? studio.edit(place.current) : undefined), []);
  return <div class="editor" ref={place} />;
}

function Embedded({ studio, embed }: { studio: Studio; embed: string }) {
  const whole = `./index.html${location.hash}`;
  return (
    <main class={`app embed ${embed}`}>
      {embed !== "picture" && <EditorPane studio={studio} />}
      {embed !== "code" && <PicturePane studio={studio} />}
      <a class="whole" href={whole} target="_blank" rel="noopener">
        Open in gpuzoo studio
      </a>
      <Notice />
    </main>
  );
}

// The program in other words: its IR, its listing, what the host's languages make of it; and the pages of the reference.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as work from "../state/work";
import type { Studio } from "../studio";
import { Beside } from "./beside";
import { useQuestion } from "./question";

const FORMS = [
  ["ir", "IR: what it means"],
  ["asm", "Assembly, disassembled"],
  ["hex", "Words in hexadecimal"],
  ["c", "An array for C"],
  ["rust", "A constant for Rust"],
  ["c-kernel", "A function in C"],
] as const;

export function IrPane({ studio }: { studio: Studio }) {
  const form = useSignal<string>("ir");
  const optimize = useSignal(false);
  const { value, error } = useQuestion<{ text: string }>(studio, "emit", { form: form.value, optimize: optimize.value }).value;
  return (
    <div>
      <div class="side">
        <select aria-label="Form" value={form.value} onChange={(event) => (form.value = event.currentTarget.value)}>
          {FORMS.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        {form.value === "ir" && (
          <label>
            <input type="checkbox" checked={optimize.value} onChange={(event) => (optimize.value = event.currentTarget.checked)} /> optimized
          </label>
        )}
      </div>
      {error !== undefined && <pre class="text bad">{error}</pre>}
      <pre class="text">{value?.text}</pre>
    </div>
  );
}

const LANGUAGES = [
  ["wgsl", "WGSL"],
  ["glsl330", "GLSL 3.30"],
  ["hlsl", "HLSL"],
  ["msl", "MSL"],
  ["essl300", "GLSL ES 3.00 (WebGL 2)"],
  ["spvasm", "SPIR-V"],
] as const;

export function TranslatePane({ studio }: { studio: Studio }) {
  // The page gets the whole module when this pane is chosen.
  return studio.translates.value ? <Translated studio={studio} /> : <p role="status">What translates programs is on its way.</p>;
}

function Translated({ studio }: { studio: Studio }) {
  const to = useSignal<string>("wgsl");
  const options = { to: to.value, profile: work.profile.value };
  const { value, error } = useQuestion<{ text: string }>(studio, "translate", { options }).value;
  return (
    <div>
      <div class="side">
        <select aria-label="Language" value={to.value} onChange={(event) => (to.value = event.currentTarget.value)}>
          {LANGUAGES.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {to.value === "wgsl" && <Beside studio={studio} />}
      {error !== undefined && <pre class="text bad">{error}</pre>}
      <pre class="text">{value?.text}</pre>
    </div>
  );
}

export function ExplainPane({ studio }: { studio: Studio }) {
  const what = useSignal("");
  const page = useSignal("");
  const gpu = work.gpu.value;
  useEffect(() => {
    let current = true;
    studio.language.call<{ text: string }>("explain", { gpu, what: what.value.trim() || gpu }).then(
      ({ text }) => current && (page.value = text),
      (error: Error) => current && (page.value = error.message),
    );
    return () => {
      current = false;
    };
  }, [what.value, gpu]);
  return (
    <div>
      <div class="side">
        <label>
          Explain{" "}
          <input
            type="text"
            placeholder="an instruction, a code, a word"
            value={what.value}
            onInput={(event) => (what.value = event.currentTarget.value)}
          />
        </label>
      </div>
      <pre class="text">{page.value}</pre>
    </div>
  );
}

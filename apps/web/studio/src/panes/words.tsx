// The words that the lines become, and the bit fields of those of the line under the cursor.
import * as work from "../state/work";
import type { Studio } from "../studio";
import { Missing, Old } from "./answer";
import { useQuestion } from "./question";

interface Field {
  name: string;
  bits: string;
  low: number;
  width: number;
  value: number;
  meaning: string;
}
interface Slot {
  /** From 1. */
  line: number | null;
  words: string[];
  text: string;
  fields: Field[];
}

export function WordsPane({ studio }: { studio: Studio }) {
  const reply = useQuestion<{ slots: Slot[] }>(studio, "words").value;
  const { value } = reply;
  if (!value) return <Missing of={reply} />;
  const line = work.open.value === work.program.value ? work.line.value + 1 : 0;
  const here = value.slots.find((slot) => slot.line === line);
  return (
    <div>
      <Old of={reply} />
      {here && <Fields slot={here} />}
      <table class="words">
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Words</th>
            <th scope="col">Instruction</th>
          </tr>
        </thead>
        <tbody>
          {value.slots.map((slot, index) => (
            <tr key={index} class={slot === here ? "here" : undefined}>
              <td>
                <button type="button" class="go" aria-label={`go to line ${slot.line}`} onClick={() => go(studio, slot.line)}>
                  {slot.line ?? "–"}
                </button>
              </td>
              <td>{slot.words.map((word) => word.replace(/^0x/, "")).join(" ")}</td>
              <td>{slot.text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** To a line of the program, from 1. */
export function go(studio: Studio, line: number | null) {
  if (line === null) return;
  const place = { line: line - 1, character: 0 };
  studio.go(work.program.value, { start: place, end: place });
}

function Fields({ slot }: { slot: Slot }) {
  const fields = [...slot.fields].sort((one, other) => other.low - one.low);
  return (
    <section aria-label="Bit fields of the line">
      <div class="bits" aria-hidden="true">
        {fields.map(({ low, width, value, name }, index) =>
          [...value.toString(2).padStart(width, "0")].map((bit, at) => (
            <span key={low + width - at} title={name} class={`${index % 2 ? "odd" : ""}${at === 0 ? " first" : ""}`}>
              {bit}
            </span>
          )),
        )}
      </div>
      <div class="fields">
        {fields.map(({ name, bits, value, meaning }) => (
          <div key={name}>
            <b>{name}</b> = {value} <small class="mono">bits {bits}</small>
            <small>{meaning}</small>
          </div>
        ))}
      </div>
    </section>
  );
}

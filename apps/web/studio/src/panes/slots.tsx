// A row for each slot: which of its halves do something, and how many cycles it takes.
import * as work from "../state/work";
import type { Studio } from "../studio";
import { Bar } from "./bar";
import { useQuestion } from "./question";
import { go } from "./words";

interface Slots {
  /** Fields that choose what a slot's halves do, which run at the same time: most machines have one. */
  halves: string[];
  slots: { line: number | null; text: string; ops: (string | null)[]; cycles: number }[];
}

export function SlotsChart({ studio }: { studio: Studio }) {
  const { value } = useQuestion<Slots>(studio, "words").value;
  if (!value || value.slots.length === 0) return null;
  const { halves, slots } = value;
  const isPaired = halves.length > 1;
  const most = Math.max(...slots.map(({ cycles }) => cycles));
  // All are alike: a row for each says nothing that the text does not.
  if (!isPaired && most === 1) return null;
  const busy = (ops: (string | null)[]) => ops.filter((op) => op !== null).length;
  const all = slots.reduce((sum, { cycles }) => sum + cycles, 0);
  const both = slots.filter(({ ops }) => busy(ops) > 1).length;
  const about = isPaired ? `${both} of ${slots.length} slots use both halves` : `${all} cycles in ${slots.length} slots`;
  return (
    <table class="slots">
      <caption>{`Slots: ${about}`}</caption>
      <thead>
        <tr>
          <th scope="col">Line</th>
          {halves.map((name) => (
            <th scope="col" key={name}>
              {isPaired ? name.toUpperCase() : "Instruction"}
            </th>
          ))}
          {!isPaired && <th scope="col">Cycles</th>}
        </tr>
      </thead>
      <tbody>
        {slots.map(({ line, text, ops, cycles }, index) => (
          <tr key={index} class={line === work.line.value + 1 && work.open.value === work.program.value ? "here" : undefined}>
            <td>
              <button type="button" class="go" aria-label={`go to line ${line}`} onClick={() => go(studio, line)}>
                {line ?? "–"}
              </button>
            </td>
            {ops.map((op, half) => (
              <td key={half} class={op === null ? "unused" : "busy"} title={text}>
                {op ?? ""}
              </td>
            ))}
            {!isPaired && (
              <td>
                <Bar share={cycles / most} label={`${cycles} of ${most} cycles`} /> {cycles}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

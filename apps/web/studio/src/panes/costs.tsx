// How much of the machine the program takes: room, and each of the costs that the machine counts.
import * as work from "../state/work";
import type { Studio } from "../studio";
import { useQuestion } from "./question";

interface Figures {
  slots: number;
  max_slots: number | null;
  words: number;
  max_words: number | null;
  costs: { name: string; per_run: number; frame_budget: number | null; runs_per_frame: number | null; note: string | null }[];
}

export function CostsPane({ studio }: { studio: Studio }) {
  const { value, error } = useQuestion<Figures>(studio, "check").value;
  if (!value) return <p class="empty">{error ?? "No program."}</p>;
  const room = (name: string, used: number, most: number | null) => (
    <tr key={name}>
      <th scope="row">{name}</th>
      <td>
        {used}
        {most !== null && ` of ${most}`}
      </td>
      <td>{most !== null && <Bar share={used / most} label={`${name}: ${used} of ${most}`} />}</td>
    </tr>
  );
  return (
    <div class="chart">
      <table>
        <caption class="hidden">Room and costs of {work.program.value}</caption>
        <tbody>
          {room("slots", value.slots, value.max_slots)}
          {room("words", value.words, value.max_words)}
          {value.costs.map(({ name, per_run, runs_per_frame, note }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{per_run} a run</td>
              <td>
                {runs_per_frame !== null && `${runs_per_frame.toLocaleString("en")} runs a frame`} {note}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Bar({ share, label }: { share: number; label: string }) {
  return (
    <svg viewBox="0 0 100 8" width="160" height="12" role="img" aria-label={label} preserveAspectRatio="none">
      <rect width="100" height="8" class="whole" />
      <rect width={Math.min(100, share * 100)} height="8" class="used" />
    </svg>
  );
}

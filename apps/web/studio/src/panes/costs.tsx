// How much of the machine the program takes: room, each of the costs that the machine counts, and what the picture's draws cost.
import * as work from "../state/work";
import type { Studio } from "../studio";
import { Missing, Old } from "./answer";
import { Bar } from "./bar";
import { useQuestion } from "./question";
import { SlotsChart } from "./slots";

interface Figures {
  slots: number;
  max_slots: number | null;
  words: number;
  max_words: number | null;
  costs: { name: string; per_run: number; frame_budget: number | null; runs_per_frame: number | null; note: string | null }[];
}

export function CostsPane({ studio }: { studio: Studio }) {
  const reply = useQuestion<{ figures: Figures }>(studio, "check").value;
  const value = reply.value?.figures;
  if (!value) return <Missing of={reply} />;
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
      <Old of={reply} />
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
                {[runs_per_frame !== null && `${runs_per_frame.toLocaleString("en")} runs a frame`, note].filter(Boolean).join("; ")}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Draws studio={studio} budget={value.costs.find(({ frame_budget }) => frame_budget !== null)} />
      <SlotsChart studio={studio} />
    </div>
  );
}

/** The picture's draws: how much of a frame's time each takes, or of all of them. */
function Draws({ studio, budget }: { studio: Studio; budget: Figures["costs"][number] | undefined }) {
  const draws = studio.picture.drawn.value?.draws ?? [];
  const all = draws.reduce((sum, { cost }) => sum + cost, 0);
  if (all === 0) return null;
  const most = budget?.frame_budget ?? all;
  const percent = (cost: number) => `${((100 * cost) / most).toFixed(1)} %`;
  return (
    <table>
      <caption>{budget ? `This picture: ${budget.name}, of ${most.toLocaleString("en")} a frame` : "This picture: where its cycles go"}</caption>
      <tbody>
        {draws.flatMap(({ vertices, cost, breakdown }, number) => {
          const parts = Object.entries(breakdown);
          const rows: [string, number][] = parts.length > 0 ? parts : [[`${vertices.toLocaleString("en")} vertices`, cost]];
          return rows.map(([name, part]) => (
            <tr key={`${number}/${name}`}>
              <th scope="row">{`draw ${number}: ${name}`}</th>
              <td>{`${part.toLocaleString("en")}, ${percent(part)}`}</td>
              <td>
                <Bar share={part / most} label={`draw ${number}, ${name}: ${percent(part)}`} />
              </td>
            </tr>
          ));
        })}
      </tbody>
    </table>
  );
}

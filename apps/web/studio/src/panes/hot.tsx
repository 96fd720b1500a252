// Where the cycles of a CPU's program go in its first second: by routine, and the instructions that take most.
import type { Studio } from "../studio";
import * as work from "../state/work";
import { Missing, Old } from "./answer";
import { Bar } from "./bar";
import { useQuestion } from "./question";

interface Counted {
  cycles: number;
  times: number;
  file?: string;
  /** From 1. */
  line?: number;
}
interface Hot {
  cycles: number;
  waiting: number;
  entering: number;
  routines: (Counted & { name: string })[];
  instructions: (Counted & { place: string; text: string })[];
}

const FRAMES = 60;
const SHOWN = 24;

export function HotPane({ studio }: { studio: Studio }) {
  const reply = useQuestion<Hot>(studio, "hot", { program: work.subject.value, frames: FRAMES }, studio.debug).value;
  const { value } = reply;
  if (!value) return <Missing of={reply} />;
  const row = (name: string, cycles: number, counted?: Counted) => (
    <tr key={name}>
      <th scope="row">{counted?.line === undefined ? name : <Place studio={studio} name={name} at={counted} />}</th>
      <td>{`${cycles.toLocaleString("en")}${counted?.times ? `, ${counted.times.toLocaleString("en")} ×` : ""}`}</td>
      <td>
        <Bar share={cycles / value.cycles} label={`${name}: ${percent(cycles / value.cycles)}`} /> {percent(cycles / value.cycles)}
      </td>
    </tr>
  );
  const rest = value.routines.slice(SHOWN).reduce((sum, { cycles }) => sum + cycles, 0);
  return (
    <div class="chart">
      <Old of={reply} />
      <table>
        <caption>{`Cycles of the first ${FRAMES} frames: ${value.cycles.toLocaleString("en")}`}</caption>
        <tbody>
          {value.waiting > 0 && row("waiting for an interrupt", value.waiting)}
          {value.entering > 0 && row("entering interrupts", value.entering)}
          {value.routines.slice(0, SHOWN).map((one) => row(one.name, one.cycles, one))}
          {rest > 0 && row("other routines", rest)}
        </tbody>
      </table>
      <table>
        <caption>Instructions that take most</caption>
        <tbody>{value.instructions.slice(0, SHOWN).map((one) => row(`${one.text} (${one.place})`, one.cycles, one))}</tbody>
      </table>
    </div>
  );
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

function Place({ studio, name, at }: { studio: Studio; name: string; at: Counted }) {
  const go = () => {
    const place = { line: (at.line ?? 1) - 1, character: 0 };
    studio.go(at.file ?? work.subject.value, { start: place, end: place });
  };
  return (
    <button type="button" class="go" onClick={go}>
      {name}
    </button>
  );
}

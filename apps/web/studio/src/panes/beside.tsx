// The program on the browser's GPU beside ours: a button, and what came of it.
import { useSignal } from "@preact/signals";
import { type Comparison, compare } from "../gpu/compare";
import * as work from "../state/work";
import type { Studio } from "../studio";

export function Beside({ studio }: { studio: Studio }) {
  const exact = useSignal(true);
  const said = useSignal<Comparison | string | undefined>(undefined);
  const run = () => {
    said.value = "running …";
    const asked = { program: work.program.value, gpu: work.gpu.value, profile: work.profile.value };
    compare(studio.language, { ...asked, fidelity: exact.value ? "exact" : "fast" }).then(
      (comparison) => (said.value = comparison),
      (error: Error) => (said.value = error.message),
    );
  };
  return (
    <section class="beside" aria-label="On the browser's GPU">
      <div class="side">
        <button type="button" onClick={run}>
          Run it on WebGPU beside ours
        </button>
        <label>
          <input type="checkbox" checked={exact.value} onChange={(event) => (exact.value = event.currentTarget.checked)} /> with the machine's numbers there
        </label>
        {typeof said.value === "string" && <span role="status">{said.value}</span>}
      </div>
      {typeof said.value === "object" && <Result of={said.value} />}
    </section>
  );
}

function Result({ of: { adapter, runs, outputs, took } }: { of: Comparison }) {
  return (
    <table>
      <caption>
        {`${runs.toLocaleString("en")} runs on ${adapter} in ${took.gpu.toFixed(1)} ms, here in ${took.ours.toFixed(1)} ms`}
      </caption>
      <tbody>
        {outputs.map(({ output, differ, of, apart }) => (
          <tr key={output}>
            <th scope="row">{output}</th>
            <td>{differ === 0 ? "the same bits" : `${((100 * differ) / of).toFixed(1)} % differ, by ${apart.toPrecision(2)} at most`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

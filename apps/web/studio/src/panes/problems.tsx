// What is wrong with the file in the editor, with its fixes.
import { fixesOf } from "../editor/problems";
import * as work from "../state/work";
import type { Studio } from "../studio";

export function Problems({ studio }: { studio: Studio }) {
  const name = work.open.value;
  const problems = studio.lsp.problems.value.get(name) ?? [];
  if (problems.length === 0) return <div class="problems" hidden />;
  return (
    <section class="problems" aria-label="Problems" tabIndex={0}>
      <ul>
        {problems.map((problem, index) => {
          const [first, ...more] = problem.message.split("\n");
          const { line, character } = problem.range.start;
          return (
            <li key={index}>
              <b class={problem.severity === 1 ? "bad" : "warn"}>{problem.severity === 1 ? "error" : "warning"}</b>
              <button type="button" class="place" onClick={() => studio.go(name, problem.range)}>
                {line + 1}:{character + 1}
              </button>
              <span class="message">
                {first} <code>{problem.code}</code>
                {more.length > 0 && <small>{more.join("\n")}</small>}
              </span>
              {!studio.readOnly &&
                fixesOf(problem, studio.fixes.value).map((action) => (
                  <button key={action.title} type="button" class="fix primary" onClick={() => studio.fix(action)}>
                    Fix: {action.title}
                  </button>
                ))}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

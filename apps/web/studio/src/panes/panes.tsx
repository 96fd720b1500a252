// The panes that answer questions about the program and its run.
import { type Tab, Tabs } from "../layout/tabs";
import * as work from "../state/work";
import type { Studio } from "../studio";
import { CostsPane } from "./costs";
import { HotPane } from "./hot";
import { RunPane } from "./run";
import { ExplainPane, IrPane, TranslatePane } from "./texts";
import { WordsPane } from "./words";

const RUN: Tab = { id: "run", name: "Run" };
const COSTS: Tab = { id: "costs", name: "Costs" };
const EXPLAIN: Tab = { id: "explain", name: "Explain" };
const OF_SHADERS: Tab[] = [
  { id: "words", name: "Words" },
  RUN,
  COSTS,
  { id: "ir", name: "IR" },
  { id: "translate", name: "Translated" },
  EXPLAIN,
];
const OF_COMPUTERS: Tab[] = [RUN, COSTS, EXPLAIN];

export function Panes({ studio }: { studio: Studio }) {
  const tabs = work.gpu.value === "vera" ? OF_COMPUTERS : OF_SHADERS;
  const chosen = tabs.some(({ id }) => id === work.pane.value) ? work.pane.value : (tabs[0]?.id ?? "run");
  return (
    <Tabs label="Answers" tabs={tabs} chosen={chosen} choose={(id) => (work.pane.value = id)}>
      {chosen === "words" && <WordsPane studio={studio} />}
      {chosen === "run" && <RunPane studio={studio} />}
      {chosen === "costs" && (tabs === OF_COMPUTERS ? <HotPane studio={studio} /> : <CostsPane studio={studio} />)}
      {chosen === "ir" && <IrPane studio={studio} />}
      {chosen === "translate" && <TranslatePane studio={studio} />}
      {chosen === "explain" && <ExplainPane studio={studio} />}
    </Tabs>
  );
}

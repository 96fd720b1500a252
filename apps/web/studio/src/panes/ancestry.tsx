// Where a value comes from: the instructions behind it as a graph, whose rows are in the program's order, and the same as text.
import type { Ancestry, Node } from "../dap/types";

interface Properties {
  of: string;
  found: Ancestry;
  close(): void;
}

const ROW = 22;
const LEFT = 90;

export function AncestryView({ of, found, close }: Properties) {
  return (
    <section class="ancestry" aria-label={`Ancestry of ${of}`}>
      <div class="side">
        <b>Where {of} comes from</b>
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
      {found.ancestry && found.ancestry.nodes.length > 1 && <Graph nodes={found.ancestry.nodes} />}
      <pre>{found.text}</pre>
    </section>
  );
}

/** The numbers of the nodes that one was computed from. */
const sourcesOf = ({ sources }: Node): number[] =>
  sources.flatMap((source) => (typeof source === "number" ? source : (source.node ?? [])));

function Graph({ nodes }: { nodes: Node[] }) {
  const order = nodes.map((_, index) => index).sort((one, other) => (nodes[one]?.slot ?? -1) - (nodes[other]?.slot ?? -1));
  const row = new Map(order.map((node, index) => [node, index * ROW + ROW / 2]));
  const arcs = nodes.flatMap((node, to) => sourcesOf(node).map((from) => [row.get(from), row.get(to)] as const));
  return (
    <svg width="620" height={nodes.length * ROW} viewBox={`0 0 620 ${nodes.length * ROW}`} aria-hidden="true">
      {arcs.map(([from, to], index) => {
        if (from === undefined || to === undefined) return null;
        const bend = LEFT - 12 - Math.min(LEFT - 16, Math.abs(to - from) / 2);
        return <path key={index} d={`M${LEFT} ${from}C${bend} ${from} ${bend} ${to} ${LEFT} ${to}`} />;
      })}
      {order.map((index) => {
        const node = nodes[index];
        if (!node) return null;
        const y = row.get(index) ?? 0;
        return (
          <g key={index}>
            <circle cx={LEFT} cy={y} r="4" />
            <text x={LEFT + 14} y={y + 4}>
              {labelOf(node)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

function labelOf({ slot, register, components, value }: Node): string {
  const place = slot === null ? "before" : `slot ${slot}`;
  const numbers = [...components].map((component) => value["xyzw".indexOf(component)]).join(", ");
  return `${place}  ${register}.${components} = ${numbers}`;
}

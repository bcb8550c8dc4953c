import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { FaultNote } from "../../components/fault-note.js";
import type { Filters } from "../../components/filters.js";
import { TableHead } from "../../components/table-head.js";
import { documentPath } from "./documents.js";
import { agent, connections, type MemoryConnection } from "./memory.js";
import { text } from "./messages.js";

const COLUMNS = [
  [text.newer, "", false],
  [text.type, "", false],
  [text.older, "", false],
] as const;

/** Documents in the graph; more are in the list alone. */
const MAX_NODES = 40;

/** Every connection, as a graph and as a list. */
export function Connections({ filters }: { filters: Filters }) {
  useEffect(() => connections.show(), [agent.value]);
  const all = connections.value.value;
  return (
    <>
      {connections.fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={connections.fault.value} />
        </div>
      )}
      {all === undefined ? (
        connections.fault.value === undefined && <div class="page" aria-busy="true" />
      ) : all.length === 0 ? (
        <div class="empty">
          <h2>{text.noneConnected}</h2>
          <p>{text.noneConnectedHelp}</p>
        </div>
      ) : (
        <div class="page">
          <Graph all={all} />
          <div class="rows mconn" role="table" aria-label={text.connections}>
            <TableHead columns={COLUMNS} />
            {all.map(({ id, sourcePath, targetPath, type }) => (
              <div class="row" role="row" key={id}>
                <span role="cell" class="two">
                  <Link href={documentPath(sourcePath, filters)}>{sourcePath}</Link>
                </span>
                <span role="cell" class="mid">
                  {text.typeOf(type)}
                </span>
                <span role="cell" class="two">
                  <Link href={documentPath(targetPath, filters)}>{targetPath}</Link>
                </span>
              </div>
            ))}
          </div>
        </div>
      )}
    </>
  );
}

/** Documents on a circle, with a line for each connection that ends at the older document. */
function Graph({ all }: { all: readonly MemoryConnection[] }) {
  const names = [...new Set(all.flatMap(({ sourcePath, targetPath }) => [sourcePath, targetPath]))];
  const shown = names.slice(0, MAX_NODES);
  const placeOf = (name: string) => {
    const angle = (2 * Math.PI * shown.indexOf(name)) / shown.length - Math.PI / 2;
    return { x: 400 + 250 * Math.cos(angle), y: 150 + 115 * Math.sin(angle) };
  };
  return (
    <svg class="mgraph" viewBox="0 0 800 300" role="img" aria-label={text.graph}>
      <defs>
        <marker
          id="end"
          viewBox="0 0 8 8"
          refX="14"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto"
        >
          <path d="M0 0 8 4 0 8z" />
        </marker>
      </defs>
      {all
        .filter(
          ({ sourcePath, targetPath }) => shown.includes(sourcePath) && shown.includes(targetPath),
        )
        .map(({ id, sourcePath, targetPath, type }) => {
          const from = placeOf(sourcePath);
          const to = placeOf(targetPath);
          return (
            <line
              key={id}
              data-type={type}
              {...{ x1: from.x, y1: from.y, x2: to.x, y2: to.y }}
              marker-end="url(#end)"
            />
          );
        })}
      {shown.map((name) => {
        const { x, y } = placeOf(name);
        const isLeft = x < 400;
        return (
          <g key={name}>
            <circle cx={x} cy={y} r="5" />
            <text x={x + (isLeft ? -10 : 10)} y={y + 4} text-anchor={isLeft ? "end" : "start"}>
              {name.length > 34 ? `…${name.slice(-33)}` : name}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

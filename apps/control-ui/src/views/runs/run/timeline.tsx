import type { RunTrace } from "@openclaw/protocol";
import { useMemo } from "preact/hooks";
import { Link } from "wouter-preact";
import type { Filters } from "../../../components/filters.js";
import { VirtualRows } from "../../../components/virtual-rows.js";
import { now } from "../../../state/clock.js";
import { duration } from "../../../text/format.js";
import { text } from "../messages.js";
import { Inspector } from "./inspector.js";
import { type TimeScale, timeScale } from "./time-scale.js";
import { DETAILS, type Detail, type TimelineRow, timelineRows } from "./timeline-rows.js";

/** Width in percent below which a bar is drawn by its least width. */
const THIN = 0.2;

const LEGEND = ["model", "tool", "hook", "approval"] as const;

/** Steps of a run on a line of time, and what the chosen one got and did. */
export function Timeline({ trace, filters }: { trace: RunTrace; filters: Filters }) {
  const chosen = filters.chosen("detail");
  const detail: Detail = DETAILS.find((each) => each === chosen) ?? "steps";
  const isFolded = filters.chosen("waits") !== "long";
  const isOpen = trace.spans.some(({ durationMs }) => durationMs === undefined);
  const end = isOpen ? now.value : 0;
  const rows = useMemo(() => timelineRows(trace, detail), [trace, detail]);
  const scale = useMemo(() => timeScale(trace.spans, end, isFolded), [trace, end, isFolded]);
  const span = trace.spans.find(({ spanId }) => spanId === filters.chosen("span"));
  const hrefOf = (spanId: string) => {
    const query = new URLSearchParams(filters.query);
    query.set("span", spanId);
    return `?${query}`;
  };
  return (
    <>
      <div class="filters">
        <div class="seg" role="group" aria-label={text.detail}>
          {DETAILS.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === detail}
              onClick={() => filters.choose("detail", each === "steps" ? "" : each)}
            >
              {text[each]}
            </button>
          ))}
        </div>
        <button
          class="chip"
          type="button"
          aria-pressed={isFolded}
          onClick={() => filters.choose("waits", isFolded ? "long" : "")}
        >
          {text.foldWaits}
        </button>
        <span class="end line x legend">
          {LEGEND.map((kind) => (
            <span key={kind} class="line">
              <i class="k" data-k={kind} /> {text[kind]}
            </span>
          ))}
        </span>
      </div>
      <div class={span === undefined ? "split wf-split alone" : "split wf-split"}>
        <div class="wf-side">
          {!trace.hasHooks && detail !== "compact" && <p class="pad dim t12">{text.noHooks}</p>}
          <Axis scale={scale} />
          <VirtualRows
            class="wf"
            label={text.timeline}
            items={rows}
            keyOf={({ key }) => key}
            columns={COLUMNS}
            cursor={span?.spanId}
            isSelected={({ key }) => key === span?.spanId}
            row={(row) => <Cells row={row} scale={scale} end={end} href={hrefOf(row.spanId)} />}
          />
        </div>
        {span !== undefined && <Inspector span={span} onClose={() => filters.choose("span", "")} />}
      </div>
    </>
  );
}

const COLUMNS = [
  { name: text.step },
  { name: text.bar, isHidden: true },
  { name: text.duration, class: "end" },
];

function Axis({ scale }: { scale: TimeScale }) {
  return (
    <div class="row wf-axis" aria-hidden="true">
      <span />
      <svg class="axis" aria-hidden="true">
        {scale.ticks.map(({ x, ms }) => (
          <text key={ms} x={`${x}%`} y="14">
            {duration(ms)}
          </text>
        ))}
      </svg>
      <span />
    </div>
  );
}

function Cells({
  row,
  scale,
  end,
  href,
}: {
  row: TimelineRow;
  scale: TimeScale;
  end: number;
  href: string;
}) {
  const { kind, name, note, depth, at, durationMs, status } = row;
  const from = scale.at(at);
  const width = scale.at(at + (durationMs ?? Math.max(0, end - at))) - from;
  return (
    <>
      <span
        role="cell"
        class={`name d${Math.min(depth, 4)}`}
        title={[name, note].filter(Boolean).join(" · ")}
      >
        <i class="k" data-k={kind === "handler" ? "hook" : kind} />
        <Link class="cover" href={href}>
          {name}
        </Link>
        <span class="sum">{note}</span>
      </span>
      <span role="cell" class="trk">
        <svg aria-hidden="true">
          {scale.folds.map((fold) => (
            <line
              key={fold.from}
              class="fold"
              x1={`${fold.from}%`}
              x2={`${fold.from}%`}
              y1="0"
              y2="26"
            />
          ))}
          <rect
            class={`b ${classOf(row)}`}
            x={`${from}%`}
            y={kind === "run" || kind === "message" ? 9 : 7}
            width={width < THIN ? 3 : `${width}%`}
            height={kind === "run" || kind === "message" ? 8 : 12}
          />
        </svg>
      </span>
      <span role="cell" class="dur end">
        {durationMs === undefined
          ? text.stillOpen
          : durationMs < 1 && durationMs > 0
            ? `${durationMs.toFixed(1)} ms`
            : duration(durationMs)}
        {status === "error" || status === "refused" ? <span class="vh"> {status}</span> : null}
      </span>
    </>
  );
}

function classOf({ kind, status, durationMs }: TimelineRow): string {
  if (status === "error") return "err";
  if (status === "refused") return "blk";
  if (kind === "approval") return "wait";
  if (durationMs === undefined && kind !== "message" && kind !== "run") return "live";
  return kind === "handler" ? "hook" : kind;
}

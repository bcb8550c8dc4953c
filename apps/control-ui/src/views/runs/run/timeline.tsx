import type { RunSpan, RunTrace } from "@openclaw/protocol";
import { useMemo } from "preact/hooks";
import { Link } from "wouter-preact";
import { Choice } from "../../../components/choice.js";
import type { Filters } from "../../../components/filters.js";
import { VirtualRows } from "../../../components/virtual-rows.js";
import { now } from "../../../state/clock.js";
import { duration } from "../../../text/format.js";
import { text } from "../messages.js";
import { saveJson } from "../save-json.js";
import { Inspector } from "./inspector.js";
import { Phases } from "./phases.js";
import { type TimeScale, timeScale } from "./time-scale.js";
import {
  DETAILS,
  type Detail,
  type HandlerFilter,
  type TimelineRow,
  timelineRows,
} from "./timeline-rows.js";

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
  const hasHandlers = detail === "everything" || detail === "phases";
  const filter = hasHandlers ? handlerFilter(filters) : undefined;
  const rows = useMemo(
    () => timelineRows(trace, detail, filter),
    [trace, detail, filter?.plugin, filter?.hook, filter?.slowerMs],
  );
  const scale = useMemo(() => timeScale(trace.spans, end, isFolded), [trace, end, isFolded]);
  const span = chosenSpan(trace, filters);
  const hrefOf = (spanId: string) => {
    const query = new URLSearchParams(filters.query);
    query.delete("call");
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
        {hasHandlers && <HandlerFilters trace={trace} filters={filters} />}
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
          {filter !== undefined && rows.length === 0 && (
            <p class="pad dim t12">{text.noHandlerFits}</p>
          )}
          <Axis scale={scale} />
          {detail === "phases" ? (
            <Phases trace={trace} filter={filter} scale={scale} end={end} hrefOf={hrefOf} />
          ) : (
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
          )}
        </div>
        {span !== undefined && (
          <Inspector span={span} onClose={() => filters.drop("span", "call")} />
        )}
      </div>
    </>
  );
}

/** The step that the URL names: by its own ID, or by that of a tool call. */
function chosenSpan({ spans }: RunTrace, filters: Filters): RunSpan | undefined {
  const spanId = filters.chosen("span");
  const callId = filters.chosen("call");
  if (spanId !== "") return spans.find((each) => each.spanId === spanId);
  if (callId === "") return undefined;
  return spans.find(({ kind, attributes }) => kind === "tool" && attributes.toolCallId === callId);
}

/** Times in milliseconds from which a handler counts as slow. */
const SLOW = ["1", "10", "100", "1000"];

function handlerFilter(filters: Filters): HandlerFilter | undefined {
  const [plugin = "", hook = ""] = ["plugin", "hook"].map((name) => filters.chosen(name));
  const slowerMs = Number(SLOW.find((each) => each === filters.chosen("slower")) ?? 0);
  if (plugin === "" && hook === "" && slowerMs === 0) return undefined;
  return { plugin, hook, slowerMs };
}

/** Filters of the handlers, and the trace as a file. */
function HandlerFilters({ trace, filters }: { trace: RunTrace; filters: Filters }) {
  const hooks = trace.spans.filter(({ handlers = [] }) => handlers.length > 0);
  const plugins = hooks.flatMap(({ handlers = [] }) => handlers.map(({ pluginId }) => pluginId));
  const choices = [
    { name: "plugin", label: text.plugin, options: [...new Set(plugins)].sort() },
    { name: "hook", label: text.hookName, options: [...new Set(hooks.map(({ name }) => name))] },
    { name: "slower", label: text.slowerThan, options: SLOW, wordOf: text.slower },
  ];
  return (
    <>
      {choices.map(({ name, ...choice }) => (
        <Choice
          key={name}
          {...choice}
          value={filters.chosen(name)}
          onChoose={(value) => filters.choose(name, value)}
        />
      ))}
      <button
        class="btn small"
        type="button"
        onClick={() => saveJson(trace, `trace-${trace.runId}`)}
      >
        {text.exportAs}
      </button>
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
        {durationMs === undefined ? text.stillOpen : duration(durationMs)}
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

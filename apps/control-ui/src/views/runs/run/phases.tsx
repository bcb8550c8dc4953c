import type { RunTrace } from "@openclaw/protocol";
import { useMemo } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { duration } from "../../../text/format.js";
import { text } from "../messages.js";
import { type LaneBar, lanesOf } from "./lanes.js";
import type { TimeScale } from "./time-scale.js";
import type { HandlerFilter } from "./timeline-rows.js";

/** Width in percent below which a bar is drawn by its least width. */
const THIN = 0.2;
/** Height of a bar in pixels. */
const HEIGHT = 10;

/** Lanes of a run, one for each phase, in which each step and each handler of a hook has a bar. */
export function Phases({
  trace,
  filter,
  scale,
  end,
  hrefOf,
}: {
  trace: RunTrace;
  filter: HandlerFilter | undefined;
  scale: TimeScale;
  /** End of what is open, in milliseconds since the epoch. */
  end: number;
  hrefOf(spanId: string): string;
}) {
  const lanes = useMemo(
    () => lanesOf(trace, filter),
    [trace, filter?.plugin, filter?.hook, filter?.slowerMs],
  );
  return (
    <ul class="wf lanes" aria-label={text.phases}>
      {lanes.map(({ phase, bars }) => (
        <li key={phase} class="row">
          <span class="name">
            {text[phase]} <span class="sum">{text.bars(bars.length)}</span>
          </span>
          <span class="trk">
            <svg role="group" aria-label={text[phase]}>
              {bars.map((bar) => (
                <Bar key={bar.key} bar={bar} scale={scale} end={end} href={hrefOf(bar.spanId)} />
              ))}
            </svg>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Bar({
  bar,
  scale,
  end,
  href,
}: {
  bar: LaneBar;
  scale: TimeScale;
  end: number;
  href: string;
}) {
  const [, navigate] = useLocation();
  const { at, durationMs, kind, status, marks } = bar;
  const from = scale.at(at);
  const width = scale.at(at + (durationMs ?? Math.max(0, end - at))) - from;
  // Handlers are below the steps, so that a long step does not hide them.
  const y = kind === "handler" ? 16 : 3;
  const look = status === "error" ? "err" : status === "refused" ? "blk" : kind;
  const label = labelOf(bar);
  return (
    <a
      href={href}
      aria-label={label}
      onClick={(event) => {
        event.preventDefault();
        navigate(location.pathname + href);
      }}
    >
      <title>{label}</title>
      <rect
        class={`b ${look === "handler" ? "hook" : look === "approval" ? "wait" : look}`}
        x={`${from}%`}
        y={y}
        width={width < THIN ? 3 : `${width}%`}
        height={HEIGHT}
      />
      {marks.map((mark, index) => (
        <circle
          key={mark}
          class={`mark ${mark}`}
          cx={`${from}%`}
          cy={y + HEIGHT + 4 + index * 6}
          r="2.5"
        />
      ))}
    </a>
  );
}

/** Plugin, priority, time and verdict of a handler; name and time of a step. */
function labelOf({ name, handler, durationMs, marks }: LaneBar): string {
  const time = durationMs === undefined ? text.stillOpen : duration(durationMs);
  if (handler === undefined) return `${name} · ${time}`;
  return [
    handler.pluginId,
    name,
    text.priority(handler.priority ?? 0),
    time,
    handler.outcome,
    ...marks.map((mark) => (mark === "retry" ? text.attempts(handler.attempts ?? 1) : text[mark])),
  ].join(" · ");
}

import type { RunSpan, RunTrace } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Link } from "wouter-preact";
import { CrumbBar } from "../../../components/crumb-bar.js";
import { FaultNote } from "../../../components/fault-note.js";
import { type Filters, useFilters } from "../../../components/filters.js";
import { VirtualRows } from "../../../components/virtual-rows.js";
import { type Fault, faultOf } from "../../../state/fault.js";
import { gateway } from "../../../state/link.js";
import { duration } from "../../../text/format.js";
import { text } from "../messages.js";
import { type ReadRun, readRun } from "../run/read-run.js";
import { RunFacts } from "../run/run-facts.js";
import { type TimelineRow, timelineRows } from "../run/timeline-rows.js";
import { saveJson } from "../save-json.js";
import { type AlignedStep, alignedSteps } from "./aligned-steps.js";

const ID_SHOWN = 8;
/** Part of the longer time up to which two times count as the same. */
const NEAR = 0.1;

/** Two runs side by side: the same steps in one line, with their times and what differs. */
export function ComparePage({ first, second }: { first: string; second: string }) {
  const read = useSignal<readonly [ReadRun, ReadRun] | undefined>(undefined);
  const fault = useSignal<Fault | undefined>(undefined);
  const filters = useFilters(`compare ${first} ${second}`);
  const isOpen = gateway.value !== undefined;
  useEffect(() => {
    if (!isOpen) return;
    Promise.all([readRun(first), readRun(second)]).then(
      (found) => {
        read.value = found;
      },
      (error: unknown) => {
        fault.value = faultOf(error);
      },
    );
  }, [isOpen]);
  const title = text.comparison(first.slice(0, ID_SHOWN), second.slice(0, ID_SHOWN));
  const swapped = `/runs/${encodeURIComponent(second)}/compare/${encodeURIComponent(first)}`;
  const shown = read.value;
  return (
    <>
      <CrumbBar view={text.title} path="/runs" title={title}>
        <div class="end">
          <Link class="btn small" href={swapped}>
            {text.swap}
          </Link>
          {shown !== undefined && (
            <button
              class="btn small x"
              type="button"
              onClick={() =>
                saveJson(
                  shown.map(({ trace }) => trace),
                  title.replaceAll(" ", "-"),
                )
              }
            >
              {text.exportAs}
            </button>
          )}
        </div>
      </CrumbBar>
      {fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={fault.value} />
        </div>
      )}
      {shown === undefined ? (
        <div class="page" aria-busy={fault.value === undefined} />
      ) : (
        <>
          <div class="cmphead">
            {shown.map((run, index) => (
              <RunFacts key={index} {...run} side={index === 0 ? "A" : "B"} />
            ))}
          </div>
          <Steps first={shown[0].trace} second={shown[1].trace} filters={filters} />
        </>
      )}
    </>
  );
}

function Steps({
  first,
  second,
  filters,
}: {
  first: RunTrace;
  second: RunTrace;
  filters: Filters;
}) {
  const steps = useMemo(
    () => alignedSteps(timelineRows(first, "steps"), timelineRows(second, "steps")),
    [first, second],
  );
  const different = steps.filter(({ change }) => change !== "same");
  const isShort = filters.chosen("only") === "differences";
  const items = isShort ? different : steps;
  const chosen = steps.find(({ key }) => key === filters.chosen("step"));
  return (
    <>
      <div class="filters">
        <button
          class="chip"
          type="button"
          aria-pressed={isShort}
          onClick={() => filters.choose("only", isShort ? "" : "differences")}
        >
          {text.onlyDifferences(different.length, steps.length)}
        </button>
      </div>
      {items.length === 0 && <p class="pad dim">{text.noDifferences}</p>}
      <div class={chosen === undefined ? "split wf-split alone" : "split wf-split"}>
        <div class="wf-side">
          <VirtualRows
            class="wf cmpw"
            label={text.stepsOfBoth}
            items={items}
            keyOf={({ key }) => key}
            columns={[
              { name: text.step },
              { name: "A", class: "end" },
              { name: "B", class: "end" },
              { name: text.change, class: "end" },
            ]}
            cursor={chosen?.key}
            isSelected={({ key }) => key === chosen?.key}
            row={(step) => <Cells step={step} onChoose={() => filters.choose("step", step.key)} />}
          />
        </div>
        {chosen !== undefined && (
          <Both
            step={chosen}
            first={first}
            second={second}
            onClose={() => filters.choose("step", "")}
          />
        )}
      </div>
    </>
  );
}

function Cells({ step, onChoose }: { step: AlignedStep; onChoose(): void }) {
  const row = step.first ?? step.second;
  if (row === undefined) return null;
  const { kind, name, note, depth } = row;
  return (
    <>
      <span
        role="cell"
        class={`name d${Math.min(depth, 4)}`}
        title={[name, note].filter(Boolean).join(" · ")}
      >
        <i class="k" data-k={kind} />
        <button class="cover plain" type="button" onClick={onChoose}>
          {name}
        </button>
        <span class="sum">{note}</span>
      </span>
      <span role="cell" class="end num">
        {timeOf(step.first)}
      </span>
      <span role="cell" class="end num">
        {timeOf(step.second)}
      </span>
      <span role="cell" class={`end ${step.change === "same" ? "dim" : "warn"}`}>
        {changeOf(step)}
      </span>
    </>
  );
}

function timeOf(row: TimelineRow | undefined): string {
  return row?.durationMs === undefined ? "" : duration(row.durationMs);
}

function changeOf({ change, first, second }: AlignedStep): string {
  switch (change) {
    case "gone":
      return text.onlyIn("A");
    case "added":
      return text.onlyIn("B");
    case "status":
      return `${first?.status} → ${second?.status}`;
    case "content":
      return text.otherContent;
    case "same": {
      const [before = 0, after = 0] = [first?.durationMs, second?.durationMs];
      const isNear = Math.abs(after - before) <= Math.max(1, NEAR * Math.max(before, after));
      if (isNear) return text.same;
      return `${after > before ? "+" : "−"}${duration(Math.abs(after - before))}`;
    }
  }
}

/** What both runs recorded of a step. */
function Both({
  step,
  first,
  second,
  onClose,
}: {
  step: AlignedStep;
  first: RunTrace;
  second: RunTrace;
  onClose(): void;
}) {
  const spanOf = (trace: RunTrace, row: TimelineRow | undefined) =>
    trace.spans.find(({ spanId }) => spanId === row?.spanId);
  const spans = [spanOf(first, step.first), spanOf(second, step.second)] as const;
  const name = (step.first ?? step.second)?.name ?? "";
  const keys = [...new Set(spans.flatMap((span) => Object.keys(span?.attributes ?? {})))];
  return (
    <aside class="side insp" aria-label={name}>
      <section class="sec">
        <h2>
          <code>{name}</code>
        </h2>
        <button class="btn small quiet" type="button" onClick={onClose}>
          ×<span class="vh">{text.close}</span>
        </button>
      </section>
      {spans.map(
        (span, index) =>
          span !== undefined && (
            <Side
              key={index}
              side={index === 0 ? "A" : "B"}
              span={span}
              other={spans[1 - index]}
              keys={keys}
            />
          ),
      )}
    </aside>
  );
}

function Side({
  side,
  span,
  other,
  keys,
}: {
  side: string;
  span: RunSpan;
  other: RunSpan | undefined;
  keys: readonly string[];
}) {
  return (
    <section class="sec">
      <h3>
        {side} <span class="end">{span.status}</span>
      </h3>
      <p>{span.summary}</p>
      <dl class="kv t12">
        {keys
          .filter((key) => span.attributes[key] !== undefined)
          .map((key) => (
            <div class="pair-row" key={key}>
              <dt>{key}</dt>
              <dd class={other?.attributes[key] === span.attributes[key] ? "dim" : "warn"}>
                <code>{String(span.attributes[key])}</code>
              </dd>
            </div>
          ))}
      </dl>
      {(span.handlers ?? []).length > 0 && (
        <ul class="patch">
          {span.handlers?.map(({ pluginId, label, outcome }, index) => (
            <li key={index}>
              <span class="op">{outcome}</span>
              <code>{[pluginId, label].filter(Boolean).join(" ")}</code>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

import type { HookSummary } from "@openclaw/protocol";
import { Fragment } from "preact";
import { Link } from "wouter-preact";
import { Choice } from "../../components/choice.js";
import type { Filters } from "../../components/filters.js";
import { TableHead } from "../../components/table-head.js";
import { isUnusual } from "./hooks.js";
import { text } from "./messages.js";
import { milliseconds } from "./milliseconds.js";

/** Hooks that the choice lists. */
const SHOWN = ["all", "unusual"] as const;

const COLUMNS = [
  [text.hook, "", false],
  [text.kind, "x", false],
  [text.step, "x", false],
  [text.handlers, "x", false],
  [text.fired, "end", false],
  [text.failed, "end x", false],
  [text.p50, "end x", false],
  [text.p99, "end x", false],
  [text.note, "", false],
] as const;

/** Hooks of the catalog by their pipeline, in the order of their steps. */
export function Pipeline({ hooks, filters }: { hooks: readonly HookSummary[]; filters: Filters }) {
  const shown = filters.chosen("show");
  const rows = hooks.filter((hook) =>
    shown === "all" ? true : shown === "unusual" ? isUnusual(hook) : hook.handlers > 0,
  );
  return (
    <>
      <div class="filters sess">
        <div class="choices">
          <Choice
            label={text.show}
            value={shown}
            options={SHOWN}
            none={text.withHandlers}
            wordOf={(option) => (option === "all" ? text.everyHook : text.unusual)}
            onChoose={(value) => filters.choose("show", value)}
          />
        </div>
      </div>
      {rows.length === 0 ? (
        <div class="empty">
          <h2>{shown === "unusual" ? text.nothingUnusual : text.noHandlers}</h2>
          <p>{shown === "unusual" ? text.nothingUnusualHelp : text.noHandlersHelp}</p>
        </div>
      ) : (
        <div class="page">
          <div class="rows hooks" role="table" aria-label={text.title}>
            <TableHead columns={COLUMNS} />
            {pipelinesOf(rows).map(([letter, own]) => (
              <Fragment key={letter}>
                <div class="row grp" role="row">
                  <span role="cell">{text.pipelineOf(letter)}</span>
                </div>
                {own.map((hook) => (
                  <Row key={hook.hook} hook={hook} />
                ))}
              </Fragment>
            ))}
          </div>
        </div>
      )}
    </>
  );
}

function Row({ hook: summary }: { hook: HookSummary }) {
  const { hook, kind, step, handlers, plugins, dispatched, failed, p50Ms, p99Ms } = summary;
  return (
    <div class="row act" role="row">
      <span role="cell" class="mono t12">
        <Link class="cover" href={`/hooks?hook=${encodeURIComponent(hook)}`} title={hook}>
          {hook}
        </Link>
      </span>
      <span role="cell" class="x mid">
        {text.kindOf(kind)}
      </span>
      <span role="cell" class="x mono t12 dim">
        {step}
      </span>
      <span role="cell" class={handlers === 0 ? "x two dim" : "x two"}>
        {handlers === 0
          ? text.none
          : plugins.map((each) => text.times(each.pluginId, each.handlers)).join(" → ")}
      </span>
      <span role="cell" class="end">
        {dispatched === 0 ? <span class="dim">–</span> : dispatched.toLocaleString()}
      </span>
      <span role="cell" class={failed > 0 ? "end x bad" : "end x dim"}>
        {failed === 0 ? "–" : failed.toLocaleString()}
      </span>
      <span role="cell" class="end x mid">
        {milliseconds(p50Ms)}
      </span>
      <span role="cell" class="end x">
        {milliseconds(p99Ms)}
      </span>
      <Notes hook={summary} />
    </div>
  );
}

function Notes({
  hook: { handlers, dispatched, plugins, rewrites, timeouts },
}: {
  hook: HookSummary;
}) {
  const idle = plugins.filter(({ fired }) => fired === 0).map(({ pluginId }) => pluginId);
  return (
    <span role="cell" class="two t12">
      {handlers > 0 && dispatched === 0 ? (
        <span class="dim">{text.neverFired}</span>
      ) : (
        idle.length > 0 && <span class="dim">{text.neverRan(idle.join(", "))} </span>
      )}
      {timeouts > 0 && <span class="bad">{text.timeouts(timeouts)} </span>}
      {rewrites.map(({ field, pluginIds }) => (
        <span class="warn" key={field}>
          {text.bothRewrite(pluginIds.join(text.and), field)}{" "}
        </span>
      ))}
    </span>
  );
}

/** Returns the hooks by the letter of their first step, in the order of the catalog. */
function pipelinesOf(hooks: readonly HookSummary[]): [string, HookSummary[]][] {
  const found = new Map<string, HookSummary[]>();
  for (const hook of hooks) {
    const letter = hook.step.slice(0, 1);
    found.set(letter, [...(found.get(letter) ?? []), hook]);
  }
  return [...found];
}

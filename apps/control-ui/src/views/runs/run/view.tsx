import type { RunTrace } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { FaultNote } from "../../../components/fault-note.js";
import { type Filters, useFilters } from "../../../components/filters.js";
import { Icon } from "../../../components/icons.js";
import { markOf, StateMark } from "../../../components/state-mark.js";
import { now } from "../../../state/clock.js";
import { type Fault, faultOf } from "../../../state/fault.js";
import { call, gateway } from "../../../state/link.js";
import { type ListedRun, openRuns } from "../../../state/runs.js";
import { cost, duration, exactTime, tokens } from "../../../text/format.js";
import { RUN_STATES } from "../list/runs.js";
import { titleOf } from "../list/view.js";
import { text } from "../messages.js";
import { ConversationOfRun } from "./conversation-of-run.js";
import { Journal } from "./journal.js";
import { Timeline } from "./timeline.js";

const VIEWS = ["timeline", "conversation", "journal"] as const;
/** Digits of the ID that are shown. */
const ID_SHOWN = 8;

/** One run: what happened, as timeline, as conversation, and as it was recorded. */
export function RunPage({ runId }: { runId: string }) {
  const filters = useFilters(`run ${runId}`);
  const trace = useSignal<RunTrace | undefined>(undefined);
  const run = useSignal<ListedRun | undefined>(undefined);
  const fault = useSignal<Fault | undefined>(undefined);
  const isOpen = gateway.value !== undefined;
  // While it runs, each of its events reads it again.
  const step = openRuns.value?.find((each) => each.runId === runId)?.step?.at;
  useEffect(() => {
    if (!isOpen) return undefined;
    let isCurrent = true;
    readRun(runId).then(
      (read) => {
        if (!isCurrent) return;
        trace.value = read.trace;
        run.value = read.run;
        fault.value = undefined;
      },
      (error: unknown) => {
        if (isCurrent) fault.value = faultOf(error);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [runId, isOpen, step]);
  const shown = trace.value;
  return (
    <>
      <header class="bar">
        <Link class="btn quiet icon only-narrow back" href="/runs" aria-label={text.back}>
          <Icon name="back" />
        </Link>
        <h1>
          <Link class="crumb" href="/runs">
            {text.title}
          </Link>
          <span class="clip mono">{runId.slice(0, ID_SHOWN)}</span>
        </h1>
        {shown !== undefined && (
          <>
            <span class="dim t12 x">
              {exactTime(shown.spans[0]?.at ?? 0)} · <span class="mono">{shown.sessionKey}</span>
            </span>
            <div class="end">
              <Link class="btn small" href={`/chat/${encodeURIComponent(shown.sessionKey)}`}>
                {text.openChat}
              </Link>
            </div>
          </>
        )}
      </header>
      {fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={fault.value} />
        </div>
      )}
      {shown === undefined ? (
        <div class="page" aria-busy={fault.value === undefined} />
      ) : (
        <>
          <Head trace={shown} run={run.value} />
          <Content trace={shown} filters={filters} />
        </>
      )}
    </>
  );
}

function Content({ trace, filters }: { trace: RunTrace; filters: Filters }) {
  const view = VIEWS.find((each) => each === filters.chosen("view")) ?? "timeline";
  const { runId, sessionKey, agentId } = trace;
  return (
    <>
      <nav class="tabs run-tabs" aria-label={text.views}>
        {VIEWS.map((each) => (
          <Link
            key={each}
            href={each === "timeline" ? "?" : `?view=${each}`}
            aria-current={each === view ? "page" : undefined}
          >
            {text[each]}
          </Link>
        ))}
      </nav>
      {view === "timeline" && <Timeline trace={trace} filters={filters} />}
      {view === "conversation" && (
        <ConversationOfRun runId={runId} sessionKey={sessionKey} agent={agentId} />
      )}
      {view === "journal" && <Journal runId={runId} />}
    </>
  );
}

/** What happened in one sentence: outcome, time, waits, composition, tokens and cost. */
function Head({ trace, run }: { trace: RunTrace; run: ListedRun | undefined }) {
  const { spans, state } = trace;
  const [message] = spans;
  const of = (kind: string) => spans.filter((span) => span.kind === kind);
  const whole = message?.durationMs ?? Math.max(0, now.value - (message?.at ?? 0));
  const waited = of("approval").reduce(
    (sum, { at, durationMs }) => sum + (durationMs ?? Math.max(0, now.value - at)),
    0,
  );
  const handlers = of("hook").reduce((sum, span) => sum + (span.handlers?.length ?? 0), 0);
  const used = of("model").reduce(
    (sum, { attributes: { inputTokens, outputTokens } }) =>
      sum + Number(inputTokens ?? 0) + Number(outputTokens ?? 0),
    0,
  );
  const word = text.stateOf(state);
  const name = word.charAt(0).toUpperCase() + word.slice(1);
  const isEnded = message?.durationMs !== undefined;
  const facts = [
    waited > 0 ? text.waitedForPerson(duration(waited)) : "",
    text.composition(spans.length, of("model").length, of("tool").length, of("approval").length),
    handlers > 0 ? text.handlers(handlers, of("hook").length) : "",
    used > 0 ? text.tokens(tokens(used)) : "",
    run?.costUsd === undefined ? "" : cost(run.costUsd),
  ].filter((fact) => fact !== "");
  return (
    <div class="runhead">
      <h2>{run === undefined ? text.run(trace.runId.slice(0, ID_SHOWN)) : titleOf(run)}</h2>
      <p class="line mid">
        <StateMark state={markOf(state)} label={word} />
        <span>
          <b>
            {isEnded ? text.took(name, duration(whole)) : text.runs(name, duration(whole, "s"))}
          </b>
          {`. ${facts.join(". ")}.`}
        </span>
      </p>
      {run?.error !== undefined && (
        <FaultNote fault={{ code: run.error.code, message: run.error.message }} />
      )}
    </div>
  );
}

async function readRun(runId: string) {
  const trace = await call("run.trace", { runId });
  const { sessionKey } = trace;
  const listed = await call("runs.list", { sessionKey, states: [...RUN_STATES], limit: 200 });
  return { trace, run: listed.runs.find((each) => each.runId === runId) };
}

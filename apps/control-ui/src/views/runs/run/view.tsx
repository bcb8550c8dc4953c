import type { RunTrace } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { CrumbBar } from "../../../components/crumb-bar.js";
import { FaultNote } from "../../../components/fault-note.js";
import { type Filters, useFilters } from "../../../components/filters.js";
import { type Fault, faultOf } from "../../../state/fault.js";
import { gateway } from "../../../state/link.js";
import { type ListedRun, openRuns } from "../../../state/runs.js";
import { exactTime } from "../../../text/format.js";
import { text } from "../messages.js";
import { ReplayNote, RunActions } from "./actions.js";
import { ConversationOfRun } from "./conversation-of-run.js";
import { Journal } from "./journal.js";
import { readRun } from "./read-run.js";
import { RunFacts } from "./run-facts.js";
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
      <CrumbBar view={text.title} path="/runs" title={runId.slice(0, ID_SHOWN)} isId>
        {shown !== undefined && (
          <>
            <span class="dim t12 x">
              {exactTime(shown.spans[0]?.at ?? 0)} · <span class="mono">{shown.sessionKey}</span>
            </span>
            <RunActions trace={shown} />
          </>
        )}
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
          <div class="runhead">
            <RunFacts trace={shown} run={run.value} />
          </div>
          <ReplayNote runId={runId} />
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

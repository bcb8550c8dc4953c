import { Link } from "wouter-preact";
import { markOf, StateMark } from "../../components/state-mark.js";
import { now } from "../../state/clock.js";
import { type ListedRun, openRuns } from "../../state/runs.js";
import { cost, duration, firstLine } from "../../text/format.js";
import { text } from "./messages.js";
import { StepStrip } from "./step-strip.js";

/** Number of runs that are listed; the sentence above counts all. */
const SHOWN = 20;

/** Runs that have not ended, with their newest step and age. */
export function Running() {
  const runs = (openRuns.value ?? []).filter(({ state }) => state !== "awaiting_approval");
  if (runs.length === 0) return null;
  return (
    <section aria-labelledby="now-running">
      <h2 class="grp" id="now-running">
        {text.running} <span class="n">{runs.length}</span>
        <span class="end">
          <Link class="link" href="/runs">
            {text.allRuns}
          </Link>
        </span>
      </h2>
      <div class="rows now-run" role="table" aria-label={text.running}>
        {runs.slice(0, SHOWN).map((run) => (
          <Row key={run.runId} run={run} />
        ))}
      </div>
    </section>
  );
}

function Row({ run }: { run: ListedRun }) {
  const { runId, agentId, state, queuedAt, modelCalls, toolCalls, costUsd } = run;
  return (
    <div class="row act tall" role="row">
      <span role="cell">
        <StateMark state={markOf(state)} label={state === "queued" ? text.queued : text.running} />
      </span>
      <span role="cell" class="two">
        <Link class="cover" href={`/runs/${encodeURIComponent(runId)}`}>
          <strong>{titleOf(run)}</strong>
        </Link>
        <br />
        <span class="sub">
          {agentId} · {stepOf(run)}
        </span>
      </span>
      <span role="cell" class="x sub">
        {modelCalls + toolCalls > 0 && text.calls(modelCalls, toolCalls)}
      </span>
      <span role="cell" class="x">
        {state === "running" && <StepStrip run={run} />}
      </span>
      <span role="cell" class="end">
        {duration(Math.max(0, now.value - queuedAt), "s")}
      </span>
      <span role="cell" class="end x">
        {costUsd !== undefined && cost(costUsd)}
      </span>
    </div>
  );
}

/** Name of a run: the message that it answers, or its session. */
export function titleOf({ text: message, label, sessionKey }: ListedRun): string {
  return firstLine(message ?? "") || (label ?? sessionKey);
}

/** Steps of the journal in words; of the others, a person learns that the run works. */
const STEPS: Readonly<Record<string, string>> = {
  "model-requested": text.waitsForModel,
  "model-answered": text.modelAnswered,
  "model-failed": text.modelFailed,
  "tool-intended": text.runsTool,
  "tool-answered": text.toolAnswered,
  "approval-asked": text.asksAbout,
  "turn-concluded": text.sendsReply,
};

function stepOf({ state, step }: ListedRun): string {
  if (state === "queued") return text.queued;
  if (step === undefined) return text.begins;
  const words = STEPS[step.kind] ?? text.works;
  return step.name === undefined ? words : `${words} ${step.name}`;
}

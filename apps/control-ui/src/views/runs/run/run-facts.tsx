import type { RunTrace } from "@openclaw/protocol";
import { FaultNote } from "../../../components/fault-note.js";
import { markOf, StateMark } from "../../../components/state-mark.js";
import { now } from "../../../state/clock.js";
import type { ListedRun } from "../../../state/runs.js";
import { cost, duration, tokens } from "../../../text/format.js";
import { titleOf } from "../list/view.js";
import { text } from "../messages.js";

/** Digits of the ID that are shown. */
const ID_SHOWN = 8;

/** What happened in one sentence: outcome, time, waits, composition, tokens and cost. */
export function RunFacts({
  trace,
  run,
  side,
}: {
  trace: RunTrace;
  run: ListedRun | undefined;
  /** Letter of one of two runs that are compared. */
  side?: string | undefined;
}) {
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
  const title = run === undefined ? text.run(trace.runId.slice(0, ID_SHOWN)) : titleOf(run);
  return (
    <div class="run-facts">
      <h2>{side === undefined ? title : text.side(side, title)}</h2>
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

import { useLayoutEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { StateMark } from "../../components/state-mark.js";
import { viewKeys } from "../../shell/keyboard.js";
import type { FailureCause } from "../../state/runs.js";
import { shortTime } from "../../text/format.js";
import { text } from "./messages.js";
import { titleOf } from "./running.js";
import { markSeen, unseenFailures } from "./seen-failures.js";

/** Failed and blocked runs of the last day, by their cause with its next step, until they are marked as seen. */
export function Failures() {
  const causes = unseenFailures.value;
  useLayoutEffect(() => {
    if (causes.length === 0) return undefined;
    const own = { key: "e", title: text.markSeenKey, run: () => markSeen(causes) };
    viewKeys.value = [...viewKeys.peek(), own];
    return () => {
      viewKeys.value = viewKeys.peek().filter((each) => each !== own);
    };
  }, [causes]);
  if (causes.length === 0) return null;
  return (
    <section aria-labelledby="now-failed">
      <h2 class="grp" id="now-failed">
        {text.failures} <span class="n">{causes.length}</span>
        <span class="end">
          <button class="btn quiet small" type="button" onClick={() => markSeen(causes)}>
            {text.allSeen} <kbd>e</kbd>
          </button>
        </span>
      </h2>
      <div class="rows now-fail" role="table" aria-label={text.failuresTable}>
        {causes.map((cause) => (
          <Row key={`${cause.state} ${cause.code} ${cause.stage}`} cause={cause} />
        ))}
      </div>
    </section>
  );
}

function Row({ cause }: { cause: FailureCause }) {
  const { state, code, message, count, last } = cause;
  const at = last.endedAt ?? last.queuedAt;
  const path = `/runs/${encodeURIComponent(last.runId)}`;
  return (
    <div class="row act tall" role="row">
      <span role="cell">
        <StateMark
          state={state}
          label={state === "failed" ? text.failedState : text.blockedState}
        />
      </span>
      <span role="cell" class="two">
        <strong>{titleOf(last)}</strong> {count > 1 && <span class="tag">{text.runs(count)}</span>}
        <br />
        <span class="sub" title={message}>
          <code>{code}</code> {message}
        </span>
      </span>
      <span role="cell" class="x sub">
        {last.agentId} · {last.channel}
      </span>
      <span role="cell" class="end" title={new Date(at).toISOString()}>
        {shortTime(at)}
      </span>
      <span role="cell" class="free acts">
        <Link class="btn small" href={path}>
          {text.openRun}
        </Link>
        <button
          class="btn quiet small"
          type="button"
          aria-label={text.seenNamed(titleOf(last))}
          onClick={() => markSeen([cause])}
        >
          {text.seen}
        </button>
      </span>
    </div>
  );
}

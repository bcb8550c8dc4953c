import type { ApprovalSummary } from "@openclaw/protocol";
import { Link } from "wouter-preact";
import { PageBar } from "../../components/page-bar.js";
import { StateMark } from "../../components/state-mark.js";
import { approvalsState, history, waiting } from "../../state/approvals.js";
import { health, hostStatus, usageToday } from "../../state/host.js";
import { isLive } from "../../state/link.js";
import { cost, counted, duration } from "../../text/format.js";
import { TimeLeft } from "../approvals/inbox.js";
import { headlineOf, originOf } from "../approvals/words.js";

/** The first view: what waits for a decision, what is unfinished, what today cost, what is not well. */
export function NowView() {
  const isFirstRun =
    approvalsState.value === "ready" &&
    waiting.value.length === 0 &&
    history.value.length === 0 &&
    usageToday.value === undefined &&
    hostStatus.value?.turns.unfinished === 0;
  return (
    <>
      <PageBar title="Now" />
      <div class={isLive.value ? "split now" : "split now stale"} aria-busy={!isLive.value}>
        <div>
          <Headline />
          {waiting.value.length > 0 && <Waiting />}
          {isFirstRun && <FirstRun />}
        </div>
        <aside class="side" aria-label="Today and the gateway">
          <Today />
          <System />
        </aside>
      </div>
    </>
  );
}

function Headline() {
  const count = waiting.value.length;
  const turns = hostStatus.value?.turns.unfinished;
  return (
    <p class="headline">
      {count === 0 ? (
        "Nothing waits for you."
      ) : (
        <>
          <Link href="/approvals" data-s="approval">
            {counted(count, "decision")}
          </Link>{" "}
          {count === 1 ? "waits" : "wait"} for you.
        </>
      )}
      {turns !== undefined &&
        (turns === 0
          ? " No turn is unfinished."
          : ` ${counted(turns, "turn")} ${turns === 1 ? "is" : "are"} not finished.`)}
    </p>
  );
}

function Waiting() {
  return (
    <section aria-labelledby="now-waiting">
      <h2 class="grp" id="now-waiting">
        Waiting for you <span class="n">{waiting.value.length}</span>
        <span class="end">
          <Link class="link" href="/approvals">
            Inbox
          </Link>
        </span>
      </h2>
      <div class="rows now-wait" role="table" aria-label="Waiting for you">
        {waiting.value.map((approval) => (
          <WaitingRow key={approval.id} approval={approval} />
        ))}
      </div>
    </section>
  );
}

function WaitingRow({ approval }: { approval: ApprovalSummary }) {
  const { id, severity, commands = [], description } = approval;
  const path = `/approvals/${encodeURIComponent(id)}`;
  return (
    <div class="row act tall" role="row">
      <span role="cell">
        <StateMark state="approval" label={`${severity}, waits for you`} />
      </span>
      <span role="cell" class="two">
        <Link href={path}>
          <strong>{headlineOf(approval)}</strong>
        </Link>{" "}
        {severity === "critical" && (
          <span class="tag" data-s="failed">
            critical
          </span>
        )}
        <br />
        <span class="sub">{commands.length > 0 ? <code>{commands[0]}</code> : description}</span>
      </span>
      <span role="cell" class="x sub clip">
        {originOf(approval)}
      </span>
      <span role="cell" class="end num x">
        <TimeLeft approval={approval} /> left
      </span>
      <span role="cell" class="free acts">
        <Link class="btn small" href={path}>
          Review
        </Link>
      </span>
    </div>
  );
}

function Today() {
  const usage = usageToday.value;
  return (
    <section class="sec" aria-labelledby="now-today">
      <h2 id="now-today">Today</h2>
      {usage === undefined ? (
        <p class="dim">No model was called.</p>
      ) : (
        <dl class="kv cost">
          <dt>Cost</dt>
          <dd>
            {usage.estimatedCalls > 0 && "~"}
            {cost(usage.costUsd)}
          </dd>
          <dt>Model calls</dt>
          <dd>{usage.count.toLocaleString()}</dd>
          <dt>Tokens in</dt>
          <dd>{usage.inputTokens.toLocaleString()}</dd>
          <dt>Tokens out</dt>
          <dd>{usage.outputTokens.toLocaleString()}</dd>
        </dl>
      )}
    </section>
  );
}

function System() {
  const status = hostStatus.value;
  const failed = health.value?.checks.filter(({ ok }) => !ok) ?? [];
  if (status === undefined || health.value === undefined) return null;
  return (
    <section class="sec" aria-labelledby="now-gateway">
      <h2 id="now-gateway">Gateway</h2>
      <ul class="next sys">
        {failed.map(({ name, detail }) => (
          <li key={name}>
            <StateMark state="failed" label="failed" />
            <span>
              {name}
              {detail !== undefined && `: ${detail}`}
            </span>
          </li>
        ))}
        {failed.length === 0 && (
          <li>
            <StateMark state="done" label="ok" />
            <span>{counted(health.value.checks.length, "check")}, none fails</span>
          </li>
        )}
        <li>
          <StateMark state="done" label="runs" />
          <span>
            Version {status.version}, up {duration(status.uptimeMs)},{" "}
            {counted(status.plugins.loaded, "plugin")}
          </span>
        </li>
        {status.configuration.notice !== undefined && (
          <li>
            <StateMark state="stuck" label="notice" />
            <span>{status.configuration.notice}</span>
          </li>
        )}
      </ul>
    </section>
  );
}

/** Steps for a person who has not sent a message yet. */
function FirstRun() {
  return (
    <ol class="steps first">
      <li class="done">
        <StateMark state="done" label="done" />
        <div>
          <strong>Start the gateway</strong>
          <p>
            It runs on {location.host} with <code>{hostStatus.value?.model}</code>.
          </p>
        </div>
      </li>
      <li class="cur">
        <span class="stepn">2</span>
        <div>
          <strong>Say something</strong>
          <p>In a terminal on that machine. The first command that changes files asks you here.</p>
          <pre class="code">openclaw chat</pre>
        </div>
      </li>
    </ol>
  );
}

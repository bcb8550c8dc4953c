import type { ApprovalSummary } from "@openclaw/protocol";
import { Link } from "wouter-preact";
import { PageBar } from "../../components/page-bar.js";
import { StateMark } from "../../components/state-mark.js";
import { approvalsState, history, waiting } from "../../state/approvals.js";
import { hostStatus, usageToday } from "../../state/host.js";
import { isLive } from "../../state/link.js";
import { failures, openRuns } from "../../state/runs.js";
import { counted } from "../../text/format.js";
import { TimeLeft } from "../approvals/inbox.js";
import { headlineOf, originOf } from "../approvals/words.js";
import { CostToday } from "./cost-today.js";
import { Failures } from "./failures.js";
import { Running } from "./running.js";
import { System } from "./system.js";

/** The first view: what waits for a decision, what runs, what failed, what today cost, what is not well. */
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
          <Running />
          <Failures />
          {isFirstRun && <FirstRun />}
        </div>
        <aside class="side" aria-label="Today and the gateway">
          <CostToday />
          <System />
        </aside>
      </div>
    </>
  );
}

function Headline() {
  const count = waiting.value.length;
  const runs = openRuns.value;
  const working = runs?.filter(({ state }) => state === "running").length ?? 0;
  const queued = runs?.filter(({ state }) => state === "queued").length ?? 0;
  const sum = (state: string) =>
    failures.value.reduce((total, each) => total + (each.state === state ? each.count : 0), 0);
  const [failed, blocked] = [sum("failed"), sum("blocked")];
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
      {runs !== undefined && (
        <>
          {" "}
          {working === 0 ? (
            "No turn runs"
          ) : (
            <>
              <Link href="/sessions?state=running" data-s="running">
                {counted(working, "turn")}
              </Link>{" "}
              {working === 1 ? "runs" : "run"}
            </>
          )}
          {queued > 0 && `, ${queued} ${queued === 1 ? "is" : "are"} queued`}.
          {(failed > 0 || blocked > 0) && " In the last day "}
          {failed > 0 && (
            <Link href="/sessions?state=failed" data-s="failed">
              {failed} failed
            </Link>
          )}
          {failed > 0 && blocked > 0 && " and "}
          {blocked > 0 && `${blocked} ${blocked === 1 ? "was" : "were"} blocked`}
          {(failed > 0 || blocked > 0) && "."}
        </>
      )}
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
        <span class="only-narrow left">
          <TimeLeft approval={approval} /> left
        </span>
      </span>
    </div>
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

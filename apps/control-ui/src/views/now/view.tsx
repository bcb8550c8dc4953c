import { Link } from "wouter-preact";
import { PageBar } from "../../components/page-bar.js";
import { StateMark } from "../../components/state-mark.js";
import { approvalsState, inbox, settled, waiting } from "../../state/approvals.js";
import { hostStatus, usageToday } from "../../state/host.js";
import { isLive } from "../../state/link.js";
import { failures, openRuns } from "../../state/runs.js";
import { filled } from "../../text/catalogue.js";
import { CostToday } from "./cost-today.js";
import { Failures } from "./failures.js";
import { text } from "./messages.js";
import { NextRoutines } from "./next-routines.js";
import { Running } from "./running.js";
import { System } from "./system.js";
import { WaitingRow } from "./waiting-row.js";

/** The first view: what waits for a decision, what runs, what failed, what today cost, what is not well. */
export function NowView() {
  const isFirstRun =
    approvalsState.value === "ready" &&
    waiting.value.length === 0 &&
    settled.value.length === 0 &&
    usageToday.value === undefined &&
    hostStatus.value?.turns.unfinished === 0;
  return (
    <>
      <PageBar title={text.title} />
      <div class={isLive.value ? "split now" : "split now stale"} aria-busy={!isLive.value}>
        <div>
          <Headline />
          {inbox.value.length > 0 && <Waiting />}
          <Running />
          <Failures />
          {isFirstRun && <FirstRun />}
        </div>
        <aside class="side" aria-label={text.side}>
          <CostToday />
          <NextRoutines />
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
      {count === 0
        ? text.nothingWaits
        : filled(text.waits(count), {
            decisions: (
              <Link href="/approvals" data-s="approval">
                {text.decisions(count)}
              </Link>
            ),
          })}{" "}
      {runs !== undefined &&
        filled(working === 0 ? text.noTurn(queued) : text.turnsRun(working, queued), {
          turns: (
            <Link href="/runs?state=running" data-s="running">
              {text.turns(working)}
            </Link>
          ),
        })}{" "}
      {runs !== undefined &&
        filled(endedWords(failed, blocked), {
          failed: (
            <Link href="/runs?state=failed" data-s="failed">
              {text.failed(failed)}
            </Link>
          ),
        })}
    </p>
  );
}

function endedWords(failed: number, blocked: number): string {
  if (failed > 0) return blocked > 0 ? text.failedAndBlocked(blocked) : text.onlyFailed;
  return blocked > 0 ? text.onlyBlocked(blocked) : "";
}

function Waiting() {
  return (
    <section aria-labelledby="now-waiting">
      <h2 class="grp" id="now-waiting">
        {text.waiting} <span class="n">{waiting.value.length}</span>
        <span class="end">
          <Link class="link" href="/approvals">
            {text.inbox}
          </Link>
        </span>
      </h2>
      <div class="rows now-wait" role="table" aria-label={text.waiting}>
        {inbox.value.map((approval) => (
          <WaitingRow key={approval.id} approval={approval} />
        ))}
      </div>
    </section>
  );
}

/** Steps for a person who has not sent a message yet. */
function FirstRun() {
  return (
    <ol class="steps first">
      <li class="done">
        <StateMark state="done" label={text.done} />
        <div>
          <strong>{text.start}</strong>
          <p>
            {filled(text.runsOn(location.host), { model: <code>{hostStatus.value?.model}</code> })}
          </p>
        </div>
      </li>
      <li class="cur">
        <span class="stepn">2</span>
        <div>
          <strong>{text.say}</strong>
          <p>{text.sayHelp}</p>
          <pre class="code">openclaw chat</pre>
        </div>
      </li>
    </ol>
  );
}

import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { CrumbBar } from "../../components/crumb-bar.js";
import { Facts } from "../../components/facts.js";
import { FaultNote } from "../../components/fault-note.js";
import { Meter } from "../../components/meter.js";
import { saveFile } from "../../components/save-file.js";
import { markOf, StateMark } from "../../components/state-mark.js";
import { faultOf } from "../../state/fault.js";
import { call } from "../../state/link.js";
import { duration, shortTime, tokens } from "../../text/format.js";
import { JobActions } from "./actions.js";
import { costOf, JobMark, noteOf } from "./board.js";
import { jobPage, leaveJob, type JobPage as Page, showJob } from "./jobs.js";
import { text } from "./messages.js";

/** One job: its task, plan and result, how it came there, and what it used. */
export function JobPage({ id }: { id: string }) {
  useEffect(() => {
    const end = showJob(id);
    return () => {
      end();
      leaveJob();
    };
  }, [id]);
  const page = jobPage.value.value;
  return (
    <>
      <CrumbBar view={text.title} path="/jobs" title={page?.job.title ?? id}>
        {page !== undefined && (
          <div class="end">
            <JobActions job={page.job} />
          </div>
        )}
      </CrumbBar>
      {jobPage.fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={jobPage.fault.value} />
        </div>
      )}
      {page === undefined ? (
        jobPage.fault.value === undefined && <div class="page" aria-busy="true" />
      ) : (
        <div class="split">
          <div tabIndex={0} role="region" aria-label={page.job.title}>
            <Story page={page} />
          </div>
          <div tabIndex={0} role="region" aria-label={text.about}>
            <About page={page} />
            <Files page={page} />
          </div>
        </div>
      )}
    </>
  );
}

function Story({ page: { job, log } }: { page: Page }) {
  const { state, description, reason, result, steps } = job;
  const note = noteOf(job);
  return (
    <>
      <section class="sec">
        <p class="mid t14">
          <JobMark job={job} /> {text.stateOf(state)} {note !== "" && <span>· {note}</span>}
        </p>
        {reason !== undefined && <p class="bad">{reason}</p>}
      </section>
      {steps !== undefined && steps.length > 0 && (
        <section class="sec">
          <h2 class="h">{text.plan}</h2>
          <Meter
            percent={Math.round(
              (100 * steps.filter((step) => step.state === "done").length) / steps.length,
            )}
          />
          <ol class="jplan">
            {steps.map((step, index) => (
              // The agent replaces the whole plan.
              <li key={index} class="line">
                <StateMark
                  state={
                    step.state === "done" ? "done" : step.state === "active" ? "running" : "waiting"
                  }
                  label={text.stepOf(step.state)}
                />
                {step.text}
              </li>
            ))}
          </ol>
        </section>
      )}
      <section class="sec">
        <h2 class="h">{text.task}</h2>
        <p class="jtext">{description}</p>
      </section>
      <section class="sec">
        <h2 class="h">{text.result}</h2>
        {result === undefined ? <p class="dim">{text.noResult}</p> : <p class="jtext">{result}</p>}
      </section>
      <section>
        <h2 class="grp">
          {text.moves} <span class="n">{log.moves.length}</span>
        </h2>
        {log.moves.length === 0 && <p class="sec dim">{text.noMoves}</p>}
        <div class="rows jmoves" role="table" aria-label={text.moves}>
          {[...log.moves].reverse().map(({ number, from, to, reason: why, at }) => (
            <div class="row" role="row" key={number}>
              <span role="cell">
                <StateMark state={markOf(to)} label={text.stateOf(to)} />
              </span>
              <span role="cell" class="two">
                {text.moved(from, to)} <span class="sub">{why}</span>
              </span>
              <span role="cell" class="end sub" title={new Date(at).toISOString()}>
                {shortTime(at)}
              </span>
            </div>
          ))}
        </div>
      </section>
      <Runs page={{ runs: log.runs }} />
    </>
  );
}

function Runs({ page: { runs } }: { page: Pick<Page["log"], "runs"> }) {
  return (
    <section>
      <h2 class="grp">
        {text.runs} <span class="n">{runs.length}</span>
      </h2>
      {runs.length === 0 && <p class="sec dim">{text.noRuns}</p>}
      <div class="rows jruns" role="table" aria-label={text.runs}>
        {[...runs].reverse().map(({ runId, startedAt, endedAt, outcome, reason }) => (
          <div class="row act" role="row" key={runId}>
            <span role="cell">
              <StateMark
                state={markOf(endedAt === undefined ? "running" : (outcome ?? "completed"))}
                label={endedAt === undefined ? text.running : (outcome ?? text.ok)}
              />
            </span>
            <span role="cell">
              <Link class="cover" href={`/runs/${encodeURIComponent(runId)}`}>
                {shortTime(startedAt)}
              </Link>
            </span>
            <span role="cell" class="two mid">
              {[outcome, reason].filter((each) => each !== undefined).join(" · ")}
            </span>
            <span role="cell" class="end">
              {endedAt !== undefined && duration(endedAt - startedAt)}
            </span>
          </div>
        ))}
      </div>
    </section>
  );
}

function About({ page: { job } }: { page: Page }) {
  const { jobId, agentId, sessionKey, askedIn, parentId, model, channel, priority } = job;
  const { usedTokens, maxTokens, repairAttempts, startedAt, completedAt, delivery } = job;
  const session = (key: string) => (
    <Link class="link mono t12" href={`/chat/${encodeURIComponent(key)}`}>
      {key}
    </Link>
  );
  const time = (at: number) => <span title={new Date(at).toISOString()}>{shortTime(at)}</span>;
  const used = tokens(usedTokens);
  const rows = [
    [text.agent, agentId],
    [text.channel, channel],
    [text.session, session(sessionKey)],
    [text.askedIn, askedIn === undefined ? text.noConversation : session(askedIn)],
    [
      text.parent,
      parentId !== undefined && (
        <Link class="link mono t12" href={`/jobs/${encodeURIComponent(parentId)}`}>
          {parentId}
        </Link>
      ),
    ],
    [text.model, model],
    [text.cost, costOf(job)],
    [text.tokens, maxTokens === 0 ? used : text.tokensOf(used, tokens(maxTokens))],
    [text.priorityHead, priority],
    [text.repairsHead, repairAttempts],
    [text.created, time(job.createdAt)],
    [text.startedAt, startedAt !== undefined && time(startedAt)],
    [text.endedAt, completedAt !== undefined && time(completedAt)],
    [
      text.delivery,
      delivery !== undefined &&
        [text.deliveryOf(delivery.state), delivery.code, delivery.reason]
          .filter((each) => each !== undefined)
          .join(": "),
    ],
    [text.id, <code key="id">{jobId}</code>],
  ] as const;
  return (
    <section class="sec">
      <h2 class="h">{text.about}</h2>
      <Facts facts={rows} />
    </section>
  );
}

function Files({ page: { job, files } }: { page: Page }) {
  const save = async (path: string) => {
    try {
      const { content } = await call("jobs.file", { jobId: job.jobId, path });
      const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
      saveFile(bytes, path.split("/").at(-1) ?? path, "application/octet-stream");
    } catch (error) {
      jobPage.fault.value = faultOf(error);
    }
  };
  return (
    <section class="sec">
      <h2 class="h">{text.files}</h2>
      {files.length === 0 && <p class="dim">{text.noFiles}</p>}
      <ul class="jfiles">
        {files.map(({ path }) => (
          <li class="line" key={path}>
            <span class="mono t12 clip grow" title={path}>
              {path}
            </span>
            <button
              class="btn small"
              type="button"
              aria-label={text.saveNamed(path)}
              onClick={() => void save(path)}
            >
              {text.save}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

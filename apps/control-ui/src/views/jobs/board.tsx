import type { JobSummary } from "@openclaw/protocol";
import { Link } from "wouter-preact";
import { Meter } from "../../components/meter.js";
import { markOf, StateMark } from "../../components/state-mark.js";
import { now } from "../../state/clock.js";
import { cost, duration } from "../../text/format.js";
import { JobActions } from "./actions.js";
import { text } from "./messages.js";

/** Columns of the board; the last two are folded. */
const OPEN = ["pending", "in_progress", "stuck", "completed", "submitted", "failed"] as const;
const FOLDED = ["accepted", "cancelled"] as const;

/** Jobs by their state, with live progress. */
export function JobBoard({ jobs }: { jobs: readonly JobSummary[] }) {
  return (
    <div class="board" tabIndex={0} role="region" aria-label={text.board}>
      {OPEN.map((state) => (
        <Column key={state} state={state} jobs={jobs.filter((job) => job.state === state)} />
      ))}
      <div class="colstack">
        {FOLDED.map((state) => {
          const { length } = jobs.filter((job) => job.state === state);
          return (
            <section class="col" aria-label={text.columnOf(state)} key={state}>
              <ColumnHead state={state} count={length} />
              {length > 0 && (
                <p class="fold">
                  <Link class="link" href={`/jobs?view=list&state=${state}`}>
                    {text.folded(length)}
                  </Link>
                </p>
              )}
            </section>
          );
        })}
      </div>
    </div>
  );
}

function ColumnHead({ state, count }: { state: string; count: number }) {
  return (
    <h2>
      <span aria-hidden="true">
        <StateMark state={state === "pending" ? "waiting" : markOf(state)} label="" />
      </span>
      {text.columnOf(state)}
      <span class="n">{count}</span>
    </h2>
  );
}

function Column({ state, jobs }: { state: string; jobs: readonly JobSummary[] }) {
  return (
    <section class="col" aria-label={text.columnOf(state)}>
      <ColumnHead state={state} count={jobs.length} />
      <ul>
        {jobs.map((job) => (
          <li key={job.jobId}>
            <Card job={job} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Card({ job }: { job: JobSummary }) {
  const { jobId, title, agentId, channel, reason } = job;
  const note = noteOf(job);
  const percent = percentOf(job);
  const time = timeOf(job);
  return (
    <article class="job">
      <span class="line">
        <JobMark job={job} />
        <strong>
          <Link class="cover" href={`/jobs/${encodeURIComponent(jobId)}`}>
            {title}
          </Link>
        </strong>
      </span>
      <span class={reason === undefined ? "sub" : "bad"}>
        {reason ?? [agentId, channel, note].filter((each) => each !== "").join(" · ")}
      </span>
      {percent !== undefined && <Meter percent={percent} />}
      <JobActions job={job} only={CARD_ACTIONS} />
      <span class="jf num">
        <span>{time === undefined ? text.priority(job.priority) : duration(time, "s")}</span>
        <span>{costOf(job)}</span>
      </span>
    </article>
  );
}

/** Actions that a card offers; the page of the job has all of them. */
const CARD_ACTIONS = ["accept", "continue", "restart", "cancel"] as const;

/** State of a job, with what it waits for. */
export function JobMark({ job: { state, awaitsApproval, question } }: { job: JobSummary }) {
  if (awaitsApproval) return <StateMark state="approval" label={text.waitsForApproval} />;
  if (question !== undefined) return <StateMark state="approval" label={text.waitsForBudget} />;
  return (
    <StateMark
      state={state === "pending" ? "waiting" : markOf(state)}
      label={text.stateOf(state)}
    />
  );
}

/** Returns what a job does now, or waits for. */
export function noteOf({
  awaitsApproval,
  question,
  plan,
  progress,
  repairAttempts,
  state,
}: JobSummary): string {
  if (awaitsApproval) return text.waitsForApproval;
  if (question !== undefined) return question;
  const repairs =
    repairAttempts > 0 && state !== "accepted" ? text.repairs(repairAttempts) : undefined;
  const step =
    plan === undefined
      ? undefined
      : [text.planOf(plan.done, plan.total), plan.step].filter(Boolean).join(": ");
  const isEnded = state === "completed" || state === "submitted" || state === "accepted";
  return [isEnded ? undefined : (progress?.note ?? step), repairs].filter(Boolean).join(" · ");
}

/** Returns how far a running job is: what a tool reported, or else its plan. */
function percentOf({ state, plan, progress }: JobSummary): number | undefined {
  if (state !== "in_progress") return undefined;
  if (progress?.total !== undefined && progress.total > 0) {
    return Math.round((100 * progress.done) / progress.total);
  }
  return plan === undefined || plan.total === 0
    ? undefined
    : Math.round((100 * plan.done) / plan.total);
}

/** Returns how long a job has worked, or worked; undefined before its start. */
export function timeOf({ startedAt, completedAt }: JobSummary): number | undefined {
  return startedAt === undefined ? undefined : Math.max(0, (completedAt ?? now.value) - startedAt);
}

/** Returns what a job cost, with its budget. */
export function costOf({ usedUsd, maxUsd }: JobSummary): string {
  const used = cost(String(usedUsd));
  return maxUsd > 0 ? text.costOf(used, cost(String(maxUsd))) : used;
}

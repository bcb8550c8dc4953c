import type { JobSummary } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { Link, useLocation } from "wouter-preact";
import type { Filters } from "../../components/filters.js";
import { VirtualRows } from "../../components/virtual-rows.js";
import { useListKeys } from "../../shell/list-keys.js";
import { isLive } from "../../state/link.js";
import { duration, shortTime } from "../../text/format.js";
import { costOf, JobMark, noteOf, timeOf } from "./board.js";
import { text } from "./messages.js";

const COLUMNS = [
  { name: text.state, isHidden: true },
  { name: text.job },
  { name: text.agent, class: "x" },
  { name: text.channel, class: "x" },
  { name: text.time, class: "end x" },
  { name: text.cost, class: "end x" },
  { name: text.created, class: "end" },
];

/** Jobs, newest first. */
export function JobList({ jobs }: { jobs: readonly JobSummary[] }) {
  const [, navigate] = useLocation();
  const cursor = useSignal<string | undefined>(undefined);
  useListKeys({
    ...{ keys: jobs.map(({ jobId }) => jobId), cursor },
    words: { next: text.next, previous: text.previous, open: text.open },
    open: (jobId) => navigate(pathOf(jobId)),
  });
  return (
    <VirtualRows
      class={isLive.value ? "jobs" : "jobs stale"}
      label={text.title}
      items={jobs}
      keyOf={({ jobId }) => jobId}
      columns={COLUMNS}
      cursor={cursor.value}
      row={(job) => <Cells job={job} />}
    />
  );
}

function Cells({ job }: { job: JobSummary }) {
  const { jobId, title, agentId, channel, createdAt, reason } = job;
  const time = timeOf(job);
  return (
    <>
      <span role="cell">
        <JobMark job={job} />
      </span>
      <span role="cell" title={reason}>
        <Link class="cover" href={pathOf(jobId)}>
          <strong>{title}</strong>
        </Link>{" "}
        <span class="sub">{reason ?? noteOf(job)}</span>
      </span>
      <span role="cell" class="x mid">
        {agentId}
      </span>
      <span role="cell" class="x mid">
        {channel}
      </span>
      <span role="cell" class="end x">
        {time !== undefined && duration(time, "s")}
      </span>
      <span role="cell" class="end x">
        {costOf(job)}
      </span>
      <span role="cell" class="end sub" title={new Date(createdAt).toISOString()}>
        {shortTime(createdAt)}
      </span>
    </>
  );
}

/** Applies the filters of the view. */
export function matches(job: JobSummary, { chosen }: Filters): boolean {
  const isList = chosen("view") === "list";
  if (isList && chosen("state") !== "" && chosen("state") !== job.state) return false;
  if (chosen("agent") !== "" && chosen("agent") !== job.agentId) return false;
  if (chosen("channel") !== "" && chosen("channel") !== job.channel) return false;
  const words = [job.title, job.jobId, job.reason].join("\n").toLowerCase();
  return words.includes(chosen("q").trim().toLowerCase());
}

function pathOf(jobId: string): string {
  return `/jobs/${encodeURIComponent(jobId)}`;
}

import { defined } from "@openclaw/foundation";
import type { GatewayMethodParameters } from "@openclaw/protocol";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";

const text = Type.Optional(Type.String());
const flag = Type.Optional(Type.Boolean());
const number = Type.Optional(Type.Number());

/** Job of a schedule as older installations stored it; fields that are not named here are not read. */
const olderJob = Type.Object({
  id: text,
  name: text,
  description: text,
  agentId: text,
  enabled: flag,
  deleteAfterRun: flag,
  schedule: Type.Object({
    ...{ kind: Type.Enum(["at", "every", "cron"]), at: text, atMs: number },
    ...{ everyMs: number, anchorMs: number, expr: text, tz: text, staggerMs: number },
  }),
  payload: Type.Object({
    ...{ kind: Type.Enum(["systemEvent", "agentTurn"]), text, message: text, model: text },
    ...{ thinking: text, timeoutSeconds: number, deliver: flag, channel: text, to: text },
  }),
  delivery: Type.Optional(Type.Object({ mode: text, channel: text, to: text })),
});

type OlderJob = Static<typeof olderJob>;
type Request = GatewayMethodParameters<"cron.add">;

/** Routine that stands for a job of an older installation. */
export interface MappedJob {
  readonly request: Request;
  readonly enabled: boolean;
  /** Settings of the job that the routine lacks, one sentence each. */
  readonly notes: readonly string[];
}

/** Outcome for one job of the file. */
export type OlderJobOutcome =
  | ({ readonly from: string } & MappedJob)
  | { readonly from: string; readonly reason: string };

/**
 * Maps the content of `cron/jobs.json` to routines.
 * @param content - parsed JSON of the file
 * @returns one outcome for each job; undefined when the content has another form
 */
export function mapOlderJobs(content: unknown): readonly OlderJobOutcome[] | undefined {
  const jobs: unknown = Array.isArray(content) ? content : Object(content).jobs;
  if (!Array.isArray(jobs)) return undefined;
  const taken = new Set<string>();
  return jobs.map((job: unknown, index): OlderJobOutcome => {
    const { name, id } = Object(job);
    const from = [name, id].find((each) => typeof each === "string" && each !== "");
    const shown = typeof from === "string" ? from : `job ${index + 1}`;
    if (!Check(olderJob, job)) {
      return { from: shown, reason: "its schedule or payload has a form that is not known" };
    }
    const prompt = (job.payload.message ?? job.payload.text ?? "").trim();
    if (prompt === "") return { from: shown, reason: "it has no task" };
    const schedule = scheduleOf(job.schedule);
    if (schedule === undefined) return { from: shown, reason: "its schedule has no time" };
    return { from: shown, ...mapped(job, { ...schedule, prompt, name: nameOf(shown, taken) }) };
  });
}

function mapped(job: OlderJob, request: Request): MappedJob {
  const { agentId, enabled = true, deleteAfterRun, payload, delivery = {}, schedule } = job;
  const { model, thinking, timeoutSeconds, deliver } = payload;
  const channel = delivery.channel ?? payload.channel;
  const to = delivery.to ?? payload.to;
  const isWebhook = delivery.mode === "webhook";
  const isKept = delivery.mode === "none" || isWebhook || deliver === false;
  const isReference = model?.includes("/") === true;
  const session = agentId === undefined ? "main" : `agent:${agentId}:main`;
  const isElsewhere =
    !isKept && (to !== undefined || (channel !== undefined && channel !== "last"));
  const place = [channel, to].filter((part) => part !== undefined).join(" ");
  const notes = [
    isElsewhere && `results go to the session ${session}, not to ${place}`,
    isWebhook && "results are not sent to its webhook, and stay in the history",
    model !== undefined && !isReference && `the model "${model}" is not provider/model`,
    thinking !== undefined && `the thinking level "${thinking}" is left out`,
    timeoutSeconds !== undefined && `the limit of ${timeoutSeconds} s is left out`,
    (schedule.staggerMs ?? 0) > 0 && "its starts are not spread over a time",
    deleteAfterRun === true && "it is not removed after its run",
  ];
  return {
    request: {
      ...request,
      ...defined({ agentId, model: isReference ? model : undefined }),
      ...(isKept ? {} : { sessionKey: session }),
    },
    enabled,
    notes: notes.filter((note) => note !== false),
  };
}

function scheduleOf(schedule: OlderJob["schedule"]) {
  const { kind, at, atMs, everyMs, anchorMs, expr, tz } = schedule;
  if (kind === "cron") return expr === undefined ? undefined : defined({ cron: expr, tz });
  if (kind === "at") {
    const time = at ?? (atMs === undefined ? undefined : isoOf(atMs));
    return time === undefined ? undefined : { at: time };
  }
  if (everyMs === undefined || !(everyMs >= 1000)) return undefined;
  const anchor = anchorMs === undefined ? undefined : isoOf(anchorMs);
  return defined({ every: `${Math.round(everyMs / 1000)}s`, anchor });
}

function isoOf(time: number): string | undefined {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Returns a name of a routine that no earlier job of the file has. */
function nameOf(written: string, taken: Set<string>): string {
  const plain = written
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-");
  const base = plain.replace(/^-+|-+$/g, "").slice(0, 56) || "job";
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base}-${number}`;
  taken.add(name);
  return name;
}

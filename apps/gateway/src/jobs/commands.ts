import { setTimeout as wait } from "node:timers/promises";
import { defined } from "@openclaw/foundation";
import type { CallMethod, GatewayMethods, JobDetails, JobSummary } from "@openclaw/protocol";
import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printRows, timeOf } from "../shell/table.js";
import { UsageError } from "../shell/usage-error.js";

const LONGEST_LIST = 200;
const POLL_MS = 500;
const SHORT_ID = 8;
const MARKS = { pending: "[ ]", active: "[>]", done: "[x]" } as const;
const MODES = ["worker", "sandboxed", "claude_code"] as const;
const UNFINISHED = ["pending", "in_progress", "stuck"] as const;

/** Option of every command. */
interface Format {
  json?: boolean;
}

type Call = CallMethod<GatewayMethods>;

/**
 * Runs `openclaw jobs list`.
 * @param options - selection and format
 * @param context - terminal and environment
 */
export async function listJobsCommand(
  { active = false, json = false }: Format & { active?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const states = active ? [...UNFINISHED] : undefined;
  const query = { limit: LONGEST_LIST, ...defined({ states }) };
  const found = await withGatewayMethods(context, (call) => call("jobs.list", query), "reads");
  if (json) terminal.print(JSON.stringify(found));
  else if (found.jobs.length === 0) terminal.print("No jobs.");
  else {
    const rows = found.jobs.map((job) => [
      job.jobId.slice(0, SHORT_ID),
      stateText(job),
      timeOf(job.createdAt),
      job.title,
    ]);
    printRows(rows, terminal, { titles: ["ID", "STATE", "CREATED", "TITLE"] });
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw jobs show`.
 * @param jobId - ID of the job, or the beginning of it
 * @param options - format
 * @param context - terminal and environment
 */
export async function showJobCommand(
  jobId: string,
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const job = await withGatewayMethods(context, (call) => call("jobs.get", { jobId }), "reads");
  print(job, json, context);
  return EXIT.ok;
}

/**
 * Runs `openclaw jobs log`.
 * @param jobId - ID of the job, or the beginning of it
 * @param options - mode and format
 * @param context - terminal and environment
 * @throws UsageError for a followed log as JSON
 */
export async function jobLogCommand(
  jobId: string,
  { follow = false, json = false }: Format & { follow?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  if (follow && json) throw new UsageError("--follow prints text; leave --json out");
  return await withGatewayMethods(
    context,
    async (call) => {
      const first = await call("jobs.events", { jobId });
      if (json) {
        context.terminal.print(JSON.stringify(first));
        return EXIT.ok;
      }
      const { job } = first;
      context.terminal.print(`Job "${job.title}" (${job.jobId})`);
      context.terminal.print(`${timeOf(job.createdAt)}  created`);
      await printMoves(first, call, follow, context);
      return EXIT.ok;
    },
    "reads",
  );
}

/**
 * Runs `openclaw jobs create`.
 * @param title - task in one line
 * @param options - task, agent, session, model and format
 * @param context - terminal and environment
 */
export async function createJobCommand(
  title: string,
  {
    description,
    agent: agentId,
    session: sessionKey,
    model,
    mode,
    json = false,
  }: Format & {
    description?: string;
    agent?: string;
    session?: string;
    model?: string;
    mode?: string;
  },
  context: CommandContext,
): Promise<ExitCode> {
  const task = {
    title,
    ...defined({ description, agentId, sessionKey, model, mode: modeOf(mode) }),
  };
  const { job, isRunning } = await withGatewayMethods(context, async (call, host) => ({
    job: await call("jobs.create", task),
    isRunning: host.isRunning,
  }));
  const id = job.jobId.slice(0, SHORT_ID);
  const next = isRunning
    ? `\`openclaw jobs log -f ${id}\` follows it.`
    : "It starts with the gateway, `openclaw run`.";
  context.terminal.print(json ? JSON.stringify(job) : `Job ${id} is created. ${next}`);
  return EXIT.ok;
}

/**
 * Runs `openclaw jobs cancel`, `restart` and `accept`.
 * @param verb - the change
 * @param jobId - ID of the job, or the beginning of it
 * @param options - format
 * @param context - terminal and environment
 */
export async function changeJobCommand(
  verb: "cancel" | "restart" | "accept",
  jobId: string,
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const job = await withGatewayMethods(context, (call) => call(`jobs.${verb}`, { jobId }));
  const text = `Job ${job.jobId.slice(0, SHORT_ID)} is ${stateText(job)}.`;
  context.terminal.print(json ? JSON.stringify(job) : text);
  return EXIT.ok;
}

/**
 * Runs `openclaw jobs continue`.
 * @param jobId - ID of the job, or the beginning of it
 * @param options - amount and format
 * @param context - terminal and environment
 * @throws UsageError for an amount that is not a number above 0
 */
export async function continueJobCommand(
  jobId: string,
  { tokens, usd, json = false }: Format & { tokens?: string; usd?: string },
  context: CommandContext,
): Promise<ExitCode> {
  const answer = {
    jobId,
    ...defined({ tokens: amountOf("--tokens", tokens), usd: amountOf("--usd", usd) }),
  };
  const job = await withGatewayMethods(context, (call) => call("jobs.continue", answer));
  const text = `Job ${job.jobId.slice(0, SHORT_ID)} continues.`;
  context.terminal.print(json ? JSON.stringify(job) : text);
  return EXIT.ok;
}

/** Returns the execution model of an option; undefined when it was not given. */
function modeOf(written: string | undefined): JobSummary["mode"] | undefined {
  if (written === undefined) return undefined;
  const mode = MODES.find((known) => known === written);
  if (mode !== undefined) return mode;
  throw new UsageError(`--mode: expected ${MODES.join(", ")}, got ${written}`);
}

/** Returns the amount of an option; undefined when it was not given. */
function amountOf(option: "--tokens" | "--usd", written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const amount = Number(written);
  const isWhole = option === "--usd" || Number.isInteger(amount);
  if (amount > 0 && Number.isFinite(amount) && isWhole) return amount;
  const expected = option === "--usd" ? "an amount of US dollars" : "a whole number of tokens";
  throw new UsageError(`${option}: expected ${expected} above 0, got ${written}`);
}

async function printMoves(
  first: Awaited<ReturnType<typeof eventsOf>>,
  call: Call,
  follow: boolean,
  { terminal }: CommandContext,
): Promise<void> {
  let shown = 0;
  let shownState = "";
  for (let found = first; ; found = await eventsOf(call, found.job.jobId)) {
    for (const { number, at, from, to, reason } of found.moves) {
      if (number <= shown) continue;
      const why = reason === undefined ? "" : `: ${reason}`;
      terminal.print(`${timeOf(at)}  ${from} -> ${to}${why}`);
      shown = number;
    }
    const { state, plan, progress } = found.job;
    const isReported = plan !== undefined || progress !== undefined;
    const step = plan?.step === undefined ? "" : `: ${plan.step}`;
    const current = `${stateText(found.job)}${step}`;
    if (state === "in_progress" && isReported && current !== shownState) {
      terminal.print(`${timeOf(Date.now())}  ${current}`);
    }
    shownState = current;
    if (!follow || !UNFINISHED.some((unfinished) => unfinished === state)) return;
    await wait(POLL_MS);
  }
}

function eventsOf(call: Call, jobId: string) {
  return call("jobs.events", { jobId });
}

function stateText({ state, awaitsApproval, question, plan, progress }: JobSummary): string {
  if (state !== "in_progress") return state;
  if (question !== undefined) return "waiting for an answer";
  const planned = plan === undefined ? "" : `, ${plan.done} of ${plan.total}`;
  return `${awaitsApproval ? "waiting for an approval" : "running"}${planned}${amountText(progress)}`;
}

function amountText(progress: JobSummary["progress"]): string {
  if (progress === undefined) return "";
  const { done, total, note } = progress;
  const amount = total === undefined ? `${done}` : `${done} of ${total}`;
  return ` (${amount}${note === undefined ? "" : `, ${note}`})`;
}

function deliveryText(
  { state, reason = "without a reason", code, at }: NonNullable<JobDetails["delivery"]>,
  channel: string,
): string {
  if (state === "suppressed") return `not delivered: ${reason}`;
  if (state === "failed") {
    return `delivery failed: ${reason}${code === undefined ? "" : ` (${code})`}`;
  }
  return `delivered on ${channel}${at === undefined ? "" : `, ${timeOf(at)}`}`;
}

function print(job: JobDetails, json: boolean, { terminal }: CommandContext): void {
  if (json) {
    terminal.print(JSON.stringify(job));
    return;
  }
  const { jobId, title, description, createdAt, startedAt, completedAt, reason, delivery } = job;
  terminal.print(`Job "${title}" (${jobId})`);
  terminal.print(`State: ${stateText(job)}${reason === undefined ? "" : `: ${reason}`}`);
  if (job.question !== undefined) {
    const id = jobId.slice(0, SHORT_ID);
    terminal.print(`Budget request: ${job.question}`);
    terminal.print(`Answer: openclaw jobs continue ${id}, or openclaw jobs cancel ${id}`);
  }
  terminal.print(`Created: ${timeOf(createdAt)}`);
  if (startedAt !== undefined) terminal.print(`Started: ${timeOf(startedAt)}`);
  if (completedAt !== undefined) terminal.print(`Ended: ${timeOf(completedAt)}`);
  if (delivery !== undefined) terminal.print(`Result: ${deliveryText(delivery, job.channel)}`);
  if (job.mode !== "worker") {
    const where = job.runtime === undefined ? "" : `, in ${job.runtime}`;
    terminal.print(`Mode: ${job.mode}${where}`);
  }
  for (const host of job.deniedHosts ?? []) terminal.print(`Denied host: ${host}`);
  if (description !== title) terminal.print(`Task: ${description}`);
  for (const step of job.steps ?? []) terminal.print(`${MARKS[step.state]} ${step.text}`);
  if (job.result !== undefined && job.result !== "") terminal.print(`\n${job.result}`);
}

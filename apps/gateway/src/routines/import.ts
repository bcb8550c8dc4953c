import { readFileSync } from "node:fs";
import { defined, errorMessage } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/foundation/errors";
import type { CallMethod, GatewayMethods } from "@openclaw/protocol";
import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { UsageError } from "../shell/usage-error.js";
import { type MappedJob, mapOlderJobs, type OlderJobOutcome } from "./older-jobs.js";

/**
 * Runs `openclaw cron import`: creates a routine for each job that an older installation stored, and says what could not be
 * mapped. Jobs that cannot be imported stay in the file, which is only read.
 * @param file - path of `cron/jobs.json`
 * @param options - dryRun: stores nothing; json: the outcome as JSON
 * @param context - terminal and environment
 */
export async function importRoutinesCommand(
  file: string,
  { dryRun = false, json = false }: { dryRun?: boolean; json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const jobs = readJobs(file);
  const imported: { from: string; name: string; schedule: string; notes: string[] }[] = [];
  const left: { from: string; reason: string }[] = [];
  await withGatewayMethods(
    context,
    async (call) => {
      for (const job of jobs) {
        const outcome = await importJob(job, call, dryRun);
        if ("reason" in outcome) left.push(outcome);
        else imported.push(outcome);
      }
    },
    dryRun ? "reads" : "changes",
  );
  if (json) terminal.print(JSON.stringify({ dryRun, imported, left }));
  else {
    for (const { name, schedule, notes } of imported) {
      terminal.print(`${name}: ${schedule}`);
      for (const note of notes) terminal.print(`  but ${note}`);
    }
    for (const { from, reason } of left) terminal.print(`Not imported: ${from}: ${reason}`);
    const verb = dryRun ? "would be imported, and nothing was stored" : "imported";
    terminal.print(`${imported.length} of ${jobs.length} jobs ${verb}.`);
  }
  return left.length === 0 ? EXIT.ok : EXIT.negative;
}

function readJobs(file: string): readonly OlderJobOutcome[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(
      `cannot read the jobs in ${file}: ${errorMessage(error)}; name the file cron/jobs.json of the older installation`,
    );
  }
  const jobs = mapOlderJobs(content);
  if (jobs !== undefined) return jobs;
  throw new UsageError(
    `${file} has no list "jobs"; name the file cron/jobs.json of the older installation`,
  );
}

async function importJob(
  job: OlderJobOutcome,
  call: CallMethod<GatewayMethods>,
  dryRun: boolean,
): Promise<
  | { from: string; name: string; schedule: string; notes: string[] }
  | { from: string; reason: string }
> {
  if ("reason" in job) return job;
  const { from, request, notes } = job;
  try {
    const { schedule } = dryRun ? await preview(job, call) : await add(job, call);
    return { from, name: request.name, schedule, notes: [...notes] };
  } catch (error) {
    if (!OpenClawError.isInstance(error)) throw error;
    return { from, reason: errorMessage(error) };
  }
}

async function preview({ request }: MappedJob, call: CallMethod<GatewayMethods>) {
  const { at, every, anchor, cron, tz } = request;
  return await call("cron.preview", defined({ at, every, anchor, cron, tz }));
}

async function add({ request, enabled }: MappedJob, call: CallMethod<GatewayMethods>) {
  const added = await call("cron.add", request);
  if (enabled) return added;
  return await call("cron.update", { routine: added.routineId, enabled: false });
}

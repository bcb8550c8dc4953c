import type { RoutineDetails } from "@openclaw/protocol";
import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printRows, timeOf } from "../shell/table.js";
import { UsageError } from "../shell/usage-error.js";
import { printTimes, printWebhook, runText, stateText } from "./lines.js";

const MOST_RUNS = 200;
const RUNS = 20;

/** Option of every command. */
interface Format {
  json?: boolean;
}

/**
 * Runs `openclaw cron list`.
 * @param options - format
 * @param context - terminal and environment
 */
export async function listRoutinesCommand(
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const found = await withGatewayMethods(context, (call) => call("cron.list", {}), "reads");
  if (json) terminal.print(JSON.stringify(found));
  else if (found.routines.length === 0) {
    terminal.print('No routines. `openclaw cron add morning "..." --cron "0 8 * * 1-5"` adds one.');
  } else {
    const rows = found.routines.map((routine) => [
      routine.name,
      routine.nextAt === undefined ? "-" : timeOf(routine.nextAt),
      routine.lastRun?.state ?? "-",
      routine.enabled ? routine.schedule : `${routine.schedule}; ${stateText(routine)}`,
    ]);
    printRows(rows, terminal, { titles: ["NAME", "NEXT", "LAST RUN", "SCHEDULE"] });
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw cron show`, `next` and `why`.
 * @param verb - command that is run
 * @param routine - name or ID
 * @param options - format
 * @param context - terminal and environment
 */
export async function routineCommand(
  verb: "show" | "next" | "why",
  routine: string,
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  if (verb === "why") {
    const why = await withGatewayMethods(context, (call) => call("cron.why", { routine }), "reads");
    if (json) terminal.print(JSON.stringify(why));
    else for (const line of why.lines) terminal.print(line);
    return EXIT.ok;
  }
  const found = await withGatewayMethods(context, (call) => call("cron.get", { routine }), "reads");
  if (json) terminal.print(JSON.stringify(found));
  else if (verb === "show") printRoutine(found, context);
  else {
    terminal.print(`${found.schedule}: ${stateText(found)}`);
    printTimes(found.next, terminal);
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw cron runs`.
 * @param routine - name or ID
 * @param options - number of lines and format
 * @param context - terminal and environment
 */
export async function routineRunsCommand(
  routine: string,
  { limit: written = String(RUNS), json = false }: Format & { limit?: string },
  context: CommandContext,
): Promise<ExitCode> {
  const limit = Number(written);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_RUNS) {
    throw new UsageError(`--limit: expected a whole number from 1 to ${MOST_RUNS}, got ${written}`);
  }
  const { terminal } = context;
  const query = { routine, limit };
  const found = await withGatewayMethods(context, (call) => call("cron.runs", query), "reads");
  if (json) terminal.print(JSON.stringify(found));
  else if (found.runs.length === 0) {
    terminal.print(`It has not been due yet: ${stateText(found.routine)}.`);
  } else {
    const rows = found.runs.map((run) => [timeOf(run.plannedAt), run.origin, runText(run)]);
    printRows(rows, terminal, { titles: ["DUE", "BY", "OUTCOME"] });
  }
  return EXIT.ok;
}

function callText({ tool, params }: NonNullable<RoutineDetails["call"]>): string {
  return `${tool} ${JSON.stringify(params)}`;
}

function printRoutine(routine: RoutineDetails, { terminal }: CommandContext): void {
  const { name, routineId, schedule, prompt, action, agentId, askedIn, lastRun } = routine;
  const { call, catchUp, overlap, cooldownMs, model, quietHours, notify, contextPaths } = routine;
  terminal.print(`Routine "${name}" (${routineId})`);
  terminal.print(`Schedule: ${schedule}`);
  terminal.print(`State: ${stateText(routine)}`);
  if (lastRun !== undefined) {
    terminal.print(`Last run: ${timeOf(lastRun.plannedAt)} ${runText(lastRun)}`);
  }
  terminal.print(`Agent: ${agentId}${model === undefined ? "" : `, ${model}`}, ${action}`);
  const wanted = [
    ...(notify.onAttention ? ["attention"] : []),
    ...(notify.onFailure ? ["failure"] : []),
    ...(notify.onSuccess ? ["success"] : []),
  ];
  const told = wanted.length === 0 ? "nothing" : wanted.join(", ");
  terminal.print(
    `Results: ${askedIn === undefined ? "in its history only" : `${askedIn}: ${told}`}`,
  );
  const rest = cooldownMs === undefined ? "" : `, at least ${cooldownMs / 1000} s between runs`;
  const quiet = quietHours === undefined ? "" : `, quiet ${quietHours.from}-${quietHours.to}`;
  terminal.print(`Rules: catch-up ${catchUp}, overlap ${overlap}${rest}${quiet}`);
  terminal.print(`Task: ${call === undefined ? prompt : callText(call)}`);
  if (contextPaths !== undefined) terminal.print(`Files: ${contextPaths.join(", ")}`);
  printWebhook(routine, terminal);
  if (routine.next.length === 0) return;
  terminal.print("Next:");
  printTimes(routine.next, terminal);
}

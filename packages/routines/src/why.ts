import type { Routine, RoutineRun } from "@openclaw/store";
import { scheduleOf, shownDefinition } from "./definition.js";
import { shownTime } from "./schedules/words.js";
import { type RoutineState, wordsOf } from "./view.js";

const CAUSES: Readonly<Record<RoutineRun["origin"], string>> = {
  schedule: "due",
  manual: "started by a person",
  webhook: "set off by a request",
  event: "set off by a message",
  file: "set off by a file",
};

/**
 * Explains the last due time of a routine and the next one, in sentences.
 * @param state - the routine
 * @param runs - its due times, newest first
 */
export function explanation(
  { routine, nextAt }: RoutineState,
  runs: readonly RoutineRun[],
): readonly string[] {
  const { name, enabled, disabledReason } = routine;
  const schedule = scheduleOf(shownDefinition(routine));
  const zone = schedule?.timezone ?? "UTC";
  const disabled = disabledReason === undefined ? "" : `: ${disabledReason}`;
  return [
    `Routine "${name}": ${wordsOf(routine)}.`,
    ...(enabled ? [] : [`It is disabled${disabled}. \`openclaw cron enable ${name}\` enables it.`]),
    ...lastLines(runs, zone),
    nextLine(routine, nextAt, schedule?.kind, zone),
  ];
}

/**
 * Returns the status of a due time, in one line.
 * @param run - the due time
 * @param timezone - zone in which it is shown
 */
export function runText(run: RoutineRun, timezone: string): string {
  const { plannedAt, state, reason, origin, delivery } = run;
  // The lines after the first are the output of a command, which its message has.
  const why = reason === undefined ? "" : ` (${reason.split("\n", 1)[0]})`;
  const what = CAUSES[origin];
  return `${shownTime(plannedAt, timezone).local}  ${what}: ${state}${why}${deliveryText(delivery)}`;
}

function deliveryText(delivery: RoutineRun["delivery"]): string {
  if (delivery === undefined || delivery.state === "not-requested") return "";
  const why = delivery.reason === undefined ? "" : `: ${delivery.reason}`;
  return delivery.state === "delivered" ? ", delivered" : `, not delivered${why}`;
}

function lastLines(runs: readonly RoutineRun[], zone: string): readonly string[] {
  const [last] = runs;
  if (last === undefined) return ["It has not been due yet."];
  const done = runs.find(({ state }) => state !== "skipped" && state !== "missed");
  const lines = [`Last: ${runText(last, zone)}.`];
  if (done === undefined) return [...lines, "It has not run yet."];
  return done === last ? lines : [...lines, `Last run: ${runText(done, zone)}.`];
}

function nextLine(
  routine: Routine,
  nextAt: number | undefined,
  kind: string | undefined,
  zone: string,
): string {
  const { enabled } = routine;
  if (kind === undefined) {
    const words = wordsOf(routine);
    return `Next: ${words.charAt(0).toLowerCase()}${words.slice(1)}.`;
  }
  if (nextAt === undefined) return "Next: never; its schedule has no further time.";
  const { local, utc } = shownTime(nextAt, zone);
  const time = `${local} ${zone} (${utc})`;
  return enabled ? `Next: ${time}.` : `Next: none while it is disabled; by its schedule ${time}.`;
}

import type { Routine, RoutineRun } from "@openclaw/store";
import { scheduleOf, shownDefinition } from "./definition.js";
import { isQuiet, type QuietHours } from "./quiet-hours.js";
import { nextTime, type Schedule } from "./schedules/schedule.js";
import { shownTime } from "./schedules/words.js";
import { type RoutineState, wordsOf } from "./view.js";

const CAUSES: Readonly<Record<RoutineRun["origin"], string>> = {
  schedule: "due",
  manual: "started by a person",
  webhook: "set off by a request",
  event: "set off by a message",
  file: "set off by a file",
};

/** Due times in quiet hours after which the search for the first one outside of them ends. */
const MOST_QUIET = 1500;

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
  const definition = shownDefinition(routine);
  const schedule = scheduleOf(definition);
  const zone = schedule?.timezone ?? "UTC";
  const disabled = disabledReason === undefined ? "" : `: ${disabledReason}`;
  return [
    `Routine "${name}": ${wordsOf(routine)}.`,
    ...(enabled ? [] : [`It is disabled${disabled}. \`openclaw cron enable ${name}\` enables it.`]),
    ...lastLines(runs, zone),
    nextLine(routine, nextAt, schedule?.kind, zone),
    ...quietLines(nextAt, schedule, definition.quietHours),
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

/** Says that the next time is in quiet hours, and which one is the first outside of them (JOB-519). */
function quietLines(
  nextAt: number | undefined,
  schedule: Schedule | undefined,
  hours: QuietHours | undefined,
): readonly string[] {
  if (nextAt === undefined || schedule === undefined || hours === undefined) return [];
  const { timezone } = schedule;
  if (!isQuiet(hours, nextAt, timezone)) return [];
  let at: number | undefined = nextAt;
  for (let count = 0; at !== undefined && isQuiet(hours, at, timezone); count += 1) {
    at = count < MOST_QUIET ? nextTime(schedule, at) : undefined;
  }
  const first =
    at === undefined
      ? "no later one is outside of them"
      : `it runs ${shownTime(at, timezone).local}`;
  return [
    `That is in its quiet hours, ${hours.from} to ${hours.to} ${timezone}, and is skipped; ${first}.`,
  ];
}

import type { RoutineDetails, RoutineRunSummary, RoutineSummary } from "@openclaw/protocol";
import { timeOf } from "../shell/table.js";
import type { Terminal } from "../shell/terminal.js";

/** Characters of a reply that lists show. */
const LONGEST_ANSWER = 100;

/**
 * Prints due times, in the zone of the schedule and in UTC.
 * @param times - the next due times
 * @param terminal - terminal to print to
 */
export function printTimes(times: RoutineDetails["next"], { print }: Terminal): void {
  for (const { local, utc } of times) print(`  ${local}   ${utc}`);
}

/**
 * Prints the address of a webhook, and its secret, which is shown only when the webhook is set.
 * @param terminal - terminal to print to
 */
export function printWebhook(
  { name, webhook, webhookSecret }: RoutineDetails,
  { print }: Terminal,
): void {
  if (webhook === undefined) return;
  print(`Requests: POST ${webhook}, relative to the URL of the gateway`);
  print(
    webhookSecret === undefined
      ? `Secret: \`openclaw cron edit ${name} --webhook\` makes a new one`
      : `Secret: ${webhookSecret} (shown once; as bearer token, or to sign requests)`,
  );
}

/** Returns the state of a routine in words. */
export function stateText(routine: RoutineSummary): string {
  const { enabled, disabledReason, nextAt, schedule, kind } = routine;
  if (!enabled) return disabledReason === undefined ? "disabled" : `disabled: ${disabledReason}`;
  if (nextAt !== undefined) return `next ${timeOf(nextAt)}`;
  if (["at", "every", "cron"].includes(kind)) return "no next time";
  return `${schedule.charAt(0).toLowerCase()}${schedule.slice(1)}`;
}

/**
 * Returns the status of a due time in words.
 * @param run - the due time
 */
export function runText({ state, reason, delivery, answer = "" }: RoutineRunSummary): string {
  // The lines after the first are the output of a command, which its message has.
  const why = reason === undefined ? "" : ` (${reason.split("\n", 1)[0]})`;
  if (delivery === undefined || delivery.state === "not-requested") {
    const [line = ""] = answer.trim().split("\n");
    const said = line.length > LONGEST_ANSWER ? `${line.slice(0, LONGEST_ANSWER)}…` : line;
    return `${state}${why}${said === "" ? "" : `: ${said}`}`;
  }
  const problem = delivery.reason === undefined ? "" : `: ${delivery.reason}`;
  return delivery.state === "delivered"
    ? `${state}${why}, delivered`
    : `${state}${why}, not delivered${problem}`;
}

import type { RoutineDetails, RoutineRunSummary, RoutineSummary } from "@openclaw/protocol";
import { timeOf } from "../shell/table.js";
import type { Terminal } from "../shell/terminal.js";

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
 * @param routine - the routine
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

/**
 * Returns the state of a routine in words.
 * @param routine - the routine
 */
export function stateText({ enabled, disabledReason, nextAt }: RoutineSummary): string {
  if (!enabled) return disabledReason === undefined ? "disabled" : `disabled: ${disabledReason}`;
  return nextAt === undefined ? "no next time" : `next ${timeOf(nextAt)}`;
}

/**
 * Returns the status of a due time in words.
 * @param run - the due time
 */
export function runText({ state, reason, delivery }: RoutineRunSummary): string {
  const why = reason === undefined ? "" : ` (${reason})`;
  if (delivery === undefined || delivery.state === "not-requested") return `${state}${why}`;
  const problem = delivery.reason === undefined ? "" : `: ${delivery.reason}`;
  return delivery.state === "delivered"
    ? `${state}${why}, delivered`
    : `${state}${why}, not delivered${problem}`;
}

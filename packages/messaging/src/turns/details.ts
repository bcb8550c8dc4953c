import type { TurnOutcome } from "@openclaw/agent";
import { logRejection } from "@openclaw/agent";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Turn } from "@openclaw/store";
import type { Caller } from "../messages/inbound.js";

/**
 * Shows the details of a turn that has ended to its callers, in a session in which `/debug` is on (SUB-017).
 * @param callers - receivers of its reply
 * @param logger - receives the failure of a surface
 */
export function showDetails(
  turn: Pick<Turn, "runId" | "startedAt">,
  outcome: TurnOutcome,
  {
    callers,
    logger,
    now,
  }: {
    readonly callers: readonly Caller[];
    readonly logger: Logger;
    /** Milliseconds since the epoch. */
    readonly now: number;
  },
): void {
  const text = detailsOf(turn, outcome, now);
  for (const { onNotice, surface } of callers) {
    onNotice?.(text);
    const key = { idempotencyKey: `${turn.runId}:details` };
    if (surface !== undefined)
      logRejection(
        surface.send({ text }, key).then(() => {}),
        logger,
      );
  }
}

function detailsOf(
  { runId, startedAt }: Pick<Turn, "runId" | "startedAt">,
  outcome: TurnOutcome,
  now: number,
): string {
  const parts: string[] = [`Turn ${runId}: ${outcome.status}`];
  if (outcome.status === "completed") {
    const { input = 0, output = 0 } = outcome.usage;
    parts.push(outcome.stopReason, `${input} input and ${output} output tokens`);
  }
  if (outcome.status === "failed") parts.push(outcome.error.code);
  if (startedAt !== undefined) parts.push(`${((now - startedAt) / 1000).toFixed(1)} s`);
  return `${parts.join(", ")}.`;
}

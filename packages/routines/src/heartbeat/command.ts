import type { RoutineMessage } from "@openclaw/messaging";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { RoutineRun } from "@openclaw/store";
import type { Routines } from "../routines.js";

/**
 * Answers `/heartbeat`: runs one heartbeat now, and reports its outcome (SUB-019).
 * @param routines - the routines of the host
 * @param message - the sender
 */
export async function answerHeartbeat(
  { heartbeat }: Pick<Routines, "heartbeat">,
  { admitted }: RoutineMessage,
): Promise<string> {
  if (!admitted.senderIsOwner) return "Only an owner can start a heartbeat.";
  try {
    return outcomeText(await heartbeat.run());
  } catch (error) {
    if (OpenClawError.isInstance(error) && error.kind !== "internal") return `${error.message}.`;
    throw error;
  }
}

/**
 * Returns the end of a heartbeat in words.
 * @param run - the run; undefined when the host stopped before its end
 */
export function outcomeText(run: RoutineRun | undefined): string {
  switch (run?.state) {
    case "ok":
      return "Heartbeat: nothing needs attention.";
    case "attention":
      return run.answer ?? "";
    case "skipped":
      return `Heartbeat: no model was called, because ${run.reason ?? "there was nothing to do"}.`;
    case "failed":
      return `Heartbeat: it failed: ${run.reason ?? "no reason is known"}.`;
    default:
      return "Heartbeat: the gateway stops; the run continues with the next one.";
  }
}

import type { ConversationEvent } from "@openclaw/client/conversation";
import { DEMO_LABEL, isDemoModel } from "./demo-label.js";

/** Causes of failed model requests in the words of a user, by code; others are shown by their code. */
const CAUSES: Readonly<Record<string, string>> = {
  MODEL_RATE_LIMITED: "has reached its rate limit",
  MODEL_CONNECTION_FAILED: "could not be reached",
  MODEL_TIMEOUT: "did not respond in time",
  MODEL_INVALID_RESPONSE: "did not send a complete reply",
  MODEL_REQUEST_FAILED: "failed",
};

/**
 * Returns the line that tells a user why a reply takes longer, or comes from another model or the demo model.
 * @param event - event of the answer
 * @returns undefined for any other event
 */
export function modelNote(event: ConversationEvent): string | undefined {
  switch (event.type) {
    case "started":
      return isDemoModel(event.model) ? DEMO_LABEL : undefined;
    case "model-waiting": {
      const [waited, limit] = [event.waitedMs, event.limitMs].map((ms) => Math.round(ms / 1000));
      return `${event.model} has not answered for ${waited} s, at most ${limit} s`;
    }
    case "model-retry": {
      const seconds = Math.max(1, Math.round(event.waitMs / 1000));
      return `${event.model} ${causeOf(event.errorCode)}; trying again in ${seconds} s (${event.retry})`;
    }
    case "model-failover":
      return `${event.from} ${causeOf(event.errorCode)}; ${event.to} replies instead`;
    default:
      return undefined;
  }
}

function causeOf(code: string): string {
  return Object.hasOwn(CAUSES, code) ? (CAUSES[code] ?? code) : `failed with ${code}`;
}

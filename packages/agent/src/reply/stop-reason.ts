import type { AssistantMessage } from "@openclaw/plugin-sdk/tools";
import type { TurnStopReason } from "../context/event.js";

/**
 * Returns true if the model finished by itself, not because of a length limit or a filter (TURN-044).
 * @param message - final answer
 */
export function isNatural({ stopReason }: AssistantMessage): boolean {
  return stopReason === "stop" || stopReason === "other";
}

/**
 * Returns the stop reason of a turn that ends with an answer.
 * @param message - final answer
 */
export function finalReason({ stopReason }: AssistantMessage): TurnStopReason {
  switch (stopReason) {
    case "stop":
    case "length":
    case "content-filter":
      return stopReason;
    default:
      return "other";
  }
}

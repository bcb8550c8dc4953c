import type { AssistantMessage, UserMessage } from "@openclaw/plugin-sdk/tools";
import type { TurnScope } from "../context/scope.js";

/**
 * A message of the host's own in place of the model's.
 * @param turn - the running turn
 * @param text - what it says
 */
export function assistantNote({ services }: TurnScope, text: string): AssistantMessage {
  return {
    role: "assistant",
    content: [{ type: "text", text }],
    provider: "openclaw",
    model: "host",
    stopReason: "stop",
    timestamp: services.now(),
  };
}

/**
 * A message to the model, of the person or in the person's place.
 * @param turn - the running turn
 * @param text - what it says
 */
export function userNote({ services }: TurnScope, text: string): UserMessage {
  return { role: "user", content: [{ type: "text", text }], timestamp: services.now() };
}

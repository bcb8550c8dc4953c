import type { ChatEnd, ChatEvent as WireEvent } from "@openclaw/client";
import { defined } from "@openclaw/foundation";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import type { ChatEvent, ChatResult } from "./partner.js";

/**
 * Returns an event of a running gateway in the form of an event of a turn in this process, so that both have the same
 * screens.
 * @param event - event of a conversation
 * @returns undefined for an event that screens do not show
 */
export function screenEventOf(event: WireEvent): ChatEvent | undefined {
  switch (event.type) {
    case "started":
      return { type: "started", runId: event.runId, model: event.model };
    case "text":
    case "text-lost":
    case "tool-update":
      return event;
    case "tool-started":
      return { ...event, params: event.params as JsonValue };
    case "tool-blocked":
    case "model-waiting":
    case "model-retry":
    case "model-failover":
    case "context-used":
      return event;
    case "tool-result": {
      const { toolCallId, toolName, outcome, preview, durationMs } = event;
      return { type: "tool-finished", toolCallId, toolName, outcome, preview, durationMs };
    }
    default:
      return undefined;
  }
}

/**
 * Returns the result of an exchange.
 * @param end - last event of a conversation
 */
export function resultOf(end: ChatEnd): ChatResult {
  if (end.type === "error") return { ok: false, problem: end.error.message };
  if (end.status === "interrupted") return { ok: false, problem: "interrupted" };
  if (end.status === "withheld" && end.text === "") {
    return { ok: false, problem: "a plugin cancelled the reply" };
  }
  const { text, usage, unapprovedTools } = end;
  return { ok: true, text, usage, ...defined({ unapprovedTools }) };
}

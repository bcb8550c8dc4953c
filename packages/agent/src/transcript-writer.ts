import type { AgentMessage, JsonValue, ToolResultMessage } from "@openclaw/plugin-sdk/tools";
import type { TurnScope } from "./turn-scope.js";

/** Largest `details` a transcript keeps, in bytes of JSON (HCR-014). */
const MAXIMUM_DETAILS_BYTES = 8192;
const MAXIMUM_DETAIL_KEYS = 20;

/**
 * Appends a message to the transcript after `before_message_write` has seen it.
 * @param turn - the running turn
 * @param message - what would be written
 * @returns what was written; undefined when a hook dropped it
 */
export async function writeMessage(
  turn: TurnScope,
  message: AgentMessage,
): Promise<AgentMessage | undefined> {
  const { pin, context, request } = turn;
  const { sessionKey, agentId } = request;
  const verdict = pin.hooks.sync("before_message_write", { message, sessionKey, agentId }, context);
  if (verdict?.block === true) return undefined;
  return append(turn, verdict?.message ?? message);
}

/**
 * Appends the answer to a tool call after `tool_result_persist` and `before_message_write`. An answer
 * that a hook drops is replaced, so that every call keeps one in the history (TURN-042).
 * @param turn - the running turn
 * @param message - the answer
 * @param isSynthetic - true for answers the host made: refused, timed out, interrupted
 * @returns what was written
 */
export async function writeToolResult(
  turn: TurnScope,
  message: ToolResultMessage,
  isSynthetic: boolean,
): Promise<AgentMessage> {
  const { toolName, toolCallId } = message;
  const persisted = turn.pin.hooks.sync(
    "tool_result_persist",
    { toolName, toolCallId, message, isSynthetic },
    { ...turn.context, toolName, toolCallId },
  );
  const written = await writeMessage(turn, persisted?.message ?? message);
  if (written !== undefined) return written;
  return append(turn, {
    role: "toolResult",
    toolCallId,
    toolName,
    isError: message.isError,
    content: [{ type: "text", text: "[This result was withheld by a plugin.]" }],
    timestamp: message.timestamp,
  });
}

async function append(
  { request, services }: TurnScope,
  message: AgentMessage,
): Promise<AgentMessage> {
  const bounded = boundDetails(message);
  const { sessionId, runId } = request;
  await services.store.transcript.append({ sessionId, runId, message: bounded });
  request.onEvent({ type: "message", message: bounded });
  return bounded;
}

function boundDetails(message: AgentMessage): AgentMessage {
  if (message.role !== "toolResult" || message.details === undefined) return message;
  const originalBytes = Buffer.byteLength(JSON.stringify(message.details));
  if (originalBytes <= MAXIMUM_DETAILS_BYTES) return message;
  return {
    ...message,
    details: {
      summary: "details were too large to keep",
      originalBytes,
      keys: keysOf(message.details),
    },
    persistedDetailsTruncated: true,
  };
}

function keysOf(details: JsonValue): string[] {
  const isObject = typeof details === "object" && details !== null && !Array.isArray(details);
  return isObject ? Object.keys(details).slice(0, MAXIMUM_DETAIL_KEYS) : [];
}

import type { DispatchDetails } from "@openclaw/hook-runner";
import { isPluginHookExecutionError } from "@openclaw/plugin-sdk/errors";
import type {
  AgentMessage,
  GateBlock,
  JsonValue,
  ToolResultMessage,
} from "@openclaw/plugin-sdk/tools";
import type { JournalStep, Store } from "@openclaw/store";
import { sessionContext, type TurnScope, toolContext } from "../context/scope.js";
import { assistantNote } from "./message-note.js";
import { standIn } from "./message-replacement.js";

/** Largest `details` a transcript keeps, in bytes of JSON (HCR-014). */
const MAXIMUM_DETAILS_BYTES = 8192;
const MAXIMUM_DETAIL_KEYS = 20;

/**
 * Appends a message to the transcript after `before_message_write` has seen it, unless that was done
 * before.
 * @param turn - the running turn
 * @param message - what would be written
 * @param steps - what else is done with it, in one transaction
 * @returns what was written; undefined when a hook dropped it
 */
export async function writeMessage(
  turn: TurnScope,
  message: AgentMessage,
  steps: readonly JournalStep[] = [],
): Promise<AgentMessage | undefined> {
  const settled = turn.record.takeMessage(message.role);
  if (settled !== undefined) return settled.status === "stored" ? settled.message : undefined;
  const accepted = beforeWrite(turn, message);
  if (accepted !== undefined) return await append(turn, accepted, steps);
  await journalTogether(turn, [...steps, { kind: "message-dropped", role: message.role }]);
  return undefined;
}

/**
 * Writes what stands in place of a blocked message and forgets the message, in one step (TURN-024).
 * @param turn - the running turn
 * @param text - shown to the person
 * @param gate - who blocked it, and when
 * @param end - the step that ends the turn
 */
export async function writeBlock(
  turn: TurnScope,
  text: string,
  gate: GateBlock,
  end: JournalStep,
): Promise<void> {
  const accepted = beforeWrite(turn, { ...assistantNote(turn, text), gate });
  const withhold = (unit: Store) => unit.turns.withhold(turn.request.runId);
  if (accepted === undefined) await journalTogether(turn, [end], withhold);
  else await append(turn, accepted, [end], withhold);
}

/** The message as `before_message_write` leaves it; undefined when a handler drops it. */
function beforeWrite(turn: TurnScope, message: AgentMessage): AgentMessage | undefined {
  const { sessionKey, agentId } = turn.request;
  const event = { message, sessionKey, agentId };
  const { hooks } = turn.pin;
  const details = hooks.detailedSync("before_message_write", event, sessionContext(turn));
  return details.result?.block === true ? undefined : replaced(turn, message, details);
}

/**
 * Appends the answer to a tool call after `tool_result_persist` and `before_message_write`. An answer
 * that a hook drops is replaced, so that every call keeps one in the history (TURN-042). One that was
 * written before stays as it is.
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
  const settled = turn.record.takeMessage(message.role);
  if (settled?.status === "stored") return settled.message;
  const persisted = persist(turn, message, isSynthetic);
  const written = persisted && beforeWrite(turn, persisted);
  if (written !== undefined) return await append(turn, written);
  const { toolCallId, toolName, isError, timestamp } = message;
  const content = [{ type: "text" as const, text: "[This result was withheld by a plugin.]" }];
  return append(turn, { role: "toolResult", toolCallId, toolName, isError, content, timestamp });
}

/** The answer as `tool_result_persist` leaves it; undefined when a handler that was to count failed (HCR-004). */
function persist(
  turn: TurnScope,
  message: ToolResultMessage,
  isSynthetic: boolean,
): AgentMessage | undefined {
  const { toolName, toolCallId } = message;
  const event = { toolName, toolCallId, message, isSynthetic };
  try {
    const { hooks } = turn.pin;
    const context = toolContext(turn, toolName, toolCallId);
    return replaced(turn, message, hooks.detailedSync("tool_result_persist", event, context));
  } catch (error) {
    if (isPluginHookExecutionError(error)) return undefined;
    throw error;
  }
}

function replaced(
  { services }: TurnScope,
  original: AgentMessage,
  { result, contributions }: DispatchDetails<{ message?: AgentMessage }>,
): AgentMessage {
  if (result?.message === undefined) return original;
  const message = standIn(original, result.message);
  if (message !== undefined) return message;
  const author = contributions.findLast(
    (contribution) => contribution.result.message !== undefined,
  );
  const pluginId = author?.registration.owner;
  const problem = `plugin "${pluginId}" gave a message that cannot stand for the one to be written, which was written instead; return one of the same role and call, made of message parts`;
  services.logger.error(problem, { code: "MESSAGE_REPLACEMENT_INVALID", pluginId });
  return original;
}

async function append(
  turn: TurnScope,
  message: AgentMessage,
  steps: readonly JournalStep[] = [],
  beside?: (unit: Store) => Promise<unknown>,
): Promise<AgentMessage> {
  const { request, services } = turn;
  const bounded = boundDetails(message);
  const { sessionId, runId } = request;
  const entry = { sessionId, runId, message: bounded };
  if (steps.length === 0) await services.store.transcript.append(entry);
  else {
    await journalTogether(turn, steps, async (unit) => {
      await beside?.(unit);
      await unit.transcript.append(entry);
    });
  }
  request.onEvent({ type: "message", message: bounded });
  return bounded;
}

async function journalTogether(
  { request, services }: TurnScope,
  steps: readonly JournalStep[],
  beside?: (unit: Store) => Promise<unknown>,
): Promise<void> {
  await services.store.transaction(async (unit) => {
    for (const step of steps) await unit.journal.append({ runId: request.runId, step });
    await beside?.(unit);
  });
}

/**
 * A message as it may be stored: of too large `details` only what they were.
 * @param message - any message
 */
export function boundDetails<Message extends AgentMessage>(message: Message): Message {
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

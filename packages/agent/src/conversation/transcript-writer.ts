import { redactForDisplay } from "@openclaw/approval-broker";
import { wellFormed } from "@openclaw/foundation";
import type { DispatchDetails } from "@openclaw/hook-runner";
import type { Logger } from "@openclaw/plugin-sdk";
import { isPluginHookExecutionError } from "@openclaw/plugin-sdk/errors";
import type { AgentMessage, GateBlock, ToolResultMessage } from "@openclaw/plugin-sdk/tools";
import type { JournalStep, Store } from "@openclaw/store";
import { sessionContext, toolContext } from "../context/hook-context.js";
import type { RunningTurn } from "../context/turn.js";
import type { TurnWrite } from "../context/turn-write.js";
import type { ResumeState } from "../journal/resume-state.js";
import { boundDetails } from "../journal/stored-details.js";
import { commitWrite, deferWrite } from "../journal/turn-writes.js";
import { assistantNote } from "./message-note.js";
import { standIn } from "./message-replacement.js";

/** Dependencies of the functions that write messages. */
export interface TranscriptDependencies {
  readonly store: Store;
  readonly logger: Logger;
  /** Messages that the run wrote or dropped before. */
  readonly resumeState: Pick<ResumeState, "takeMessage">;
}

/** Dependencies of {@link writeBlock}. */
export interface BlockDependencies extends Omit<TranscriptDependencies, "resumeState"> {
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

type Turn = RunningTurn<TranscriptDependencies>;
type FreshTurn = RunningTurn<Omit<TranscriptDependencies, "resumeState">>;

/** Settings of {@link writeMessage}. */
export interface MessageWriting {
  /** Further writes in the same transaction. */
  readonly steps?: readonly JournalStep[] | undefined;
  /** Set to let the write share the commit of the turn's next one. */
  readonly isDeferred?: boolean | undefined;
}

/**
 * Appends a message to the transcript after `before_message_write` has seen it, unless that was done
 * before.
 * @param writing - steps and commit of the write
 * @returns the written message; undefined when a hook dropped it
 */
export async function writeMessage(
  turn: Turn,
  message: AgentMessage,
  { steps = [], isDeferred = false }: MessageWriting = {},
): Promise<AgentMessage | undefined> {
  const settled = turn.dependencies.resumeState.takeMessage(message.role);
  if (settled !== undefined) return settled.status === "stored" ? settled.message : undefined;
  const accepted = beforeWrite(turn, message);
  if (accepted === undefined) {
    const dropped = journal(turn, [...steps, { kind: "message-dropped", role: message.role }]);
    if (isDeferred) deferWrite(turn, { write: dropped });
    else await commitWrite(turn, dropped);
    return undefined;
  }
  if (!isDeferred) return await append(turn, accepted, steps);
  const { bounded, write, event } = appending(turn, accepted, steps);
  deferWrite(turn, { write, event });
  return bounded;
}

/**
 * Replaces a blocked message by a notice and deletes the message, in one transaction (TURN-024).
 * @param text - notice shown to the user
 * @param gate - the plugin that blocked it, and the time
 * @param end - the step that ends the turn
 */
export async function writeBlock(
  turn: RunningTurn<BlockDependencies>,
  text: string,
  gate: GateBlock,
  end: JournalStep,
): Promise<void> {
  const accepted = beforeWrite(turn, { ...assistantNote(text, turn.dependencies.now()), gate });
  const eraseText = (unit: Store) => unit.turns.eraseText(turn.request.runId);
  if (accepted === undefined) await commitWrite(turn, journal(turn, [end], eraseText));
  else await append(turn, accepted, [end], eraseText);
}

/** Returns the message after `before_message_write`; undefined when a handler drops it. */
function beforeWrite(turn: FreshTurn, message: AgentMessage): AgentMessage | undefined {
  const { sessionKey, agentId } = turn.request;
  const event = { message, sessionKey, agentId };
  const { hooks } = turn.pin;
  const details = hooks.detailedSync("before_message_write", event, sessionContext(turn));
  return details.result?.block === true ? undefined : replaced(turn, message, details);
}

/**
 * Appends the answer to a tool call after `tool_result_persist` and `before_message_write`. An answer that
 * a hook drops is replaced, so that every call has an answer in the history (TURN-042). An answer that was
 * written before is not changed.
 * @param message - the answer
 * @param isSynthetic - true for answers made by the host: denied, timed out, interrupted
 * @returns the written message
 */
export async function writeToolResult(
  turn: Turn,
  message: ToolResultMessage,
  isSynthetic: boolean,
): Promise<AgentMessage> {
  const settled = turn.dependencies.resumeState.takeMessage(message.role);
  if (settled?.status === "stored") return settled.message;
  const persisted = persist(turn, message, isSynthetic);
  const written = persisted && beforeWrite(turn, persisted);
  if (written !== undefined) return await append(turn, written);
  const { toolCallId, toolName, isError, timestamp } = message;
  const content = [{ type: "text" as const, text: "[A plugin removed this result.]" }];
  return append(turn, { role: "toolResult", toolCallId, toolName, isError, content, timestamp });
}

/** Returns the answer after `tool_result_persist`; undefined when a `fail-closed` handler failed (HCR-004). */
function persist(
  turn: FreshTurn,
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
  { dependencies }: Pick<FreshTurn, "dependencies">,
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
  const problem = `plugin "${pluginId}" returned an invalid replacement for a message, so the original was written; return a message of the same role and call, made of message parts`;
  dependencies.logger.error(problem, { code: "MESSAGE_REPLACEMENT_INVALID", pluginId });
  return original;
}

async function append(
  turn: FreshTurn,
  message: AgentMessage,
  steps: readonly JournalStep[] = [],
  beside?: TurnWrite,
): Promise<AgentMessage> {
  const { bounded, write, event } = appending(turn, message, steps, beside);
  await commitWrite(turn, write);
  turn.request.onEvent(event);
  return bounded;
}

/** Returns a message as it is stored, its write, and the event to send when that is committed. */
function appending(
  turn: FreshTurn,
  message: AgentMessage,
  steps: readonly JournalStep[],
  beside?: TurnWrite,
) {
  const bounded = wellFormed(boundDetails(withoutCallSecrets(message)));
  const { sessionId, runId } = turn.request;
  const write = journal(turn, steps, async (unit) => {
    await beside?.(unit);
    await unit.messages.transcript.append({ sessionId, runId, message: bounded });
  });
  const event = { type: "message", message: bounded } as const;
  return { bounded, write, event };
}

/** Returns a message whose tool calls have no secrets in their parameters: only the journal has these (APPR-011). */
function withoutCallSecrets(message: AgentMessage): AgentMessage {
  if (message.role !== "assistant") return message;
  const content = message.content.map((part) =>
    part.type === "toolCall" ? { ...part, params: redactForDisplay(part.params) } : part,
  );
  return { ...message, content };
}

/** Returns the write of steps and their rows. */
function journal(
  { request: { runId } }: Pick<FreshTurn, "request">,
  steps: readonly JournalStep[],
  beside?: TurnWrite,
): TurnWrite {
  return async (unit) => {
    for (const step of steps) await unit.turns.journal.append({ runId, step });
    await beside?.(unit);
  };
}

import type { DispatchDetails } from "@openclaw/hook-runner";
import type { Logger } from "@openclaw/plugin-sdk";
import { isPluginHookExecutionError } from "@openclaw/plugin-sdk/errors";
import type { AgentMessage, GateBlock, ToolResultMessage } from "@openclaw/plugin-sdk/tools";
import type { JournalStep, Store } from "@openclaw/store";
import { sessionContext, toolContext } from "../context/hook-context.js";
import type { RunningTurn } from "../context/turn.js";
import type { ResumeState } from "../journal/resume-state.js";
import { boundDetails } from "../journal/stored-details.js";
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

/**
 * Appends a message to the transcript after `before_message_write` has seen it, unless that was done
 * before.
 * @param turn - the running turn
 * @param message - what would be written
 * @param steps - what else is done with it, in one transaction
 * @returns what was written; undefined when a hook dropped it
 */
export async function writeMessage(
  turn: Turn,
  message: AgentMessage,
  steps: readonly JournalStep[] = [],
): Promise<AgentMessage | undefined> {
  const settled = turn.dependencies.resumeState.takeMessage(message.role);
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
  turn: RunningTurn<BlockDependencies>,
  text: string,
  gate: GateBlock,
  end: JournalStep,
): Promise<void> {
  const accepted = beforeWrite(turn, { ...assistantNote(text, turn.dependencies.now()), gate });
  const withhold = (unit: Store) => unit.turns.withhold(turn.request.runId);
  if (accepted === undefined) await journalTogether(turn, [end], withhold);
  else await append(turn, accepted, [end], withhold);
}

/** The message as `before_message_write` leaves it; undefined when a handler drops it. */
function beforeWrite(turn: FreshTurn, message: AgentMessage): AgentMessage | undefined {
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
  const content = [{ type: "text" as const, text: "[This result was withheld by a plugin.]" }];
  return append(turn, { role: "toolResult", toolCallId, toolName, isError, content, timestamp });
}

/** The answer as `tool_result_persist` leaves it; undefined when a handler that was to count failed (HCR-004). */
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
  const problem = `plugin "${pluginId}" gave a message that cannot stand for the one to be written, which was written instead; return one of the same role and call, made of message parts`;
  dependencies.logger.error(problem, { code: "MESSAGE_REPLACEMENT_INVALID", pluginId });
  return original;
}

async function append(
  turn: FreshTurn,
  message: AgentMessage,
  steps: readonly JournalStep[] = [],
  beside?: (unit: Store) => Promise<unknown>,
): Promise<AgentMessage> {
  const { request, dependencies } = turn;
  const bounded = boundDetails(message);
  const { sessionId, runId } = request;
  const entry = { sessionId, runId, message: bounded };
  if (steps.length === 0) await dependencies.store.messages.transcript.append(entry);
  else {
    await journalTogether(turn, steps, async (unit) => {
      await beside?.(unit);
      await unit.messages.transcript.append(entry);
    });
  }
  request.onEvent({ type: "message", message: bounded });
  return bounded;
}

async function journalTogether(
  { request, dependencies }: Pick<FreshTurn, "request" | "dependencies">,
  steps: readonly JournalStep[],
  beside?: (unit: Store) => Promise<unknown>,
): Promise<void> {
  await dependencies.store.transaction(async (unit) => {
    for (const step of steps) await unit.turns.journal.append({ runId: request.runId, step });
    await beside?.(unit);
  });
}

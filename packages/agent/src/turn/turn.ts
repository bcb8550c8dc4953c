import { errorMessage } from "@openclaw/foundation";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { TurnOutcome } from "../context/event.js";
import {
  openTurnScope,
  type PluginPin,
  type TurnRequest,
  type TurnScope,
  type TurnServices,
} from "../context/scope.js";
import { isSuspended } from "../context/suspension.js";
import { assistantNote, userNote } from "../conversation/message-note.js";
import { writeMessage } from "../conversation/transcript-writer.js";
import { journalResumption, journalStep } from "../journal/journal.js";
import { conclusionStep, loadTurnRecord } from "../journal/resume-state.js";
import { describeError, tellTheEnd } from "./end.js";
import { askGate } from "./gate.js";
import { runModelLoop } from "./model-loop.js";
import { prepareTurn } from "./preparation.js";
import { preparedStep } from "./prepared-turn.js";

/**
 * Runs one turn: from a stored message to the text of its reply. It never throws for what a model, a
 * tool or a plugin did; the outcome says how it ended, and the transcript holds what happened. A run that
 * was begun before goes on where its journal ends (TURN-054).
 * @param request - the turn
 * @param services - what the host lends
 * @param pin - the plugins it runs with, kept to its end
 */
export async function runTurn(
  request: TurnRequest,
  services: TurnServices,
  pin: PluginPin,
): Promise<TurnOutcome> {
  const startedAt = performance.now();
  const messages: AgentMessage[] = [];
  let turn = openTurnScope(request, services, pin);
  let outcome: TurnOutcome;
  try {
    const record = await loadTurnRecord(request, services.store);
    if (!record.isEmpty) turn = openTurnScope(request, services, pin, record);
    outcome = record.conclusion ?? (await converse(turn, messages));
    if (record.conclusion !== undefined) messages.push(...record.messages);
  } catch (error) {
    outcome = outcomeOf(error, request.signal);
  }
  if (outcome.status === "paused") {
    request.onEvent({ type: "paused", approvalId: outcome.approvalId });
    return outcome;
  }
  if (outcome.status === "failed" || outcome.status === "interrupted") {
    await callOffQuestions(request, services, outcome.status);
  }
  const durationMs = Math.round(performance.now() - startedAt);
  if (outcome.status !== "suspended") tellTheEnd(turn, messages, outcome, durationMs);
  request.onEvent({ type: "finished", outcome });
  return outcome;
}

/** How a turn ends that cannot go on. */
function outcomeOf(error: unknown, signal: AbortSignal): TurnOutcome {
  if (isSuspended(signal)) return { status: "suspended", text: "" };
  if (signal.aborted) return { status: "interrupted", text: "" };
  return { status: "failed", error: describeError(error), text: "" };
}

/** Nobody is to answer for a turn that has ended (APPR-015). */
async function callOffQuestions(
  { runId }: TurnRequest,
  { approvals, logger }: TurnServices,
  by: string,
): Promise<void> {
  try {
    await approvals.cancelFor({ runId }, by);
  } catch (error) {
    const problem = `the questions of a turn could not be called off: ${errorMessage(error)}`;
    logger.error(problem, { code: "APPROVAL_NOT_CANCELLED", runId });
  }
}

/** The turn itself; throws where it cannot go on. */
async function converse(turn: TurnScope, messages: AgentMessage[]): Promise<TurnOutcome> {
  const { request, record } = turn;
  const prepared = await prepareTurn(turn);
  if (record.prepared === undefined) {
    request.onEvent({ type: "started", runId: request.runId, model: prepared.model.ref });
    const blocked = await askGate(turn, prepared);
    if (blocked !== undefined) return blocked;
  } else await journalResumption(turn);

  const question = userNote(turn, request.text);
  const written = await writeMessage(turn, question, [preparedStep(turn, prepared)]);
  if (written !== undefined) messages.push(written);

  const claimed = record.modelWasAsked ? undefined : await claimReply(turn, messages);
  return claimed ?? (await runModelLoop(turn, prepared, messages));
}

/** A plugin may answer in the model's place (TURN-025). */
async function claimReply(
  turn: TurnScope,
  messages: AgentMessage[],
): Promise<TurnOutcome | undefined> {
  const { request, pin } = turn;
  const claim = await pin.hooks.claim(
    "before_agent_reply",
    {
      cleanedBody: request.text,
      trigger: request.trigger,
      ...(request.attachments === undefined ? {} : { attachments: [...request.attachments] }),
    },
    turn.context,
    { signal: request.signal },
  );
  if (claim?.handled !== true) return undefined;
  const text = claim.reply?.text ?? "";
  const outcome = {
    status: "completed",
    text,
    stopReason: "answered-by-plugin",
    usage: {},
  } as const;
  if (text === "") await journalStep(turn, conclusionStep(outcome));
  else {
    const spoken = await writeMessage(turn, assistantNote(turn, text), [conclusionStep(outcome)]);
    if (spoken !== undefined) messages.push(spoken);
  }
  return outcome;
}

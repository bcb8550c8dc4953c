import type { ApprovalBroker } from "@openclaw/approval-broker";
import { defined, errorMessage } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { type ClientToolResult, hasUserMessage } from "../context/client.js";
import type { FinalOutcome, TurnEvent, TurnOutcome } from "../context/event.js";
import type { PluginPin } from "../context/plugin-pin.js";
import type { TurnRequest } from "../context/request.js";
import { isSuspended } from "../context/suspension.js";
import { type RunningTurn, startTurn } from "../context/turn.js";
import { assistantNote, userNote } from "../conversation/message-note.js";
import {
  type TranscriptDependencies,
  writeMessage,
  writeToolResult,
} from "../conversation/transcript-writer.js";
import { journalResumption, journalStep } from "../journal/journal.js";
import { conclusionStep, loadResumeState, ResumeState } from "../journal/resume-state.js";
import { takeWaitingWrites } from "../journal/turn-writes.js";
import { answerClientCall } from "../tool-call/pipeline.js";
import { unapprovedTools } from "../tool-call/unapproved.js";
import { turnTrace } from "../tracing.js";
import { notifyContextEngine } from "./context-engine.js";
import type { TurnDependencies } from "./dependencies.js";
import { describeError, notifyTurnEnd } from "./end.js";
import { askGate } from "./gate.js";
import { runModelLoop } from "./model-loop.js";
import { prepareTurn } from "./preparation.js";
import { type PreparedTurn, preparedStep } from "./prepared-turn.js";

type Turn = RunningTurn<TurnDependencies & { readonly resumeState: ResumeState }>;

/**
 * Runs one turn: from a stored message to the text of its reply. It does not throw for errors of a model, a
 * tool or a plugin; they are in the outcome, and the transcript holds what happened. A run that was started
 * before continues where its journal ends (TURN-054).
 * @param dependencies - dependencies that the host provides
 * @param pin - the plugins it runs with, kept until its end
 * @throws what `conclude` of the request throws
 */
export function runTurn(
  request: TurnRequest,
  dependencies: TurnDependencies,
  pin: PluginPin,
): Promise<TurnOutcome> {
  const { runId, sessionKey, agentId, trigger, trace } = request;
  return turnTrace.trace(
    () => ({ runId, sessionKey, agentId, trigger, traceId: trace?.traceId }),
    () => run(request, dependencies, pin),
    ({ status }) => ({ outcome: status }),
  );
}

async function run(
  request: TurnRequest,
  dependencies: TurnDependencies,
  pin: PluginPin,
): Promise<TurnOutcome> {
  const startedAt = performance.now();
  const messages: AgentMessage[] = [];
  const withState = (resumeState: ResumeState): Turn =>
    startTurn(request, pin, { ...dependencies, resumeState });
  let turn = withState(new ResumeState(request.runId));
  let outcome: TurnOutcome;
  try {
    if (request.isNew !== true) {
      const recorded = await loadResumeState(request, dependencies.store);
      if (!recorded.isEmpty) turn = withState(recorded);
      for (const [id, call] of recorded.unapproved) turn.state.unapproved.set(id, call);
    }
    const { conclusion, messages: earlier } = turn.dependencies.resumeState;
    outcome = withUnapproved(turn, conclusion ?? (await converse(turn, messages)));
    if (conclusion !== undefined) messages.push(...earlier);
  } catch (error) {
    outcome = outcomeOf(error, request.signal);
  } finally {
    // The owner of the request keeps its harness while the turn waits.
    if (request.harnessRun === undefined) turn.state.harnessRun[Symbol.dispose]();
  }
  if (outcome.status === "paused") {
    request.onEvent({ type: "paused", approvalId: outcome.approvalId });
    return outcome;
  }
  if (outcome.status === "failed" || outcome.status === "interrupted") {
    await cancelApprovals(request, dependencies, outcome.status);
  }
  const durationMs = () => Math.round(performance.now() - startedAt);
  try {
    if (outcome.status !== "suspended") await conclude(turn, outcome);
  } catch (error) {
    const failed = { status: "failed", error: describeError(error), text: "" } as const;
    notifyTurnEnd(turn, messages, failed, durationMs());
    request.onEvent({ type: "finished", outcome: failed });
    // A host that stores the end also handles what it could not store.
    if (request.conclude !== undefined) throw error;
    return failed;
  }
  if (outcome.status !== "suspended") {
    notifyTurnEnd(turn, messages, outcome, durationMs());
    // Before the next turn of the session, which the engine prepares from this one.
    await notifyContextEngine(turn, turn.state.selected, messages);
  }
  show(turn, { type: "finished", outcome });
  return outcome;
}

/** Stores the last writes of a turn, together with what the host stores of its end. */
async function conclude(turn: Turn, outcome: FinalOutcome): Promise<void> {
  const { request, state, dependencies } = turn;
  const { write, committed } = takeWaitingWrites(state);
  if (request.conclude !== undefined) await request.conclude(outcome, write);
  else await dependencies.store.transaction(write);
  for (const event of committed) show(turn, event);
}

/** Sends an event of a turn whose end is stored: a surface that fails no longer changes the outcome. */
function show({ request, dependencies }: Turn, event: TurnEvent): void {
  try {
    request.onEvent(event);
  } catch (error) {
    const problem = `the end of a turn could not be shown: ${errorMessage(error)}`;
    dependencies.logger.error(problem, { code: "TURN_END_NOT_SHOWN", runId: request.runId });
  }
}

function withUnapproved(turn: Turn, outcome: TurnOutcome): TurnOutcome {
  if (outcome.status !== "completed") return outcome;
  return { ...outcome, ...unapprovedTools(turn) };
}

/** Returns the outcome of a turn that threw an error. */
function outcomeOf(error: unknown, signal: AbortSignal): TurnOutcome {
  if (isSuspended(signal)) return { status: "suspended", text: "" };
  if (signal.aborted) return { status: "interrupted", text: "" };
  return { status: "failed", error: describeError(error), text: "" };
}

/** Dependencies of {@link cancelApprovals}. */
interface CancellationDependencies {
  readonly approvals: Pick<ApprovalBroker, "cancelFor">;
  readonly logger: Logger;
}

/** Approval requests of a turn that has ended are cancelled (APPR-015). */
async function cancelApprovals(
  { runId }: TurnRequest,
  { approvals, logger }: CancellationDependencies,
  by: string,
): Promise<void> {
  try {
    await approvals.cancelFor({ runId }, by);
  } catch (error) {
    const problem = `the approval requests of a turn could not be cancelled: ${errorMessage(error)}`;
    logger.error(problem, { code: "APPROVAL_NOT_CANCELLED", runId });
  }
}

/** Runs the turn; throws when it cannot continue. */
async function converse(turn: Turn, messages: AgentMessage[]): Promise<TurnOutcome> {
  const { request } = turn;
  const { resumeState, now } = turn.dependencies;
  const prepared = await prepareTurn(turn);
  turn.state.selected = prepared.history.messages;
  if (resumeState.prepared === undefined) {
    request.onEvent({ type: "started", runId: request.runId, model: prepared.model.ref });
    const blocked = await askGate(turn, prepared);
    if (blocked !== undefined) return blocked;
  } else await journalResumption(turn);

  const { media, results } = request.client ?? {};
  if (results !== undefined) {
    const answered = await acceptResults(turn, prepared, results);
    if ("status" in answered) return answered;
    messages.push(...answered);
    if (hasUserMessage(request)) {
      const said = await writeMessage(turn, userNote(request.text, now(), media));
      if (said !== undefined) messages.push(said);
    }
    const { user } = prepared.prompt;
    const isSilent = user === "" && (media ?? []).length === 0;
    const opening = isSilent ? answered : [...answered, userNote(user, now(), media)];
    return await runModelLoop(turn, prepared, { opening, messages });
  }

  const message = userNote(request.text, now(), media);
  // Committed with the request to the model, or with the end of a turn that makes none.
  const steps = [preparedStep(turn, prepared)];
  const written = await writeMessage(turn, message, { steps, isDeferred: true });
  if (written !== undefined) messages.push(written);

  const claimed = resumeState.modelWasAsked ? undefined : await claimReply(turn, messages);
  if (claimed !== undefined) return claimed;
  const opening = [userNote(prepared.prompt.user, now(), media)];
  return await runModelLoop(turn, prepared, { opening, messages });
}

/** Writes the results with which a client continues after calls of its tools (GW-036). */
async function acceptResults(
  turn: Turn,
  prepared: PreparedTurn,
  results: readonly ClientToolResult[],
): Promise<AgentMessage[] | Extract<TurnOutcome, { status: "paused" }>> {
  if (turn.dependencies.resumeState.prepared === undefined) {
    await journalStep(turn, preparedStep(turn, prepared));
  }
  const written: AgentMessage[] = [];
  for (const result of results) {
    const called = await answerClientCall(result, turn);
    if (called.status === "pending") {
      return { status: "paused", text: "", approvalId: called.approval.id };
    }
    const { message, isSynthetic } = called.answer;
    written.push(await writeToolResult(turn, message, isSynthetic));
  }
  return written;
}

/** Dependencies of {@link claimReply}. */
type ClaimDependencies = TranscriptDependencies & {
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
};

/** Returns the reply of a plugin that answers instead of the model (TURN-025). */
async function claimReply(
  turn: RunningTurn<ClaimDependencies>,
  messages: AgentMessage[],
): Promise<TurnOutcome | undefined> {
  const { request, pin } = turn;
  const claim = await pin.hooks.claim(
    "before_agent_reply",
    {
      cleanedBody: request.text,
      trigger: request.trigger,
      ...defined({ attachments: request.attachments && [...request.attachments] }),
    },
    turn.state.hookContext,
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
    const spoken = await writeMessage(turn, assistantNote(text, turn.dependencies.now()), {
      steps: [conclusionStep(outcome)],
      isDeferred: true,
    });
    if (spoken !== undefined) messages.push(spoken);
  }
  return outcome;
}

import { resolutionOf } from "@openclaw/approval-broker";
import { errorMessage, jsonCopy } from "@openclaw/foundation";
import { isMalformedToolCall } from "@openclaw/models";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { JournalStep, Store } from "@openclaw/store";
import type { NewPolicyDecision } from "@openclaw/store/decisions";
import type { TurnScope } from "../context/scope.js";
import { boundDetails } from "../conversation/transcript-writer.js";
import type { Admitted, RequestedCall } from "../tool-call/authorize.js";
import type { AnsweredCall } from "../tool-call/pipeline.js";
import type { ModelReply } from "../turn/model-call.js";

/*
 * The steps of a turn that no row of another table tells of, each committed before the next begins
 * (TURN-054). Messages of the transcript and parts of a reply journal themselves in the store.
 */

/**
 * Writes a step that needs nothing beside it.
 * @param turn - the running turn
 * @param step - what was done
 */
export async function journalStep(
  { request, services }: TurnScope,
  step: JournalStep,
): Promise<void> {
  await services.store.journal.append({ runId: request.runId, step });
}

/** When a turn goes on that was prepared before; the plugins and configuration may be others (TURN-012). */
export async function journalResumption(turn: TurnScope): Promise<void> {
  const { generation } = turn.pin;
  const { configRevision } = turn.services;
  await journalStep(turn, { kind: "turn-resumed", generation, configRevision });
}

/** Before the model is asked. */
export async function journalRequest(
  turn: TurnScope,
  request: Omit<Extract<JournalStep, { kind: "model-requested" }>, "kind">,
): Promise<void> {
  const step: JournalStep = { kind: "model-requested", ...request };
  if (!turn.holdsInjections) return await journalStep(turn, step);
  const { runId } = turn.request;
  // One step: what a model is about to receive, no other turn is given (TURN-049).
  await turn.services.store.transaction(async (unit) => {
    await unit.journal.append({ runId, step });
    await unit.injections.consume(runId);
  });
  turn.holdsInjections = false;
}

/** When a whole reply came, before anybody is told. What it used counts against the budgets at once. */
export async function journalReply(
  { request, services }: TurnScope,
  callId: string,
  { message, usage, calls }: ModelReply,
): Promise<void> {
  const malformedCalls = calls.flatMap((call) =>
    isMalformedToolCall(call) ? [{ toolCallId: call.toolCallId, problem: call.problem }] : [],
  );
  const step: JournalStep = {
    kind: "model-answered",
    callId,
    message,
    ...(malformedCalls.length === 0 ? {} : { malformedCalls }),
  };
  const { runId, agentId, sessionId } = request;
  const tokens = usage.total ?? (usage.input ?? 0) + (usage.output ?? 0);
  await services.store.transaction(async (unit) => {
    await unit.journal.append({ runId, step });
    if (tokens > 0) await unit.tokenTotals.add({ agentId, sessionId }, tokens);
  });
}

/** When no whole reply came. */
export async function journalFailure(
  turn: TurnScope,
  callId: string,
  error: unknown,
): Promise<void> {
  const code = OpenClawError.isInstance(error) ? error.code : "UNEXPECTED";
  await journalStep(turn, {
    kind: "model-failed",
    callId,
    error: { code, message: errorMessage(error) },
  });
}

/**
 * Before a tool runs: from here on it may have had effects (TURN-055). What policy said of the call is
 * written with it (POL-030), and the answer that it runs under is used up with it (APPR-010).
 * @throws ApprovalMismatchError when that answer does not cover it; then nothing is written
 */
export async function journalIntent(
  { request, services }: TurnScope,
  { toolCallId, toolName }: RequestedCall,
  { params, guidance, approval }: Pick<Admitted, "params" | "guidance" | "approval">,
  decisions: readonly NewPolicyDecision[],
): Promise<void> {
  // Admitted arguments are plain JSON already; the copy says so to the compiler too.
  const copy = jsonCopy(params) as JsonObject;
  const step: JournalStep = {
    kind: "tool-intended",
    toolCallId,
    toolName,
    params: copy,
    ...(guidance.length === 0 ? {} : { guidance }),
  };
  const write = async (unit: Store) => {
    await unit.policyDecisions.add(decisions);
    await unit.journal.append({ runId: request.runId, step });
  };
  if (approval === undefined) await services.store.transaction(write);
  else await services.approvals.begin(approval, write);
}

/** When a call goes on that a person was asked about. */
export async function journalDecision(
  turn: TurnScope,
  { toolCallId }: RequestedCall,
  approvalId: string,
): Promise<void> {
  const approval = await turn.services.store.approvals.get(approvalId);
  const decision = (approval && resolutionOf(approval)) ?? "cancelled";
  await journalStep(turn, { kind: "approval-decided", toolCallId, decision });
}

/** When a call has its answer, before the next call begins. */
export async function journalAnswer(turn: TurnScope, answered: AnsweredCall): Promise<void> {
  const { isSynthetic, terminate, reconsidered, guidanceParts } = answered;
  const message = boundDetails(answered.message);
  const { toolCallId } = message;
  await journalStep(turn, {
    kind: "tool-answered",
    toolCallId,
    message,
    isSynthetic,
    terminate,
    ...(guidanceParts === undefined ? {} : { guidanceParts }),
    ...(reconsidered === undefined ? {} : { reconsidered }),
    ...(turn.skillTools === undefined ? {} : { skillTools: [...turn.skillTools] }),
  });
}

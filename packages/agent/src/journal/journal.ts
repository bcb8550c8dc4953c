import { type ApprovalBroker, type GivenApproval, resolutionOf } from "@openclaw/approval-broker";
import { defined, errorMessage, jsonCopy } from "@openclaw/foundation";
import { isMalformedToolCall } from "@openclaw/models";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { JournalStep, SpendingCall, SpentAmount, Store } from "@openclaw/store";
import type { NewPolicyDecision } from "@openclaw/store/decisions";
import type { Policy } from "@openclaw/tool-policy";
import type { AnsweredCall, Guidance, RequestedCall } from "../context/call.js";
import type { RunningTurn } from "../context/turn.js";
import type { ModelReply } from "./model-reply.js";
import { boundDetails } from "./stored-details.js";
import { commitWrite } from "./turn-writes.js";

/*
 * Writes the steps of a turn that no other table records, each committed before the next begins (TURN-054).
 * The store itself journals messages of the transcript and parts of a reply.
 */

/** Dependencies of the functions that write steps. */
export interface JournalDependencies {
  readonly store: Store;
}

/** Dependencies of {@link journalResumption}. */
export interface ResumptionDependencies extends JournalDependencies {
  /** Names the configuration of the host, its plugins and its policy. */
  readonly configRevision: string;
  readonly pluginRevision?: string | undefined;
  readonly policy: Pick<Policy, "hash">;
}

/** Dependencies of {@link journalIntent}. */
export interface IntentDependencies extends JournalDependencies {
  readonly approvals: Pick<ApprovalBroker, "begin">;
}

/** A call that is about to run. */
export interface IntendedCall {
  /** Final arguments. */
  readonly params: Record<string, unknown>;
  readonly guidance: readonly Guidance[];
  /** The approval under which it runs; absent where none was needed. */
  readonly approval?: GivenApproval | undefined;
}

/**
 * Writes a step on its own, without rows of other tables.
 * @param step - the step that was taken
 */
export async function journalStep(
  turn: RunningTurn<JournalDependencies>,
  step: JournalStep,
): Promise<void> {
  const entry = { runId: turn.request.runId, step };
  await commitWrite(turn, (unit) => unit.turns.journal.append(entry));
}

/** Journals that a prepared turn resumes; plugins and configuration may have changed (TURN-012). */
export async function journalResumption(turn: RunningTurn<ResumptionDependencies>): Promise<void> {
  const { generation } = turn.pin;
  const revisions = turnRevisions(turn.dependencies);
  await journalStep(turn, { kind: "turn-resumed", generation, ...revisions });
}

/** Returns what a turn records of the configuration, the plugins and the policy with which it runs (SCALE-022). */
export function turnRevisions({
  configRevision,
  pluginRevision,
  policy,
}: Omit<ResumptionDependencies, "store">) {
  return { configRevision, ...defined({ pluginRevision }), policyHash: policy.hash };
}

/** Journals a request to a model before it is sent. */
export async function journalRequest(
  turn: RunningTurn<JournalDependencies>,
  request: Omit<Extract<JournalStep, { kind: "model-requested" }>, "kind">,
): Promise<void> {
  const step: JournalStep = { kind: "model-requested", ...request };
  if (!turn.state.holdsInjections) return await journalStep(turn, step);
  const { runId } = turn.request;
  // One step: what a model is about to receive, no other turn is given (TURN-049).
  await commitWrite(turn, async (unit) => {
    await unit.turns.journal.append({ runId, step });
    await unit.sessions.injections.consume(runId);
  });
  turn.state.holdsInjections = false;
}

/** A call of a model, and what it used. */
export interface PaidCall {
  readonly call: SpendingCall;
  readonly spent: SpentAmount;
}

/** Journals a complete reply before it is reported, and counts what it used against the budgets (LLM-030). */
export async function journalReply(
  turn: RunningTurn<JournalDependencies>,
  { message, calls }: ModelReply,
  { call, spent }: PaidCall,
): Promise<void> {
  const malformedCalls = calls.flatMap((call) =>
    isMalformedToolCall(call) ? [{ toolCallId: call.toolCallId, problem: call.problem }] : [],
  );
  const step: JournalStep = {
    kind: "model-answered",
    callId: call.callId,
    message,
    ...defined({ malformedCalls: malformedCalls.length === 0 ? undefined : malformedCalls }),
  };
  const { runId } = turn.request;
  await commitWrite(turn, async (unit) => {
    await unit.turns.journal.append({ runId, step });
    await unit.spending.record(call, spent);
  });
}

/**
 * Journals a request that got no complete reply.
 * @param error - its failure
 * @param paid - the call, if a part of the reply arrived, which the provider charges
 */
export async function journalFailure(
  turn: RunningTurn<JournalDependencies>,
  callId: string,
  error: unknown,
  paid: PaidCall | undefined,
): Promise<void> {
  const code = OpenClawError.isInstance(error) ? error.code : "UNEXPECTED";
  const step: JournalStep = {
    kind: "model-failed",
    callId,
    error: { code, message: errorMessage(error) },
  };
  const { runId } = turn.request;
  await commitWrite(turn, async (unit) => {
    await unit.turns.journal.append({ runId, step });
    if (paid !== undefined) await unit.spending.record(paid.call, paid.spent);
  });
}

/**
 * Journals that a tool is about to run: from now on the call may have had effects (TURN-055). The same
 * transaction writes the policy decisions for the call (POL-030) and consumes its approval (APPR-010).
 * @throws ApprovalMismatchError when the approval does not cover the call; then nothing is written
 */
export async function journalIntent(
  turn: RunningTurn<IntentDependencies>,
  { toolCallId, toolName }: RequestedCall,
  { params, guidance, approval }: IntendedCall,
  decisions: readonly NewPolicyDecision[],
): Promise<void> {
  // Admitted arguments are plain JSON already; the copy says so to the compiler too.
  const copy = jsonCopy(params) as JsonObject;
  const step: JournalStep = {
    kind: "tool-intended",
    toolCallId,
    toolName,
    params: copy,
    ...defined({ guidance: guidance.length === 0 ? undefined : guidance }),
  };
  const write = async (unit: Store) => {
    await unit.decisions.policy.add(decisions);
    await unit.turns.journal.append({ runId: turn.request.runId, step });
  };
  const { approvals } = turn.dependencies;
  if (approval === undefined) await commitWrite(turn, write);
  else await commitWrite(turn, write, (all) => approvals.begin(approval, all));
}

/** Journals that a call resumes after its approval request was settled. */
export async function journalDecision(
  turn: RunningTurn<JournalDependencies>,
  { toolCallId }: RequestedCall,
  approvalId: string,
): Promise<void> {
  const approval = await turn.dependencies.store.decisions.approvals.get(approvalId);
  const decision = (approval && resolutionOf(approval)) ?? "cancelled";
  await journalStep(turn, { kind: "approval-decided", toolCallId, decision });
}

/** Journals the answer of a call before the next call begins. */
export async function journalAnswer(
  turn: RunningTurn<JournalDependencies>,
  answered: AnsweredCall,
): Promise<void> {
  const { isSynthetic, terminate, reconsidered } = answered;
  const { skillTools } = turn.state;
  const message = boundDetails(answered.message);
  const { toolCallId } = message;
  const unapproved = turn.state.unapproved.get(toolCallId);
  await journalStep(turn, {
    kind: "tool-answered",
    toolCallId,
    message,
    isSynthetic,
    terminate,
    ...defined({
      reconsidered,
      skillTools: skillTools && [...skillTools],
      unapproved: unapproved && true,
      refused: unapproved?.isRefused === true ? true : undefined,
    }),
  });
}

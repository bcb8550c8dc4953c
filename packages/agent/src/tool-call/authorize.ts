import type { GivenApproval } from "@openclaw/approval-broker";
import { canonicalJson, errorMessage, jsonCopy } from "@openclaw/foundation";
import type { ToolCallFacts } from "@openclaw/plugin-runtime";
import type { JsonObject, JsonValue } from "@openclaw/plugin-sdk/tools";
import type { WaitingCall } from "@openclaw/store";
import type { Approval } from "@openclaw/store/decisions";
import type { PolicyContext } from "@openclaw/tool-policy";
import type { PolicyRefusal } from "../context/event.js";
import type { TurnScope } from "../context/scope.js";
import { askForApproval, digestOfCall } from "./approval.js";
import { type CheckedArguments, checkArguments } from "./arguments.js";
import { type GuardBlock, ToolGuards } from "./before-hooks.js";
import type { ToolDenial } from "./denial.js";
import { factsOf, pathsOf } from "./facts.js";
import { type JudgedParameters, judgeParameters } from "./parameter-safety.js";
import type { CallPolicy } from "./policy.js";
import type { ToolEntry, ToolSet } from "./tool-set.js";

/** A call as the model asked for it. */
export interface RequestedCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly params: JsonValue;
}

/** What the one path needs to judge a call. */
export interface ToolCallScope {
  readonly turn: TurnScope;
  readonly tools: ToolSet;
  readonly policyContext: PolicyContext;
  /** Calls of this run that were returned for reconsideration once (D12). */
  readonly reconsidered: Set<string>;
}

/** What a plugin wants the model to know with a call's answer (D12). */
export interface Guidance {
  readonly pluginId: string;
  readonly text: string;
}

/** Arguments that policy and schema let through. */
export type AdmittedArguments = Omit<Extract<CheckedArguments, { valid: true }>, "valid">;

/** Whether a call runs, with which arguments; or what the model is told instead. */
export type Judgement =
  | ({
      verdict: "run";
      entry: ToolEntry;
      guidance: readonly Guidance[];
      /** The answer under which it runs, which is used up with it. */
      approval?: GivenApproval;
    } & AdmittedArguments)
  /** A person was asked, and has not answered yet. */
  | { verdict: "pending"; approval: Approval }
  | {
      verdict: "refused";
      text: string;
      guidance: readonly Guidance[];
      /** Set when policy refused. */
      policy?: PolicyRefusal;
      /** Who denied the call or gave it back; absent where nobody decided, as for wrong arguments. */
      refusal?: Refusal;
      /** Names the call when it was given back to be reconsidered. */
      reconsidered?: string;
    };

/** The judgement on a call that runs. */
export type Admitted = Extract<Judgement, { verdict: "run" }>;

/** A decision that a call does not run, for the audit (TURN-034). */
export interface Refusal {
  readonly kind: "denied" | "reconsider";
  /** For example `plugin:guard`, `policy:global`, `safety`, `approval` or `rate-limit`. */
  readonly decider: string;
}

type RefusedJudgement = Extract<Judgement, { verdict: "refused" }>;

/** The judgement on every call of a turn that was interrupted before the call ran. */
export const INTERRUPTED: Judgement = { verdict: "refused", text: "Tool aborted", guidance: [] };

const RECONSIDER =
  "This call was not run yet. Reconsider it with the guidance below; repeat it unchanged to go ahead.";

/**
 * Judges one call: lookup, policy, schema, trusted policies, hooks, the final arguments again,
 * reconsideration, rate limit, approval, in this order (TURN-031). Nothing here has an effect outside the
 * host but the question to a person. It never throws: a call that cannot be judged, or whose turn was
 * interrupted, does not run (D5).
 * @param call - as the model asked for it
 * @param scope - the turn's tools and rules
 * @param policy - is asked about the call, and keeps what it answered
 */
export async function judgeToolCall(
  call: RequestedCall,
  scope: ToolCallScope,
  policy: CallPolicy,
): Promise<Judgement> {
  return await judgedOrDenied(call, scope, () => judge(call, scope, policy));
}

/**
 * Judges the final arguments of a call that was let through before: policy, schema and parameter safety
 * hold whenever it runs.
 * @param call - as the model asked for it
 * @param params - its final arguments
 * @param scope - the turn's tools and rules
 * @param policy - is asked about the call, and keeps what it answered
 */
export async function judgeFinalCall(
  call: RequestedCall,
  params: JsonObject,
  scope: ToolCallScope,
  policy: CallPolicy,
): Promise<Judgement> {
  return await judgedOrDenied(call, scope, async () => {
    const entry = scope.tools.get(call.toolName);
    if (entry === undefined) return absent(call, policy);
    const admitted = await admit(entry, params, scope, policy);
    if ("denial" in admitted) return deniedByPolicy(admitted.denial);
    if ("problem" in admitted) return refused(admitted.problem);
    const { safety } = scope.turn.services;
    const { refusal } = await judgeParameters(admitted.params, entry.parameters, safety);
    return refusal === undefined
      ? { verdict: "run", entry, ...admitted, guidance: [] }
      : denied(`Tool call refused by ${refusal}`, "safety");
  });
}

/**
 * Judges a call that a person was asked about. It is not sent through `before_tool_call` again; what holds
 * now is asked again, and a refusal there wins over the person's word (D17, APPR-017).
 * @param call - as the model asked for it
 * @param waiting - what was asked
 * @param scope - the turn's tools and rules
 * @param policy - is asked about the call, and keeps what it answered
 */
export async function judgeAnsweredCall(
  call: RequestedCall,
  { approvalId: id, params, guidance }: WaitingCall,
  scope: ToolCallScope,
  policy: CallPolicy,
): Promise<Judgement> {
  return await judgedOrDenied(call, scope, async () => {
    const { request, services } = scope.turn;
    const answer = await services.approvals.verdict(id);
    if (answer.status === "pending") return { verdict: "pending", approval: answer.approval };
    if (answer.status === "denied") {
      return denied(`Tool call denied: ${answer.reason}`, "approval", guidance);
    }
    const final = await judgeFinalCall(call, params, scope, policy);
    if (final.verdict !== "run") return final;
    const facts = factsOf(final.entry, final.params);
    const guards = new ToolGuards(call, final.entry, scope.turn);
    const block = await guards.confirm({ params: final.params, facts });
    if (block !== undefined) return blocked(block, guidance);
    const digest = digestOfCall(call, final.params, request);
    return { ...final, guidance, approval: { id, digest } };
  });
}

async function judgedOrDenied(
  { toolName, toolCallId }: RequestedCall,
  { turn }: ToolCallScope,
  work: () => Promise<Judgement>,
): Promise<Judgement> {
  const { request, services } = turn;
  try {
    request.signal.throwIfAborted();
    return await work();
  } catch (error) {
    if (request.signal.aborted) return INTERRUPTED;
    const problem = `a call of ${toolName} could not be judged: ${errorMessage(error)}`;
    services.logger.error(problem, { code: "TOOL_JUDGEMENT_FAILED", toolCallId });
    return denied(`Tool call denied: ${problem}`, "host");
  }
}

function absent({ toolName }: RequestedCall, policy: CallPolicy): Judgement {
  const denial = policy.denialOfAbsent();
  return denial === undefined ? refused(`Unknown tool: ${toolName}`) : deniedByPolicy(denial);
}

async function judge(
  call: RequestedCall,
  scope: ToolCallScope,
  policy: CallPolicy,
): Promise<Judgement> {
  const entry = scope.tools.get(call.toolName);
  if (entry === undefined) return absent(call, policy);

  const asked = await admit(entry, call.params, scope, policy);
  if ("denial" in asked) return deniedByPolicy(asked.denial);
  if ("problem" in asked) return refused(asked.problem);

  const { safety } = scope.turn.services;
  let judged = await judgeParameters(asked.params, entry.parameters, safety);
  const guards = new ToolGuards(call, entry, scope.turn);
  let verdict = await guards.ask({ params: asked.params, facts: shownFacts(entry, asked, judged) });
  if (verdict.blocked !== undefined) return blocked(verdict.blocked, verdict.guidance);

  let admitted: AdmittedArguments = asked;
  if (verdict.params !== undefined) {
    const { rewrittenBy, guidance } = verdict;
    const after = `(after plugin "${rewrittenBy}" rewrote the arguments)`;
    const rewritten = await admit(entry, verdict.params, scope, policy);
    if ("denial" in rewritten) return deniedByPolicy(rewritten.denial, guidance, after);
    if ("problem" in rewritten) {
      return denied(`${rewritten.problem} ${after}`, `plugin:${rewrittenBy}`, guidance);
    }
    admitted = rewritten;
    judged = await judgeParameters(rewritten.params, entry.parameters, safety);
  }
  if (judged.refusal !== undefined) {
    return denied(`Tool call refused by ${judged.refusal}`, "safety", verdict.guidance);
  }
  if (guards.mustAskAgain) {
    const facts = shownFacts(entry, admitted, judged);
    verdict = await guards.askAgain({ params: admitted.params, facts });
    if (verdict.blocked !== undefined) return blocked(verdict.blocked, verdict.guidance);
  }
  const { guidance } = verdict;

  const reconsidered = `${call.toolName} ${canonicalJson(admitted.params)}`;
  if (verdict.reconsideredBy !== undefined && !scope.reconsidered.has(reconsidered)) {
    scope.reconsidered.add(reconsidered);
    const refusal: Refusal = { kind: "reconsider", decider: `plugin:${verdict.reconsideredBy}` };
    return { ...refused(RECONSIDER, guidance), refusal, reconsidered };
  }

  const seconds = secondsToWait(entry, scope.turn);
  if (seconds > 0) {
    const text = `Tool call denied: ${entry.name} was called too often in the last minute; it can be called again in ${seconds} s`;
    return denied(text, "rate-limit", guidance);
  }

  const { question: risk, command } = judged;
  const approvable = { call, entry, admitted, verdict, risk, command };
  const approval = await askForApproval(approvable, scope, policy);
  switch (approval.status) {
    case "allowed":
      return { verdict: "run", entry, ...admitted, guidance };
    case "pending":
      return { verdict: "pending", approval: approval.approval };
    case "denied":
      return denied(`Tool call denied: ${approval.reason}`, "approval", guidance);
  }
}

/** Policy and schema: what holds for the arguments whoever made them. */
async function admit(
  entry: ToolEntry,
  params: unknown,
  { turn }: ToolCallScope,
  policy: CallPolicy,
): Promise<AdmittedArguments | { denial: ToolDenial } | { problem: string }> {
  const denial = policy.denialOf(entry.policyTool);
  if (denial !== undefined) return { denial };
  if (turn.skillTools?.has(entry.name) === false) {
    const left = [...turn.skillTools].join(", ");
    const problem = `Tool call denied: ${entry.name} is not among the tools that the skills loaded in this turn allow (${left})`;
    return { problem };
  }
  // Arguments are JSON whoever made them; this copy is what is approved, run and shown.
  const checked = await checkArguments(entry, jsonCopy(params), turn.request.signal);
  if (checked.valid) return { params: checked.params, parsed: checked.parsed };
  return { problem: `Invalid parameters for ${entry.name}: ${checked.issues.join("; ")}` };
}

/** The command is the one that was judged, so that nobody judges another one. */
function shownFacts(
  { name }: ToolEntry,
  { params }: AdmittedArguments,
  { command }: JudgedParameters,
): ToolCallFacts {
  return { ...pathsOf(name, params), ...(command === undefined ? {} : { command }) };
}

/** Calls are counted for each user (TURN-070). */
function secondsToWait({ name }: ToolEntry, { request, services }: TurnScope): number {
  const { channel, accountId, senderId } = request.origin;
  return services.toolRateLimits.take(name, JSON.stringify([channel, accountId, senderId]));
}

function refused(text: string, guidance: readonly Guidance[] = []): RefusedJudgement {
  return { verdict: "refused", text, guidance };
}

function denied(
  text: string,
  decider: string,
  guidance: readonly Guidance[] = [],
): RefusedJudgement {
  return { ...refused(text, guidance), refusal: { kind: "denied", decider } };
}

function blocked({ reason, decider }: GuardBlock, guidance: readonly Guidance[]): RefusedJudgement {
  return denied(`Tool blocked: ${reason}`, decider, guidance);
}

function deniedByPolicy(
  { text, decider, policy }: ToolDenial,
  guidance: readonly Guidance[] = [],
  after?: string,
): RefusedJudgement {
  const said = after === undefined ? text : `${text} ${after}`;
  return { ...denied(said, decider, guidance), policy };
}

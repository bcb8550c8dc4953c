import type { ApprovalBroker } from "@openclaw/approval-broker";
import { canonicalJson, defined, errorMessage, jsonCopy } from "@openclaw/foundation";
import type { ToolCallFacts } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { SafetySettings } from "@openclaw/safety";
import type { WaitingCall } from "@openclaw/store";
import type { RequestedCall } from "../context/call.js";
import type { ToolCallScope } from "../context/tool-call-scope.js";
import type { RunningTurn } from "../context/turn.js";
import { type ApprovalDependencies, askForApproval, digestOfCall } from "./approval.js";
import { type AdmittedArguments, checkArguments } from "./arguments.js";
import {
  type Authorization,
  blocked,
  denied,
  deniedByPolicy,
  INTERRUPTED,
  notRun,
  type Refusal,
} from "./authorization.js";
import { BeforeToolCallHooks } from "./before-hooks.js";
import type { ToolDenial } from "./denial.js";
import {
  AS_SHOWN,
  COMMAND_TOOL,
  policyAuthorization,
  unaskedAuthorization,
} from "./exec-authorization.js";
import { factsOf, pathsOf } from "./facts.js";
import { type EvaluatedParameters, evaluateParameters } from "./parameter-safety.js";
import type { CallPolicy } from "./policy.js";
import type { ToolCallLimits } from "./rate-limits.js";
import type { ToolEntry } from "./tool-entry.js";
import { noteUnapproved } from "./unapproved.js";

/** Dependencies of {@link authorizeFinalCall}. */
export interface FinalCallDependencies {
  /** Rules and limits of the safety engine, `safety`. */
  readonly safety: SafetySettings;
  readonly logger: Logger;
}

/** Dependencies of {@link authorizeToolCall}. */
export interface NewCallDependencies extends FinalCallDependencies, ApprovalDependencies {
  /** Counts calls per user, `tools.rateLimits`. */
  readonly toolRateLimits: ToolCallLimits;
}

/** Dependencies of {@link authorizeAnsweredCall}. */
export interface AnsweredCallDependencies extends FinalCallDependencies {
  readonly approvals: Pick<ApprovalBroker, "verdict">;
}

const RECONSIDER =
  "This call was not run yet. Reconsider it with the guidance below; repeat it unchanged to go ahead.";

/**
 * Authorizes one call: lookup, policy, schema, trusted policies, hooks, the final arguments again,
 * reconsideration, rate limit, approval, in this order (TURN-031). The only effect outside the host is the
 * approval request. It never throws: a call that cannot be evaluated, or whose turn was interrupted, does not
 * run (D5).
 * @param call - as the model requested it
 * @param scope - turn, tools and policy context
 * @param policy - evaluates the call and keeps its decisions
 */
export async function authorizeToolCall(
  call: RequestedCall,
  scope: ToolCallScope<NewCallDependencies>,
  policy: CallPolicy,
): Promise<Authorization> {
  return await authorizedOrDenied(call, scope, () => authorize(call, scope, policy));
}

/**
 * Authorizes the final arguments of a call that was authorized before: policy, schema and parameter safety
 * apply whenever it runs.
 * @param call - as the model requested it
 * @param params - its final arguments
 * @param scope - turn, tools and policy context
 * @param policy - evaluates the call and keeps its decisions
 */
export async function authorizeFinalCall(
  call: RequestedCall,
  params: JsonObject,
  scope: ToolCallScope<FinalCallDependencies>,
  policy: CallPolicy,
): Promise<Authorization> {
  return await authorizedOrDenied(call, scope, async () => {
    const entry = scope.tools.get(call.toolName);
    if (entry === undefined) return absent(call, policy);
    const admitted = await admit(entry, params, scope, policy);
    if ("denial" in admitted) return deniedByPolicy(admitted.denial);
    if ("problem" in admitted) return notRun(admitted.problem);
    const { safety } = scope.turn.dependencies;
    const { refusal } = await evaluateParameters(admitted.params, entry.parameters, safety);
    return refusal === undefined
      ? { verdict: "run", entry, ...admitted, guidance: [] }
      : denied(`Tool call denied by ${refusal}`, "safety");
  });
}

/**
 * Authorizes a call whose approval was requested before. It does not go through `before_tool_call` again; the
 * rules in force now are evaluated again, and their denial overrides the approver's decision (D17, APPR-017).
 * @param call - as the model requested it
 * @param waiting - the approval request
 * @param scope - turn, tools and policy context
 * @param policy - evaluates the call and keeps its decisions
 */
export async function authorizeAnsweredCall(
  call: RequestedCall,
  { approvalId: id, params, guidance }: WaitingCall,
  scope: ToolCallScope<AnsweredCallDependencies>,
  policy: CallPolicy,
): Promise<Authorization> {
  return await authorizedOrDenied(call, scope, async () => {
    const { request, dependencies } = scope.turn;
    const answer = await dependencies.approvals.verdict(id);
    if (answer.status === "pending") return { verdict: "pending", approval: answer.approval };
    noteUnapproved(answer, call, scope.turn);
    if (answer.status === "denied") {
      return denied(`Tool call denied: ${answer.reason}`, "approval", guidance);
    }
    const final = await authorizeFinalCall(call, params, scope, policy);
    if (final.verdict !== "run") return final;
    const facts = factsOf(final.entry, final.params);
    const hooks = new BeforeToolCallHooks(call, final.entry, scope.turn);
    const block = await hooks.confirm({ params: final.params, facts });
    if (block !== undefined) return blocked(block, guidance);
    const digest = digestOfCall(call, final.params, request);
    const isUnanswered = answer.approval?.state === "timed-out";
    const exec = isUnanswered ? policyAuthorization(hooks.metBy, facts.command) : AS_SHOWN;
    if (final.entry.name === COMMAND_TOOL && exec === undefined) {
      const { toolCallId, toolName } = call;
      scope.turn.state.unapproved.set(toolCallId, { toolName, isRefused: false });
      return denied("Tool call denied: no answer in time", "approval", guidance);
    }
    return { ...final, guidance, exec, approval: { id, digest } };
  });
}

async function authorizedOrDenied(
  { toolName, toolCallId }: RequestedCall,
  { turn }: ToolCallScope<Pick<FinalCallDependencies, "logger">>,
  work: () => Promise<Authorization>,
): Promise<Authorization> {
  const { request, dependencies } = turn;
  try {
    request.signal.throwIfAborted();
    return await work();
  } catch (error) {
    if (request.signal.aborted) return INTERRUPTED;
    const problem = `a call of ${toolName} could not be evaluated: ${errorMessage(error)}`;
    dependencies.logger.error(problem, { code: "TOOL_JUDGEMENT_FAILED", toolCallId });
    return denied(`Tool call denied: ${problem}`, "host");
  }
}

function absent({ toolName }: RequestedCall, policy: CallPolicy): Authorization {
  const denial = policy.denialOfAbsent();
  return denial === undefined ? notRun(`Unknown tool: ${toolName}`) : deniedByPolicy(denial);
}

async function authorize(
  call: RequestedCall,
  scope: ToolCallScope<NewCallDependencies>,
  policy: CallPolicy,
): Promise<Authorization> {
  const entry = scope.tools.get(call.toolName);
  if (entry === undefined) return absent(call, policy);

  const asked = await admit(entry, call.params, scope, policy);
  if ("denial" in asked) return deniedByPolicy(asked.denial);
  if ("problem" in asked) return notRun(asked.problem);

  const { safety } = scope.turn.dependencies;
  const { workspaceDir } = scope.turn.request;
  const evaluate = (params: Record<string, unknown>) =>
    evaluateParameters(
      params,
      entry.parameters,
      safety,
      entry.name === COMMAND_TOOL ? workspaceDir : undefined,
    );
  let evaluated = await evaluate(asked.params);
  const hooks = new BeforeToolCallHooks(call, entry, scope.turn);
  let verdict = await hooks.ask({
    params: asked.params,
    facts: shownFacts(entry, asked, evaluated),
  });
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
    evaluated = await evaluate(rewritten.params);
  }
  if (evaluated.refusal !== undefined) {
    return denied(`Tool call denied by ${evaluated.refusal}`, "safety", verdict.guidance);
  }
  if (hooks.mustAskAgain) {
    const facts = shownFacts(entry, admitted, evaluated);
    verdict = await hooks.askAgain({ params: admitted.params, facts });
    if (verdict.blocked !== undefined) return blocked(verdict.blocked, verdict.guidance);
  }
  const { guidance } = verdict;

  const reconsidered = `${call.toolName} ${canonicalJson(admitted.params)}`;
  if (verdict.reconsideredBy !== undefined && !scope.reconsidered.has(reconsidered)) {
    scope.reconsidered.add(reconsidered);
    const refusal: Refusal = { kind: "reconsider", decider: `plugin:${verdict.reconsideredBy}` };
    return { ...notRun(RECONSIDER, guidance), refusal, reconsidered };
  }

  const { toolName } = call;
  const repeated = scope.turn.state.failedCalls.denialOf({ toolName, params: admitted.params });
  if (repeated !== undefined) return denied(repeated, "repeated-failure", guidance);
  const seconds = await secondsToWait(entry, scope.turn);
  if (seconds > 0) {
    const text = `Tool call denied: ${entry.name} was called too often in the last minute; it can be called again in ${seconds} s`;
    return denied(text, "rate-limit", guidance);
  }

  const { risk, command } = evaluated;
  const approvable = { call, entry, admitted, verdict, risk, command };
  const approval = await askForApproval(approvable, scope, policy);
  noteUnapproved(approval, call, scope.turn);
  switch (approval.status) {
    case "allowed":
      return {
        verdict: "run",
        entry,
        ...admitted,
        guidance,
        exec: unaskedAuthorization(approval.authority, verdict.metBy, command),
      };
    case "pending":
      return { verdict: "pending", approval: approval.approval };
    case "inapplicable":
      return notRun(approval.problem, guidance);
    case "denied":
      return denied(`Tool call denied: ${approval.reason}`, "approval", guidance);
  }
}

/** Checks policy and schema, which apply to all arguments, also to those that a hook made. */
async function admit(
  entry: ToolEntry,
  params: unknown,
  { turn }: ToolCallScope,
  policy: CallPolicy,
): Promise<AdmittedArguments | { denial: ToolDenial } | { problem: string }> {
  const { skillTools } = turn.state;
  const denial = policy.denialOf(entry.policyTool);
  if (denial !== undefined) return { denial };
  if (skillTools?.has(entry.name) === false) {
    const left = [...skillTools].join(", ");
    const problem = `Tool call denied: ${entry.name} is not among the tools that the skills loaded in this turn allow (${left})`;
    return { problem };
  }
  // A hook may have made the arguments. This plain JSON copy is what is approved, run and shown.
  const checked = await checkArguments(entry, jsonCopy(params), turn.request.signal);
  if (checked.valid) return { params: checked.params, parsed: checked.parsed };
  return { problem: `Invalid parameters for ${entry.name}: ${checked.issues.join("; ")}` };
}

/** Uses the command that was evaluated, so that all checks see the same one. */
function shownFacts(
  { name }: ToolEntry,
  { params }: AdmittedArguments,
  { command }: EvaluatedParameters,
): ToolCallFacts {
  return { ...pathsOf(name, params), ...defined({ command }) };
}

/** Calls are counted for each user (TURN-070). */
function secondsToWait(
  { name }: ToolEntry,
  { request, dependencies }: RunningTurn<Pick<NewCallDependencies, "toolRateLimits">>,
): number | Promise<number> {
  const { channel, accountId, senderId } = request.origin;
  return dependencies.toolRateLimits.take(name, JSON.stringify([channel, accountId, senderId]));
}

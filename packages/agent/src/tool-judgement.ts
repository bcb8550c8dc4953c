import type { Logger } from "@openclaw/plugin-sdk";
import type {
  BeforeToolCallResult,
  ParsedCommand,
  RequireApproval,
} from "@openclaw/plugin-sdk/hooks";
import type { ApprovalNeed, JsonValue } from "@openclaw/plugin-sdk/tools";
import type { PolicyContext } from "@openclaw/tool-policy";
import type { ApprovalQuestion, ApprovalVerdict } from "./approvals.js";
import { canonicalJson } from "./canonical-json.js";
import { errorMessage } from "./error-message.js";
import { judgeParameters } from "./parameter-safety.js";
import { type CheckedArguments, checkArguments } from "./tool-arguments.js";
import { denialOf, denialOfAbsent } from "./tool-denial.js";
import { jsonOnly } from "./tool-result.js";
import type { ToolEntry, ToolSet } from "./tool-set.js";
import type { PolicyRefusal } from "./turn-event.js";
import { type TurnScope, toolContext } from "./turn-scope.js";

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
  | ({ verdict: "run"; entry: ToolEntry; guidance: readonly Guidance[] } & AdmittedArguments)
  | {
      verdict: "refused";
      text: string;
      guidance: readonly Guidance[];
      /** Set when policy refused. */
      policy?: PolicyRefusal;
    };

/** The judgement on every call of a turn that was interrupted before the call ran. */
export const INTERRUPTED: Judgement = { verdict: "refused", text: "Tool aborted", guidance: [] };

const RECONSIDER =
  "This call was not run yet. Reconsider it with the guidance below; repeat it unchanged to go ahead.";

/**
 * Judges one call: lookup, policy, schema, hooks, the final arguments again, reconsideration, approval,
 * in this order (TURN-031). Nothing here has an effect outside the host but the question to a person.
 * It never throws: a call that cannot be judged, or whose turn was interrupted, does not run (D5).
 * @param call - as the model asked for it
 * @param scope - the turn's tools and rules
 */
export async function judgeToolCall(call: RequestedCall, scope: ToolCallScope): Promise<Judgement> {
  const { request, services } = scope.turn;
  const { toolName, toolCallId } = call;
  try {
    request.signal.throwIfAborted();
    return await judge(call, scope);
  } catch (error) {
    if (request.signal.aborted) return INTERRUPTED;
    const problem = `a call of ${toolName} could not be judged: ${errorMessage(error)}`;
    services.logger.error(problem, { code: "TOOL_JUDGEMENT_FAILED", toolCallId });
    return refused(`Tool call denied: ${problem}`);
  }
}

async function judge(call: RequestedCall, scope: ToolCallScope): Promise<Judgement> {
  const entry = scope.tools.get(call.toolName);
  if (entry === undefined) {
    const denial = denialOfAbsent(call.toolName, scope.turn.services.policy, scope.policyContext);
    return refused(denial?.text ?? `Unknown tool: ${call.toolName}`, [], denial?.policy);
  }

  const asked = await admit(entry, call.params, scope);
  if ("refusal" in asked) return refused(asked.refusal, [], asked.policy);

  const { safety } = scope.turn.services;
  let judged = await judgeParameters(asked.params, entry.parameters, safety);
  const verdictOfHooks = await askHooks(call, entry, asked.params, judged.command, scope);
  const { result: verdict, contributions } = verdictOfHooks;
  const guidance = contributions.flatMap(({ registration, result }) =>
    result.guidance ? [{ pluginId: registration.owner, text: result.guidance }] : [],
  );
  if (verdict?.block === true) {
    return refused(`Tool blocked: ${verdict.blockReason ?? "a plugin did not allow it"}`, guidance);
  }

  let admitted: AdmittedArguments = asked;
  if (verdict?.params !== undefined) {
    const rewritten = await admit(entry, verdict.params, scope);
    if ("refusal" in rewritten) {
      const author = contributions.findLast(({ result }) => result.params !== undefined);
      const by = author?.registration.owner;
      const text = `${rewritten.refusal} (after plugin "${by}" rewrote the arguments)`;
      return refused(text, guidance, rewritten.policy);
    }
    admitted = rewritten;
    judged = await judgeParameters(rewritten.params, entry.parameters, safety);
  }
  if (judged.refusal !== undefined) {
    return refused(`Tool call refused by ${judged.refusal}`, guidance);
  }

  if (verdict?.requestReconsideration === true && isFirstReturn(call, admitted.params, scope)) {
    return refused(RECONSIDER, guidance);
  }

  const approval = await askForApproval(call, entry, admitted, verdict, judged.question, scope);
  return approval.allowed
    ? { verdict: "run", entry, ...admitted, guidance }
    : refused(`Tool call denied: ${approval.reason}`, guidance);
}

/** Policy and schema: what holds for the arguments whoever made them. */
async function admit(
  entry: ToolEntry,
  params: unknown,
  { turn, policyContext }: ToolCallScope,
): Promise<AdmittedArguments | { refusal: string; policy?: PolicyRefusal }> {
  const denial = denialOf(entry.policyTool, turn.services.policy, policyContext);
  if (denial !== undefined) return { refusal: denial.text, policy: denial.policy };
  // Arguments are JSON whoever made them; this copy is what is approved, run and shown.
  const checked = await checkArguments(entry, jsonOnly(params), turn.request.signal);
  if (checked.valid) return { params: checked.params, parsed: checked.parsed };
  return { refusal: `Invalid parameters for ${entry.name}: ${checked.issues.join("; ")}` };
}

function askHooks(
  { toolCallId, toolName }: RequestedCall,
  { kind }: ToolEntry,
  params: Record<string, unknown>,
  command: ParsedCommand | undefined,
  { turn }: ToolCallScope,
) {
  const { runId, signal } = turn.request;
  const shell = command === undefined ? {} : { command };
  return turn.pin.hooks.detailed(
    "before_tool_call",
    { toolName, params, runId, toolCallId, toolKind: kind, ...shell },
    toolContext(turn, toolName, toolCallId),
    { signal },
  );
}

function isFirstReturn(
  { toolName }: RequestedCall,
  params: Record<string, unknown>,
  { reconsidered }: ToolCallScope,
): boolean {
  const key = `${toolName} ${canonicalJson(params)}`;
  if (reconsidered.has(key)) return false;
  reconsidered.add(key);
  return true;
}

async function askForApproval(
  { toolCallId, toolName }: RequestedCall,
  entry: ToolEntry,
  { params, parsed }: AdmittedArguments,
  verdict: BeforeToolCallResult | undefined,
  risk: string | undefined,
  scope: ToolCallScope,
): Promise<ApprovalVerdict> {
  const { services, request } = scope.turn;
  const { runId, sessionKey, approver, signal } = request;
  const wanted = verdict?.requireApproval;
  const { need, ...asker } = approvalNeed(entry, parsed, wanted, risk, scope);
  const question: ApprovalQuestion = {
    runId,
    sessionKey,
    toolCallId,
    toolName,
    params,
    title: wanted?.title ?? `${entry.tool.label ?? entry.name}?`,
    description: wanted?.description ?? risk ?? "",
    severity: wanted?.severity ?? (risk === undefined ? "warning" : "critical"),
    ...asker,
  };
  const answer = await services.approvals.decide(question, need, approver, signal);
  if (wanted !== undefined) tellResolution(wanted, answer, services.logger);
  return answer;
}

/** Who asks for a person's word, a plugin or a rule of policy, gets it whatever was granted. */
function approvalNeed(
  { name, tool, policyTool }: ToolEntry,
  parsed: Record<string, unknown>,
  wanted: RequireApproval | undefined,
  risk: string | undefined,
  { turn, policyContext }: ToolCallScope,
): Pick<ApprovalQuestion, "kind" | "pluginId"> & { need: ApprovalNeed } {
  const { approvals, policy } = turn.services;
  if (wanted !== undefined) return { need: "always", kind: "plugin", pluginId: wanted.pluginId };
  if (risk !== undefined) return { need: "always", kind: "safety" };
  const ruled = policy.decide(policyTool, policyContext).approval;
  if (ruled !== undefined) return { need: ruled, kind: "policy" };
  const { approval = "never" } = tool;
  const declared = typeof approval === "function" ? approval(parsed) : approval;
  return { need: approvals.need(name, declared), kind: "tool" };
}

/** It is told and not waited for, and its failure changes nothing (HCR-007). */
function tellResolution(
  { pluginId, onResolution }: RequireApproval,
  answer: ApprovalVerdict,
  logger: Logger,
): void {
  const resolution = answer.allowed ? "allow-once" : answer.cancelled ? "cancelled" : "deny";
  (async () => onResolution?.(resolution))().catch((error: unknown) => {
    const problem = `onResolution of plugin "${pluginId}" failed: ${errorMessage(error)}`;
    logger.error(problem, { code: "HOOK_FAILED_AFTERWARDS", pluginId });
  });
}

function refused(
  text: string,
  guidance: readonly Guidance[] = [],
  policy?: PolicyRefusal,
): Judgement {
  return { verdict: "refused", text, guidance, ...(policy === undefined ? {} : { policy }) };
}

import type { BeforeToolCallResult } from "@openclaw/plugin-sdk/hooks";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { denialText, type PolicyContext } from "@openclaw/tool-policy";
import type { ApprovalQuestion, ApprovalVerdict } from "./approvals.js";
import { canonicalJson } from "./canonical-json.js";
import { checkParameters } from "./tool-parameters.js";
import type { ToolEntry, ToolSet } from "./tool-set.js";
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

/** Whether a call runs, with which arguments; or what the model is told instead. */
export type Judgement =
  | {
      verdict: "run";
      entry: ToolEntry;
      params: Record<string, unknown>;
      guidance: readonly Guidance[];
    }
  | { verdict: "refused"; text: string; guidance: readonly Guidance[] };

const RECONSIDER =
  "This call was not run yet. Reconsider it with the guidance below; repeat it unchanged to go ahead.";

/**
 * Judges one call: lookup, policy, schema, hooks, the final arguments again, reconsideration, approval,
 * in this order (TURN-031). Nothing here has an effect outside the host but the question to a person.
 * @param call - as the model asked for it
 * @param scope - the turn's tools and rules
 */
export async function judgeToolCall(call: RequestedCall, scope: ToolCallScope): Promise<Judgement> {
  const entry = scope.tools.get(call.toolName);
  if (entry === undefined) return refused(`Unknown tool: ${call.toolName}`);

  const asked = admit(entry, call.params, scope);
  if ("refusal" in asked) return refused(asked.refusal);

  const { result: verdict, contributions } = await askHooks(call, entry, asked.params, scope);
  const guidance = contributions.flatMap(({ registration, result }) =>
    result.guidance ? [{ pluginId: registration.owner, text: result.guidance }] : [],
  );
  if (verdict?.block === true) {
    return refused(`Tool blocked: ${verdict.blockReason ?? "a plugin did not allow it"}`, guidance);
  }

  let { params } = asked;
  if (verdict?.params !== undefined) {
    const rewritten = admit(entry, verdict.params, scope);
    if ("refusal" in rewritten) {
      const author = contributions.findLast(({ result }) => result.params !== undefined);
      const by = author === undefined ? "a plugin" : `plugin "${author.registration.owner}"`;
      return refused(`${rewritten.refusal} (after ${by} rewrote the arguments)`, guidance);
    }
    params = rewritten.params;
  }

  if (verdict?.requestReconsideration === true && isFirstReturn(call, params, scope)) {
    return refused(RECONSIDER, guidance);
  }

  const approval = await askForApproval(call, entry, params, verdict, scope);
  return approval.allowed
    ? { verdict: "run", entry, params, guidance }
    : refused(`Tool call denied: ${approval.reason}`, guidance);
}

/** Policy and schema: what holds for the arguments whoever made them. */
function admit(
  entry: ToolEntry,
  params: unknown,
  { turn, policyContext }: ToolCallScope,
): { params: Record<string, unknown> } | { refusal: string } {
  const decision = turn.services.policy.decide(entry.policyTool, policyContext);
  if (!decision.allowed) return { refusal: denialText({ tool: entry.name, ...decision }) };
  const checked = checkParameters(entry.parameters, params);
  if (checked.valid) return { params: checked.params };
  return { refusal: `Invalid parameters for ${entry.name}: ${checked.issues.join("; ")}` };
}

function askHooks(
  { toolCallId, toolName }: RequestedCall,
  { kind }: ToolEntry,
  params: Record<string, unknown>,
  { turn }: ToolCallScope,
) {
  const { runId, signal } = turn.request;
  return turn.pin.hooks.detailed(
    "before_tool_call",
    { toolName, params, runId, toolCallId, toolKind: kind },
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
  params: Record<string, unknown>,
  verdict: BeforeToolCallResult | undefined,
  { turn, policyContext }: ToolCallScope,
): Promise<ApprovalVerdict> {
  const { approvals, policy } = turn.services;
  const { runId, sessionKey, approver, signal } = turn.request;
  const { approval = "never" } = entry.tool;
  const declared = typeof approval === "function" ? approval(params) : approval;
  const wanted = verdict?.requireApproval;
  const question: ApprovalQuestion = {
    runId,
    sessionKey,
    toolCallId,
    toolName,
    params,
    title: wanted?.title ?? `${entry.tool.label ?? entry.name}?`,
    description: wanted?.description ?? "",
    severity: wanted?.severity ?? "warning",
  };
  // Who asks for a person's word, a plugin or a rule of policy, gets it whatever was granted.
  const ruled = policy.decide(entry.policyTool, policyContext).approval;
  const need = wanted === undefined ? (ruled ?? approvals.need(entry.name, declared)) : "always";
  const answer = await approvals.decide(question, need, approver, signal);
  await wanted?.onResolution?.(answer.allowed ? "allow-once" : "deny");
  return answer;
}

function refused(text: string, guidance: readonly Guidance[] = []): Judgement {
  return { verdict: "refused", text, guidance };
}

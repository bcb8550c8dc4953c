import { setImmediate as nextRound } from "node:timers/promises";
import {
  type ApprovalBroker,
  type ApprovalCause,
  type ApprovalRequest,
  digestOf,
  type NewCallVerdict,
  type RequestedRule,
} from "@openclaw/approval-broker";
import { errorMessage, jsonCopy, startOfText } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { ParsedCommand } from "@openclaw/plugin-sdk/hooks";
import type { ApprovalNeed, JsonObject, ScopedApproval } from "@openclaw/plugin-sdk/tools";
import type { Store, WaitingCall } from "@openclaw/store";
import type { ApprovalRequester } from "@openclaw/store/decisions";
import type { Guidance, RequestedCall } from "../context/call.js";
import type { TurnRequest } from "../context/request.js";
import type { ToolCallScope } from "../context/tool-call-scope.js";
import type { AdmittedArguments } from "./arguments.js";
import type { BeforeToolCallVerdict } from "./before-hooks.js";
import {
  COMMAND_TOOL,
  containedCommand,
  grantableCommand,
  policyAuthorization,
} from "./exec-authorization.js";
import type { SafetyRisk } from "./parameter-safety.js";
import type { CallPolicy } from "./policy.js";
import type { ToolEntry } from "./tool-entry.js";

/** Maximum length of the name of a rule, in characters. */
const LONGEST_RULE = 80;
const PLAIN_STEP = /^[A-Za-z0-9_-]+$/;

/** Dependencies of {@link askForApproval}. */
export interface ApprovalDependencies {
  readonly approvals: Pick<ApprovalBroker, "ask" | "need">;
  readonly logger: Logger;
}

type Scope = ToolCallScope<ApprovalDependencies>;

/** A call whose final arguments passed all other guards. */
export interface ApprovableCall {
  readonly call: RequestedCall;
  readonly entry: ToolEntry;
  readonly admitted: AdmittedArguments;
  readonly verdict: BeforeToolCallVerdict;
  /** Safety rule that requires approval; undefined when none does. */
  readonly risk: SafetyRisk | undefined;
  readonly command: ParsedCommand | undefined;
}

/**
 * Gets a verdict for a call from the broker. A stored approval request becomes a step of the turn in the
 * same transaction: the turn waits only for its decision (APPR-012).
 * @param scope - the turn's tools and rules
 * @param policy - policy of the call, with its decisions
 */
export async function askForApproval(
  approvable: ApprovableCall,
  scope: Scope,
  policy: CallPolicy,
): Promise<NewCallVerdict> {
  const { call, admitted, verdict } = approvable;
  const { approvals, logger } = scope.turn.dependencies;
  const { runId } = scope.turn.request;
  for (const { owner, claimed } of verdict.misattributed) {
    const problem = `plugin "${owner}" requests approval in the name of plugin "${claimed}"; the request is its own`;
    logger.warn(problem, { code: "APPROVAL_PLUGIN_ID_IGNORED", pluginId: owner, runId });
  }
  const request = await approvalRequestOf(approvable, scope, policy);
  // Masking long arguments and the steps before it take time, so the clock is read here.
  await nextRound();
  return await approvals.ask(request, async (unit: Store, { id, title }) => {
    const { toolCallId, toolName } = call;
    const waiting = waitingCall(id, admitted.params, verdict.guidance);
    await unit.decisions.policy.add(policy.takeDecisions());
    await unit.turns.journal.append({
      runId,
      step: { kind: "approval-asked", toolCallId, toolName, title, waiting },
    });
  });
}

/**
 * Returns the digest of a call as it is about to run (APPR-008).
 * @param call - name of the tool and ID of the call
 * @param params - its final arguments
 */
export function digestOfCall(
  { toolName }: RequestedCall,
  params: Record<string, unknown>,
  request: Pick<TurnRequest, "sessionKey" | "origin">,
): string {
  const { sessionKey } = request;
  return digestOf({ toolName, params, sessionKey, requester: requesterOf(request) });
}

async function approvalRequestOf(
  approvable: ApprovableCall,
  scope: Scope,
  policy: CallPolicy,
): Promise<ApprovalRequest> {
  const { call, entry, admitted, verdict, risk, command } = approvable;
  const { request, state } = scope.turn;
  const { runId, sessionKey, agentId } = request;
  const { requireApproval: wanted, requestedBy } = verdict;
  const [pluginId, ...alsoRequestedBy] = requestedBy;
  const isCommand = entry.name === COMMAND_TOOL;
  // A trusted policy that does not name the command to run does not waive its approval (APPR-038).
  const isUnsaid = isCommand && policyAuthorization(verdict.metBy, command) === undefined;
  const metBy = isUnsaid ? undefined : verdict.metBy;
  const isPlugin = wanted !== undefined && !(isCommand && verdict.isRequestedByPolicy);
  const own = await needOfTool(entry, admitted.parsed, scope, policy);
  const { asksEachTime = false } = eachTimeOf(own.scoped);
  const isMet =
    metBy !== undefined && own.cause === "tool" && own.need === "unless-granted" && !asksEachTime;
  const ownNeed = isMet ? "never" : own.need;
  // Only a trusted policy may waive the approval that a tool requires by itself.
  const mayRunUnanswered =
    ownNeed === "never" || (ownNeed === "unless-granted" && verdict.isRequestedByPolicy);
  const kind = isPlugin ? "plugin" : isCommand ? "exec" : "tool";
  return {
    kind,
    cause: causeOf(approvable, own),
    pluginId,
    alsoRequestedBy,
    runId,
    sessionKey,
    agentId,
    requester: requesterOf(request),
    toolCallId: call.toolCallId,
    toolName: entry.name,
    workspaceDir: request.workspaceDir,
    params: admitted.params,
    command,
    // No grant or setting waives an approval that a safety rule requires; a plugin's grant may waive the
    // plugin's own.
    need: needOf(wanted !== undefined, risk !== undefined || (isPlugin && asksEachTime), own.need),
    declaredNeed: own.declared,
    ownNeed,
    satisfiedBy: metBy && { policy: `${metBy.pluginId}/${metBy.policyId}`, reason: metBy.reason },
    grantable: isCommand ? grantableCommand(verdict.grantable, command) : undefined,
    contained: isCommand ? containedCommand(verdict.contained, command) : undefined,
    rule: ruleOf(approvable, own),
    title: wanted?.title ?? `${entry.tool.label ?? entry.name}?`,
    description: asksEachTime
      ? [own.scoped?.description, wanted?.description ?? risk?.reason].filter(Boolean).join(" ")
      : (wanted?.description ?? risk?.reason ?? own.scoped?.description ?? reasonOf(approvable)),
    asksEachTime,
    severity: risk === undefined ? (wanted?.severity ?? "warning") : "critical",
    timeoutMs: wanted?.timeoutMs,
    timeoutBehavior: mayRunUnanswered ? wanted?.timeoutBehavior : "deny",
    allowedDecisions: wanted?.allowedDecisions,
    ...grantOf(wanted, own.scoped),
    decisionId: policy.decisionId,
    isAttended: request.isAttended?.(kind) ?? false,
    askedSince: state.lastUserMessageAt,
    onResolution: wanted?.onResolution,
    preview: previewOf(approvable, request.signal),
  };
}

/** Returns whether the tool requires an approval of exactly this call, which nothing wider replaces. */
function eachTimeOf(scoped: ScopedApproval | undefined): { readonly asksEachTime?: boolean } {
  return scoped ?? {};
}

/** Returns what "always" covers: calls that the plugin names where one requests approval, else those that the tool names. */
function grantOf(
  wanted: ApprovableCall["verdict"]["requireApproval"],
  scoped: ScopedApproval | undefined,
): Pick<ApprovalRequest, "grantKey" | "covers" | "coversBelow"> {
  if (wanted !== undefined) return { grantKey: wanted.grantKey };
  if (scoped?.need !== "unless-granted") return {};
  const { grantKey, covers, coversBelow } = scoped;
  return { grantKey, covers, coversBelow };
}

/** The tool itself says what a call would change, and fails one that cannot succeed before a person is asked. */
function previewOf(
  { entry: { tool }, admitted }: ApprovableCall,
  signal: AbortSignal,
): ApprovalRequest["preview"] {
  const { preview } = tool;
  if (preview === undefined) return undefined;
  return async () => {
    try {
      return { change: await preview.call(tool, admitted.parsed, signal) };
    } catch (error) {
      return { problem: errorMessage(error) };
    }
  };
}

/** Returns why a trusted policy does not waive the approval of a command; empty for other calls. */
function reasonOf({ entry, verdict: { grantable } }: ApprovableCall): string {
  return (entry.name === COMMAND_TOOL ? grantable?.reason : undefined) ?? "";
}

function causeOf(
  { verdict: { requireApproval, isDoubt }, risk, entry }: ApprovableCall,
  own: OwnNeed,
): ApprovalCause {
  if (requireApproval === undefined) return { kind: risk === undefined ? own.cause : "safety" };
  return isDoubt && entry.name === COMMAND_TOOL
    ? { kind: "doubt", toolNeed: own.need }
    : { kind: "plugin" };
}

/** Returns the rule that gives the reason: that of the plugin that asks, else of safety, else for the tool. */
function ruleOf({ verdict, risk }: ApprovableCall, own: OwnNeed): RequestedRule | undefined {
  const { requireApproval, requestedBy } = verdict;
  if (requireApproval === undefined) return risk === undefined ? own.rule : { id: risk.rule };
  const [owner] = requestedBy;
  const { rule } = requireApproval;
  if (rule === undefined || owner === undefined) return undefined;
  const id = startOfText(rule.id, LONGEST_RULE);
  if (rule.configPath === undefined) return { id };
  return { ...settingRule(["plugins", "entries", owner, "config", ...rule.configPath]), id };
}

function settingRule(path: readonly (string | number)[]): RequestedRule {
  const steps = path.map((step) =>
    typeof step === "string" && PLAIN_STEP.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`,
  );
  const key = steps.join("").slice(1);
  return { id: key, key, path };
}

function needOf(isWanted: boolean, isRisky: boolean, own: ApprovalNeed): ApprovalNeed {
  if (isRisky || own === "always") return "always";
  return isWanted ? "unless-granted" : own;
}

interface OwnNeed {
  readonly need: ApprovalNeed;
  readonly cause: "tool" | "policy";
  readonly declared?: ApprovalNeed | undefined;
  /** Rule or setting that decides it; absent when the tool itself does. */
  readonly rule?: RequestedRule | undefined;
  /** Approval that the tool requires for a part of its calls. */
  readonly scoped?: ScopedApproval | undefined;
}

/** Returns the approval that the tool requires unless a policy rule or the operator overrides it. */
async function needOfTool(
  { name, tool, policyTool }: ToolEntry,
  parsed: Record<string, unknown>,
  { turn }: Scope,
  policy: CallPolicy,
): Promise<OwnNeed> {
  const ruled = policy.approvalOf(policyTool);
  const { approval = "never" } = tool;
  const own = typeof approval === "function" ? await approval(parsed) : approval;
  const scoped = typeof own === "object" ? own : undefined;
  const { asksEachTime = false } = eachTimeOf(scoped);
  const atLeast = (need: ApprovalNeed): ApprovalNeed => {
    if (!asksEachTime || scoped === undefined) return need;
    return scoped.need === "always" || need === "never" ? scoped.need : need;
  };
  if (ruled !== undefined) return { need: atLeast(ruled), cause: "policy", scoped };
  const declared = typeof own === "object" ? own.need : own;
  const need = atLeast(turn.dependencies.approvals.need(name, declared));
  const isSet = need !== "never" && need !== atLeast(declared);
  const rule = isSet ? settingRule(["tools", "approval", name]) : undefined;
  return { need, cause: "tool", declared, scoped, rule };
}

function waitingCall(
  approvalId: string,
  params: Record<string, unknown>,
  guidance: readonly Guidance[],
): WaitingCall {
  // Admitted arguments are plain JSON already; the copy says so to the compiler too.
  return { approvalId, params: jsonCopy(params) as JsonObject, guidance };
}

/**
 * Returns the requester of approvals in a turn.
 * @param request - request of the turn
 */
export function requesterOf({ origin }: Pick<TurnRequest, "origin">): ApprovalRequester {
  const { channel, accountId = "default", senderId, senderIsOwner } = origin;
  return { channel, accountId, senderId, ...(senderIsOwner ? { isOwner: true } : {}) };
}

import { jsonCopy } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { ApprovalNeed, JsonObject } from "@openclaw/plugin-sdk/tools";
import type { NewPolicyDecision } from "@openclaw/store/decisions";
import { canonicalToolName, type Policy, type PolicyTool } from "@openclaw/tool-policy";
import type { RequestedCall } from "../context/call.js";
import { compareWithShadow, type PolicyShadow, verdictOf } from "../context/policy-shadow.js";
import type { ToolCallScope } from "../context/tool-call-scope.js";
import { denialOf, type ToolDenial } from "./denial.js";

/** Dependencies of {@link CallPolicy}. */
export interface CallPolicyDependencies {
  /** The policy with which the turn started. */
  readonly policy: Policy;
  /** Returns the policy in force now (POL-045). */
  readonly latestPolicy: () => Policy;
  /** Policy that is evaluated in addition to it and never applied, `tools.candidate`. */
  readonly shadow?: PolicyShadow | undefined;
  readonly logger: Logger;
}

type Scope = ToolCallScope<CallPolicyDependencies>;

/** Evaluates the policy for one tool call and keeps its decisions for the policy log (POL-030). */
export class CallPolicy {
  readonly #call: RequestedCall;
  readonly #scope: Scope;
  readonly #made = new Map<string, NewPolicyDecision>();
  #taken = 0;
  #isShadowed = false;

  /**
   * @param call - as the model asked for it
   * @param scope - turn, tools and policy context
   */
  constructor(call: RequestedCall, scope: Scope) {
    this.#call = call;
    this.#scope = scope;
  }

  /** ID of the last policy decision, which can be explained by it; undefined before the first decision. */
  get decisionId(): string | undefined {
    return [...this.#made.values()].at(-1)?.decisionId;
  }

  /** Returns the decisions made since the last call of this method; the caller must write them. */
  takeDecisions(): readonly NewPolicyDecision[] {
    const fresh = [...this.#made.values()].slice(this.#taken);
    this.#taken = this.#made.size;
    return fresh;
  }

  /**
   * Returns the denial of a tool by the policy of the turn's start or by the current one; the stricter wins
   * (POL-045).
   * @param tool - the tool in the form that policy evaluates
   * @returns undefined when the tool is allowed
   */
  denialOf(tool: PolicyTool): ToolDenial | undefined {
    const { policy, latestPolicy } = this.#scope.turn.dependencies;
    const denial = this.#ask(policy, tool) ?? this.#ask(latestPolicy(), tool);
    this.#shadow(tool, denial);
    return denial;
  }

  /**
   * Returns the denial of a tool that is not in the turn's set but known to policy.
   * @returns undefined when the tool does not exist, or is absent for a reason other than policy
   */
  denialOfAbsent(): ToolDenial | undefined {
    const { policy } = this.#scope.turn.dependencies;
    const name = canonicalToolName(this.#call.toolName);
    const known = policy.tools.find((tool) => canonicalToolName(tool.name) === name);
    if (known === undefined) return undefined;
    const denial = this.#ask(policy, known);
    this.#shadow(known, denial);
    return denial;
  }

  /**
   * Returns the approval that a rule requires for every call of a tool; undefined when none does.
   * @param tool - tool that policy allows
   */
  approvalOf(tool: PolicyTool): ApprovalNeed | undefined {
    const { turn, policyContext } = this.#scope;
    const { policy, latestPolicy } = turn.dependencies;
    return (
      policy.decide(tool, policyContext).approval ??
      latestPolicy().decide(tool, policyContext).approval
    );
  }

  /** Compares the outcome with that of a policy that is tried, once for the call (POL-035). */
  #shadow(tool: PolicyTool, denial: ToolDenial | undefined): void {
    const { turn, policyContext: context } = this.#scope;
    const { shadow, logger } = turn.dependencies;
    if (shadow === undefined || this.#isShadowed) return;
    this.#isShadowed = true;
    const { runId, sessionKey, agentId } = turn.request;
    const needsApproval = denial === undefined && this.approvalOf(tool) !== undefined;
    const live = verdictOf(denial === undefined, needsApproval);
    const { toolCallId } = this.#call;
    const call = {
      runId,
      sessionKey,
      agentId,
      toolCallId,
      tool: canonicalToolName(tool.name),
      live,
    };
    compareWithShadow(shadow, { tool, context }, call, logger);
  }

  #ask(policy: Policy, tool: PolicyTool): ToolDenial | undefined {
    const { turn, policyContext: context } = this.#scope;
    const { runId, sessionKey, agentId } = turn.request;
    const decisionId = policy.decisionId(tool, context);
    const { snapshot, hash: policyHash } = policy;
    const key = `${decisionId} ${snapshot.id}`;
    if (!this.#made.has(key)) {
      const { allowed, decidedBy } = policy.decide(tool, context);
      this.#made.set(key, {
        decisionId,
        policyHash,
        snapshot,
        runId,
        toolCallId: this.#call.toolCallId,
        sessionKey,
        agentId,
        tool: canonicalToolName(tool.name),
        input: asJson({ tool, context }),
        allowed,
        decidedBy: asJson(decidedBy),
      });
    }
    return denialOf(tool, policy, context);
  }
}

/** Returns a copy with the type of plain JSON, which tools, contexts and deciders are. */
function asJson(value: object): JsonObject {
  return jsonCopy(value) as JsonObject;
}

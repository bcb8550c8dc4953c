import { jsonCopy } from "@openclaw/foundation";
import type { ApprovalNeed, JsonObject } from "@openclaw/plugin-sdk/tools";
import type { NewPolicyDecision } from "@openclaw/store/decisions";
import { canonicalToolName, type Policy, type PolicyTool } from "@openclaw/tool-policy";
import type { RequestedCall } from "../context/call.js";
import { denialOf, type ToolDenial } from "./denial.js";
import type { ToolCallScope } from "./scope.js";

/** Dependencies of {@link CallPolicy}. */
export interface CallPolicyDependencies {
  /** The policy with which the turn started. */
  readonly policy: Policy;
  /** Returns the policy in force now (POL-045). */
  readonly latestPolicy: () => Policy;
}

type Scope = ToolCallScope<CallPolicyDependencies>;

/** Asks policy about one tool call, and keeps what it answered for the policy log (POL-030). */
export class CallPolicy {
  readonly #call: RequestedCall;
  readonly #scope: Scope;
  readonly #made = new Map<string, NewPolicyDecision>();
  #taken = 0;

  /**
   * @param call - as the model asked for it
   * @param scope - the turn's rules and circumstances
   */
  constructor(call: RequestedCall, scope: Scope) {
    this.#call = call;
    this.#scope = scope;
  }

  /** The last decision that policy took, by which it is explained; undefined before the first. */
  get decisionId(): string | undefined {
    return [...this.#made.values()].at(-1)?.decisionId;
  }

  /** What policy answered since this was last asked for, each decision once; it is to be written now. */
  takeDecisions(): readonly NewPolicyDecision[] {
    const fresh = [...this.#made.values()].slice(this.#taken);
    this.#taken = this.#made.size;
    return fresh;
  }

  /**
   * Of the policy that the turn began with and the one that holds now the stricter wins (POL-045).
   * @param tool - as policy judges it
   * @returns undefined when the tool is allowed
   */
  denialOf(tool: PolicyTool): ToolDenial | undefined {
    const { policy, latestPolicy } = this.#scope.turn.dependencies;
    return this.#ask(policy, tool) ?? this.#ask(latestPolicy(), tool);
  }

  /**
   * Asks for a tool that is not in the turn's set, by the tools that policy knows.
   * @returns undefined when there is no such tool, or something other than policy keeps it out
   */
  denialOfAbsent(): ToolDenial | undefined {
    const { policy } = this.#scope.turn.dependencies;
    const name = canonicalToolName(this.#call.toolName);
    const known = policy.tools.find((tool) => canonicalToolName(tool.name) === name);
    return known && this.#ask(policy, known);
  }

  /**
   * Whether a rule wants a person's word for every call of a tool.
   * @param tool - which policy allows
   */
  approvalOf(tool: PolicyTool): ApprovalNeed | undefined {
    const { turn, policyContext } = this.#scope;
    const { policy, latestPolicy } = turn.dependencies;
    return (
      policy.decide(tool, policyContext).approval ??
      latestPolicy().decide(tool, policyContext).approval
    );
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

/** Tools, circumstances and deciders are plain data; the copy says so to the compiler too. */
function asJson(value: object): JsonObject {
  return jsonCopy(value) as JsonObject;
}

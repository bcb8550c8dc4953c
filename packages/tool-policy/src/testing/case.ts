import type { PolicyContext } from "../decision/context.js";
import type { CapName, DecidedBy } from "../decision/decision.js";
import type { PolicyExplanation } from "../explanation/explanation.js";
import type { LayerName } from "../layers/layer.js";
import type { PolicyTool } from "../matching/tool.js";
import { canonicalToolName } from "../matching/tool-name.js";
import type { Policy } from "../policy/policy.js";

/** Part of a policy that settles a decision, as named in cases. */
export type CaseDecider = LayerName | CapName | "optional" | "default";

/** One expectation of a policy (POL-033). */
export interface PolicyCase {
  readonly name: string;
  /** A tool, or the name of one the policy knows; other names stand for core tools. */
  readonly tool: string | (Partial<PolicyTool> & Pick<PolicyTool, "name">);
  /** Absent fields: agent `main`, not an owner, not sandboxed, no subagent. */
  readonly context?: Partial<PolicyContext>;
  readonly expect: "allow" | "deny";
  /** Part of the policy that must have settled the decision. */
  readonly by?: CaseDecider;
}

/** Result of one case. */
export interface PolicyCaseResult {
  readonly name: string;
  readonly passed: boolean;
  /** For example `deny by agent`. */
  readonly expected: string;
  readonly actual: string;
  readonly explanation: PolicyExplanation;
}

function toolOf(policy: Policy, { tool }: PolicyCase): PolicyTool {
  const given = typeof tool === "string" ? { name: tool } : tool;
  const name = canonicalToolName(given.name);
  const known = policy.tools.find((each) => canonicalToolName(each.name) === name);
  return { origin: "core", optional: false, aliases: [], ...known, ...given };
}

function deciderOf(decidedBy: DecidedBy): CaseDecider {
  if (decidedBy.kind === "layer") return decidedBy.layer;
  return decidedBy.kind === "cap" ? decidedBy.cap : decidedBy.kind;
}

/**
 * Evaluates each case with a policy and compares the results (POL-033).
 * @param policy - compiled with the tools that exist
 * @param cases - expectations
 * @returns one result per case, in order
 */
export function runPolicyCases(
  policy: Policy,
  cases: readonly PolicyCase[],
): readonly PolicyCaseResult[] {
  return cases.map((each) => {
    const context = {
      agentId: "main",
      senderIsOwner: false,
      sandboxed: false,
      subagentDepth: 0,
      ...each.context,
    };
    const explanation = policy.explain(toolOf(policy, each), context);
    const outcome = explanation.allowed ? "allow" : "deny";
    const decider = deciderOf(explanation.decidedBy);
    return {
      name: each.name,
      passed: outcome === each.expect && (each.by === undefined || decider === each.by),
      expected: each.by === undefined ? each.expect : `${each.expect} by ${each.by}`,
      actual: `${outcome} by ${decider}`,
      explanation,
    };
  });
}

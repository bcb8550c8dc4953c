import { defined } from "@openclaw/foundation";
import {
  denialText,
  type Policy,
  type PolicyContext,
  type PolicyTool,
} from "@openclaw/tool-policy";
import type { PolicyRefusal } from "../context/event.js";

/** Reason why policy denies a tool, for the model and for owners. */
export interface ToolDenial {
  /** Text with the layer and the rule, without files or keys: the sender may be any user (POL-029). */
  readonly text: string;
  readonly policy: PolicyRefusal;
  /** Layer that denies the tool, for the audit log. */
  readonly decider: string;
}

/**
 * Evaluates the policy for a tool.
 * @param tool - the tool in the form that policy evaluates
 * @param policy - policy of the turn
 * @param context - context of the turn
 * @returns undefined when the tool is allowed
 */
export function denialOf(
  tool: PolicyTool,
  policy: Policy,
  context: PolicyContext,
): ToolDenial | undefined {
  const { allowed, decidedBy } = policy.decide(tool, context);
  if (allowed) return undefined;
  const { file, key } = (decidedBy.kind === "layer" ? decidedBy.source : undefined) ?? {};
  return {
    text: denialText({ tool: tool.name, decidedBy }),
    decider: `policy:${decidedBy.kind === "layer" ? decidedBy.layer : decidedBy.kind}`,
    policy: {
      decisionId: policy.decisionId(tool, context),
      ...defined({ file, key }),
    },
  };
}

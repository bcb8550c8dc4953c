import { defined } from "@openclaw/foundation";
import {
  denialText,
  type Policy,
  type PolicyContext,
  type PolicyTool,
} from "@openclaw/tool-policy";
import type { PolicyRefusal } from "../context/event.js";

/** What the model and an owner are told of a tool that policy denies. */
export interface ToolDenial {
  /** Names layer and rule, and neither files nor keys: the sender may be anyone (POL-029). */
  readonly text: string;
  readonly policy: PolicyRefusal;
  /** For the audit: the layer that denies. */
  readonly decider: string;
}

/**
 * Asks policy for a tool.
 * @param tool - as policy judges it
 * @param policy - of the turn
 * @param context - of the turn
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

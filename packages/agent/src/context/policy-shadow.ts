import { channel } from "node:diagnostics_channel";
import { errorMessage } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import {
  denialText,
  type Policy,
  type PolicyContext,
  type PolicyTool,
} from "@openclaw/tool-policy";

/** Outcome of a policy for a call: it may run, a person must approve it, or it is denied. */
export type ShadowVerdict = "allowed" | "approval" | "denied";

/** Call for which a policy that is tried decides otherwise than the one in force. */
export interface ShadowDifference {
  readonly runId: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly toolCallId: string;
  /** Canonical name of the tool. */
  readonly tool: string;
  /** Outcome that counted. */
  readonly live: ShadowVerdict;
  readonly candidate: ShadowVerdict;
  /** Reason of the candidate for a denial. */
  readonly reason?: string | undefined;
}

/** Policy that is evaluated in addition to the one in force and never applied (POL-035). */
export interface PolicyShadow {
  readonly policy: Policy;
  /** Is told of each call that the policy decides otherwise. */
  differs(difference: ShadowDifference): void;
}

/** A call, and the outcome that counts. */
export type ShadowedCall = Omit<ShadowDifference, "candidate" | "reason">;

/** Receives every {@link ShadowDifference} of the process, for metrics. */
const differences = channel("openclaw:policy-shadow");

/**
 * Evaluates the tried policy for a call, and reports a difference. No failure reaches the call.
 * @param shadow - policy that is tried
 * @param subject - tool and context, as the policy in force evaluated them
 * @param call - the call, with the outcome that counts
 * @param logger - receives the failure of an evaluation
 */
export function compareWithShadow(
  { policy, differs }: PolicyShadow,
  { tool, context }: { readonly tool: PolicyTool; readonly context: PolicyContext },
  call: ShadowedCall,
  logger: Logger,
): void {
  try {
    const { allowed, approval, decidedBy } = policy.decide(tool, context);
    const candidate = verdictOf(allowed, approval !== undefined);
    if (candidate === call.live) return;
    const reason = allowed ? undefined : denialText({ tool: tool.name, decidedBy });
    const difference: ShadowDifference = { ...call, candidate, reason };
    differences.publish(difference);
    differs(difference);
  } catch (error) {
    logger.warn(`the candidate policy could not be evaluated: ${errorMessage(error)}`, {
      code: "POLICY_SHADOW_FAILED",
    });
  }
}

/**
 * Returns the outcome of a policy.
 * @param isAllowed - true when the call is not denied
 * @param needsApproval - true when a rule requires approval
 */
export function verdictOf(isAllowed: boolean, needsApproval: boolean): ShadowVerdict {
  if (!isAllowed) return "denied";
  return needsApproval ? "approval" : "allowed";
}

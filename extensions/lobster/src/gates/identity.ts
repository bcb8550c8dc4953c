import type { JsonObject, ToolRequester } from "@openclaw/plugin-sdk/tools";
import type { EngineGate } from "../run/runner.js";
import { isObject } from "../workflow/json-object.js";

/** Rules about the person who decides a gate (LOB-028). */
export interface ApproverRules {
  /** Identity as `channel:sender`; any approver when absent. */
  readonly requiredApprover?: string;
  /** True demands another person than the one who started the run. */
  readonly isDifferent?: true;
}

/**
 * Returns the rules of a gate. Those of the workflow file count first; a step can only add to them.
 * @param gate - gate as the engine describes it
 * @param workflow - workflow file; undefined for a pipeline
 * @param resumeState - state in which the engine keeps the suspended run
 */
export function approverRules(
  gate: EngineGate,
  workflow: JsonObject | undefined,
  resumeState: JsonObject | undefined,
): ApproverRules {
  const steps = Array.isArray(workflow?.steps) ? workflow.steps : [];
  const step = steps.find((each) => isObject(each) && each.id === resumeState?.approvalStepId);
  const written = isObject(step) && isObject(step.approval) ? step.approval : {};
  const required =
    written.required_approver ?? written.requiredApprover ?? gate.requiredApprover ?? undefined;
  const isDifferent =
    written.require_different_approver === true ||
    written.requireDifferentApprover === true ||
    gate.requireDifferentApprover === true;
  return {
    ...(typeof required === "string" && required !== "" ? { requiredApprover: required } : {}),
    ...(isDifferent ? { isDifferent: true as const } : {}),
  };
}

/**
 * Returns the identity of a requester, in the form in which approvals name people.
 * @param requester - requester as the host authenticated it
 */
export function identityOf({ channel, senderId }: ToolRequester): string {
  return `${channel}:${senderId}`;
}

/**
 * Returns why a person may not decide a gate; undefined when they may.
 * @param decidedBy - identity of the person, as the host recorded it
 * @param initiatedBy - identity of the requester of the run
 * @param rules - rules of the gate
 */
export function approverProblem(
  decidedBy: string | undefined,
  initiatedBy: string,
  { requiredApprover, isDifferent }: ApproverRules,
): string | undefined {
  if (requiredApprover !== undefined && decidedBy !== requiredApprover) {
    return `${decidedBy ?? "an unknown person"} approved, and the gate needs ${requiredApprover}`;
  }
  if (isDifferent === true && (decidedBy === undefined || decidedBy === initiatedBy)) {
    return `${decidedBy ?? "an unknown person"} started the run, and the gate needs another person`;
  }
  return undefined;
}

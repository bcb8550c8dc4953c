import type {
  ApprovalDecision,
  PluginApprovalResolution,
  RequireApproval,
} from "@openclaw/plugin-sdk/hooks";
import type { CustomMerge } from "./merge.js";

type Severity = NonNullable<RequireApproval["severity"]>;
const SEVERITY_WEIGHT: Readonly<Record<Severity, number>> = { info: 0, warning: 1, critical: 2 };
const DECISIONS = new Set<unknown>([
  "allow-once",
  "allow-always",
  "deny",
] satisfies ApprovalDecision[]);

/**
 * Merges the approval requests of all handlers into one (HCR-005): title, description, rule, timeout and
 * grant key of the first, the highest severity, `deny` on timeout unless every handler chose
 * `allow`, and only the decisions that all of them allow. Each `onResolution` is called once.
 */
export const mergeApprovals: CustomMerge<RequireApproval> = {
  rule: "text, deadline and grant key of the first; highest severity; silence denies unless all say allow; decisions intersect",
  merge(earlier, next, from) {
    const asked = { ...next, pluginId: from.owner };
    if (earlier === undefined) return asked;
    const merged: RequireApproval = {
      ...earlier,
      severity: higher(earlier.severity, asked.severity),
      timeoutBehavior:
        earlier.timeoutBehavior === "allow" && asked.timeoutBehavior === "allow" ? "allow" : "deny",
    };
    // A request for another reason is not covered by an approval in advance of ambiguous commands.
    if (asked.cause !== "doubt") delete merged.cause;
    const timeoutMs = earlier.timeoutMs ?? asked.timeoutMs;
    if (timeoutMs !== undefined) merged.timeoutMs = timeoutMs;
    const decisions = intersect(earlier.allowedDecisions, asked.allowedDecisions);
    if (decisions !== undefined) merged.allowedDecisions = decisions;
    const onResolution = both(earlier.onResolution, asked.onResolution);
    if (onResolution !== undefined) merged.onResolution = onResolution;
    return merged;
  },
};

/**
 * Checks whether a value is an approval request as `before_tool_call` accepts it. A text that is
 * too long or a timeout out of bounds does not deny the call: the approval broker truncates and
 * clamps them (APPR-002, APPR-013).
 * @param value - `requireApproval` as a handler returned it
 */
export function isApprovalRequest(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const asked = value as { readonly [Field in keyof RequireApproval]?: unknown };
  return (
    typeof asked.title === "string" &&
    asked.title.trim() !== "" &&
    isAbsentOr(asked.description, (description) => typeof description === "string") &&
    isAbsentOr(asked.severity, (severity) => Object.hasOwn(SEVERITY_WEIGHT, String(severity))) &&
    isAbsentOr(asked.timeoutMs, Number.isFinite) &&
    isAbsentOr(asked.timeoutBehavior, (choice) => choice === "allow" || choice === "deny") &&
    isAbsentOr(asked.allowedDecisions, isDecisions) &&
    isAbsentOr(asked.cause, (cause) => cause === "doubt") &&
    isAbsentOr(asked.rule, isRule) &&
    isAbsentOr(asked.grantKey, (key) => typeof key === "string") &&
    isAbsentOr(asked.onResolution, (callback) => typeof callback === "function")
  );
}

function higher(left: Severity = "warning", right: Severity = "warning"): Severity {
  return SEVERITY_WEIGHT[right] > SEVERITY_WEIGHT[left] ? right : left;
}

function intersect(
  left: ApprovalDecision[] | undefined,
  right: ApprovalDecision[] | undefined,
): ApprovalDecision[] | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return left.filter((decision) => right.includes(decision));
}

type OnResolution = NonNullable<RequireApproval["onResolution"]>;

function both(
  left: OnResolution | undefined,
  right: OnResolution | undefined,
): OnResolution | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return async (decision: PluginApprovalResolution) => {
    const outcomes = await Promise.allSettled([
      (async () => left(decision))(),
      (async () => right(decision))(),
    ]);
    const failures = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason] : [],
    );
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1)
      throw new AggregateError(failures, "several onResolution callbacks failed");
  };
}

function isRule(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { id, configPath } = value as { readonly id?: unknown; readonly configPath?: unknown };
  return typeof id === "string" && id !== "" && isAbsentOr(configPath, isPath);
}

function isPath(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((step) => typeof step === "string" || Number.isSafeInteger(step))
  );
}

function isDecisions(value: unknown): boolean {
  return Array.isArray(value) && value.every((decision) => DECISIONS.has(decision));
}

function isAbsentOr(value: unknown, accepts: (value: unknown) => boolean): boolean {
  return value === undefined || accepts(value);
}

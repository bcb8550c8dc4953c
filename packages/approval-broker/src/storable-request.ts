import { defined } from "@openclaw/foundation";
import type { ApprovalDecision } from "@openclaw/plugin-sdk/hooks";
import type { ApprovalKind, NewApproval } from "@openclaw/store/decisions";
import { commandTexts } from "./command-texts.js";
import { approvalDigest } from "./digest.js";
import { redactForDisplay } from "./display.js";
import { type ApprovalRequest, digestOf, type PluginApprovalRequest } from "./request.js";
import { type ApprovalSettings, TIMEOUT_MS } from "./settings.js";
import { boundWords } from "./words.js";

const TITLE_LENGTH = 80;
const DESCRIPTION_LENGTH = 512;
const DEFAULT_TIMEOUT_MS: Readonly<Record<ApprovalKind, number>> = {
  plugin: 120_000,
  tool: 120_000,
  exec: 1_800_000,
};
const DECISIONS: readonly ApprovalDecision[] = ["allow-once", "allow-always", "deny"];

/** An approval request as it is stored. */
export interface StorableRequest {
  readonly approval: NewApproval;
  /** Of a deadline out of bounds; undefined when none was (APPR-013). */
  readonly clamped: string | undefined;
}

/**
 * Returns an approval request as it is stored: texts cut to their maximum length, the timeout clamped to its
 * bounds, secrets masked, and only the decisions that are allowed (APPR-002, APPR-013, APPR-022).
 * @param request - about a call
 * @param grant - what `allow-always` would cover
 * @param settings - the operator's
 */
export function storableRequest(
  request: ApprovalRequest,
  grant: NewApproval["grant"],
  settings: ApprovalSettings,
): StorableRequest {
  const { kind, pluginId, alsoRequestedBy = [], toolName, severity } = request;
  const { timeoutMs, clamped } = boundTimeout(request, settings);
  const mayAllow = severity !== "critical" && settings.timeoutAllow !== "never";
  return {
    clamped,
    approval: {
      kind,
      ...defined({ pluginId }),
      alsoRequestedBy,
      runId: request.runId,
      toolCallId: request.toolCallId,
      tool: toolName,
      params: redactForDisplay(request.params),
      ...defined({ commands: request.command && commandTexts(request.command) }),
      digest: digestOf(request),
      sessionKey: request.sessionKey,
      agentId: request.agentId,
      requester: request.requester,
      title: boundWords(request.title, TITLE_LENGTH),
      description: boundWords(request.description, DESCRIPTION_LENGTH),
      severity,
      allowedDecisions: decisionsOf(request),
      timeoutBehavior: mayAllow ? (request.timeoutBehavior ?? "deny") : "deny",
      timeoutMs,
      grant,
    },
  };
}

/**
 * Returns an approval request outside a tool call as it is stored. It cannot be granted for later calls, since
 * there is no call that a grant could cover.
 * @param request - of a plugin, which counts as its requester
 * @param settings - the operator's
 */
export function storablePluginRequest(
  request: PluginApprovalRequest,
  settings: ApprovalSettings,
): StorableRequest {
  const { pluginId, title, description, payload = null, sessionKey } = request;
  const requester = { channel: "plugin", accountId: "default", senderId: pluginId };
  const digest = approvalDigest({ tool: null, params: payload, sessionKey, requester });
  const { timeoutMs, clamped } = boundTimeout({ ...request, kind: "plugin" }, settings);
  return {
    clamped,
    approval: {
      kind: "plugin",
      pluginId,
      params: redactForDisplay(payload),
      digest,
      sessionKey,
      agentId: request.agentId,
      requester,
      title: boundWords(title, TITLE_LENGTH),
      description: boundWords(description, DESCRIPTION_LENGTH),
      severity: request.severity ?? "warning",
      allowedDecisions: ["allow-once", "deny"],
      timeoutBehavior: "deny",
      timeoutMs,
      grant: { scope: "session", key: digest },
    },
  };
}

function decisionsOf({ severity, need, allowedDecisions }: ApprovalRequest) {
  const mayLast = severity !== "critical" && need !== "always";
  const offered = DECISIONS.filter((decision) => mayLast || decision !== "allow-always");
  if (allowedDecisions === undefined) return offered;
  return offered.filter((decision) => allowedDecisions.includes(decision));
}

function boundTimeout(
  { kind, timeoutMs }: Pick<ApprovalRequest, "kind" | "timeoutMs">,
  { timeouts = {} }: ApprovalSettings,
): { timeoutMs: number; clamped: string | undefined } {
  const asked = timeoutMs ?? timeouts[kind] ?? DEFAULT_TIMEOUT_MS[kind];
  const bounded = Math.min(TIMEOUT_MS.most, Math.max(TIMEOUT_MS.least, Math.round(asked)));
  const clamped =
    bounded === asked
      ? undefined
      : `a question may wait ${TIMEOUT_MS.least} to ${TIMEOUT_MS.most} ms, got ${asked}; it waits ${bounded} ms`;
  return { timeoutMs: bounded, clamped };
}

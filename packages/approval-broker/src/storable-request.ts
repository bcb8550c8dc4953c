import { defined } from "@openclaw/foundation";
import type { ApprovalDecision, ParsedCommand } from "@openclaw/plugin-sdk/hooks";
import { maskSecrets } from "@openclaw/safety";
import type {
  ApprovalKind,
  ApprovalQuorum,
  ApprovalRequester,
  AskingRule,
  NewApproval,
} from "@openclaw/store/decisions";
import { shownCommands } from "./commands/texts.js";
import { approvalDigest } from "./digest.js";
import { redactForDisplay } from "./display.js";
import { quorumOf } from "./quorum/rule.js";
import {
  type ApprovalRequest,
  digestOf,
  type PluginApprovalRequest,
  type RequestedRule,
} from "./request.js";
import { type ApprovalSettings, TIMEOUT_MS } from "./settings.js";
import { boundWords } from "./words.js";

const CHANGE_LENGTH = 100_000;
const TITLE_LENGTH = 80;
const DESCRIPTION_LENGTH = 512;
const DEFAULT_TIMEOUT_MS: Readonly<Record<ApprovalKind, number>> = {
  plugin: 120_000,
  tool: 1_800_000,
  exec: 1_800_000,
};
const DECISIONS: readonly ApprovalDecision[] = ["allow-once", "allow-always", "deny"];

/** Stored form of an approval request. */
export interface StorableRequest {
  readonly approval: NewApproval;
  /** Warning about a timeout that was out of bounds (APPR-013). */
  readonly clamped: string | undefined;
}

/**
 * Returns the stored form of an approval request: strings cut to their maximum length, the timeout
 * clamped to its bounds, secrets masked, and only the decisions that are allowed (APPR-002,
 * APPR-013, APPR-022).
 * @param request - approval request of a call
 * @param grant - key and prefixes that `allow-always` would grant
 * @param settings - settings of the operator
 * @param shown - unified diff of the files that the call would change, if it changes files, and the people that must
 *   allow it
 */
export function storableRequest(
  request: ApprovalRequest,
  grant: NewApproval["grant"],
  settings: ApprovalSettings,
  {
    change,
    quorum,
  }: {
    readonly change?: string | undefined;
    readonly quorum?: ApprovalQuorum | undefined;
  } = {},
): StorableRequest {
  const { kind, pluginId, alsoRequestedBy = [], toolName, severity } = request;
  const { timeoutMs, clamped } = boundTimeout(request, settings);
  const mayAllow = severity !== "critical" && settings.timeoutAllow !== "never";
  const onTimeout = mayAllow ? (request.timeoutBehavior ?? "deny") : "deny";
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
      ...(request.command && shownCommandsOf(request.command)),
      ...defined({ rule: request.rule && located(request.rule, settings) }),
      ...defined({ change: change === undefined ? undefined : shownChange(change) }),
      digest: digestOf(request),
      sessionKey: request.sessionKey,
      agentId: request.agentId,
      requester: request.requester,
      title: boundWords(request.title, TITLE_LENGTH),
      description: boundWords(request.description, DESCRIPTION_LENGTH),
      severity,
      allowedDecisions: decisionsOf(request),
      timeoutBehavior: quorum === undefined ? onTimeout : "deny",
      timeoutMs,
      ...defined({ input: request.input, quorum }),
      grant: { ...grant, covers: grant.covers && shownCovers(grant.covers) },
    },
  };
}

/**
 * Returns the stored form of an approval request outside a tool call. It offers no `allow-always`,
 * because a grant needs a call to cover.
 * @param request - request of a plugin, which counts as its requester where it names no person
 * @param settings - settings of the operator
 */
export function storablePluginRequest(
  request: PluginApprovalRequest,
  settings: ApprovalSettings,
): StorableRequest {
  const { pluginId, title, description, payload = null, sessionKey, input } = request;
  const plugin = { channel: "plugin", accountId: "default", senderId: pluginId };
  const { requester = plugin } = request;
  const digest = pluginDigest({ payload, input, sessionKey, requester });
  // The host waits for it as for one of a tool.
  const kind = request.isOfHost === true ? "tool" : "plugin";
  const { timeoutMs, clamped } = boundTimeout({ ...request, kind }, settings);
  const ruled = {
    kind,
    severity: request.severity ?? "warning",
    agentId: request.agentId,
  } as const;
  return {
    clamped,
    approval: {
      kind,
      ...defined({ pluginId: request.isOfHost === true ? undefined : pluginId }),
      params: redactForDisplay(payload),
      digest,
      sessionKey,
      agentId: request.agentId,
      requester,
      title: boundWords(title, TITLE_LENGTH),
      description: boundWords(description, DESCRIPTION_LENGTH),
      severity: ruled.severity,
      allowedDecisions: ["allow-once", "deny"],
      timeoutBehavior: "deny",
      timeoutMs,
      // Values come from one person.
      ...defined({
        input,
        quorum: input === undefined ? quorumOf(ruled, settings.rules) : undefined,
      }),
      grant: { scope: "session", key: digest },
    },
  };
}

/**
 * Returns the digest of a request outside a tool call. The input is bound to what the person was asked.
 * @param request - payload, input, session and requester
 */
export function pluginDigest({
  payload = null,
  input,
  sessionKey,
  requester,
}: Pick<PluginApprovalRequest, "payload" | "input" | "sessionKey"> & {
  readonly requester: ApprovalRequester;
}): string {
  const params = input === undefined ? payload : { payload, input };
  return approvalDigest({ tool: null, params, sessionKey, requester });
}

function shownCommandsOf(command: ParsedCommand): Pick<NewApproval, "commands" | "argv"> {
  const { texts, argv } = shownCommands(command);
  return { commands: texts, argv };
}

/** Adds the place in the configuration as it is now; a rule that it does not contain is built in. */
function located({ path, ...rule }: RequestedRule, { locate }: ApprovalSettings): AskingRule {
  const place = path === undefined ? undefined : locate?.(path);
  return place === undefined ? rule : { ...rule, ...place };
}

/** A diff is masked like the parameters; one that no person would read to the end is shortened. */
function shownChange(change: string): string {
  const { text } = maskSecrets(change);
  if (text.length <= CHANGE_LENGTH) return text;
  const shown = text.slice(0, text.lastIndexOf("\n", CHANGE_LENGTH) + 1);
  const left = text.slice(shown.length).split("\n").length;
  return `${shown}… (${left} more lines; the parameters contain the whole change)\n`;
}

/** Names of files and folders can contain secrets, and lines that would look like others of the request. */
function shownCovers(covers: string): string {
  return boundWords(maskSecrets(covers).text, DESCRIPTION_LENGTH);
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
      : `an approval timeout must be ${TIMEOUT_MS.least} to ${TIMEOUT_MS.most} ms, got ${asked}; using ${bounded} ms`;
  return { timeoutMs: bounded, clamped };
}

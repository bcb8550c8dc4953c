import type {
  ApprovalDecision,
  ParsedCommand,
  PluginApprovalResolution,
} from "@openclaw/plugin-sdk/hooks";
import type { ApprovalNeed, JsonValue } from "@openclaw/plugin-sdk/tools";
import { redactLeaks } from "@openclaw/safety";
import type {
  ApprovalKind,
  ApprovalRequester,
  ApprovalSeverity,
  NewApproval,
} from "@openclaw/store/decisions";
import { approvalDigest } from "./digest.js";
import { redactForDisplay } from "./display.js";
import type { GrantKey } from "./grant-key.js";
import { type ApprovalSettings, TIMEOUT_MS } from "./settings.js";

const TITLE_LENGTH = 80;
const DESCRIPTION_LENGTH = 512;
const DEFAULT_TIMEOUT_MS: Readonly<Record<ApprovalKind, number>> = {
  plugin: 120_000,
  tool: 120_000,
  exec: 1_800_000,
};
const DECISIONS: readonly ApprovalDecision[] = ["allow-once", "allow-always", "deny"];

/** A call that may need a person's word. */
export interface ApprovalQuestion {
  readonly kind: ApprovalKind;
  /** Who wants it: the tool or a setting for it, a rule of policy or safety, or a plugin. */
  readonly wantedBy: "tool" | "policy" | "safety" | "plugin";
  /** The plugin, where it is one that asks. */
  readonly pluginId?: string | undefined;
  /** Other plugins that ask for the same call. */
  readonly alsoRequestedBy?: readonly string[];
  readonly runId: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly requester: ApprovalRequester;
  readonly toolCallId: string;
  readonly toolName: string;
  /** The final arguments with their true values. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The shell command among them. */
  readonly command?: ParsedCommand | undefined;
  /** `always` asks whatever was granted or settled. */
  readonly need: ApprovalNeed;
  /** What the tool itself declares for the call, where the operator's settings say something else. */
  readonly declaredNeed?: ApprovalNeed;
  /** What the tool wants for itself and no trusted policy meets, where a plugin is who asks. */
  readonly ownNeed?: ApprovalNeed;
  /** A trusted policy that meets the need `unless-granted` of the tool (D25). */
  readonly satisfiedBy?: { readonly policy: string; readonly reason: string } | undefined;
  readonly title: string;
  readonly description: string;
  readonly severity: ApprovalSeverity;
  /** The kind's own when absent, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  readonly timeoutBehavior?: "deny" | "allow" | undefined;
  readonly allowedDecisions?: readonly ApprovalDecision[] | undefined;
  readonly grantKey?: string | undefined;
  /** What policy decided about the call, by which the audit explains it. */
  readonly decisionId?: string | undefined;
  /** Whether somebody who may answer is there to see it (APPR-031). */
  readonly isAttended: boolean;
  /** Refusals before this time do not count against it, milliseconds since the epoch (APPR-016). */
  readonly askedSince?: number;
  /** Told once how it ended. */
  onResolution?(resolution: PluginApprovalResolution): void | Promise<void>;
}

/** A question of a plugin that belongs to no tool call (APPR-006). */
export interface PluginQuestion {
  readonly pluginId: string;
  readonly title: string;
  readonly description: string;
  readonly severity?: ApprovalSeverity | undefined;
  readonly sessionKey: string;
  readonly agentId: string;
  /** That of plugins when absent, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** What the answer is bound to. */
  readonly payload?: JsonValue | undefined;
  /** Whether somebody who may answer is there to see it (APPR-031). */
  readonly isAttended: boolean;
}

/** A question as it is stored, and what had to be changed for it. */
export interface StorableQuestion {
  readonly approval: NewApproval;
  /** Of a deadline out of bounds; undefined when none was (APPR-013). */
  readonly clamped: string | undefined;
}

/**
 * Makes what is stored of a question: words cut to their length, the deadline brought into its bounds,
 * secrets masked; and of the decisions only those that may be taken (APPR-002, APPR-013, APPR-022).
 * @param question - about a call
 * @param grant - what `allow-always` would cover
 * @param settings - the operator's
 */
export function storableQuestion(
  question: ApprovalQuestion,
  grant: GrantKey,
  settings: ApprovalSettings,
): StorableQuestion {
  const { kind, pluginId, alsoRequestedBy = [], toolName, severity } = question;
  const { timeoutMs, clamped } = boundTimeout(question, settings);
  const mayAllow = severity !== "critical" && settings.timeoutAllow !== "never";
  return {
    clamped,
    approval: {
      kind,
      ...(pluginId === undefined ? {} : { pluginId }),
      alsoRequestedBy,
      runId: question.runId,
      toolCallId: question.toolCallId,
      tool: toolName,
      params: redactForDisplay(question.params),
      digest: digestOf(question),
      sessionKey: question.sessionKey,
      agentId: question.agentId,
      requester: question.requester,
      title: boundWords(question.title, TITLE_LENGTH),
      description: boundWords(question.description, DESCRIPTION_LENGTH),
      severity,
      allowedDecisions: decisionsOf(question),
      timeoutBehavior: mayAllow ? (question.timeoutBehavior ?? "deny") : "deny",
      timeoutMs,
      grant,
    },
  };
}

/**
 * Makes what is stored of a question outside a tool call. It cannot be answered for longer: there is no
 * call that a grant could cover.
 * @param question - of a plugin, which counts as its requester
 * @param settings - the operator's
 */
export function storablePluginQuestion(
  question: PluginQuestion,
  settings: ApprovalSettings,
): StorableQuestion {
  const { pluginId, title, description, payload = null, sessionKey } = question;
  const requester = { channel: "plugin", accountId: "default", senderId: pluginId };
  const digest = approvalDigest({ tool: null, params: payload, sessionKey, requester });
  const { timeoutMs, clamped } = boundTimeout({ ...question, kind: "plugin" }, settings);
  return {
    clamped,
    approval: {
      kind: "plugin",
      pluginId,
      params: redactForDisplay(payload),
      digest,
      sessionKey,
      agentId: question.agentId,
      requester,
      title: boundWords(title, TITLE_LENGTH),
      description: boundWords(description, DESCRIPTION_LENGTH),
      severity: question.severity ?? "warning",
      allowedDecisions: ["allow-once", "deny"],
      timeoutBehavior: "deny",
      timeoutMs,
      grant: { scope: "session", key: digest },
    },
  };
}

/**
 * The digest of what a question asks for.
 * @param question - with the true values
 */
export function digestOf(
  question: Pick<ApprovalQuestion, "toolName" | "params" | "sessionKey" | "requester">,
): string {
  return approvalDigest({ ...question, tool: question.toolName });
}

/**
 * Words for people: on one line, without control characters, and not longer than they may be.
 * @param text - any text
 * @param longest - in characters
 */
function boundWords(text: string, longest: number): string {
  const words = redactWords(text);
  if (words.length <= longest) return words;
  // Not between the halves of one character.
  const kept = words.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept.trimEnd()}…`;
}

function redactWords(text: string): string {
  return redactLeaks(text)
    .text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .trim();
}

function decisionsOf({ severity, need, allowedDecisions }: ApprovalQuestion) {
  const mayLast = severity !== "critical" && need !== "always";
  const offered = DECISIONS.filter((decision) => mayLast || decision !== "allow-always");
  if (allowedDecisions === undefined) return offered;
  return offered.filter((decision) => allowedDecisions.includes(decision));
}

function boundTimeout(
  { kind, timeoutMs }: Pick<ApprovalQuestion, "kind" | "timeoutMs">,
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

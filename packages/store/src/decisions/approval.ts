import type { ApprovalDecision } from "@openclaw/plugin-sdk/hooks";
import type { InputSchema, JsonObject, JsonValue } from "@openclaw/plugin-sdk/tools";
import type { AskingRule, CommandWord } from "./approval-reason.js";
import type { ApprovalQuorum } from "./votes.js";

/** Sources of approval requests (APPR-001). */
export const APPROVAL_KINDS = ["plugin", "exec", "tool"] as const;
export const SEVERITIES = ["info", "warning", "critical"] as const;

/** All states of an approval request; all but `pending` are final (APPR-009). */
export const APPROVAL_STATES = [
  "pending",
  "allowed-once",
  "allowed-always",
  "denied",
  "timed-out",
  "cancelled",
] as const;

/** Source of an approval request: a plugin, the rules for commands, or a requirement of a tool. */
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** State of an approval request. */
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** Scopes of a grant, from narrow to wide. */
export const GRANT_SCOPES = ["session", "requester", "agent", "global"] as const;

/**
 * Scope of a grant: one session for one requester; one agent for one requester; one agent for every
 * requester; everything.
 */
export type GrantScope = (typeof GRANT_SCOPES)[number];

/** Severity of an approval request. */
export type ApprovalSeverity = (typeof SEVERITIES)[number];

/** Author of the message that caused a call, or the plugin that requests approval by itself. */
export interface ApprovalRequester {
  readonly channel: string;
  readonly accountId: string;
  readonly senderId: string;
  /** True when the author was an owner of the host then. */
  readonly isOwner?: true | undefined;
}

/** Input that a person is asked for. */
export interface ApprovalInput {
  /** Identifies the request among those of its call. */
  readonly name: string;
  /** Sentence for the person. */
  readonly message: string;
  readonly schema: InputSchema;
  /** Page that the person is asked to open. */
  readonly url?: string;
}

/** An approval request about to be stored. */
export interface NewApproval {
  readonly kind: ApprovalKind;
  /** The plugin that requests approval, if any. */
  readonly pluginId?: string | undefined;
  /** Other plugins that requested approval for the same call (APPR-003). */
  readonly alsoRequestedBy?: readonly string[] | undefined;
  /** The turn that waits; absent for an approval request outside a turn. */
  readonly runId?: string | undefined;
  readonly toolCallId?: string | undefined;
  /** Absent for an approval request outside a tool call. */
  readonly tool?: string | undefined;
  /** Parameters for display, with secrets masked (APPR-011). */
  readonly params: JsonValue;
  /** Commands of a shell tool, read from the unmasked parameters and then masked (APPR-047). */
  readonly commands?: readonly string[] | undefined;
  /** Words of the commands at the same positions of `commands`, with secrets masked. */
  readonly argv?: readonly (readonly CommandWord[])[] | undefined;
  /** Rule that requires the approval; absent when the tool itself does. */
  readonly rule?: AskingRule | undefined;
  /** Unified diff of the files that the call would change, with secrets masked. */
  readonly change?: string | undefined;
  /** SHA-256 of the content that the decision applies to, in hexadecimal (APPR-008). */
  readonly digest: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly requester: ApprovalRequester;
  readonly title: string;
  readonly description: string;
  readonly severity: ApprovalSeverity;
  readonly allowedDecisions: readonly ApprovalDecision[];
  /** Outcome on timeout. */
  readonly timeoutBehavior: "deny" | "allow";
  /** Timeout in milliseconds. */
  readonly timeoutMs: number;
  /** People that must allow it; absent when one decides. */
  readonly quorum?: ApprovalQuorum | undefined;
  /** Input that the person gives when allowing it; absent for a request that asks for a decision only. */
  readonly input?: ApprovalInput | undefined;
  /** Grant that `allow-always` creates by default (APPR-021). */
  readonly grant: {
    readonly scope: GrantScope;
    readonly key: string;
    /** Covered calls, as the object of "Always allow"; earlier versions did not store it. */
    readonly covers?: string | undefined;
    /** Command prefixes to allow instead of the exact command, one for each program. */
    readonly prefixes?: readonly GrantPrefix[] | undefined;
  };
}

/** Program of a command, and the prefixes of its words that a grant can allow. */
export interface GrantPrefix {
  /** Program name without its folder, and its first arguments, without secrets. */
  readonly words: readonly string[];
  /** Length of the proposed prefix, in words. */
  readonly proposed: number;
  /**
   * Number of words after which the options of the program are checked; absent when a prefix covers further commands
   * in the sandbox only.
   */
  readonly least?: number | undefined;
  /** Real path of the program. */
  readonly file: string;
  /** Real path of the workspace. */
  readonly workspace: string;
  /** Project script that the program runs, bound to the script's text. */
  readonly script?: { readonly words: number; readonly digest: string } | undefined;
}

/** A stored approval request. Times are milliseconds since the epoch, by the database's clock. */
export interface Approval extends Omit<NewApproval, "timeoutMs" | "alsoRequestedBy"> {
  /** `apr_` and a ULID. */
  readonly id: string;
  /** Six characters for people to type; unique among pending approval requests. */
  readonly code: string;
  readonly alsoRequestedBy: readonly string[];
  readonly state: ApprovalState;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Approver, for example `terminal:local`; also `timeout`, or the cause of a cancellation. */
  readonly decidedBy?: string | undefined;
  /** Channel of the decision, for example `terminal`, `http` or `chat`. */
  readonly decidedVia?: string | undefined;
  readonly decidedAt?: number | undefined;
  /** Note of the person who denied it, which the model receives. */
  readonly note?: string | undefined;
  /** Values that the person gave, which fit the schema of `input`. */
  readonly answer?: JsonObject | undefined;
  /** Start of the one execution that the approval allows. */
  readonly consumedAt?: number | undefined;
}

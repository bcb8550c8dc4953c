import type { ApprovalDecision } from "@openclaw/plugin-sdk/hooks";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import type { Insertable, Selectable } from "kysely";
import { isJsonObject, readJson, readWord, writeJson } from "../database/json-column.js";
import {
  decodeOptionalText,
  decodeText,
  encodeOptionalText,
  encodeText,
} from "../database/text-column.js";
import type { ApprovalColumns } from "./schema.js";

/** Who wants a person's word (APPR-001). */
export const APPROVAL_KINDS = ["plugin", "exec", "tool"] as const;
const SEVERITIES = ["info", "warning", "critical"] as const;
const TIMEOUT_BEHAVIORS = ["deny", "allow"] as const;
const DECISIONS: readonly unknown[] = ["allow-once", "allow-always", "deny"];

/** Every state of a question; all but `pending` are final (APPR-009). */
export const APPROVAL_STATES = [
  "pending",
  "allowed-once",
  "allowed-always",
  "denied",
  "timed-out",
  "cancelled",
] as const;

/** Where a question comes from: a plugin, the rules for commands, or a tool's own need. */
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** Where a question stands. */
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** How far a grant reaches: from narrow to wide. */
export const GRANT_SCOPES = ["session", "requester", "agent", "global"] as const;

/**
 * How far a grant reaches: one session; one agent for one requester; one agent for everybody; everything.
 */
export type GrantScope = (typeof GRANT_SCOPES)[number];

/** How much is at stake. */
export type ApprovalSeverity = (typeof SEVERITIES)[number];

/** Who wrote the message that a call goes back to, or the plugin that asks by itself. */
export interface ApprovalRequester {
  readonly channel: string;
  readonly accountId: string;
  readonly senderId: string;
}

/** A question about to be stored. */
export interface NewApproval {
  readonly kind: ApprovalKind;
  /** The plugin that asks, where it is one. */
  readonly pluginId?: string | undefined;
  /** Other plugins that asked for the same call (APPR-003). */
  readonly alsoRequestedBy?: readonly string[] | undefined;
  /** The turn that waits; absent for a question outside a turn. */
  readonly runId?: string | undefined;
  readonly toolCallId?: string | undefined;
  /** Absent for a question outside a tool call. */
  readonly tool?: string | undefined;
  /** What people are shown: secrets are masked already (APPR-011). */
  readonly params: JsonValue;
  /** The commands of a shell tool, read from the true parameters, with secrets masked (APPR-047). */
  readonly commands?: readonly string[] | undefined;
  /** SHA-256 of what the answer is bound to, in hexadecimal (APPR-008). */
  readonly digest: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly requester: ApprovalRequester;
  readonly title: string;
  readonly description: string;
  readonly severity: ApprovalSeverity;
  readonly allowedDecisions: readonly ApprovalDecision[];
  /** What no answer means. */
  readonly timeoutBehavior: "deny" | "allow";
  /** How long it waits, in milliseconds. */
  readonly timeoutMs: number;
  /** What `allow-always` would cover when nothing else is said (APPR-021). */
  readonly grant: {
    readonly scope: GrantScope;
    readonly key: string;
    /** Where it covers prefixes of a command instead of the exact command: one for each program. */
    readonly prefixes?: readonly GrantPrefix[] | undefined;
  };
}

/** A program of a command, and the prefixes of its words that a grant can cover. */
export interface GrantPrefix {
  /** The program's name without folder, and its first words, without secrets. */
  readonly words: readonly string[];
  /** Length of the prefix that is proposed, in words. */
  readonly proposed: number;
  /** Real path of the program. */
  readonly file: string;
  /** Real path of the workspace. */
  readonly workspace: string;
  /** The script of the project that it runs, bound to its text. */
  readonly script?: { readonly words: number; readonly digest: string } | undefined;
}

/** A stored question. Times are milliseconds since the epoch, by the database's clock. */
export interface Approval extends Omit<NewApproval, "timeoutMs" | "alsoRequestedBy"> {
  /** `apr_` and a ULID. */
  readonly id: string;
  /** Six characters for people to type; no two pending questions have the same. */
  readonly code: string;
  readonly alsoRequestedBy: readonly string[];
  readonly state: ApprovalState;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Who decided, for example `terminal:local`; `timeout` and what cancelled it count as deciders. */
  readonly decidedBy?: string | undefined;
  /** The way the answer came, for example `terminal`, `http` or `chat`. */
  readonly decidedVia?: string | undefined;
  readonly decidedAt?: number | undefined;
  /** When the one execution that it allows began. */
  readonly consumedAt?: number | undefined;
}

/**
 * Makes a question of its row.
 * @param row - as it lies in the database
 * @throws RowDataError when this version did not write it
 */
export function toApproval(row: Selectable<ApprovalColumns>): Approval {
  const { id } = row;
  return {
    id,
    code: row.code,
    kind: readWord(row.kind, APPROVAL_KINDS, "approvals.kind", id),
    pluginId: decodeOptionalText(row.plugin_id),
    alsoRequestedBy: readJson(row.also_requested_by, isTexts, "approvals.also_requested_by", id),
    runId: decodeOptionalText(row.run_id),
    toolCallId: decodeOptionalText(row.tool_call_id),
    tool: decodeOptionalText(row.tool),
    params: readJson(row.params, isJsonValue, "approvals.params", id),
    commands:
      row.commands === null ? undefined : readJson(row.commands, isTexts, "approvals.commands", id),
    digest: row.digest,
    sessionKey: decodeText(row.session_key),
    agentId: decodeText(row.agent_id),
    requester: readRequester(row.requester, "approvals.requester", id),
    title: decodeText(row.title),
    description: decodeText(row.description),
    severity: readWord(row.severity, SEVERITIES, "approvals.severity", id),
    allowedDecisions: readJson(
      row.allowed_decisions,
      isDecisions,
      "approvals.allowed_decisions",
      id,
    ),
    timeoutBehavior: readWord(
      row.timeout_behavior,
      TIMEOUT_BEHAVIORS,
      "approvals.timeout_behavior",
      id,
    ),
    grant: {
      scope: readWord(row.grant_scope, GRANT_SCOPES, "approvals.grant_scope", id),
      key: row.grant_key,
      prefixes:
        row.grant_prefixes === null
          ? undefined
          : readJson(row.grant_prefixes, isPrefixes, "approvals.grant_prefixes", id),
    },
    state: readWord(row.state, APPROVAL_STATES, "approvals.state", id),
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
    decidedBy: decodeOptionalText(row.decided_by),
    decidedVia: decodeOptionalText(row.decided_via),
    decidedAt: row.decided_at ?? undefined,
    consumedAt: row.consumed_at ?? undefined,
  };
}

/**
 * The columns of a question about to be stored, but for what the table gives it.
 * @param id - that it gets
 * @param approval - the question
 * @throws RowDataError when its params are no JSON value
 */
export function columnsOfApproval(
  id: string,
  approval: NewApproval,
): Omit<Insertable<ApprovalColumns>, "id" | "code" | "created_at" | "expires_at"> {
  return {
    kind: approval.kind,
    plugin_id: encodeOptionalText(approval.pluginId),
    also_requested_by: writeJson(approval.alsoRequestedBy ?? [], "approvals.also_requested_by", id),
    run_id: encodeOptionalText(approval.runId),
    tool_call_id: encodeOptionalText(approval.toolCallId),
    tool: encodeOptionalText(approval.tool),
    params: writeJson(approval.params, "approvals.params", id),
    commands:
      approval.commands === undefined
        ? null
        : writeJson(approval.commands, "approvals.commands", id),
    digest: approval.digest,
    session_key: encodeText(approval.sessionKey),
    agent_id: encodeText(approval.agentId),
    requester: writeRequester(approval.requester),
    title: encodeText(approval.title),
    description: encodeText(approval.description),
    severity: approval.severity,
    allowed_decisions: writeJson(approval.allowedDecisions, "approvals.allowed_decisions", id),
    timeout_behavior: approval.timeoutBehavior,
    grant_scope: approval.grant.scope,
    grant_key: approval.grant.key,
    grant_prefixes:
      approval.grant.prefixes === undefined
        ? null
        : writeJson(approval.grant.prefixes, "approvals.grant_prefixes", id),
    state: "pending",
    decided_by: null,
    decided_via: null,
    decided_at: null,
    consumed_at: null,
    told_at: null,
    tell_attempts: 0,
  };
}

/**
 * A requester as a column holds it: equal requesters are equal texts.
 * @param requester - who asked
 */
export function writeRequester({ channel, accountId, senderId }: ApprovalRequester): string {
  return JSON.stringify({ channel, accountId, senderId });
}

/**
 * Reads a requester back.
 * @param text - the column's text
 * @param column - the column it came from
 * @param id - the row, for messages
 * @throws RowDataError when it holds something else
 */
export function readRequester(
  text: string,
  column: `${string}.${string}`,
  id: string,
): ApprovalRequester {
  return readJson(text, isRequester, column, id);
}

function isRequester(value: unknown): value is ApprovalRequester {
  return (
    isJsonObject(value) &&
    typeof value.channel === "string" &&
    typeof value.accountId === "string" &&
    typeof value.senderId === "string"
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

function isDecisions(value: unknown): value is readonly ApprovalDecision[] {
  return Array.isArray(value) && value.every((decision) => DECISIONS.includes(decision));
}

function isPrefixes(value: unknown): value is readonly GrantPrefix[] {
  return (
    Array.isArray(value) &&
    value.every(
      (prefix: unknown) =>
        isJsonObject(prefix) &&
        isTexts(prefix.words) &&
        typeof prefix.proposed === "number" &&
        typeof prefix.file === "string" &&
        typeof prefix.workspace === "string" &&
        (prefix.script === undefined || isScript(prefix.script)),
    )
  );
}

function isScript(value: unknown): boolean {
  return isJsonObject(value) && typeof value.words === "number" && typeof value.digest === "string";
}

/** Whatever was parsed from JSON is a JSON value. */
function isJsonValue(value: unknown): value is JsonValue {
  return value !== undefined;
}

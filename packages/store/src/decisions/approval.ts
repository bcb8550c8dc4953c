import type { ApprovalDecision } from "@openclaw/plugin-sdk/hooks";
import type { InputSchema, JsonObject, JsonValue } from "@openclaw/plugin-sdk/tools";
import type { Insertable, Selectable } from "kysely";
import { isJsonObject, readJson, readWord, writeJson } from "../database/json-column.js";
import {
  decodeOptionalText,
  decodeText,
  encodeOptionalText,
  encodeText,
} from "../database/text-column.js";
import { type AskingRule, type CommandWord, isArgv, isAskingRule } from "./approval-reason.js";
import type { ApprovalColumns } from "./schema.js";

/** Sources of approval requests (APPR-001). */
export const APPROVAL_KINDS = ["plugin", "exec", "tool"] as const;
const SEVERITIES = ["info", "warning", "critical"] as const;
const TIMEOUT_BEHAVIORS = ["deny", "allow"] as const;
const DECISIONS: readonly unknown[] = ["allow-once", "allow-always", "deny"];

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

/**
 * Converts a database row to an approval request.
 * @param row - row as stored in the database
 * @throws RowDataError when this version did not write it
 */
export function toApproval(row: Selectable<ApprovalColumns>): Approval {
  const { id } = row;
  return {
    id,
    code: row.code,
    kind: readWord(row.kind, APPROVAL_KINDS, "approvals.kind", id),
    pluginId: decodeOptionalText(row.plugin_id),
    alsoRequestedBy: readJson(
      row.also_requested_by,
      isStringList,
      "approvals.also_requested_by",
      id,
    ),
    runId: decodeOptionalText(row.run_id),
    toolCallId: decodeOptionalText(row.tool_call_id),
    tool: decodeOptionalText(row.tool),
    params: readJson(row.params, isJsonValue, "approvals.params", id),
    commands:
      row.commands === null
        ? undefined
        : readJson(row.commands, isStringList, "approvals.commands", id),
    argv: row.argv === null ? undefined : readJson(row.argv, isArgv, "approvals.argv", id),
    rule: row.rule === null ? undefined : readJson(row.rule, isAskingRule, "approvals.rule", id),
    change: decodeOptionalText(row.change),
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
      covers: decodeOptionalText(row.grant_covers),
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
    note: decodeOptionalText(row.note),
    consumedAt: row.consumed_at ?? undefined,
    input: row.input === null ? undefined : readJson(row.input, isInput, "approvals.input", id),
    answer:
      row.answer === null ? undefined : readJson(row.answer, isJsonObject, "approvals.answer", id),
  };
}

/**
 * Returns the columns of a new approval request, except those that the table fills in.
 * @param id - its id
 * @param approval - the approval request
 * @throws RowDataError when its params are not a JSON value
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
    argv: approval.argv === undefined ? null : JSON.stringify(approval.argv),
    rule: approval.rule === undefined ? null : JSON.stringify(approval.rule),
    note: null,
    change: encodeOptionalText(approval.change),
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
    grant_covers: encodeOptionalText(approval.grant.covers),
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
    input:
      approval.input === undefined ? null : writeJson({ ...approval.input }, "approvals.input", id),
    answer: null,
  };
}

/**
 * Serializes a requester for a column: equal requesters give equal strings.
 * @param requester - the requester
 */
export function writeRequester({
  channel,
  accountId,
  senderId,
  isOwner,
}: ApprovalRequester): string {
  return JSON.stringify({ channel, accountId, senderId, isOwner });
}

/**
 * Parses a requester from a column.
 * @param text - the column's text
 * @param column - the column that it was read from
 * @param id - the row, for messages
 * @throws RowDataError when the text is not a requester
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
    typeof value.senderId === "string" &&
    (value.isOwner === undefined || value.isOwner === true)
  );
}

function isStringList(value: unknown): value is readonly string[] {
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
        isStringList(prefix.words) &&
        typeof prefix.proposed === "number" &&
        (prefix.least === undefined || typeof prefix.least === "number") &&
        typeof prefix.file === "string" &&
        typeof prefix.workspace === "string" &&
        (prefix.script === undefined || isScript(prefix.script)),
    )
  );
}

function isInput(value: unknown): value is ApprovalInput {
  if (!isJsonObject(value)) return false;
  const { name, message, schema } = value;
  return (
    typeof name === "string" &&
    typeof message === "string" &&
    isJsonObject(schema) &&
    schema.type === "object" &&
    isJsonObject(schema.properties)
  );
}

function isScript(value: unknown): boolean {
  return isJsonObject(value) && typeof value.words === "number" && typeof value.digest === "string";
}

/** Accepts every value: the result of `JSON.parse` is always a JSON value. */
function isJsonValue(value: unknown): value is JsonValue {
  return value !== undefined;
}

import type { ApprovalDecision } from "@openclaw/plugin-sdk/hooks";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import type { Insertable, Selectable } from "kysely";
import {
  isJsonObject,
  readJson,
  readWord,
  writeJson,
  writeOptionalJson,
} from "../database/json-column.js";
import {
  decodeOptionalText,
  decodeText,
  encodeOptionalText,
  encodeText,
} from "../database/text-column.js";
import {
  APPROVAL_KINDS,
  APPROVAL_STATES,
  type Approval,
  type ApprovalInput,
  GRANT_SCOPES,
  type GrantPrefix,
  type NewApproval,
  SEVERITIES,
} from "./approval.js";
import { isArgv, isAskingRule } from "./approval-reason.js";
import { readRequester, writeRequester } from "./requester.js";
import type { ApprovalColumns } from "./schema.js";
import { isQuorum } from "./votes.js";

const TIMEOUT_BEHAVIORS = ["deny", "allow"] as const;
const DECISIONS: readonly unknown[] = ["allow-once", "allow-always", "deny"];

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
    quorum:
      row.quorum === null ? undefined : readJson(row.quorum, isQuorum, "approvals.quorum", id),
    input: row.input === null ? undefined : readJson(row.input, isInput, "approvals.input", id),
    answer:
      row.answer === null ? undefined : readJson(row.answer, isJsonObject, "approvals.answer", id),
  };
}

/**
 * Returns the columns of a new approval request, except those that the table fills in.
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
    quorum: writeOptionalJson(approval.quorum, "approvals.quorum", id),
  };
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
  const { name, message, schema, url } = value;
  return (
    typeof name === "string" &&
    (url === undefined || typeof url === "string") &&
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

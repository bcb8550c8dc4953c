import { type Static, Type } from "typebox";
import type { Immutable } from "../definition/immutable.js";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";
import {
  approvalAuditEntry,
  approvalGrantSummary,
  approvalState,
  approvalSummary,
  auditVerdict,
} from "./approval-results.js";

const closed = { additionalProperties: false };
const text = { minLength: 1, maxLength: 400 };
const reference = Type.String({ ...text, description: "ID or code of the approval request." });
const sessionKey = Type.Optional(
  Type.String({ ...text, description: "Only entries of this session." }),
);
const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 1000, description: "Maximum number to return." }),
);

const settledStates = [
  "allowed-once",
  "allowed-always",
  "denied",
  "timed-out",
  "cancelled",
] as const;

const answered = {
  id: reference,
  digest: Type.String({
    pattern: "^[0-9a-f]{64}$",
    description:
      "Digest of the request that the caller read; a request with a different digest is not decided.",
  }),
};

const errorsOfAnswer = [
  "APPROVAL_NOT_FOUND",
  "APPROVAL_ALREADY_DECIDED",
  "DECISION_NOT_ALLOWED",
  "NOT_AUTHORIZED_TO_APPROVE",
  "APPROVAL_MISMATCH",
  "APPROVAL_INPUT_INVALID",
  "GRANT_PREFIX_REFUSED",
  "APPROVAL_VOTE_REFUSED",
];

/** The approval methods (APPR-035). */
export const approvalMethods = methodTable(
  defineMethod({
    name: "approvals.list",
    summary: "Lists approval requests of one state, newest first.",
    params: Type.Object(
      {
        state: Type.Optional(
          Type.Enum(approvalState.enum, { description: "Default `pending`.", default: "pending" }),
        ),
        sessionKey,
        limit,
      },
      closed,
    ),
    result: Type.Object({ approvals: Type.Array(approvalSummary) }),
    errors: [],
    scope: "operator.approvals",
    effect: "read",
  }),
  defineMethod({
    name: "approvals.get",
    summary: "Returns one approval request.",
    params: Type.Object({ id: reference }, closed),
    result: approvalSummary,
    errors: ["APPROVAL_NOT_FOUND"],
    scope: "operator.approvals",
    effect: "read",
  }),
  defineMethod({
    name: "approvals.resolve",
    summary: "Decides an approval request.",
    params: Type.Union([
      Type.Object(
        {
          ...answered,
          decision: Type.Literal("allow-once"),
          input: Type.Optional(
            Type.Record(Type.String(), Type.Unknown(), {
              description: "Values for the `input` of the request; its defaults when absent.",
            }),
          ),
        },
        closed,
      ),
      Type.Object(
        {
          ...answered,
          decision: Type.Literal("deny"),
          note: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 512,
              description: "Note for the model, which receives it as the reason.",
            }),
          ),
        },
        closed,
      ),
      Type.Object(
        {
          ...answered,
          decision: Type.Literal("allow-always"),
          scope: Type.Optional(
            Type.Enum(["session", "agent", "global"], {
              description: "Scope of the grant; default the `grantScope` of the request.",
            }),
          ),
          prefixes: Type.Optional(
            Type.Array(Type.String(text), {
              minItems: 1,
              maxItems: 32,
              description:
                "First words of the commands to grant; default the `grantPrefixes` of the request.",
            }),
          ),
        },
        closed,
      ),
    ]),
    result: approvalSummary,
    errors: errorsOfAnswer,
    scope: "operator.approvals",
    effect: "write",
  }),
  defineMethod({
    name: "approvals.hold",
    summary:
      "Lets a pending approval request expire after a minute at the earliest, because a person is reading it; call it again before that. Returns a settled request as it is.",
    params: Type.Object({ id: reference }, closed),
    result: approvalSummary,
    errors: ["APPROVAL_NOT_FOUND"],
    scope: "operator.approvals",
    effect: "write",
    idempotency: "repeatable",
  }),
  defineMethod({
    name: "approvals.history",
    summary: "Lists settled approval requests, the newest request first.",
    params: Type.Object(
      {
        sessionKey,
        state: Type.Optional(
          Type.Enum(settledStates, { description: "Only requests with this outcome." }),
        ),
        tool: Type.Optional(Type.String({ ...text, description: "Only requests of this tool." })),
        decidedBy: Type.Optional(
          Type.String({ ...text, description: "Only requests with this `decidedBy`." }),
        ),
        text: Type.Optional(
          Type.String({
            ...text,
            description:
              "Text that the title, the code, the parameters or the commands contain; of ASCII letters, the case is ignored.",
          }),
        ),
        cursor: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 1000,
            description: "`nextCursor` of the page before; the first page when absent.",
          }),
        ),
        limit,
      },
      closed,
    ),
    result: Type.Object({
      approvals: Type.Array(approvalSummary),
      total: Type.Integer({ description: "Number of requests that the filters select." }),
      nextCursor: Type.Optional(
        Type.String({ description: "Cursor of the next page; absent on the last one." }),
      ),
      tools: Type.Optional(
        Type.Array(Type.String(), {
          description: "Tools of all settled requests; on the first page only.",
        }),
      ),
      deciders: Type.Optional(
        Type.Array(Type.String(), {
          description: "Values of `decidedBy` of all settled requests; on the first page only.",
        }),
      ),
    }),
    errors: [],
    scope: "operator.approvals",
    effect: "read",
  }),
  defineMethod({
    name: "approvals.grants",
    summary: "Lists active grants, newest first.",
    params: Type.Object({ sessionKey, limit }, closed),
    result: Type.Object({ grants: Type.Array(approvalGrantSummary) }),
    errors: [],
    scope: "operator.approvals",
    effect: "read",
  }),
  defineMethod({
    name: "approvals.revoke",
    summary: "Revokes one grant or all grants.",
    params: Type.Union([
      Type.Object({ id: Type.String({ ...text, description: "ID of the grant." }) }, closed),
      Type.Object({ all: Type.Literal(true) }, closed),
    ]),
    result: Type.Object({
      revoked: Type.Array(approvalGrantSummary, {
        description: "Grants that this call revoked.",
      }),
    }),
    errors: ["GRANT_NOT_FOUND"],
    scope: "operator.approvals",
    effect: "write",
  }),
  defineMethod({
    name: "approvals.audit",
    summary: "Lists the entries of the audit log of approvals, newest first.",
    params: Type.Object(
      {
        id: Type.Optional(
          Type.String({ ...text, description: "Only entries of this request, by ID or code." }),
        ),
        sessionKey,
        before: Type.Optional(
          Type.Integer({
            minimum: 1,
            description: "Only entries before this position in the chain.",
          }),
        ),
        limit,
      },
      closed,
    ),
    result: Type.Object({ entries: Type.Array(approvalAuditEntry) }),
    errors: ["APPROVAL_NOT_FOUND"],
    scope: "operator.approvals",
    effect: "read",
  }),
  defineMethod({
    name: "approvals.verify",
    summary: "Checks the chain of the audit log of approvals.",
    params: Type.Object({}, closed),
    result: auditVerdict,
    errors: [],
    scope: "operator.approvals",
    effect: "read",
  }),
);

/** Approval request; times are milliseconds since the epoch. */
export type ApprovalSummary = Immutable<Static<typeof approvalSummary>>;

/** Grant that allows more than one call. */
export type ApprovalGrantSummary = Immutable<Static<typeof approvalGrantSummary>>;

/** Entry of the audit log of approvals. */
export type ApprovalAuditEntry = Immutable<Static<typeof approvalAuditEntry>>;

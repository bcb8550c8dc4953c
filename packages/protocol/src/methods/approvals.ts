import { type Static, Type } from "typebox";

const closed = { additionalProperties: false };
const text = Type.String({ minLength: 1, maxLength: 400 });
const state = Type.Enum([
  "pending",
  "allowed-once",
  "allowed-always",
  "denied",
  "timed-out",
  "cancelled",
]);
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 }));

const answered = {
  /** Id or code. */
  id: text,
  /** Of the question that was read; another one is not answered. */
  digest: Type.String({ pattern: "^[0-9a-f]{64}$" }),
};

/** Parameters of the approval methods, by name (APPR-035). */
export const approvalMethodParameters = {
  /** Questions, newest first; those that wait when `state` is absent. */
  "approvals.list": Type.Object(
    { state: Type.Optional(state), sessionKey: Type.Optional(text), limit },
    closed,
  ),
  /** One question by its id or code. */
  "approvals.get": Type.Object({ id: text }, closed),
  "approvals.resolve": Type.Union([
    Type.Object({ ...answered, decision: Type.Enum(["allow-once", "deny"]) }, closed),
    Type.Object(
      {
        ...answered,
        decision: Type.Literal("allow-always"),
        /** How far it reaches; without it the kind of the question says. */
        scope: Type.Optional(Type.Enum(["session", "agent", "global"])),
        /** First words of the commands to grant, instead of those that the request proposes. */
        prefixes: Type.Optional(Type.Array(text, { minItems: 1, maxItems: 32 })),
      },
      closed,
    ),
  ]),
  /** Questions that are over, newest first. */
  "approvals.history": Type.Object({ sessionKey: Type.Optional(text), limit }, closed),
  /** Grants that hold, newest first. */
  "approvals.grants": Type.Object({ sessionKey: Type.Optional(text), limit }, closed),
  "approvals.revoke": Type.Union([
    Type.Object({ id: text }, closed),
    Type.Object({ all: Type.Literal(true) }, closed),
  ]),
  /** What was asked, decided, used, refused, granted and revoked, newest first. */
  "approvals.audit": Type.Object(
    {
      /** Id or code of a question; the rows of all when absent. */
      id: Type.Optional(text),
      sessionKey: Type.Optional(text),
      /** Only rows before this place in the chain. */
      before: Type.Optional(Type.Integer({ minimum: 1 })),
      limit,
    },
    closed,
  ),
  /** Whether the chain of the audit is whole. */
  "approvals.verify": Type.Object({}, closed),
};

/** Name of an approval method. */
export type ApprovalMethod = keyof typeof approvalMethodParameters;

/** Parameters of an approval method. */
export type ApprovalMethodParameters<Method extends ApprovalMethod> = Static<
  (typeof approvalMethodParameters)[Method]
>;

/** Where a question stands; all but `pending` are final. */
export type ApprovalState = ApprovalMethodParameters<"approvals.list">["state"] & string;

/** How far a grant reaches; `requester`: one agent, for one requester. */
export type ApprovalGrantScope = "session" | "requester" | "agent" | "global";

/** Who wrote the message that a question goes back to, or the plugin that asks by itself. */
export interface ApprovalRequesterSummary {
  readonly channel: string;
  readonly accountId: string;
  readonly senderId: string;
}

/** A question to a person; times are milliseconds since the epoch. */
export interface ApprovalSummary {
  readonly id: string;
  /** Six characters to answer with. */
  readonly code: string;
  readonly kind: "plugin" | "exec" | "tool";
  readonly state: ApprovalState;
  readonly title: string;
  readonly description: string;
  readonly severity: "info" | "warning" | "critical";
  /** Absent for a question outside a tool call. */
  readonly tool?: string;
  /** With secrets masked. */
  readonly params: unknown;
  /**
   * `params` as JSON on one line for people to read: line breaks, control, bidirectional and invisible characters
   * are escapes.
   */
  readonly text: string;
  /** The commands of a shell tool, one by one, as they would run, with the same escapes. */
  readonly commands?: readonly string[];
  /** SHA-256 of what the answer is bound to, in hexadecimal. */
  readonly digest: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly requester: ApprovalRequesterSummary;
  readonly pluginId?: string;
  readonly alsoRequestedBy: readonly string[];
  readonly runId?: string;
  readonly toolCallId?: string;
  readonly allowedDecisions: readonly ("allow-once" | "allow-always" | "deny")[];
  /** How far `allow-always` reaches unless the answer says more. */
  readonly grantScope: ApprovalGrantScope;
  /** First words of the commands that `allow-always` grants; absent where it grants the exact command. */
  readonly grantPrefixes?: readonly string[];
  /** What no answer means. */
  readonly timeoutBehavior: "deny" | "allow";
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly decidedBy?: string;
  readonly decidedVia?: string;
  readonly decidedAt?: number;
  /** When the one execution that it allowed began. */
  readonly consumedAt?: number;
}

/** Something that was allowed for longer than one call. */
export interface ApprovalGrantSummary {
  readonly id: string;
  readonly kind: "plugin" | "exec" | "tool";
  readonly tool: string;
  /** What it covers, for people. */
  readonly label: string;
  readonly scope: ApprovalGrantScope;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly requester: ApprovalRequesterSummary;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
  readonly uses: number;
  readonly expiresAt?: number;
}

/** A row of the audit of approvals. */
export interface ApprovalAuditEntry {
  /** Place in the chain, from 1. */
  readonly seq: number;
  readonly at: number;
  readonly event: string;
  readonly approvalId?: string;
  readonly grantId?: string;
  readonly runId?: string;
  readonly sessionKey?: string;
  readonly toolCallId?: string;
  readonly tool?: string;
  readonly actor?: { readonly channel: string; readonly id: string; readonly clientId?: string };
  readonly via?: string;
  readonly decision?: string;
  readonly digest?: string;
  readonly decisionId?: string;
  readonly reason?: string;
  readonly hash: string;
}

/** Results of the approval methods. */
export interface ApprovalMethodResults {
  "approvals.list": { readonly approvals: readonly ApprovalSummary[] };
  "approvals.get": ApprovalSummary;
  "approvals.resolve": ApprovalSummary;
  "approvals.history": { readonly approvals: readonly ApprovalSummary[] };
  "approvals.grants": { readonly grants: readonly ApprovalGrantSummary[] };
  "approvals.revoke": { readonly revoked: readonly ApprovalGrantSummary[] };
  "approvals.audit": { readonly entries: readonly ApprovalAuditEntry[] };
  /** `seq` is the first row that is not as it was written. */
  "approvals.verify":
    | { readonly intact: true; readonly rows: number }
    | { readonly intact: false; readonly seq: number; readonly problem: string };
}

import { Type } from "typebox";

/** State of an approval request; every state except `pending` is final. */
export const approvalState = Type.Enum([
  "pending",
  "allowed-once",
  "allowed-always",
  "denied",
  "timed-out",
  "cancelled",
]);

const kind = Type.Enum(["plugin", "exec", "tool"]);

/** Scope of a grant. */
const grantScope = Type.Enum(["session", "requester", "agent", "global"], {
  description: "Scope of the grant; `requester` is one agent, for one requester.",
});

const requester = Type.Object(
  {
    channel: Type.String(),
    accountId: Type.String(),
    senderId: Type.String(),
  },
  { description: "Sender of the message that caused the request, or the plugin that made it." },
);

const commandWord = Type.Object({
  kind: Type.Enum(["wrapper", "assignment", "program", "argument", "redirection", "computed"], {
    description: "`computed` is a word that is known only when the command runs.",
  }),
  text: Type.String({ description: "The word without quotes, escaped like `text`." }),
});

const askingRule = Type.Object(
  {
    id: Type.String({
      description: "Name of the rule, for example `destructive:push-force` or `rules[2]`.",
    }),
    key: Type.Optional(Type.String({ description: "Configuration key of the rule." })),
    file: Type.Optional(
      Type.String({ description: "Configuration file; absent for a built-in rule." }),
    ),
    line: Type.Optional(Type.Integer({ description: "Line in the file, from 1." })),
    column: Type.Optional(Type.Integer({ description: "Column in the line, from 1." })),
  },
  {
    description:
      "Rule that requires the approval, as it was configured then; absent when the tool itself requires it.",
  },
);

/** Approval request; times are milliseconds since the epoch. */
export const approvalSummary = Type.Object(
  {
    id: Type.String(),
    code: Type.String({ description: "Six characters that identify the request in a reply." }),
    kind,
    state: approvalState,
    title: Type.String(),
    description: Type.String(),
    severity: Type.Enum(["info", "warning", "critical"]),
    tool: Type.Optional(Type.String({ description: "Absent for a request outside a tool call." })),
    params: Type.Unknown({ description: "Arguments of the call, with secrets masked." }),
    text: Type.String({
      description:
        "`params` as JSON on one line; line breaks, control, bidirectional and invisible characters are escaped.",
    }),
    commands: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "The commands of a shell tool, one by one, as they would run, escaped like `text`.",
      }),
    ),
    argv: Type.Optional(
      Type.Array(Type.Array(commandWord), {
        description:
          "Words of the commands at the same positions of `commands`, which may have further entries about what could not be read; absent for requests of earlier versions.",
      }),
    ),
    rule: Type.Optional(askingRule),
    sandboxed: Type.Optional(
      Type.Boolean({
        description:
          "True if a command runs in the sandbox of the system once it is allowed; absent for requests of another kind.",
      }),
    ),
    job: Type.Optional(
      Type.Object(
        { jobId: Type.String(), title: Type.String() },
        { description: "Job for which it is requested; absent for a request of a conversation." },
      ),
    ),
    change: Type.Optional(
      Type.String({
        description:
          "Unified diff of the files that the call would change, with secrets masked; it may be shortened.",
      }),
    ),
    input: Type.Optional(
      Type.Object(
        {
          name: Type.String({ description: "Identifies the request among those of its call." }),
          message: Type.String({ description: "Sentence for the person." }),
          schema: Type.Object(
            {
              type: Type.Literal("object"),
              properties: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())),
              required: Type.Optional(Type.Array(Type.String())),
            },
            { description: "JSON Schema of an object without nested objects." },
          ),
          url: Type.Optional(
            Type.String({
              description: "Page that the person is asked to open, `http` or `https`.",
            }),
          ),
        },
        {
          description:
            "Input that the person gives when allowing it; absent for a request that asks for a decision only.",
        },
      ),
    ),
    quorum: Type.Optional(
      Type.Object(
        {
          count: Type.Integer({ description: "Number of people that must allow it." }),
          allowed: Type.Integer({ description: "Number of people that have allowed it." }),
          roles: Type.Optional(
            Type.Array(Type.Enum(["owner", "approver"]), {
              description: "Roles whose votes to allow count; every role when absent.",
            }),
          ),
          notRequester: Type.Optional(
            Type.Boolean({
              description: "True if the person whose message caused the call cannot allow it.",
            }),
          ),
          votes: Type.Array(
            Type.Object({
              by: Type.String({ description: "The person, as `channel:sender`." }),
              via: Type.String(),
              decision: Type.Enum(["allow", "deny"]),
              at: Type.Number(),
            }),
          ),
        },
        { description: "Votes about it; absent when one person decides." },
      ),
    ),
    digest: Type.String({
      description: "SHA-256 in hexadecimal of the content that a decision applies to.",
    }),
    sessionKey: Type.String(),
    agentId: Type.String(),
    requester,
    pluginId: Type.Optional(Type.String()),
    alsoRequestedBy: Type.Array(Type.String()),
    runId: Type.Optional(Type.String()),
    toolCallId: Type.Optional(Type.String()),
    allowedDecisions: Type.Array(Type.Enum(["allow-once", "allow-always", "deny"])),
    grantScope,
    grantCovers: Type.Optional(
      Type.String({
        description:
          'Calls that `allow-always` grants where there are no `grantPrefixes`, as the object of "Always allow"; absent for requests of earlier versions.',
      }),
    ),
    grantPrefixes: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "First words of the commands that `allow-always` grants; absent when it grants the exact command.",
      }),
    ),
    grantsInSandbox: Type.Optional(
      Type.Boolean({
        description:
          "With `grantPrefixes`: true when `allow-always` allows the exact command, and further commands that start with these words only in the sandbox that can write the workspace; false when the options that follow these words are checked.",
      }),
    ),
    timeoutBehavior: Type.Enum(["deny", "allow"], { description: "Outcome on timeout." }),
    createdAt: Type.Number(),
    expiresAt: Type.Number(),
    decidedBy: Type.Optional(Type.String()),
    decidedVia: Type.Optional(Type.String()),
    decidedAt: Type.Optional(Type.Number()),
    note: Type.Optional(
      Type.String({
        description: "Note of the person who denied it, which the model receives as the reason.",
      }),
    ),
    consumedAt: Type.Optional(
      Type.Number({ description: "Start of the single execution that it allowed." }),
    ),
  },
  { title: "ApprovalSummary" },
);

/** Grant that allows more than one call. */
export const approvalGrantSummary = Type.Object(
  {
    id: Type.String(),
    kind,
    tool: Type.String(),
    label: Type.String({ description: "Description of the calls that the grant allows." }),
    scope: grantScope,
    sessionKey: Type.String(),
    agentId: Type.String(),
    requester,
    createdBy: Type.String(),
    createdAt: Type.Number(),
    lastUsedAt: Type.Optional(Type.Number()),
    uses: Type.Integer(),
    expiresAt: Type.Optional(Type.Number()),
  },
  { title: "ApprovalGrantSummary" },
);

/** Entry of the audit log of approvals. */
export const approvalAuditEntry = Type.Object({
  seq: Type.Integer({ description: "Position in the chain, from 1." }),
  at: Type.Number(),
  event: Type.String(),
  approvalId: Type.Optional(Type.String()),
  grantId: Type.Optional(Type.String()),
  runId: Type.Optional(Type.String()),
  sessionKey: Type.Optional(Type.String()),
  toolCallId: Type.Optional(Type.String()),
  tool: Type.Optional(Type.String()),
  deviceId: Type.Optional(Type.String()),
  actor: Type.Optional(
    Type.Object({
      channel: Type.String(),
      id: Type.String(),
      clientId: Type.Optional(Type.String()),
    }),
  ),
  via: Type.Optional(Type.String()),
  decision: Type.Optional(Type.String()),
  digest: Type.Optional(Type.String()),
  decisionId: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  hash: Type.String(),
});

/** Result of the check of the audit log's chain. */
export const auditVerdict = Type.Union([
  Type.Object({ intact: Type.Literal(true), rows: Type.Integer() }),
  Type.Object({
    intact: Type.Literal(false),
    seq: Type.Integer({ description: "First entry that was changed." }),
    problem: Type.String(),
  }),
]);

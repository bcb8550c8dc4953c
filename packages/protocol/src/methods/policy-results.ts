import { Type } from "typebox";

const source = Type.Object(
  {
    file: Type.Optional(Type.String()),
    key: Type.String({ description: "Configuration key, for example `tools.deny`." }),
    line: Type.Optional(Type.Integer()),
    column: Type.Optional(Type.Integer()),
    builtIn: Type.Optional(
      Type.Literal(true, {
        description: "Set for a rule of the product; `key` is then the key that overrides it.",
      }),
    ),
  },
  { title: "PolicyRuleSource", description: "Location of the rule." },
);

const layer = Type.Enum(["profile", "provider", "global", "agent", "group", "sandbox", "subagent"]);

const rule = {
  rule: Type.Optional(Type.String()),
  list: Type.Optional(Type.Enum(["allow", "deny", "alsoAllow", "parentPolicy"])),
  impliedBy: Type.Optional(Type.String()),
  source: Type.Optional(source),
};

/** Decider of a policy decision. */
const policyDecider = Type.Union(
  [
    Type.Object({
      kind: Type.Literal("layer"),
      layer,
      verdict: Type.Enum(["deny", "allow", "deny-unlisted"]),
      ...rule,
    }),
    Type.Object({ kind: Type.Literal("optional"), verdict: Type.Literal("not-opted-in") }),
    Type.Object({
      kind: Type.Literal("cap"),
      cap: Type.Enum(["owner", "run"]),
      verdict: Type.Literal("deny"),
      list: Type.Optional(Type.Enum(["runAllow", "toolsAllow"])),
    }),
    Type.Object({
      kind: Type.Literal("default"),
      default: Type.Enum(["allow", "deny"]),
      verdict: Type.Enum(["allow", "deny"]),
    }),
  ],
  { title: "PolicyDecider" },
);

const reversal = Type.Union(
  [
    Type.Object({
      kind: Type.Literal("edit"),
      file: Type.Optional(Type.String()),
      key: Type.String(),
      op: Type.Enum(["add", "remove"]),
      value: Type.String(),
      text: Type.String(),
    }),
    Type.Object({ kind: Type.Literal("steps"), steps: Type.Array(Type.String()) }),
  ],
  {
    title: "PolicyReversal",
    description:
      "Configuration change that reverses the decision, or steps when one change is not enough.",
  },
);

/** Explanation why a tool is allowed or denied (POL-026). */
export const policyAnswer = Type.Object(
  {
    decisionId: Type.String(),
    policyHash: Type.String(),
    tool: Type.String(),
    canonicalName: Type.String(),
    pluginId: Type.Optional(Type.String()),
    allowed: Type.Boolean(),
    decidedBy: policyDecider,
    layers: Type.Array(
      Type.Object({
        layer,
        verdict: Type.Enum(["deny", "allow", "deny-unlisted", "silent"]),
        note: Type.Optional(Type.String()),
        ...rule,
      }),
    ),
    caps: Type.Array(
      Type.Object({
        cap: Type.Enum(["owner", "run"]),
        verdict: Type.Enum(["deny", "silent"]),
        note: Type.String(),
      }),
    ),
    optional: Type.Object({
      isOptional: Type.Boolean(),
      optedInBy: Type.Optional(
        Type.Object({
          layer,
          list: Type.Enum(["allow", "alsoAllow"]),
          rule: Type.String(),
          source: Type.Optional(source),
        }),
      ),
    }),
    approval: Type.Optional(
      Type.Literal("always", { description: "Set when every call needs an approval." }),
    ),
    flip: Type.Optional(reversal),
  },
  { title: "PolicyAnswer" },
);

/** Call that a recorded decision was made about. */
export const policyOccasion = Type.Object({
  runId: Type.String(),
  toolCallId: Type.String(),
  sessionKey: Type.String(),
  at: Type.Number({ description: "Milliseconds since the epoch." }),
});

/** Result of one case of a policy test. */
export const policyCaseOutcome = Type.Object({
  file: Type.String(),
  name: Type.String(),
  passed: Type.Boolean(),
  expected: Type.String({ description: "For example `deny by agent`." }),
  actual: Type.String(),
  explanation: policyAnswer,
});

/** Recorded call that another policy would decide differently. */
export const policyFlipSample = Type.Object({
  runId: Type.String(),
  toolCallId: Type.String(),
  at: Type.Number({ description: "Milliseconds since the epoch." }),
  before: policyDecider,
  after: policyDecider,
});

/** Number of calls of a tool that would be decided differently. */
export const policyFlips = Type.Object({
  tool: Type.String(),
  allowToDeny: Type.Integer(),
  denyToAllow: Type.Integer(),
  samples: Type.Array(policyFlipSample, {
    description: "The newest ones, at most 5, oldest first.",
  }),
});

/** Decisions of another policy about the recorded calls (POL-034). */
export const policyComparison = Type.Object({
  calls: Type.Integer({ description: "Number of calls that were compared." }),
  allowed: Type.Integer(),
  denied: Type.Integer(),
  allowToDeny: Type.Integer(),
  denyToAllow: Type.Integer(),
  from: Type.Optional(
    Type.Number({ description: "Time of the first call, in milliseconds since the epoch." }),
  ),
  tools: Type.Array(policyFlips, {
    description: "Tools with calls that would be decided differently, by name.",
  }),
});

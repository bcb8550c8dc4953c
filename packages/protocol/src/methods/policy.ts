import { type Static, Type } from "typebox";

const closed = { additionalProperties: false };
const text = Type.String({ minLength: 1, maxLength: 400 });

const question = Type.Object(
  {
    tool: text,
    /** Takes agent, channel, sender and model from this stored session; the other fields win. */
    sessionKey: Type.Optional(text),
    agentId: Type.Optional(text),
    provider: Type.Optional(text),
    model: Type.Optional(text),
    channel: Type.Optional(text),
    groupId: Type.Optional(text),
    senderId: Type.Optional(text),
    senderIsOwner: Type.Optional(Type.Boolean()),
    sandboxed: Type.Optional(Type.Boolean()),
    /** 0 for the agent itself. */
    subagentDepth: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  },
  closed,
);

/** A decision that was made about a call, by its id. */
const recorded = Type.Object({ decisionId: text }, closed);

/** Parameters of the policy methods, by name. */
export const policyMethodParameters = {
  "policy.explain": Type.Union([question, recorded]),
  "policy.test": Type.Object(
    {
      /** Documents of cases, each `{cases: […]}`, by the name that results bear. */
      files: Type.Array(Type.Object({ file: text, document: Type.Unknown() }, closed), {
        minItems: 1,
        maxItems: 1000,
      }),
    },
    closed,
  ),
  "policy.whatIf": Type.Object(
    {
      /** The candidate: a configuration as its file holds it, and the name that its rules bear. */
      configuration: Type.Object({ file: text, text: Type.String() }, closed),
      /** Calls from this time on, in milliseconds since the epoch; all that are recorded when absent. */
      since: Type.Optional(Type.Integer({ minimum: 0 })),
      sessionKey: Type.Optional(text),
      agentId: Type.Optional(text),
    },
    closed,
  ),
};

/** Name of a policy method. */
export type PolicyMethod = keyof typeof policyMethodParameters;

/** Parameters of a policy method. */
export type PolicyMethodParameters<Method extends PolicyMethod> = Static<
  (typeof policyMethodParameters)[Method]
>;

/** What policy is asked about a tool in circumstances that are made up. */
export type PolicyQuestion = Static<typeof question>;

/** Where a rule of policy is written. */
export interface PolicyRuleSource {
  readonly file?: string;
  /** Configuration key, for example `tools.deny`. */
  readonly key: string;
  readonly line?: number;
  readonly column?: number;
  /** True for a rule that ships with the product; `key` is then the key that overrides it. */
  readonly builtIn?: true;
}

/** A layer of policy. */
export type PolicyLayerName =
  | "profile"
  | "provider"
  | "global"
  | "agent"
  | "group"
  | "sandbox"
  | "subagent";

/** What a layer says of a tool. */
export type PolicyVerdict = "deny" | "allow" | "deny-unlisted" | "silent";

/** The rule behind a verdict. */
export interface PolicyRule {
  readonly rule?: string;
  readonly list?: "allow" | "deny" | "alsoAllow" | "parentPolicy";
  readonly impliedBy?: string;
  readonly source?: PolicyRuleSource;
}

/** What settled a decision of policy. */
export type PolicyDecider =
  | ({
      readonly kind: "layer";
      readonly layer: PolicyLayerName;
      readonly verdict: Exclude<PolicyVerdict, "silent">;
    } & PolicyRule)
  | { readonly kind: "optional"; readonly verdict: "not-opted-in" }
  | {
      readonly kind: "cap";
      readonly cap: "owner" | "run";
      readonly verdict: "deny";
      readonly list?: "runAllow" | "toolsAllow";
    }
  | {
      readonly kind: "default";
      readonly default: "allow" | "deny";
      readonly verdict: "allow" | "deny";
    };

/** The change of configuration that reverses a decision, or advice where one change is not enough. */
export type PolicyReversal =
  | {
      readonly kind: "edit";
      readonly file?: string;
      readonly key: string;
      readonly op: "add" | "remove";
      readonly value: string;
      readonly text: string;
    }
  | { readonly kind: "steps"; readonly steps: readonly string[] };

/** Why a tool is allowed or denied (POL-026). */
export interface PolicyAnswer {
  readonly decisionId: string;
  readonly policyHash: string;
  readonly tool: string;
  readonly canonicalName: string;
  readonly pluginId?: string;
  readonly allowed: boolean;
  readonly decidedBy: PolicyDecider;
  readonly layers: readonly ({
    readonly layer: PolicyLayerName;
    readonly verdict: PolicyVerdict;
    readonly note?: string;
  } & PolicyRule)[];
  readonly caps: readonly {
    readonly cap: "owner" | "run";
    readonly verdict: "deny" | "silent";
    readonly note: string;
  }[];
  readonly optional: {
    readonly isOptional: boolean;
    readonly optedInBy?: {
      readonly layer: PolicyLayerName;
      readonly list: "allow" | "alsoAllow";
      readonly rule: string;
      readonly source?: PolicyRuleSource;
    };
  };
  /** Set where every call needs a person's word. */
  readonly approval?: "always";
  readonly flip?: PolicyReversal;
}

/** How one case of a policy test came out. */
export interface PolicyCaseOutcome {
  readonly file: string;
  readonly name: string;
  readonly passed: boolean;
  /** For example `deny by agent`. */
  readonly expected: string;
  readonly actual: string;
  readonly explanation: PolicyAnswer;
}

/** The call that a recorded decision was made about. */
export interface PolicyOccasion {
  readonly runId: string;
  readonly toolCallId: string;
  readonly sessionKey: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A recorded call that another policy would decide otherwise. */
export interface PolicyFlipSample {
  readonly runId: string;
  readonly toolCallId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What settled it then. */
  readonly before: PolicyDecider;
  /** What would settle it. */
  readonly after: PolicyDecider;
}

/** How often a tool's calls would be decided otherwise. */
export interface PolicyFlips {
  readonly tool: string;
  readonly allowToDeny: number;
  readonly denyToAllow: number;
  /** The newest of each direction, at most 5 together, oldest first. */
  readonly samples: readonly PolicyFlipSample[];
}

/** What another policy would have made of the calls that were recorded (POL-034). */
export interface PolicyComparison {
  /** Calls looked at. */
  readonly calls: number;
  readonly allowed: number;
  readonly denied: number;
  readonly allowToDeny: number;
  readonly denyToAllow: number;
  /** Time of the first call looked at, in milliseconds since the epoch; absent when there was none. */
  readonly from?: number;
  /** Tools with calls that flip, by name. */
  readonly tools: readonly PolicyFlips[];
}

/** Results of the policy methods. */
export interface PolicyMethodResults {
  "policy.explain": PolicyAnswer & { readonly occasion?: PolicyOccasion };
  "policy.test": { passed: boolean; cases: readonly PolicyCaseOutcome[] };
  "policy.whatIf": PolicyComparison;
}

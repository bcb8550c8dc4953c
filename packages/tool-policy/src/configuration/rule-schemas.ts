import { MAXIMUM_ENTRY_LENGTH } from "../matching/entry.js";

/** Tools, patterns, groups and plugins. */
export const ENTRIES = {
  type: "array",
  items: {
    type: "string",
    minLength: 1,
    maxLength: MAXIMUM_ENTRY_LENGTH,
    description: "A tool name, a pattern, group:<name> or plugin:<id>.",
    examples: ["exec", "web_*", "group:fs", "plugin:weather"],
  },
  examples: [["exec"]],
} as const;

const ALLOW = {
  ...ENTRIES,
  description: "Tools, patterns, group:<name> or plugin:<id>; if not empty, all others are denied.",
} as const;
const DENY = { ...ENTRIES, description: "Denied, even when another list allows them." } as const;
const ALSO_ALLOW = {
  ...ENTRIES,
  description: "Allowed in addition to the profile; restricts nothing. Not together with allow.",
} as const;
const REQUIRE_APPROVAL = {
  ...ENTRIES,
  description: "Every call of these needs approval; they are neither allowed nor denied by it.",
} as const;

const PROFILE = {
  type: "string",
  minLength: 1,
  description: "A name from tools.profiles, or minimal, coding, messaging or full.",
  examples: ["coding"],
} as const;

/** Lists of rules that may extend a profile. */
export const EXTENDABLE = { allow: ALLOW, deny: DENY, alsoAllow: ALSO_ALLOW } as const;

/** The example of a section with rules. */
export const DENIES_ONE = { deny: ["exec"] } as const;

const PROVIDERS = {
  type: "object",
  "x-key": "provider",
  description: "Rules by provider or provider/model; the longer key replaces the shorter one.",
  additionalProperties: {
    type: "object",
    properties: { profile: PROFILE, ...EXTENDABLE },
    additionalProperties: false,
    examples: [DENIES_ONE],
  },
  examples: [{ openai: DENIES_ONE }],
} as const;

/** Rules that an agent and the root have. */
export const AGENT_RULES = {
  profile: PROFILE,
  ...EXTENDABLE,
  byProvider: PROVIDERS,
  providers: PROVIDERS,
} as const;

const GROUP_RULES = { allow: ALLOW, deny: DENY, requireApproval: REQUIRE_APPROVAL } as const;

/** Rules of groups. */
export const GROUPS = {
  type: "object",
  "x-key": "group",
  description: "Rules by group id; * is the fallback for groups without an entry.",
  additionalProperties: {
    type: "object",
    properties: {
      tools: {
        type: "object",
        properties: {
          enabled: {
            type: "boolean",
            default: true,
            description: "False switches the group's rules off.",
            examples: [false],
          },
          ...GROUP_RULES,
          toolsBySender: {
            type: "object",
            "x-key": "sender",
            description:
              "Rules by id:<x>, name:<x> or *; the most specific one is added to the group's rules.",
            additionalProperties: {
              type: "object",
              properties: GROUP_RULES,
              additionalProperties: false,
              examples: [DENIES_ONE],
            },
            examples: [{ "id:7": DENIES_ONE }],
          },
        },
        additionalProperties: false,
        examples: [DENIES_ONE],
      },
    },
    examples: [{ tools: DENIES_ONE }],
  },
  examples: [{ "*": { tools: DENIES_ONE } }],
} as const;

const EXACT_NAME = {
  type: "string",
  minLength: 1,
  pattern: "^(?!\\*$)",
  patternErrorMessage: "one name, not *",
} as const;

/** Rules of one group of one channel. */
export const GROUP_POLICIES = {
  type: "array",
  description: "Rules that apply to one group of one channel, in addition to groups and channels.",
  items: {
    type: "object",
    properties: {
      channel: { ...EXACT_NAME, description: "The channel.", examples: ["telegram"] },
      group: {
        ...EXACT_NAME,
        description: "ID of the group, compared exactly.",
        examples: ["-100"],
      },
      enabled: {
        type: "boolean",
        default: true,
        description: "False switches the entry off.",
        examples: [false],
      },
      allow: {
        ...ENTRIES,
        description:
          "If not empty, all tools that are neither here nor in requireApproval are denied.",
      },
      deny: DENY,
      requireApproval: {
        ...ENTRIES,
        description: "Every call of these needs approval; the allow list here does not deny them.",
      },
    },
    required: ["channel", "group"],
    additionalProperties: false,
    examples: [{ channel: "telegram", group: "-100", deny: ["exec"] }],
  },
  examples: [[{ channel: "telegram", group: "-100", deny: ["exec"] }]],
} as const;

const ACCESS_ENTRIES = {
  type: "array",
  items: {
    type: "object",
    properties: {
      kind: {
        type: "string",
        enum: ["exact", "prefix", "suffix", "contains", "glob"],
        description: "How the value is compared, ignoring case.",
        examples: ["suffix"],
      },
      value: {
        type: "string",
        minLength: 1,
        description: "The text or pattern with * and ?.",
        examples: ["@example.com"],
      },
    },
    required: ["kind", "value"],
    additionalProperties: false,
    examples: [{ kind: "suffix", value: "@example.com" }],
  },
  examples: [[{ kind: "suffix", value: "@example.com" }]],
} as const;

/** Senders that are accepted. */
export const SENDERS = {
  type: "object",
  description: "Senders whose messages are accepted; the owner's always are.",
  properties: {
    mode: {
      type: "string",
      enum: ["allowall", "allowlist", "blocklist"],
      description: "allowlist accepts only what allow matches; the others accept everyone.",
      examples: ["allowlist"],
    },
    allow: { ...ACCESS_ENTRIES, description: "Accepted in mode allowlist." },
    block: { ...ACCESS_ENTRIES, description: "Rejected in every mode." },
  },
  required: ["mode"],
  additionalProperties: false,
  examples: [{ mode: "allowlist", allow: [{ kind: "suffix", value: "@example.com" }] }],
} as const;

/** Rules inside a sandbox. */
export const SANDBOX = {
  type: "object",
  properties: {
    tools: {
      type: "object",
      properties: { allow: ALLOW, deny: DENY },
      additionalProperties: false,
      examples: [DENIES_ONE],
    },
  },
  examples: [{ tools: DENIES_ONE }],
} as const;

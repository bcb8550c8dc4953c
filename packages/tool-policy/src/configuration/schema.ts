import { MAXIMUM_ENTRY_LENGTH } from "../matching/entry.js";

const ENTRIES = {
  type: "array",
  items: { type: "string", minLength: 1, maxLength: MAXIMUM_ENTRY_LENGTH },
} as const;

const NOT_BOTH = { not: { required: ["allow", "alsoAllow"] } } as const;

const ALLOW = {
  ...ENTRIES,
  description: "Tools, patterns, group:<name> or plugin:<id>; if not empty, all others are denied.",
} as const;
const DENY = { ...ENTRIES, description: "Denied, whatever any other list says." } as const;
const ALSO_ALLOW = {
  ...ENTRIES,
  description: "Admitted in addition to the profile; restricts nothing.",
} as const;
const REQUIRE_APPROVAL = {
  ...ENTRIES,
  description: "Every call of these needs approval; whether they are allowed is not changed.",
} as const;

const PROFILE = {
  type: "string",
  minLength: 1,
  description: "A name from tools.profiles, or minimal, coding, messaging or full.",
} as const;

const EXTENDABLE = { allow: ALLOW, deny: DENY, alsoAllow: ALSO_ALLOW } as const;

const PROVIDERS = {
  type: "object",
  description: "Keys are provider or provider/model; the longer one replaces the shorter.",
  additionalProperties: {
    type: "object",
    properties: { profile: PROFILE, ...EXTENDABLE },
    additionalProperties: false,
    ...NOT_BOTH,
  },
} as const;

const AGENT_RULES = {
  profile: PROFILE,
  ...EXTENDABLE,
  byProvider: PROVIDERS,
  providers: PROVIDERS,
} as const;

const GROUP_RULES = { allow: ALLOW, deny: DENY, requireApproval: REQUIRE_APPROVAL } as const;

const GROUPS = {
  type: "object",
  description: "Keys are group ids; * is the fallback for groups without an entry.",
  additionalProperties: {
    type: "object",
    properties: {
      tools: {
        type: "object",
        properties: {
          enabled: { type: "boolean", description: "False switches the group's rules off." },
          ...GROUP_RULES,
          toolsBySender: {
            type: "object",
            description: "The narrowest key counts and adds to the group's rules.",
            propertyNames: { pattern: "^(\\*|[iI][dD]:.+|[nN][aA][mM][eE]:.+)$" },
            additionalProperties: {
              type: "object",
              properties: GROUP_RULES,
              additionalProperties: false,
            },
          },
        },
        additionalProperties: false,
      },
    },
  },
} as const;

const SANDBOX = {
  type: "object",
  properties: {
    tools: {
      type: "object",
      properties: { allow: ALLOW, deny: DENY },
      additionalProperties: false,
    },
  },
} as const;

/**
 * JSON Schema (2020-12) of the parts of the configuration that `layersFromConfig` reads. Objects
 * that other packages share are left open; what is wrong beyond shape is found on reading.
 */
export const toolPolicyConfigSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    tools: {
      type: "object",
      properties: {
        ...AGENT_RULES,
        default: {
          enum: ["allow", "deny"],
          default: "allow",
          description: "The outcome where no layer speaks.",
        },
        groups: {
          type: "object",
          description: "Further groups, written group:<name> in lists.",
          additionalProperties: ENTRIES,
        },
        profiles: {
          type: "object",
          description: "Profiles by name; a built-in name replaces the built-in profile.",
          additionalProperties: {
            type: "object",
            properties: EXTENDABLE,
            additionalProperties: false,
            ...NOT_BOTH,
          },
        },
        sandbox: SANDBOX,
        subagents: {
          type: "object",
          properties: {
            tools: {
              type: "object",
              properties: EXTENDABLE,
              additionalProperties: false,
              ...NOT_BOTH,
            },
          },
        },
      },
      ...NOT_BOTH,
    },
    agents: {
      type: "object",
      additionalProperties: {
        type: ["object", "number", "string", "boolean", "array", "null"],
        properties: { tools: { type: "object", properties: AGENT_RULES, ...NOT_BOTH } },
      },
    },
    groups: GROUPS,
    channels: {
      type: "object",
      additionalProperties: {
        type: ["object", "number", "string", "boolean", "array", "null"],
        properties: { groups: GROUPS },
      },
    },
    sandbox: SANDBOX,
  },
} as const;

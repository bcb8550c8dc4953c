import {
  AGENT_RULES,
  DENIES_ONE,
  ENTRIES,
  EXTENDABLE,
  GROUP_POLICIES,
  GROUPS,
  SANDBOX,
  SENDERS,
} from "./rule-schemas.js";
import type { Shape } from "./shape.js";

const AGENT_TOOLS = {
  type: "object",
  properties: AGENT_RULES,
  additionalProperties: false,
  examples: [DENIES_ONE],
} as const;

/** JSON Schema of the settings read for one agent, in the main configuration or in its folder. */
export const AGENT_SCHEMA = { type: "object", properties: { tools: AGENT_TOOLS } } as const;

/** JSON Schema of the settings read for one channel. */
export const CHANNEL_SCHEMA = {
  type: "object",
  properties: { groups: GROUPS, senders: SENDERS },
} as const;

/** Rules that the root and its candidate have. */
const TOOL_RULES = {
  ...AGENT_RULES,
  default: {
    type: "string",
    enum: ["allow", "deny"],
    default: "allow",
    description: "Decision when no layer has a rule for a tool.",
    examples: ["deny"],
  },
  groups: {
    type: "object",
    description: "Additional groups of tools, written group:<name> in lists.",
    additionalProperties: ENTRIES,
    examples: [{ files: ["read", "write"] }],
  },
  groupPolicies: GROUP_POLICIES,
  profiles: {
    type: "object",
    description: "Additional profiles; a built-in name replaces the built-in profile.",
    additionalProperties: {
      type: "object",
      properties: EXTENDABLE,
      additionalProperties: false,
      examples: [DENIES_ONE],
    },
    examples: [{ office: DENIES_ONE }],
  },
  sandbox: SANDBOX,
  subagents: {
    type: "object",
    properties: {
      tools: {
        type: "object",
        properties: EXTENDABLE,
        additionalProperties: false,
        examples: [DENIES_ONE],
      },
    },
    examples: [{ tools: DENIES_ONE }],
  },
} as const;

/**
 * JSON Schema (2020-12) of the parts of the configuration that `layersFromConfig` reads, and the only
 * check of their shape. Objects that hold policy only are closed. Objects with other owners are open,
 * except `tools`, whose further keys a host names.
 */
export const toolPolicyConfigSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    tools: {
      type: "object",
      properties: {
        ...TOOL_RULES,
        mode: {
          type: "string",
          enum: ["monitor"],
          description:
            "monitor evaluates the candidate for each call too, and reports each different decision.",
          examples: ["monitor"],
        },
        candidate: {
          type: "object",
          properties: TOOL_RULES,
          additionalProperties: false,
          description:
            "Rules of tools that are tried: they replace the others in a policy that is evaluated and never applied.",
          examples: [DENIES_ONE],
        },
      },
      additionalProperties: false,
      examples: [DENIES_ONE],
    },
    agents: {
      type: "object",
      "x-key": "id",
      // Settings of all agents, for example a number of turns, are written beside the agents.
      additionalProperties: { properties: AGENT_SCHEMA.properties },
      examples: [{ main: { tools: DENIES_ONE } }],
    },
    groups: GROUPS,
    channels: {
      type: "object",
      "x-key": "channel",
      additionalProperties: { properties: CHANNEL_SCHEMA.properties },
      examples: [{ telegram: { groups: { "*": { tools: DENIES_ONE } } } }],
    },
    sandbox: SANDBOX,
  },
  examples: [{ tools: DENIES_ONE }],
} as const;

/** A configuration that fits {@link toolPolicyConfigSchema}, as far as it concerns tool policy. */
export type ToolPolicyConfig = Shape<typeof toolPolicyConfigSchema>;

/** The configuration of one agent as far as it concerns tool policy. */
export type AgentPolicyConfig = Shape<typeof AGENT_SCHEMA>;

/** The tools of one agent, or the same keys of `tools` at the root. */
export type ToolRulesConfig = Shape<typeof AGENT_TOOLS>;

/** Policy of the groups of one channel or of all channels. */
export type GroupsConfig = Shape<typeof GROUPS>;

/** A `tools` section, without the keys of other owners. */
export type ToolsConfig = NonNullable<ToolPolicyConfig["tools"]>;

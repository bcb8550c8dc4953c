import type { JsonSchema } from "../schema/json.js";
import type { PluginManifest } from "./manifest.js";

const text = { type: "string" } as const;
const texts = { type: "array", items: text } as const;
const object = { type: "object" } as const;
const textOrTexts = { anyOf: [text, texts] } as const;
const objectOrList = { anyOf: [object, { type: "array" }] } as const;

/** Schema with its literal types, which a test compares with the type `PluginManifest`. */
export const manifestSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "urn:openclaw:plugin-manifest",
  title: "OpenClaw plugin manifest",
  description: "What openclaw.plugin.json says of a plugin; read without running any of its code.",
  type: "object",
  required: ["id"],
  properties: {
    $schema: { ...text, description: "Address or path of this schema, for editors." },
    id: {
      ...text,
      description: "Names the plugin in configuration, policy and logs.",
      pattern: "^[a-z0-9@][a-z0-9._/-]{0,99}$",
      patternErrorMessage:
        "1 to 100 characters: a lower-case letter, digit or @ first, then also . _ / -",
    },
    name: { ...text, description: "Display name; the id when absent." },
    version: { ...text, description: "A semantic or calendar version." },
    description: { ...text, description: "One sentence that describes the plugin." },
    configSchema: {
      ...object,
      description: "JSON Schema of plugins.entries.<id>.config; an empty object when absent.",
    },
    entry: {
      ...textOrTexts,
      description: "Module or modules to load, relative to the plugin's folder.",
    },
    enabledByDefault: {
      type: "boolean",
      default: true,
      description: "False leaves the plugin off until the operator turns it on.",
    },
    kind: {
      ...textOrTexts,
      examples: ["memory", "context-engine"],
      description: "A kind of which only one plugin is active, or any other word.",
    },
    channels: { ...texts, description: "Names of the channels the plugin offers." },
    channelSettings: {
      ...object,
      description:
        "JSON Schema of the settings that a channel adds to its section channels.<name>, by channel, * for channels under names of the operator; each account has them. $defs.senderId and $defs.conversationId are the forms of its IDs, with pattern and description; x-steps is a list of the steps to set the channel up, which the console shows.",
    },
    channelConfigs: {
      ...object,
      description: "Schemas of sections channels.<name> in the form of older hosts.",
    },
    providers: { ...texts, description: "Ids of the model providers the plugin offers." },
    skills: { ...texts, description: "Folders of skills, relative to the plugin's folder." },
    uiHints: { ...object, description: "How a console shows the configuration." },
    requiresPlugins: {
      type: "array",
      items: {
        anyOf: [
          text,
          {
            type: "object",
            properties: {
              id: text,
              version: { ...text, description: "A range of versions." },
            },
            required: ["id", "version"],
          },
        ],
      },
      description: "Plugins that must be on for this one to load, by id or by id and version.",
    },
    legacyPluginIds: {
      ...texts,
      description: "Ids this plugin had before; configuration under them still counts.",
    },
    contracts: {
      type: "object",
      properties: { tools: texts, hooks: texts, trustedToolPolicies: texts },
      additionalProperties: texts,
      description: "What the plugin registers, by kind, known without loading it.",
    },
    toolMetadata: { ...object, description: "What is said of the plugin's tools, by name." },
    commandAliases: { ...objectOrList, description: "Other names of the plugin's commands." },
    cliCommands: { ...objectOrList, description: "Commands the plugin adds to the command line." },
    activation: { ...object, description: "What the plugin waits for before it is needed." },
    mcpServers: { ...object, description: "MCP servers the plugin brings, by name." },
    declarativeHooks: {
      ...objectOrList,
      description:
        "Hooks written as configuration: rules, outbound_webhooks and hooks, or a list of rules.",
    },
    permissions: {
      type: "object",
      properties: {
        tools: texts,
        hooks: texts,
        commands: texts,
        routes: texts,
        gatewayMethods: texts,
        channels: texts,
        providers: texts,
        services: texts,
        sessions: texts,
        secrets: texts,
        network: { type: "object", properties: { hosts: texts } },
        fs: { type: "object", properties: { read: texts, write: texts } },
        exec: texts,
      },
      description: "What the plugin may register and use.",
    },
    isolation: {
      enum: ["none", "worker", "process"],
      default: "none",
      description:
        "Place of the plugin's code: the process of the host, a thread of it, or a separate process.",
    },
    compat: {
      type: "object",
      properties: {
        pluginApi: { ...text, description: "Range of plugin API versions it was written for." },
        minGatewayVersion: { ...text, description: "Oldest host it works in." },
      },
      description: "What the plugin needs of its host.",
    },
    proposals: { ...texts, description: "Proposed API the plugin opts into." },
  },
} as const satisfies JsonSchema & { properties: Record<keyof PluginManifest, JsonSchema> };

/**
 * JSON Schema of `openclaw.plugin.json`, deeply frozen. Editors use it for completion and hosts for validation. Unknown
 * fields are valid, and a host reports them (PLUG-006). The compiler checks that it equals the type `PluginManifest`
 * (PLUG-007).
 */
export const PLUGIN_MANIFEST_SCHEMA: JsonSchema = deepFreeze(manifestSchema);

function deepFreeze<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) {
    if (typeof part === "object" && part !== null) deepFreeze(part);
  }
  return Object.freeze(value);
}

import type { TUnsafe } from "typebox";

/** Configuration of one plugin, `plugins.entries.<id>`. */
export interface PluginEntryConfiguration {
  /** True enables the plugin, false disables it; absent, its origin and manifest decide. */
  enabled?: boolean;
  /** The plugin's own configuration, checked against its schema. */
  config?: Record<string, unknown>;
  env?: Record<string, string>;
  hooks?: {
    /** Timeout of every handler of the plugin in milliseconds, 1 to 600 000. */
    timeoutMs?: number;
    /** Timeouts by hook name; they override `timeoutMs`. */
    timeouts?: Record<string, number>;
    /** True when its handlers may see whole conversations (D29). */
    allowConversationAccess?: boolean;
    /** False prevents it from adding to prompts. */
    allowPromptInjection?: boolean;
  };
  http?: { auth?: "gateway" | "plugin" };
  /** Isolation of its code, instead of `isolation` in its manifest (PLUG-052). */
  isolation?: "none" | "worker" | "process";
  /** True loads it although it requires another version of the host. */
  ignoreCompat?: boolean;
  /** True lets another plugin of this id replace a bundled one that guards tool calls or messages. */
  replaceBundled?: boolean;
  /** Timeout of its `register` in milliseconds, 1 to 600 000; default 30 000. */
  registerTimeoutMs?: number;
}

/** The `plugins` section of the configuration (PLUG-014). */
export interface PluginsConfiguration {
  /** False disables every plugin; a list is an alias of `allow`. */
  enabled?: boolean | string[];
  /** When not empty, only these plugins are enabled. */
  allow?: string[];
  /** These plugins are disabled, regardless of other settings. */
  deny?: string[];
  /** Alias of `deny`. */
  disabled?: string[];
  /** True rejects a plugin that registers a handler for an unknown hook. */
  strict?: boolean;
  permissions?: "off" | "warn" | "strict";
  load?: { paths?: string[] };
  install?: {
    /** Sources of dependencies of installed plugins in addition to the registry; default none. */
    allowDependencies?: ("git" | "file" | "url")[];
  };
  /** The active plugin of each exclusive kind. */
  slots?: { memory?: string; contextEngine?: string };
  entries?: Record<string, PluginEntryConfiguration>;
}

/** A host's configuration: the section of the plugins, and any other sections of the host. */
export interface HostConfiguration {
  readonly plugins?: PluginsConfiguration;
  readonly [section: string]: unknown;
}

/** Handling of a registration that the manifest does not declare, unless `plugins.permissions` says otherwise. */
export const UNDECLARED_PERMISSIONS = "warn";

const MILLISECONDS = { type: "integer", minimum: 1, maximum: 600_000 };
const FLAG = { type: "boolean" };
const STRING = { type: "string" };
const STRINGS = { type: "array", items: STRING };

function closed(properties: Record<string, unknown>, notes: SchemaNotes = {}) {
  return { type: "object", properties, additionalProperties: false, ...notes };
}

function byKey(key: string, values: unknown) {
  return { type: "object", "x-key": key, patternProperties: { "^.*$": values } };
}

/** Keywords of a schema that only documentation uses. */
interface SchemaNotes {
  readonly description?: string;
  readonly default?: unknown;
}

/**
 * JSON Schema of the `plugins` section, as plain data so that importing it costs nothing; its
 * TypeScript type is that of TypeBox, for hosts that compose their configuration with it.
 */
export const pluginsConfigurationSchema: TUnsafe<PluginsConfiguration> = unsafe(
  closed(
    {
      enabled: {
        anyOf: [FLAG, STRINGS],
        default: true,
        description: "False disables every plugin; a list is another spelling of allow.",
      },
      allow: { ...STRINGS, description: "When not empty, only these plugins are enabled." },
      deny: { ...STRINGS, description: "Plugins that are never enabled." },
      disabled: { ...STRINGS, description: "Another spelling of deny." },
      strict: {
        ...FLAG,
        default: false,
        description: "True fails a plugin that registers an unknown hook.",
      },
      permissions: {
        enum: ["off", "warn", "strict"],
        default: UNDECLARED_PERMISSIONS,
        description: "Handling of a registration that the manifest does not declare.",
      },
      load: closed({
        paths: { ...STRINGS, description: "Further plugins, as files or folders." },
      }),
      install: closed({
        allowDependencies: {
          type: "array",
          items: { enum: ["git", "file", "url"] },
          default: [],
          description:
            "Sources of dependencies of installed plugins that are allowed in addition to the registry.",
        },
      }),
      slots: closed({
        memory: { ...STRING, description: 'Active plugin of kind memory; "none" for no memory.' },
        contextEngine: { ...STRING, description: "Active plugin of kind contextEngine." },
      }),
      entries: byKey(
        "id",
        closed({
          enabled: {
            ...FLAG,
            description:
              "Enables or disables the plugin; its origin and manifest decide when absent.",
          },
          config: {
            type: "object",
            description: "The plugin's own configuration, validated by its schema.",
          },
          env: byKey("variable", { ...STRING, description: "Environment variable of the plugin." }),
          hooks: closed({
            timeoutMs: {
              ...MILLISECONDS,
              description: "Deadline of each hook handler of the plugin in milliseconds.",
            },
            timeouts: byKey("hook", {
              ...MILLISECONDS,
              description: "Deadline of this hook's handlers, instead of timeoutMs.",
            }),
            allowConversationAccess: {
              ...FLAG,
              description: "True lets the plugin's hooks read conversations.",
            },
            allowPromptInjection: {
              ...FLAG,
              default: true,
              description: "False keeps the plugin from changing prompts.",
            },
          }),
          http: closed({
            auth: {
              enum: ["gateway", "plugin"],
              default: "gateway",
              description: "Authentication of the plugin's HTTP routes.",
            },
          }),
          isolation: {
            enum: ["none", "worker", "process"],
            description:
              "Runs the plugin in the process of the host, a thread or its own process; its manifest decides when absent.",
          },
          ignoreCompat: {
            ...FLAG,
            default: false,
            description: "True loads the plugin despite a version conflict.",
          },
          replaceBundled: {
            ...FLAG,
            default: false,
            description: "True lets another plugin of this id replace a bundled guard.",
          },
          registerTimeoutMs: {
            ...MILLISECONDS,
            default: 30_000,
            description: "Deadline of the plugin's register in milliseconds.",
          },
        }),
      ),
    },
    { description: "Plugins: which are enabled, and what they may do." },
  ),
);

/** Types a schema as TypeBox's `Type.Unsafe` does, without TypeBox. */
function unsafe<Value>(schema: object): TUnsafe<Value> {
  return schema as TUnsafe<Value>;
}

import type { TUnsafe } from "typebox";

/** What the configuration says of one plugin, `plugins.entries.<id>`. */
export interface PluginEntryConfiguration {
  /** True turns the plugin on, false off; absent leaves it to its origin and manifest. */
  enabled?: boolean;
  /** The plugin's own configuration, checked against its schema. */
  config?: Record<string, unknown>;
  env?: Record<string, string>;
  hooks?: {
    /** Deadline of every handler of the plugin in milliseconds, 1 to 600 000. */
    timeoutMs?: number;
    /** Deadlines by hook name; they win over `timeoutMs`. */
    timeouts?: Record<string, number>;
    /** Whether its handlers may see whole conversations (D29). */
    allowConversationAccess?: boolean;
    /** False keeps it from adding to prompts. */
    allowPromptInjection?: boolean;
  };
  http?: { auth?: "gateway" | "plugin" };
  /** True loads it although it asks for another version of the host. */
  ignoreCompat?: boolean;
  /** Deadline of its `register` in milliseconds, 1 to 600 000; default 30 000. */
  registerTimeoutMs?: number;
}

/** The `plugins` section of the configuration (PLUG-014). */
export interface PluginsConfiguration {
  /** False turns every plugin off; a list is another spelling of `allow`. */
  enabled?: boolean | string[];
  /** When not empty, only these plugins are on. */
  allow?: string[];
  /** These plugins are off, whatever else is said. */
  deny?: string[];
  /** Another spelling of `deny`. */
  disabled?: string[];
  /** True refuses a plugin that asks for an unknown hook. */
  strict?: boolean;
  permissions?: "off" | "warn" | "strict";
  load?: { paths?: string[] };
  /** Which plugin of an exclusive kind is active. */
  slots?: { memory?: string; contextEngine?: string };
  entries?: Record<string, PluginEntryConfiguration>;
}

/** A host's configuration: the section of the plugins, and whatever else the host has. */
export interface HostConfiguration {
  readonly plugins?: PluginsConfiguration;
  readonly [section: string]: unknown;
}

const MILLISECONDS = { type: "integer", minimum: 1, maximum: 600_000 };
const FLAG = { type: "boolean" };
const TEXT = { type: "string" };
const TEXTS = { type: "array", items: TEXT };

function closed(properties: Record<string, unknown>) {
  return { type: "object", properties, additionalProperties: false };
}

function byKey(values: unknown) {
  return { type: "object", patternProperties: { "^.*$": values } };
}

/**
 * The JSON Schema of the `plugins` section, plain data so that it costs nothing to import; its
 * TypeScript type is that of TypeBox, for hosts that put their configuration together with it.
 */
export const pluginsConfigurationSchema: TUnsafe<PluginsConfiguration> = unsafe(
  closed({
    enabled: { anyOf: [FLAG, TEXTS] },
    allow: TEXTS,
    deny: TEXTS,
    disabled: TEXTS,
    strict: FLAG,
    permissions: { enum: ["off", "warn", "strict"] },
    load: closed({ paths: TEXTS }),
    slots: closed({ memory: TEXT, contextEngine: TEXT }),
    entries: byKey(
      closed({
        enabled: FLAG,
        config: { type: "object" },
        env: byKey(TEXT),
        hooks: closed({
          timeoutMs: MILLISECONDS,
          timeouts: byKey(MILLISECONDS),
          allowConversationAccess: FLAG,
          allowPromptInjection: FLAG,
        }),
        http: closed({ auth: { enum: ["gateway", "plugin"] } }),
        ignoreCompat: FLAG,
        registerTimeoutMs: MILLISECONDS,
      }),
    ),
  }),
);

/** What TypeBox's `Type.Unsafe` does, without TypeBox. */
function unsafe<Value>(schema: object): TUnsafe<Value> {
  return schema as TUnsafe<Value>;
}

import type { JsonSchema } from "@openclaw/plugin-sdk/config-schema";

export {
  /** @deprecated Import it from "openclaw/plugin-sdk/channel-core". */
  defineChannelPluginEntry,
} from "@openclaw/plugin-sdk/channel-core";
export {
  /** @deprecated Import it from "openclaw/plugin-sdk/plugin-entry". */
  definePluginEntry,
  /** @deprecated Import it from "openclaw/plugin-sdk/plugin-entry". */
  emptyPluginConfigSchema,
  /** @deprecated Import it from "openclaw/plugin-sdk/plugin-entry". */
  type OpenClawPluginApi,
} from "@openclaw/plugin-sdk/plugin-entry";
export {
  /** @deprecated Import it from "openclaw/plugin-sdk/tool-results". */
  jsonResult,
  /** @deprecated Import it from "openclaw/plugin-sdk/tool-results". */
  textResult,
} from "@openclaw/plugin-sdk/tool-results";
export type {
  /** @deprecated Import it from "openclaw/plugin-sdk/tools". */
  AnyAgentTool,
} from "@openclaw/plugin-sdk/tools";
export { DEFAULT_ACCOUNT_ID, normalizeAccountId } from "./account-id.js";
export {
  buildChannelConfigSchema,
  buildJsonChannelConfigSchema,
  type ChannelConfigSchema,
  emptyChannelConfigSchema,
} from "./channel-config-schema.js";
export {
  applyAccountNameToChannelSection,
  type ChannelPlugin,
  createChannelPluginBase,
  createChatChannelPlugin,
  defineSetupPluginEntry,
  deleteAccountFromConfigSection,
  formatPairingApproveHint,
  migrateBaseNameToDefaultAccount,
  parseOptionalDelimitedEntries,
  setAccountEnabledInConfigSection,
  stripChannelTargetPrefix,
  stripTargetKindPrefix,
} from "./channel-core.js";
export { buildJsonPluginConfigSchema, buildPluginConfigSchema } from "./config-schema.js";
export { createSubsystemLogger } from "./diagnostics/logging-core.js";
export { createDedupeCache, generateSecureToken, generateSecureUuid } from "./infra-runtime.js";
export { enqueueKeyedTask, KeyedAsyncQueue } from "./keyed-async-queue.js";
export {
  createActionGate,
  readNumberParam,
  readStringArrayParam,
  readStringParam,
} from "./param-readers.js";
export type {
  OpenClawPluginCommandDefinition,
  OpenClawPluginConfigSchema,
  OpenClawPluginDefinition,
  OpenClawPluginService,
  OpenClawPluginServiceContext,
  OpenClawPluginToolContext,
  OpenClawPluginToolFactory,
  PluginCommandResult,
  PluginLogger,
} from "./plugin-entry.js";
export type { PluginRuntime } from "./runtime-store.js";

interface EnumOptions {
  readonly description?: string;
  readonly title?: string;
  readonly default?: string;
}

/**
 * Returns the schema of a string enum in a form that every model provider supports.
 * @param values - allowed strings
 * @param options - title and description for the model
 * @deprecated Write `{ type: "string", enum: [...] }`.
 */
export function stringEnum(values: readonly string[], options: EnumOptions = {}): JsonSchema {
  return { type: "string", enum: [...values], ...options };
}

/**
 * Marks of an optional schema in the two TypeBox packages, so that `Type.Object` of either one detects it.
 */
const OPTIONAL = { "~optional": true, [Symbol.for("TypeBox.Optional")]: "Optional" };

/**
 * Returns the schema of an optional string enum.
 * @param values - allowed strings
 * @param options - title and description for the model
 * @deprecated Write `Type.Optional(Type.Union([...]))`.
 */
export function optionalStringEnum(
  values: readonly string[],
  options: EnumOptions = {},
): JsonSchema {
  const schema = stringEnum(values, options);
  for (const mark of Reflect.ownKeys(OPTIONAL)) {
    // Not enumerable, like TypeBox's own marks, so that no model receives them.
    Object.defineProperty(schema, mark, { value: Reflect.get(OPTIONAL, mark) });
  }
  return schema;
}

/**
 * Returns the text that a context engine adds to the system prompt for memory plugins. It is always undefined: the
 * host itself adds the text of memory plugins, with every context engine.
 * @deprecated Leave the text of memory plugins to the host.
 */
export function buildMemorySystemPromptAddition(_options?: {
  readonly availableTools?: ReadonlySet<string>;
  readonly citationsMode?: string;
}): string | undefined {
  return undefined;
}

/**
 * Returns true when a value refers to a secret instead of being one.
 * @param value - value from a configuration
 * @deprecated Declare the secret in the manifest's `permissions.secrets`.
 */
export function isSecretRef(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (
    "source" in value &&
    ["env", "file", "exec"].includes(String(value.source)) &&
    "id" in value &&
    typeof value.id === "string"
  );
}

import { isErrorOfClass, OpenClawError } from "@openclaw/foundation/errors";

export {
  type ErrorKind,
  type ErrorKindMapping,
  OpenClawError,
  type OpenClawErrorOptions,
} from "@openclaw/foundation/errors";

/** A plugin used its `api` after its generation had ended (LIFE-028). */
export class PluginDisposedError extends OpenClawError {
  static override readonly code = "PLUGIN_DISPOSED";
  static override readonly kind = "conflict";
  readonly pluginId: string;

  constructor(pluginId: string, member: string) {
    super(
      `plugin "${pluginId}" called api.${member} after it was unloaded; ` +
        "keep no reference to api beyond the plugin's life, and stop timers in a service's stop()",
    );
    this.pluginId = pluginId;
  }
}

/** A plugin asked for an ability that this host does not offer (PLUG-041). */
export class RuntimeCapabilityError extends OpenClawError {
  static override readonly code = "RUNTIME_CAPABILITY_MISSING";
  static override readonly kind = "unavailable";
  readonly pluginId: string;
  readonly capability: string;

  constructor(pluginId: string, capability: string, nextStep: string) {
    super(
      `plugin "${pluginId}" asked for ${capability}, which this host does not offer; ${nextStep}`,
    );
    this.pluginId = pluginId;
    this.capability = capability;
  }
}

/** A plugin did what its manifest does not declare, and the operator lets no plugin do that (PLUG-044). */
export class PluginPermissionError extends OpenClawError {
  static override readonly code = "PLUGIN_PERMISSION_MISSING";
  static override readonly kind = "forbidden";
  readonly pluginId: string;
  /** Field of the manifest's `permissions`, for example `network.hosts`. */
  readonly permission: string;
  /** What is to be added there. */
  readonly value: string;

  /**
   * @param pluginId - the plugin
   * @param permission - field of the manifest's `permissions`
   * @param value - what is to be added there
   * @param deed - what the plugin tried, for example `register the tool "find"`
   */
  constructor(pluginId: string, permission: string, value: string, deed: string) {
    super(
      `plugin "${pluginId}" may not ${deed}: permissions.${permission} of its manifest does not ` +
        `name ${JSON.stringify(value)}; add it there, or run "openclaw plugins fix-manifest ${pluginId}"`,
    );
    this.pluginId = pluginId;
    this.permission = permission;
    this.value = value;
  }
}

/** A model provider sent a longer line or reply than is read (see `boundedFetch`). */
export class ProviderReplyTooLargeError extends OpenClawError {
  static override readonly code = "PROVIDER_REPLY_TOO_LARGE";
  static override readonly kind = "too-large";
  /** Part of the reply that was too long. */
  readonly part: "line" | "reply";
  /** The limit, in bytes. */
  readonly limit: number;

  constructor(part: "line" | "reply", limit: number) {
    super(
      `the server sent a ${part} of more than ${limit} bytes and was disconnected; ` +
        "check the base URL, and ask for a shorter reply",
    );
    this.part = part;
    this.limit = limit;
  }
}

/** An argument of a call is missing, of another type, or outside its bounds. */
export class ParameterError extends OpenClawError {
  static override readonly code = "PARAMETER_INVALID";
  static override readonly kind = "invalid";
  readonly parameter: string;

  /**
   * @param parameter - its name
   * @param expected - for example `a whole number of at least 1`
   * @param got - the value that came; only its kind or number is shown
   */
  constructor(parameter: string, expected: string, got: unknown) {
    super(`parameter "${parameter}": expected ${expected}, got ${kindOf(got)}; correct the call`);
    this.parameter = parameter;
  }
}

/** A key, value, name, text or parameter is none that the host keeps for plugins. */
export class PluginStoreArgumentError extends OpenClawError {
  static override readonly code = "PLUGIN_STORE_ARGUMENT";
  static override readonly kind = "invalid";
  readonly pluginId: string;

  /**
   * @param pluginId - the plugin
   * @param call - for example `store.kv.set`
   * @param problem - which argument, what was expected and what came
   */
  constructor(pluginId: string, call: string, problem: string) {
    super(`plugin "${pluginId}" called ${call} with a wrong argument: ${problem}`);
    this.pluginId = pluginId;
  }
}

/** A plugin asked for more than the host keeps for one plugin; nothing was changed. */
export class PluginQuotaError extends OpenClawError {
  static override readonly code = "PLUGIN_QUOTA_EXCEEDED";
  static override readonly kind = "too-large";
  readonly pluginId: string;

  /**
   * @param pluginId - the plugin
   * @param call - for example `session.workflow.enqueueNextTurnInjection`
   * @param limit - what is full, and how much that is
   * @param nextStep - what the author can do
   */
  constructor(pluginId: string, call: string, limit: string, nextStep: string) {
    super(`plugin "${pluginId}" called ${call}, but ${limit}; ${nextStep}`);
    this.pluginId = pluginId;
  }
}

/** A database of a plugin could not be brought to its newest layout; the database is as it was. */
export class PluginMigrationError extends OpenClawError {
  static override readonly code = "PLUGIN_MIGRATION_FAILED";
  static override readonly kind = "internal";
  readonly pluginId: string;
  readonly database: string;

  /**
   * @param pluginId - the plugin
   * @param database - its name
   * @param problem - which migration, and what is the matter with it
   * @param options - `cause` keeps the error underneath
   */
  constructor(pluginId: string, database: string, problem: string, options?: { cause?: unknown }) {
    super(`database "${database}" of plugin "${pluginId}" was not opened: ${problem}`, options);
    this.pluginId = pluginId;
    this.database = database;
  }
}

/** A statement that a plugin gave its database failed. */
export class PluginQueryError extends OpenClawError {
  static override readonly code = "PLUGIN_QUERY_FAILED";
  static override readonly kind = "invalid";
  readonly pluginId: string;
  readonly database: string;

  /**
   * @param pluginId - the plugin
   * @param database - its name
   * @param problem - what the database says of the statement
   * @param options - `cause` keeps the error underneath
   */
  constructor(pluginId: string, database: string, problem: string, options?: { cause?: unknown }) {
    super(
      `database "${database}" of plugin "${pluginId}" refused a statement: ${problem}`,
      options,
    );
    this.pluginId = pluginId;
    this.database = database;
  }
}

/** A model provider lacks a setting, such as its API key. */
export class ProviderSettingMissingError extends OpenClawError {
  static override readonly code = "PROVIDER_SETTING_MISSING";
  static override readonly kind = "configuration";
  readonly pluginId: string;

  /**
   * @param pluginId - the plugin
   * @param label - name of the setting, for example `API key`
   * @param places - where it can be set: an environment variable, a key of the configuration
   * @param code - code of this error, for a plugin that has its own codes
   */
  constructor(pluginId: string, label: string, places: readonly string[], code?: string) {
    super(`the ${pluginId} plugin has no ${label}; set ${places.join(" or ")}`, { code });
    this.pluginId = pluginId;
  }
}

/** A model provider was given a base URL that is not an HTTP URL. */
export class ProviderAddressInvalidError extends OpenClawError {
  static override readonly code = "PROVIDER_ADDRESS_INVALID";
  static override readonly kind = "configuration";
  readonly pluginId: string;

  /**
   * @param pluginId - the plugin
   * @param setting - the value, and the variable or key of the configuration that holds it
   * @param example - URL that would be accepted
   * @param code - code of this error, for a plugin that has its own codes
   */
  constructor(
    pluginId: string,
    setting: { readonly value: string; readonly source: string },
    example: string,
    code?: string,
  ) {
    super(
      `the ${pluginId} plugin cannot use the address in ${setting.source}: expected one that starts ` +
        `with http:// or https://, got ${JSON.stringify(setting.value)}; write it like ${example}`,
      { code },
    );
    this.pluginId = pluginId;
  }
}

/** The fields of the error a host raises when a hook handler failed under `fail-closed`. */
export interface PluginHookExecutionFailure extends Error {
  readonly code:
    | "HOOK_THREW"
    | "HOOK_TIMEOUT"
    | "HOOK_MALFORMED"
    | "HOOK_SATURATED"
    | "HOOK_CONDITION"
    | "HOOK_ABORTED";
  readonly pluginId: string;
  readonly hookName: string;
  readonly registrationId: string;
  readonly mode: "fail-open" | "fail-closed";
  readonly attempts: number;
  readonly durationMs: number;
  readonly timeoutMs?: number;
}

/**
 * Checks whether a value is the hook runner's error, without importing the runner (SDK-017).
 * @param value - anything that was thrown
 */
export function isPluginHookExecutionError(value: unknown): value is PluginHookExecutionFailure {
  return isErrorOfClass(value, "HOOK_EXECUTION");
}

/** Values may be secrets or long, so a message shows their kind; a number is neither. */
function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null || typeof value === "number") return String(value);
  return Array.isArray(value) ? "a list" : typeof value;
}

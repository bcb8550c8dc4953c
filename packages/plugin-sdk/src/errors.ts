import { isErrorOfClass, OpenClawError } from "@openclaw/foundation/errors";

export {
  type ErrorKind,
  type ErrorKindMapping,
  OpenClawError,
  type OpenClawErrorOptions,
} from "@openclaw/foundation/errors";
export { OutboundWebhookError, type OutboundWebhookProblem } from "./webhook/errors.js";

/** Thrown when a plugin uses its `api` after its generation has ended (LIFE-028). */
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

/** Thrown when a plugin uses a capability that this host does not offer (PLUG-041). */
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

/** Thrown when a plugin does something that its manifest does not declare and the operator enforces permissions (PLUG-044). */
export class PluginPermissionError extends OpenClawError {
  static override readonly code = "PLUGIN_PERMISSION_MISSING";
  static override readonly kind = "forbidden";
  readonly pluginId: string;
  /** Field of the manifest's `permissions`, for example `network.hosts`. */
  readonly permission: string;
  /** Value to add to that field. */
  readonly value: string;

  /**
   * @param pluginId - the plugin
   * @param permission - field of the manifest's `permissions`
   * @param value - value to add to that field
   * @param action - denied action, for example `register the tool "find"`
   */
  constructor(pluginId: string, permission: string, value: string, action: string) {
    super(
      `plugin "${pluginId}" may not ${action}: permissions.${permission} of its manifest does not ` +
        `name ${JSON.stringify(value)}; add it there, or run "openclaw plugins fix-manifest ${pluginId}"`,
    );
    this.pluginId = pluginId;
    this.permission = permission;
    this.value = value;
  }
}

/** Thrown when a line or the whole reply of a model provider exceeds its limit (see `boundedFetch`). */
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

/** Thrown when a person has to log in before a plugin gets an access token (SDK-066). */
export class AuthRequiredError extends OpenClawError {
  static override readonly code = "AUTH_REQUIRED";
  static override readonly kind = "configuration";
  /** Name of the credential, `<plugin id>/<id>`. */
  readonly credential: string;
  /** Reason without secrets, for example `no login was made yet`. */
  readonly reason: string;

  /**
   * @param credential - name of the credential, `<plugin id>/<id>`
   * @param reason - reason without secrets
   */
  constructor(credential: string, reason: string) {
    super(
      `the credential "${credential}" needs a login: ${reason}; run \`openclaw secrets login ${credential}\``,
    );
    this.credential = credential;
    this.reason = reason;
  }
}

/** Thrown when an argument of a call is missing, has the wrong type, or is out of bounds. */
export class ParameterError extends OpenClawError {
  static override readonly code = "PARAMETER_INVALID";
  static override readonly kind = "invalid";
  readonly parameter: string;

  /**
   * @param parameter - name of the parameter
   * @param expected - for example `a whole number of at least 1`
   * @param got - the actual value; the message shows only its kind, or the number
   */
  constructor(parameter: string, expected: string, got: unknown) {
    super(`parameter "${parameter}": expected ${expected}, got ${kindOf(got)}; correct the call`);
    this.parameter = parameter;
  }
}

/** Thrown when the plugin store does not accept a key, value, name, statement or parameter. */
export class PluginStoreArgumentError extends OpenClawError {
  static override readonly code = "PLUGIN_STORE_ARGUMENT";
  static override readonly kind = "invalid";
  readonly pluginId: string;

  /**
   * @param pluginId - the plugin
   * @param call - called method, for example `store.kv.set`
   * @param problem - the argument, the expected value and the actual value
   */
  constructor(pluginId: string, call: string, problem: string) {
    super(`plugin "${pluginId}" called ${call} with a wrong argument: ${problem}`);
    this.pluginId = pluginId;
  }
}

/** Thrown when a plugin exceeds a storage limit of the host; nothing was changed. */
export class PluginQuotaError extends OpenClawError {
  static override readonly code = "PLUGIN_QUOTA_EXCEEDED";
  static override readonly kind = "too-large";
  readonly pluginId: string;

  /**
   * @param pluginId - the plugin
   * @param call - called method, for example `session.workflow.enqueueNextTurnInjection`
   * @param limit - the exceeded limit with its value
   * @param nextStep - advice for the author
   */
  constructor(pluginId: string, call: string, limit: string, nextStep: string) {
    super(`plugin "${pluginId}" called ${call}, but ${limit}; ${nextStep}`);
    this.pluginId = pluginId;
  }
}

/** Thrown when a migration of a plugin's database failed; the database is unchanged. */
export class PluginMigrationError extends OpenClawError {
  static override readonly code = "PLUGIN_MIGRATION_FAILED";
  static override readonly kind = "internal";
  readonly pluginId: string;
  readonly database: string;

  /**
   * @param pluginId - the plugin
   * @param database - name of the database
   * @param problem - the migration and the reason why it failed
   * @param options - `cause` is the underlying error
   */
  constructor(pluginId: string, database: string, problem: string, options?: { cause?: unknown }) {
    super(`database "${database}" of plugin "${pluginId}" was not opened: ${problem}`, options);
    this.pluginId = pluginId;
    this.database = database;
  }
}

/** Thrown when a statement of a plugin on its database failed. */
export class PluginQueryError extends OpenClawError {
  static override readonly code = "PLUGIN_QUERY_FAILED";
  static override readonly kind = "invalid";
  readonly pluginId: string;
  readonly database: string;

  /**
   * @param pluginId - the plugin
   * @param database - name of the database
   * @param problem - error message of the database
   * @param options - `cause` is the underlying error
   */
  constructor(pluginId: string, database: string, problem: string, options?: { cause?: unknown }) {
    super(
      `database "${database}" of plugin "${pluginId}" rejected a statement: ${problem}`,
      options,
    );
    this.pluginId = pluginId;
    this.database = database;
  }
}

/** Thrown when a table of a plugin cannot be moved to another database by its data port. */
export class PluginDataError extends OpenClawError {
  static override readonly code = "PLUGIN_DATA_INVALID";
  static override readonly kind = "invalid";
  readonly table: string;

  /**
   * @param table - the table
   * @param problem - the reason, and how its author fixes it
   */
  constructor(table: string, problem: string) {
    super(`the table "${table}" cannot be moved: ${problem}`);
    this.table = table;
  }
}

/** Thrown when a required setting of a model provider is missing, such as its API key. */
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

/** Thrown when the base URL of a model provider is not an HTTP URL. */
export class ProviderAddressInvalidError extends OpenClawError {
  static override readonly code = "PROVIDER_ADDRESS_INVALID";
  static override readonly kind = "configuration";
  readonly pluginId: string;

  /**
   * @param pluginId - the plugin
   * @param setting - the value, and the environment variable or configuration key that holds it
   * @param example - a valid URL
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

/** Thrown when a setting of a plugin has a value that is not allowed, or that HTTP cannot carry in a header. */
export class ProviderSettingInvalidError extends OpenClawError {
  static override readonly code = "PROVIDER_SETTING_INVALID";
  static override readonly kind = "configuration";
  readonly pluginId: string;

  /**
   * @param pluginId - the plugin
   * @param setting - the value, and the environment variable or configuration key that holds it
   * @param expected - allowed values, or the fault of a value that may be a secret
   */
  constructor(
    pluginId: string,
    setting: { readonly value: string; readonly source: string },
    expected: readonly string[] | string,
  ) {
    const problem =
      typeof expected === "string"
        ? expected
        : `expected one of ${expected.join(", ")}, got ${JSON.stringify(setting.value)}`;
    super(
      `the ${pluginId} plugin cannot use the value of ${setting.source}: ${problem}; correct it, or remove the setting`,
    );
    this.pluginId = pluginId;
  }
}

/** Thrown when the server of a model provider does not list its models. */
export class ProviderListFailedError extends OpenClawError {
  static override readonly code = "PROVIDER_LIST_FAILED";
  static override readonly kind = "unavailable";

  /**
   * @param url - URL of the list
   * @param problem - description of the failure
   * @param nextStep - instruction that fixes it
   * @param cause - underlying error
   */
  constructor(url: string, problem: string, nextStep: string, cause?: unknown) {
    super(`${url} did not list its models: ${problem}; ${nextStep}`, { cause });
  }
}

/** Fields of the error that a host throws when a hook handler with `fail-closed` failed. */
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
 * @param value - any thrown value
 */
export function isPluginHookExecutionError(value: unknown): value is PluginHookExecutionFailure {
  return isErrorOfClass(value, "HOOK_EXECUTION");
}

/** Returns the kind of a value instead of the value, which may be long or secret; a number is shown. */
function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null || typeof value === "number") return String(value);
  return Array.isArray(value) ? "a list" : typeof value;
}

const BRAND = Symbol.for("openclaw.error");

interface ErrorClass {
  readonly code: string;
}

/**
 * Base of every error an OpenClaw package throws on purpose. Each subclass has one stable `code`;
 * `Subclass.isInstance(value)` recognises it across two loaded copies of a package (SDK-017).
 */
export class OpenClawError extends Error {
  static readonly code: string = "OPENCLAW_ERROR";
  readonly code: string;

  /**
   * @param message - who failed, what was expected and found, and the next step
   * @param options - `cause` keeps the error underneath
   */
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = new.target.code;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /**
   * Whether a value is an error of this class, whichever copy of the package made it.
   * @param value - anything that was thrown
   */
  static isInstance<E extends OpenClawError>(
    this: ErrorClass & { prototype: E },
    value: unknown,
  ): value is E {
    if (typeof value !== "object" || value === null || !(BRAND in value)) return false;
    if (this.code === OpenClawError.code) return true;
    return "code" in value && value.code === this.code;
  }
}

/** A plugin used its `api` after its generation had ended (LIFE-028). */
export class PluginDisposedError extends OpenClawError {
  static override readonly code = "PLUGIN_DISPOSED";
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

const HOOK_EXECUTION = Symbol.for("openclaw.PluginHookExecutionError");

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
 * Whether a value is the hook runner's error, without importing the runner (SDK-017).
 * @param value - anything that was thrown
 */
export function isPluginHookExecutionError(value: unknown): value is PluginHookExecutionFailure {
  return typeof value === "object" && value !== null && HOOK_EXECUTION in value;
}

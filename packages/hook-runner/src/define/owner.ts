import { show } from "../errors.js";
import type { DiagnosticSink } from "../observe/diagnostic.js";
import type { Fields } from "./fields.js";
import type { HookLogger } from "./handler.js";
import { frozenCopyOf } from "./isolation.js";
import { isTimeout, MAX_TIMEOUT_MS, MIN_TIMEOUT_MS } from "./options.js";

/** Settings of the host for one owner; an absent field is unchanged. */
export interface OwnerSettings {
  /** Passed to the owner's handlers as `pluginConfig`: a frozen copy. */
  readonly config?: Readonly<Record<string, unknown>>;
  /**
   * The operator's deadline for all handlers of the owner, in ms; overrides `timeoutMs` options.
   */
  readonly timeoutMs?: number | undefined;
  /** The operator's deadlines by hook name, in ms; override every other value. */
  readonly timeouts?: Readonly<Record<string, number>> | undefined;
  /** Later registrations are late: active, and diagnosed. */
  readonly registrationClosed?: boolean;
  readonly logger?: HookLogger | undefined;
}

/** The settings of one owner in one generation; replaced as a whole, never changed. */
export interface Owner {
  readonly config: Fields;
  readonly timeoutMs: number | undefined;
  readonly timeouts: ReadonlyMap<string, number>;
  readonly registrationClosed: boolean;
  readonly logger: HookLogger | undefined;
}

export const UNKNOWN_OWNER: Owner = {
  config: Object.freeze({}),
  timeoutMs: undefined,
  timeouts: new Map(),
  registrationClosed: false,
  logger: undefined,
};

/** A timeout out of range is diagnosed and ignored, so that the next level applies. */
export function withSettings(
  name: string,
  owner: Owner,
  settings: OwnerSettings,
  report: DiagnosticSink,
): Owner {
  const sound = ([key, value]: readonly [string, unknown]): boolean => {
    if (isTimeout(value)) return true;
    report({
      level: "error",
      code: "invalid-operator-timeout",
      owner: name,
      message:
        `Plugin "${name}": ${key} must be an integer from ${MIN_TIMEOUT_MS} to ${MAX_TIMEOUT_MS} (ms), ` +
        `got ${show(value)}. It is ignored and the next level applies; correct the setting.`,
    });
    return false;
  };
  const { config, timeoutMs, timeouts, registrationClosed, logger } = settings;
  return {
    config: config === undefined ? owner.config : frozenCopyOf(config),
    timeoutMs: !("timeoutMs" in settings)
      ? owner.timeoutMs
      : timeoutMs === undefined || sound(["timeoutMs", timeoutMs])
        ? timeoutMs
        : undefined,
    timeouts: !("timeouts" in settings)
      ? owner.timeouts
      : new Map(
          Object.entries(timeouts ?? {}).filter(([hook, value]) =>
            sound([`timeouts.${hook}`, value]),
          ),
        ),
    registrationClosed: registrationClosed ?? owner.registrationClosed,
    logger: "logger" in settings ? logger : owner.logger,
  };
}

import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** The source of a plugin to install is not usable (PLUG-046). */
export class PluginSourceError extends OpenClawError {
  static override readonly code = "PLUGIN_SOURCE_UNUSABLE";
  static override readonly kind = "invalid";
  /** Source in the form in which the operator wrote it. */
  readonly requested: string;
  readonly problem: string;
  readonly nextStep: string;

  constructor(requested: string, problem: string, nextStep: string, cause?: unknown) {
    super(`cannot install "${requested}": ${problem}; ${nextStep}`, { cause });
    this.requested = requested;
    this.problem = problem;
    this.nextStep = nextStep;
  }
}

/** A plugin was not installed or changed, because a check or a plugin rejected it (PLUG-046). */
export class PluginInstallRefusedError extends OpenClawError {
  static override readonly code = "PLUGIN_INSTALL_REFUSED";
  static override readonly kind = "conflict";
  readonly pluginId: string;
  /** True when another version of the plugin may be accepted. */
  readonly versionMatters: boolean;
  readonly reason: string;
  readonly nextStep: string;
  /** Version that stays installed. */
  readonly installed: string | undefined;

  /**
   * @param pluginId - the plugin
   * @param reason - reason for the rejection
   * @param nextStep - advice that fixes it
   * @param details - version that stays installed, and whether another version may be accepted
   */
  constructor(
    pluginId: string,
    reason: string,
    nextStep: string,
    {
      installed,
      versionMatters = false,
    }: { installed?: string | undefined; versionMatters?: boolean } = {},
  ) {
    const outcome =
      installed === undefined
        ? "is not installed"
        : `is not updated, and version ${installed} stays`;
    super(`plugin "${pluginId}" ${outcome}: ${reason}; ${nextStep}`);
    this.pluginId = pluginId;
    this.versionMatters = versionMatters;
    this.reason = reason;
    this.nextStep = nextStep;
    this.installed = installed;
  }

  /**
   * Returns the error in other words.
   * @param changes - fields that differ
   */
  retold(
    changes: Partial<
      Pick<PluginInstallRefusedError, "pluginId" | "reason" | "nextStep" | "installed">
    >,
  ): PluginInstallRefusedError {
    const { versionMatters, installed } = this;
    const { pluginId, reason, nextStep, ...rest } = { ...this, ...changes };
    const details = { installed: rest.installed ?? installed, versionMatters };
    return new PluginInstallRefusedError(pluginId, reason, nextStep, details);
  }

  /**
   * Returns the error with another next step.
   * @param advice - alternative for the operator; nothing is added when it is empty
   */
  withAdvice(advice: string): PluginInstallRefusedError {
    if (advice === "") return this;
    return this.retold({ nextStep: `${this.nextStep}; ${advice}` });
  }
}

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

/** A marketplace cannot be read (EXT-544). */
export class MarketplaceUnusableError extends OpenClawError {
  static override readonly code = "MARKETPLACE_UNUSABLE";
  static override readonly kind = "invalid";

  /**
   * @param source - source of the marketplace
   * @param problem - reason
   * @param nextStep - advice that fixes it
   * @param cause - underlying error
   */
  constructor(source: string, problem: string, nextStep: string, cause?: unknown) {
    super(`the marketplace ${source} cannot be used: ${problem}; ${nextStep}`, { cause });
  }
}

/** No marketplace of this name was added (EXT-544). */
export class MarketplaceNotFoundError extends OpenClawError {
  static override readonly code = "MARKETPLACE_NOT_FOUND";
  static override readonly kind = "not-found";

  /**
   * @param name - name of the marketplace
   * @param nearest - name that resembles it
   * @param plugin - plugin that was to be installed from it
   */
  constructor(name: string, nearest: string | undefined, plugin?: string) {
    const hint = nearest === undefined ? "" : `did you mean "${nearest}"? `;
    const tag =
      plugin === undefined ? "" : `, or install the tag of npm with \`npm:${plugin}@${name}\``;
    super(
      `there is no marketplace "${name}": ${hint}add it with \`openclaw plugins marketplace add\`${tag}`,
    );
  }
}

/** The name of a marketplace belongs to another source (EXT-544). */
export class MarketplaceConflictError extends OpenClawError {
  static override readonly code = "MARKETPLACE_CONFLICT";
  static override readonly kind = "conflict";

  /**
   * @param name - name of the marketplace
   * @param problem - reason
   * @param nextStep - advice that fixes it
   */
  constructor(name: string, problem: string, nextStep: string) {
    super(`the marketplace "${name}" is not changed: ${problem}; ${nextStep}`);
  }
}

/** A marketplace or a plugin of one is at another origin than its URL (EXT-546). */
export class MarketplaceRedirectError extends OpenClawError {
  static override readonly code = "MARKETPLACE_REDIRECTED";
  static override readonly kind = "forbidden";

  /**
   * @param url - URL that was requested
   * @param location - place that it redirects to
   */
  constructor(url: string, location: string) {
    super(`${url} redirects to ${location}, another host; use that URL if it is the right one`);
  }
}

/** A marketplace has no plugin of this name (EXT-545). */
export class MarketplacePluginNotFoundError extends OpenClawError {
  static override readonly code = "MARKETPLACE_PLUGIN_NOT_FOUND";
  static override readonly kind = "not-found";

  /**
   * @param plugin - name of the plugin
   * @param marketplace - name of the marketplace
   * @param nearest - name that resembles it
   */
  constructor(plugin: string, marketplace: string, nearest: string | undefined) {
    const hint = nearest === undefined ? "" : `did you mean "${nearest}"? `;
    super(
      `the marketplace "${marketplace}" has no plugin "${plugin}": ${hint}\`openclaw plugins marketplace search\` lists what it has, and \`openclaw plugins marketplace update ${marketplace}\` fetches it again`,
    );
  }
}

/** A plugin of a marketplace is not what the marketplace says, or is at a place that is not used (EXT-546). */
export class MarketplacePluginError extends OpenClawError {
  static override readonly code = "MARKETPLACE_PLUGIN_REFUSED";
  static override readonly kind = "conflict";

  /**
   * @param plugin - plugin and marketplace, as `<plugin>@<marketplace>`
   * @param problem - reason
   * @param nextStep - advice that fixes it
   */
  constructor(
    plugin: string,
    problem: string,
    nextStep = "ask the owner of the marketplace to correct it",
  ) {
    super(`"${plugin}" is not installed: ${problem}; ${nextStep}`);
  }
}

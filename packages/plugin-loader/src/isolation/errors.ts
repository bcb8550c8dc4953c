import { OpenClawError } from "@openclaw/foundation/errors";

/** An isolated plugin uses something that cannot cross to another thread or process (PLUG-052). */
export class PluginIsolationError extends OpenClawError {
  static override readonly code = "PLUGIN_NOT_ISOLABLE";
  static override readonly kind = "invalid";
  readonly pluginId: string;
  readonly member: string;

  /**
   * @param member - member of the `api`
   * @param problem - the value that cannot cross
   */
  constructor(pluginId: string, member: string, problem: string) {
    super(
      `plugin "${pluginId}" is isolated and used api.${member}: ${problem}; set plugins.entries.${pluginId}.isolation to "none", or change the plugin`,
    );
    this.pluginId = pluginId;
    this.member = member;
  }
}

/** The thread or process of an isolated plugin ended while a call waited for it, or is not started again. */
export class PluginStoppedError extends OpenClawError {
  static override readonly code = "PLUGIN_STOPPED";
  static override readonly kind = "unavailable";
  readonly pluginId: string;

  /**
   * @param reason - why it ended
   * @param nextStep - next step of the host or the operator
   */
  constructor(pluginId: string, reason: string, nextStep: string) {
    super(`plugin "${pluginId}" stopped: ${reason}; ${nextStep}`);
    this.pluginId = pluginId;
  }
}

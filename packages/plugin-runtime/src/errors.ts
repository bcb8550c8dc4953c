import { withSuggestion } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** A plugin called a method of its `api` with an argument that cannot be registered. */
export class PluginRegistrationError extends OpenClawError {
  static override readonly code = "PLUGIN_REGISTRATION_INVALID";
  static override readonly kind = "invalid";
  readonly pluginId: string;
  readonly member: string;
  readonly argument: string;

  /**
   * @param pluginId - the plugin that called
   * @param member - the method, for example `registerTool`
   * @param argument - the argument or field that is wrong
   * @param problem - expected and actual value
   */
  constructor(pluginId: string, member: string, argument: string, problem: string) {
    super(`plugin "${pluginId}" called api.${member} with a wrong ${argument}: ${problem}`);
    this.pluginId = pluginId;
    this.member = member;
    this.argument = argument;
  }
}

/** A plugin used a proposal that its manifest does not name (SDK-024). */
export class PluginProposalError extends OpenClawError {
  static override readonly code = "PLUGIN_PROPOSAL_MISSING";
  static override readonly kind = "forbidden";
  readonly pluginId: string;
  readonly proposal: string;

  /**
   * @param pluginId - the plugin
   * @param member - member of the `api` that it read
   * @param proposal - name of the proposal
   */
  constructor(pluginId: string, member: string, proposal: string) {
    super(
      `plugin "${pluginId}" read api.${member}, which is the proposal "${proposal}" and may change in any version; to use it, add "${proposal}" to proposals in its manifest`,
    );
    this.pluginId = pluginId;
    this.proposal = proposal;
  }
}

/** A plugin used a hook that this host does not have, under `plugins.strict` (LIFE-024). */
export class UnknownPluginHookError extends OpenClawError {
  static override readonly code = "PLUGIN_HOOK_UNKNOWN";
  static override readonly kind = "not-found";
  readonly pluginId: string;
  readonly hookName: string;

  constructor(pluginId: string, hookName: string, message: string) {
    super(message);
    this.pluginId = pluginId;
    this.hookName = hookName;
  }
}

/** Plugin id not found in this host. */
export class PluginNotFoundError extends OpenClawError {
  static override readonly code = "PLUGIN_NOT_FOUND";
  static override readonly kind = "not-found";
  readonly pluginId: string;

  /**
   * @param pluginId - the id as given
   * @param nearest - the id with the most similar spelling, if any
   */
  constructor(pluginId: string, nearest: string | undefined) {
    super(
      withSuggestion(
        `plugin "${pluginId}" not found in this host's plugin folders`,
        nearest,
        'run "openclaw plugins list" to list the installed plugins',
      ),
    );
    this.pluginId = pluginId;
  }
}

/** The runtime was used after `dispose()`. */
export class PluginRuntimeDisposedError extends OpenClawError {
  static override readonly code = "PLUGIN_RUNTIME_DISPOSED";
  static override readonly kind = "internal";

  constructor(member: string) {
    super(`runtime.${member} was called after dispose(); create a new plugin runtime instead`);
  }
}

/** A prompt of a plugin could not be rendered. */
export class PluginPromptFailedError extends OpenClawError {
  static override readonly code = "PLUGIN_PROMPT_FAILED";
  static override readonly kind = "invalid";
  readonly pluginId: string;
  readonly prompt: string;

  /**
   * @param pluginId - the plugin
   * @param prompt - name of the prompt
   * @param problem - expected and actual value, or the failure of the plugin
   * @param cause - error of the plugin
   */
  constructor(pluginId: string, prompt: string, problem: string, cause?: unknown) {
    super(`prompt "${prompt}" of plugin "${pluginId}" could not be rendered: ${problem}`, {
      cause,
    });
    this.pluginId = pluginId;
    this.prompt = prompt;
  }
}

/** No plugin has a prompt with the name. */
export class PluginPromptNotFoundError extends OpenClawError {
  static override readonly code = "PLUGIN_PROMPT_NOT_FOUND";
  static override readonly kind = "not-found";

  /** @param name - the name as given */
  constructor(name: string) {
    super(`prompt "${name}" not found; the method prompts.list lists the prompts of plugins`);
  }
}

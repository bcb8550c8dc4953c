import type { HookDispatch } from "@openclaw/hook-runner";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";

/** Event and context of the hook `gateway_start`. */
export interface GatewayStart {
  readonly event: HookMap["gateway_start"]["event"];
  readonly context: HookMap["gateway_start"]["context"];
}

/** Lifecycle phase of the host, as its plugins see it (LIFE-036). */
export class HostPhases {
  #hasBooted = false;
  #start: GatewayStart | undefined;

  constructor(private readonly hooks: HookDispatch<HookMap>) {}

  /** True after `gateway_pre_start` was dispatched: a handler registered for it now never runs. */
  get hasBooted(): boolean {
    return this.#hasBooted;
  }

  /** True after `gateway_start` was dispatched: services run, and new plugins are notified at once. */
  get isRunning(): boolean {
    return this.#start !== undefined;
  }

  /** Dispatches `gateway_pre_start`. */
  async boot(
    event: HookMap["gateway_pre_start"]["event"],
    context: HookMap["gateway_pre_start"]["context"],
  ): Promise<void> {
    const told = this.hooks.observe("gateway_pre_start", event, context);
    this.#hasBooted = true;
    await told;
  }

  /** Dispatches `gateway_start` to every plugin. */
  start(start: GatewayStart): Promise<void> {
    this.#hasBooted = true;
    this.#start = start;
    return this.#tell(start.event.generation);
  }

  /**
   * Dispatches `gateway_start` to a plugin that was loaded into a running host.
   * @param pluginId - plugin of the newest generation
   */
  async welcome(pluginId: string, generation: number): Promise<void> {
    if (this.isRunning) await this.#tell(generation, pluginId);
  }

  /** Marks the host as stopping; plugins are no longer notified of its start. */
  end(): void {
    this.#start = undefined;
  }

  async #tell(generation: number, owner?: string): Promise<void> {
    if (this.#start === undefined) return;
    const { event, context } = this.#start;
    await this.hooks.observe("gateway_start", { ...event, generation }, context, { owner });
  }
}

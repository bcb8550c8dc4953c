import type { TurnDependencies } from "@openclaw/agent";
import { type Clock, systemClock, type Timers } from "@openclaw/foundation";
import { chainSettings, ModelChain, ModelHealth, replyCacheOf } from "@openclaw/models";
import { fallbacksOf } from "../configuration/model-choice.js";
import type { OpenClawConfiguration } from "../configuration/schema.js";

/**
 * The rules by which turns and plugins call models. Cooldowns and breakers continue when the configuration changes
 * (LLM-024); settings and fallbacks are those of the configuration with which a turn starts.
 */
export class HostModelCalls {
  readonly #health = new ModelHealth();
  readonly #clock: Clock;

  /** @param timers - timers of waits and deadlines; those of the process when absent */
  constructor(timers?: Timers) {
    this.#clock = { ...systemClock, ...timers };
  }

  /**
   * Returns the rules of a configuration.
   * @param configuration - configuration of the host
   */
  of(
    configuration: OpenClawConfiguration,
  ): Required<Pick<TurnDependencies, "modelChain" | "fallbacksOf">> {
    const settings = chainSettings(configuration.models);
    // A change of the configuration or of plugins may change what a model replies.
    const cache = replyCacheOf(configuration.models, this.#clock);
    return {
      modelChain: new ModelChain({ health: this.#health, settings, cache, clock: this.#clock }),
      fallbacksOf: (agentId, ref) => fallbacksOf(configuration, agentId, ref),
    };
  }
}

import type { TurnDependencies } from "@openclaw/agent";
import { chainSettings, ModelChain, ModelHealth } from "@openclaw/models";
import { fallbacksOf } from "../configuration/model-fallbacks.js";
import type { OpenClawConfiguration } from "../configuration/schema.js";

/**
 * The rules by which turns and plugins call models. Cooldowns and breakers continue when the configuration changes
 * (LLM-024); settings and fallbacks are those of the configuration with which a turn starts.
 */
export class HostModelCalls {
  readonly health = new ModelHealth();

  /**
   * Returns the rules of a configuration.
   * @param configuration - configuration of the host
   */
  of(
    configuration: OpenClawConfiguration,
  ): Required<Pick<TurnDependencies, "modelChain" | "fallbacksOf">> {
    const settings = chainSettings(configuration.models);
    return {
      modelChain: new ModelChain({ health: this.health, settings }),
      fallbacksOf: (agentId, ref) => fallbacksOf(configuration, agentId, ref),
    };
  }
}

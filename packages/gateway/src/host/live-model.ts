import { AgentHarnessNotFoundError, type TurnDependencies } from "@openclaw/agent";
import { ConfigurationError, type LoadedConfiguration } from "@openclaw/configuration";
import type { MessageRouter } from "@openclaw/messaging";
import { type ModelChoice, ModelNotFoundError } from "@openclaw/models";

/** Dependencies of {@link LiveModel}. */
export interface LiveModelDependencies {
  readonly configuration: Pick<LoadedConfiguration, "value" | "locate" | "file">;
  /** Returns the model that the configuration and the command line ask for; undefined for the default. */
  requested(): string | undefined;
  /**
   * Chooses a model with the plugins that are loaded.
   * @param isStart - true at the start of the host
   * @throws ModelNotFoundError when it does not exist
   */
  choose(isStart: boolean): ModelChoice;
}

/** The model of agents without a configured one. It changes with `agents.defaults.model`, and with nothing else (GW-662). */
export class LiveModel {
  readonly #dependencies: LiveModelDependencies;
  #requested: string | undefined;
  #choice: ModelChoice;

  /**
   * @param dependencies - configuration and models
   * @throws ModelNotFoundError when the chosen model does not exist
   */
  constructor(dependencies: LiveModelDependencies) {
    this.#dependencies = dependencies;
    this.#requested = dependencies.requested();
    this.#choice = dependencies.choose(true);
  }

  /** Model in force. */
  get choice(): ModelChoice {
    return this.#choice;
  }

  /**
   * Follows a changed configuration.
   * @throws ConfigurationError when its model does not exist; the earlier one stays in force
   */
  follow(): void {
    const { configuration, requested, choose } = this.#dependencies;
    const wanted = requested();
    if (wanted === this.#requested) return;
    try {
      this.#choice = choose(false);
      this.#requested = wanted;
    } catch (error) {
      const isMissing =
        ModelNotFoundError.isInstance(error) || AgentHarnessNotFoundError.isInstance(error);
      if (!isMissing) throw error;
      const path = ["agents", "defaults", "model"];
      const place = configuration.locate(path) ?? {
        ...{ file: configuration.file ?? "", line: 1, column: 1 },
      };
      throw new ConfigurationError([{ key: path.join("."), message: error.message, ...place }]);
    }
  }
}

/**
 * Returns the models that clients can select, as `provider/model`: those of the agents, and the default model of each
 * provider that has a credential.
 * @param standard - model of the host
 * @param router - agents and their models
 * @param models - registered providers
 */
export function selectableModels(
  standard: string,
  router: MessageRouter,
  models: TurnDependencies["models"],
): readonly string[] {
  const ready = models.providers().filter(({ credential }) => credential !== undefined);
  return [
    ...new Set([
      standard,
      ...router.agentIds.map((agentId) => router.modelOf(agentId)),
      ...ready.flatMap(({ id, defaultModel }) =>
        defaultModel === "" ? [] : [`${id}/${defaultModel}`],
      ),
    ]),
  ].sort();
}

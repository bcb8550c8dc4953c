import { AgentHarnessNotFoundError, namedHarnessOf, type TurnDependencies } from "@openclaw/agent";
import {
  agentRuntimeOf,
  configuredModel,
  fallbacksOf,
  type OpenClawConfiguration,
  variableOf,
} from "@openclaw/configuration";
import { type Clock, systemClock, type Timers } from "@openclaw/foundation";
import {
  chainSettings,
  chooseModel,
  createDemoProvider,
  createEmbeddingCatalog,
  createModelCatalog,
  createModelServer,
  type EmbeddingCatalog,
  type ModelCatalog,
  ModelChain,
  type ModelChoice,
  ModelHealth,
  ModelNotFoundError,
  type ModelServer,
  replyCacheOf,
} from "@openclaw/models";
import { adaptedEmbeddingProviders, type PluginGeneration } from "@openclaw/plugin-runtime";
import type { ModelProvider } from "@openclaw/plugin-sdk";
import { escapeRoleMarkers } from "@openclaw/safety";
import type { HostContext } from "./context.js";
import { localEmbeddings } from "./embeddings/local-provider.js";

/** Models of a host: the demo model, those of the given providers, and those of plugins. */
export class HostModels {
  readonly #providers: readonly ModelProvider[];
  readonly #servers: () => NamedServers;
  /** Providers of named servers with what they were made of, so that an unchanged one keeps its models. */
  readonly #made = new Map<string, { readonly key: string; readonly provider: ModelProvider }>();
  readonly #localEmbeddings = localEmbeddings();

  /**
   * @param providers - providers in addition to the demo model, those of plugins and named servers
   * @param servers - returns the named servers in force, with the values of stored secrets
   */
  constructor(providers: readonly ModelProvider[] = [], servers: () => NamedServers = () => ({})) {
    this.#providers = [createDemoProvider(), ...providers];
    this.#servers = servers;
  }

  /**
   * Returns the model of agents without a configured one: `--model`, else the provider of the variable `LLM_BACKEND`
   * (with `agents.defaults.model`, where that is a model of this provider), else `agents.defaults.model`, else the
   * default (HOST-007).
   * @param requested - `provider/model` of `--model`
   * @param context - configuration and environment
   * @param generation - plugins whose providers exist
   * @param onMissing - is told that the chosen model or its harness does not exist, so that only the turn that needs it
   *   fails
   * @throws ModelNotFoundError, AgentHarnessNotFoundError without it
   */
  choose(
    requested: string | undefined,
    context: Pick<HostContext, "configuration" | "environment">,
    generation: PluginGeneration,
    onMissing?: (problem: string) => void,
  ): ModelChoice {
    const wanted = requestedModel(requested, context);
    try {
      return this.#choose(wanted, context, generation);
    } catch (error) {
      const isMissing =
        ModelNotFoundError.isInstance(error) || AgentHarnessNotFoundError.isInstance(error);
      if (onMissing === undefined || !isMissing || wanted === undefined) throw error;
      onMissing(error.message);
      return requestedChoice(wanted);
    }
  }

  #choose(
    wanted: ReturnType<typeof requestedModel>,
    context: Pick<HostContext, "configuration" | "environment">,
    generation: PluginGeneration,
  ): ModelChoice {
    const providers = this.#of(generation);
    try {
      return chooseModel({ requested: wanted, providers });
    } catch (error) {
      // A harness that logs in by itself runs models that no provider of the host has (PLUG-701).
      if (!ModelNotFoundError.isInstance(error) || wanted === undefined) throw error;
      if (!hasNamedHarness(wanted.ref, context, generation)) throw error;
      return requestedChoice(wanted);
    }
  }

  /**
   * Returns the models that turns can use.
   * @param generation - plugins whose providers exist
   */
  catalog(generation: PluginGeneration): ModelCatalog {
    return createModelCatalog(this.#of(generation));
  }

  /**
   * Returns the embedding models: those of the process, and those of the providers that have some.
   * @param generation - plugins whose providers exist
   */
  embeddings(generation: PluginGeneration): EmbeddingCatalog {
    return createEmbeddingCatalog([
      this.#localEmbeddings,
      ...this.#of(generation),
      ...adaptedEmbeddingProviders(generation.memory),
    ]);
  }

  #of(generation: PluginGeneration): ModelProvider[] {
    const named = Object.entries(this.#servers()).map(([id, server]) => this.#server(id, server));
    const taken = new Set(named.map(({ id }) => id));
    const others = generation.providers.map(({ provider }) => provider);
    // The operator's own name takes precedence over that of a plugin.
    return [...this.#providers, ...named, ...others.filter(({ id }) => !taken.has(id))];
  }

  #server(id: string, server: ModelServer): ModelProvider {
    const key = JSON.stringify(server);
    const known = this.#made.get(id);
    if (known?.key === key) return known.provider;
    const provider = createModelServer(id, server);
    this.#made.set(id, { key, provider });
    return provider;
  }
}

/**
 * Returns true when the configuration names a registered harness for a model.
 * @throws AgentHarnessNotFoundError when it names another one
 */
function hasNamedHarness(
  ref: string,
  { configuration, environment }: Pick<HostContext, "configuration" | "environment">,
  { agentHarnesses }: PluginGeneration,
): boolean {
  const variable = variableOf("agents.defaults.agentRuntime.id", environment);
  const { id, setting } = agentRuntimeOf(configuration.value, "defaults", ref, variable);
  const named = namedHarnessOf(id);
  if (named === undefined || !ref.includes("/")) return false;
  const registered = agentHarnesses.map(({ harness }) => harness.id);
  if (registered.includes(named)) return true;
  throw new AgentHarnessNotFoundError({ id: named, setting }, registered);
}

function requestedChoice({
  ref,
  source,
}: NonNullable<ReturnType<typeof requestedModel>>): ModelChoice {
  return { ref, reason: "requested", source, paid: false, setupHints: [] };
}

type NamedServers = Readonly<Record<string, ModelServer>>;

/**
 * Returns the model that the command line, the environment or the configuration asks for; undefined without one.
 * @param model - `provider/model` of `--model`
 * @param context - configuration and environment
 */
export function requestedModel(
  model: string | undefined,
  context: Pick<HostContext, "configuration" | "environment">,
) {
  return model === undefined ? configuredModel(context) : { ref: model, source: "flag" as const };
}

/**
 * The rules by which turns and plugins call models. Cooldowns and breakers continue when the configuration changes
 * (LLM-024); settings and fallbacks are those of the configuration with which a turn starts.
 */
export class HostModelCalls {
  readonly #health: ModelHealth;
  readonly #clock: Clock;

  /** @param timers - timers of waits and deadlines; those of the process when absent */
  constructor(timers?: Timers) {
    this.#clock = { ...systemClock, ...timers };
    this.#health = new ModelHealth(this.#clock);
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
      modelChain: new ModelChain({
        ...{ health: this.#health, settings, cache, clock: this.#clock },
        systemText: escapeRoleMarkers,
      }),
      fallbacksOf: (agentId, ref) => fallbacksOf(configuration, agentId, ref),
    };
  }
}

import {
  type Counters,
  type Subagents,
  ToolRateLimits,
  type TurnDependencies,
} from "@openclaw/agent";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import type { CoreTool } from "@openclaw/core-tools";
import { defined, sha256 } from "@openclaw/foundation";
import type { RuleSet } from "@openclaw/safety";
import type { LoadedConfiguration } from "../configuration/configuration.js";
import { turnLimits } from "../configuration/turn-limits.js";
import type { HostContext } from "./context.js";
import type { GenerationServices, ServiceGenerations } from "./generation-services.js";

const DEFAULT_PARALLEL_CALLS = 4;

/** Components that turns use in every generation of plugins. */
export interface LastingComponents {
  readonly approvals: ApprovalBroker;
  readonly coreTools: readonly CoreTool[];
  readonly subagents: Subagents;
  readonly counters: Counters;
}

/**
 * Services for turns. Models, policy, skills and safety rules follow the registrations of plugins: a turn uses those
 * of the plugin generation that it starts with.
 */
export class HostTurnServices {
  readonly #generations: ServiceGenerations;
  readonly #lasting: Omit<TurnDependencies, keyof GenerationServices>;
  #latest:
    | { readonly generation: GenerationServices; readonly services: TurnDependencies }
    | undefined;

  /**
   * Compiles the services of the current generation immediately, so that an invalid policy stops the start
   * and not the first turn.
   * @param context - configuration, store, log and clock
   * @param components - components that every generation uses
   * @param generations - services of the generations
   * @throws ConfigurationError when the limits of turns are not valid
   * @throws PolicyConfigError when the policy does not compile
   */
  constructor(
    context: HostContext,
    components: LastingComponents,
    generations: ServiceGenerations,
  ) {
    this.#generations = generations;
    this.#lasting = lastingServices(context, components, generations);
    this.current();
  }

  /** Safety rules that were compiled last. */
  get rules(): RuleSet | undefined {
    return this.#generations.latest?.safety.rules;
  }

  /** Returns the services for turns that start now; the same object until the plugins change. */
  current(): TurnDependencies {
    const generation = this.#generations.current();
    if (this.#latest?.generation !== generation) {
      this.#latest = { generation, services: { ...this.#lasting, ...generation } };
    }
    return this.#latest.services;
  }
}

function lastingServices(
  { configuration, environment, store, logger, now, timers }: HostContext,
  components: LastingComponents,
  generations: ServiceGenerations,
): Omit<TurnDependencies, keyof GenerationServices> {
  const { tools = {} } = configuration.value;
  return {
    ...components,
    ...turnLimits(configuration.value, environment, logger),
    store,
    toolTimeouts: tools.timeouts ?? {},
    maxParallelCalls: tools.maxParallel ?? DEFAULT_PARALLEL_CALLS,
    toolRateLimits: new ToolRateLimits(tools.rateLimits ?? {}, now),
    logger,
    configRevision: configurationRevision(configuration),
    latestPolicy: () => generations.current().policy,
    now,
    ...defined({ timers }),
  };
}

/** Returns a hash of the configuration, which is the same on two hosts with equal configurations. */
function configurationRevision({ value }: LoadedConfiguration): string {
  return sha256(JSON.stringify(value)).slice(0, 16);
}

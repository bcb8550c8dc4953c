import {
  BrokenTools,
  BudgetWarnings,
  type Counters,
  configuredModels,
  type OfferedHarness,
  PARALLEL_CALLS,
  SharedToolRateLimits,
  type Subagents,
  type ToolCallLimits,
  ToolRateLimits,
  type TurnDependencies,
} from "@openclaw/agent";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import { agentRuntimeOf, turnLimits, variableOf } from "@openclaw/configuration";
import type { CoreTool } from "@openclaw/core-tools";
import { defined } from "@openclaw/foundation";
import { ModelTable } from "@openclaw/models";
import type { RuleSet } from "@openclaw/safety";
import { configurationRevision } from "../nodes/revisions.js";
import type { HostContext } from "./context.js";
import type { GenerationServices, ServiceGenerations } from "./generation-services.js";
import type { HostModelCalls } from "./model.js";

/** Components that turns use in every generation of plugins. */
export interface LastingComponents {
  readonly approvals: ApprovalBroker;
  readonly coreTools: readonly CoreTool[];
  readonly subagents: Subagents;
  readonly counters: Counters;
  readonly modelCalls: HostModelCalls;
  /** Harnesses of sandboxed jobs; none when absent. */
  readonly jobHarnesses?: readonly OfferedHarness[] | undefined;
}

/**
 * Services for turns. Models, policy, skills and safety rules follow the registrations of plugins: a turn uses those
 * of the plugin generation that it starts with.
 */
export class HostTurnServices {
  readonly #context: HostContext;
  readonly #components: LastingComponents;
  readonly #generations: ServiceGenerations;
  readonly #budgetWarnings = new BudgetWarnings();
  #rateLimits: { readonly key: string; readonly limits: ToolCallLimits } | undefined;
  #latest:
    | { readonly generation: GenerationServices; readonly services: TurnDependencies }
    | undefined;

  /**
   * Compiles the services of the current generation immediately, so that an invalid policy stops the start
   * and not the first turn.
   * @param context - configuration, store, log and clock
   * @param components - components that every generation uses
   * @throws ConfigurationError when the limits of turns are not valid
   * @throws PolicyConfigError when the policy does not compile
   */
  constructor(
    context: HostContext,
    components: LastingComponents,
    generations: ServiceGenerations,
  ) {
    this.#context = context;
    this.#components = components;
    this.#generations = generations;
    this.current();
  }

  /** Safety rules for logs, which know the secrets that are in use. */
  get rules(): RuleSet | undefined {
    return this.#generations.logRules;
  }

  /** Names in the configuration that nothing has, one sentence each (GW-280). */
  get unknownNames(): readonly string[] {
    return this.#generations.current().unknownNames;
  }

  /**
   * Returns the services for turns that start now; the same object until the plugins or the configuration
   * change. A turn holds the services that it started with.
   */
  current(): TurnDependencies {
    const generation = this.#generations.current();
    if (this.#latest?.generation !== generation) {
      this.#latest = { generation, services: { ...this.#lasting(), ...generation } };
    }
    return this.#latest.services;
  }

  #lasting(): Omit<TurnDependencies, keyof GenerationServices> {
    const { configuration, environment, store, logger, now, timers, modelStreams } = this.#context;
    const { tools = {}, streaming } = configuration.value;
    const { modelCalls, ...components } = this.#components;
    return {
      ...components,
      ...modelCalls.of(configuration.value),
      agentRuntimeOf: (agentId, ref) =>
        agentRuntimeOf(
          configuration.value,
          agentId,
          ref,
          variableOf("agents.defaults.agentRuntime.id", environment),
        ),
      ...turnLimits(configuration.value, environment),
      modelTable: new ModelTable(configuredModels(configuration.value.models)),
      budgetWarnings: this.#budgetWarnings,
      store,
      toolTimeouts: tools.timeouts ?? {},
      maxParallelCalls: tools.maxParallel ?? PARALLEL_CALLS,
      definitionShare: tools.search?.share,
      deferred: tools.search?.defer,
      // A reload of plugins or of the configuration tries each tool again.
      brokenTools: new BrokenTools({ logger, now }),
      toolRateLimits: this.#limitsOf(tools.rateLimits ?? {}),
      logger,
      configRevision: configurationRevision(configuration),
      latestPolicy: () => this.#generations.current().policy,
      now,
      ...defined({ timers, modelStreams, previewBeforeHooks: streaming?.previewBeforeHooks }),
    };
  }

  /** The counts of calls continue while the limits are the same. Nodes count in their database, for all of them. */
  #limitsOf(configured: Readonly<Record<string, number>>): ToolCallLimits {
    const key = JSON.stringify(configured);
    if (this.#rateLimits?.key !== key) {
      const { store, now } = this.#context;
      const own = new ToolRateLimits(configured, now);
      const isAlone = store.nodes.own === undefined;
      const limits = isAlone ? own : new SharedToolRateLimits(own, store.callWindows);
      this.#rateLimits = { key, limits };
    }
    return this.#rateLimits.limits;
  }
}

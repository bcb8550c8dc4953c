import type { SkillCatalog, TurnDependencies } from "@openclaw/agent";
import { CORE_TOOL_NAMES } from "@openclaw/core-tools";
import type { ModelCatalog } from "@openclaw/models";
import type { PluginGeneration, PluginRuntime } from "@openclaw/plugin-runtime";
import type { OutputOptions } from "@openclaw/safety";
import { formatProblem, type Policy } from "@openclaw/tool-policy";
import type { HostContext } from "./context.js";
import type { HostModels } from "./model.js";
import { hostPolicy } from "./policy.js";
import { hostSkills } from "./skills.js";

/** Services that depend on what the plugins of a generation register. */
export interface GenerationServices {
  readonly models: ModelCatalog;
  readonly policy: Policy;
  readonly skills: SkillCatalog;
  readonly callPlugin: NonNullable<TurnDependencies["callPlugin"]>;
}

/** Dependencies of {@link ServiceGenerations}. */
export interface ServiceGenerationsDependencies {
  readonly plugins: Pick<PluginRuntime, "current" | "callPlugin">;
  readonly models: Pick<HostModels, "catalog">;
  /** Rules and limits of the safety engine. */
  readonly safety: OutputOptions;
}

/** Models, policy and skills of the current generation of plugins. */
export class ServiceGenerations {
  readonly #dependencies: ServiceGenerationsDependencies;
  readonly #context: Pick<HostContext, "configuration" | "workspaceDir" | "state" | "logger">;
  #latest:
    | { readonly generation: PluginGeneration; readonly services: GenerationServices }
    | undefined;

  /**
   * @param dependencies - plugins, models and safety
   * @param context - configuration, places and log
   */
  constructor(
    dependencies: ServiceGenerationsDependencies,
    context: Pick<HostContext, "configuration" | "workspaceDir" | "state" | "logger">,
  ) {
    this.#dependencies = dependencies;
    this.#context = context;
  }

  /** Services that were compiled last, even if their generation is no longer the current one. */
  get latest(): GenerationServices | undefined {
    return this.#latest?.services;
  }

  /**
   * Returns the services of the current generation; the same object until the plugins change.
   * @throws PolicyConfigError when the policy does not compile
   */
  current(): GenerationServices {
    const generation = this.#dependencies.plugins.current;
    if (this.#latest?.generation !== generation) {
      this.#latest = { generation, services: this.#compile(generation) };
    }
    return this.#latest.services;
  }

  #compile(generation: PluginGeneration): GenerationServices {
    const { plugins, models, safety } = this.#dependencies;
    const { configuration, logger } = this.#context;
    const catalog = models.catalog(generation);
    const policy = hostPolicy(configuration, CORE_TOOL_NAMES, generation.tools);
    for (const { code, ...warning } of policy.warnings) {
      logger.warn(formatProblem({ code, ...warning }), { code });
    }
    const skills = hostSkills({ ...this.#context, safety }, generation);
    return {
      models: catalog,
      policy,
      skills,
      callPlugin: (pluginId, call) => plugins.callPlugin(pluginId, call),
    };
  }
}

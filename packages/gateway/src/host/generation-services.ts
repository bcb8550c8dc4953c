import type { PolicyShadow, SkillCatalog, TurnDependencies } from "@openclaw/agent";
import {
  formatProblem as formatConfigurationProblem,
  type OpenClawConfiguration,
} from "@openclaw/configuration";
import { MESSAGE, WEB_SEARCH } from "@openclaw/core-tools";
import type { EmbeddingCatalog, ModelCatalog } from "@openclaw/models";
import type { PluginGeneration, PluginRuntime } from "@openclaw/plugin-runtime";
import type { AddedRule, RuleSet, SafetySettings } from "@openclaw/safety";
import { formatProblem, type Policy } from "@openclaw/tool-policy";
import { knownNames } from "../diagnostics/known-names.js";
import { unknownNames } from "../diagnostics/unknown-names.js";
import { pluginRevision } from "../nodes/revisions.js";
import type { HostContext } from "./context.js";
import type { HostModels } from "./model.js";
import { hostPolicy, triedPolicy } from "./policy.js";
import { reportedShadow } from "./policy-shadow.js";
import { hostSafety } from "./safety.js";
import { hostSkills } from "./skills.js";
import { CONSTANT_TOOL_NAMES } from "./tools/names.js";
import { offeredWebSearch } from "./web-search.js";

/** Services that depend on what the plugins of a generation register. */
export interface GenerationServices {
  readonly models: ModelCatalog;
  readonly embeddings: EmbeddingCatalog;
  readonly policy: Policy;
  /** Policy that is tried in addition to it, `tools.candidate` (POL-035). */
  readonly shadow: PolicyShadow | undefined;
  /** Names in the configuration that nothing has, one sentence each (GW-280). */
  readonly unknownNames: readonly string[];
  readonly skills: SkillCatalog;
  /** Revision of the loaded plugins, the same on two hosts with the same ones. */
  readonly pluginRevision: string;
  /** Rules and limits of the safety engine, with the rules of plugins (SAFE-023). */
  readonly safety: SafetySettings;
  readonly callPlugin: NonNullable<TurnDependencies["callPlugin"]>;
}

/** Dependencies of {@link ServiceGenerations}. */
export interface ServiceGenerationsDependencies {
  readonly plugins: Pick<PluginRuntime, "current" | "callPlugin">;
  readonly models: Pick<HostModels, "catalog" | "embeddings">;
}

/** Context of {@link ServiceGenerations}. */
type ServiceGenerationsContext = Pick<
  HostContext,
  | "configuration"
  | "environment"
  | "secretRules"
  | "workspaceDir"
  | "isTrusted"
  | "state"
  | "logger"
  | "events"
>;

/** Models, policy, skills and safety rules of the current generation of plugins. */
export class ServiceGenerations {
  readonly #dependencies: ServiceGenerationsDependencies;
  readonly #context: ServiceGenerationsContext;
  #latest:
    | {
        readonly generation: PluginGeneration;
        readonly configuration: OpenClawConfiguration;
        readonly secretRules: readonly AddedRule[] | undefined;
        readonly services: GenerationServices;
      }
    | undefined;

  #logRules:
    | {
        readonly secretRules: readonly AddedRule[] | undefined;
        readonly rules: RuleSet | undefined;
      }
    | undefined;

  /**
   * @param dependencies - plugins and models
   * @param context - configuration, places and log
   */
  constructor(dependencies: ServiceGenerationsDependencies, context: ServiceGenerationsContext) {
    this.#dependencies = dependencies;
    this.#context = context;
  }

  /**
   * Safety rules for logs, with the values of all stored secrets that are in use by now. Compiles nothing that
   * writes to the log.
   */
  get logRules(): RuleSet | undefined {
    const secretRules = this.#context.secretRules?.();
    if (this.#latest === undefined || this.#latest.secretRules === secretRules) {
      return this.#latest?.services.safety.rules;
    }
    if (this.#logRules === undefined || this.#logRules.secretRules !== secretRules) {
      const { configuration, environment } = this.#context;
      const pluginRules = this.#latest.generation.safetyRules.map(({ rule }) => rule);
      const added = [...(secretRules ?? []), ...pluginRules];
      const { rules } = hostSafety(configuration, environment, added);
      this.#logRules = { secretRules, rules };
    }
    return this.#logRules.rules;
  }

  /** Services that were compiled last, even if their generation is no longer the current one. */
  get latest(): GenerationServices | undefined {
    return this.#latest?.services;
  }

  /**
   * Returns the services of the current generation; the same object until the plugins or the configuration
   * change.
   * @throws PolicyConfigError when the policy does not compile
   */
  current(): GenerationServices {
    const generation = this.#dependencies.plugins.current;
    const { value: configuration } = this.#context.configuration;
    const secretRules = this.#context.secretRules?.();
    const isCurrent =
      this.#latest?.generation === generation &&
      this.#latest.configuration === configuration &&
      this.#latest.secretRules === secretRules;
    if (this.#latest === undefined || !isCurrent) {
      const services = this.#compile(generation, secretRules);
      this.#latest = { generation, configuration, secretRules, services };
    }
    return this.#latest.services;
  }

  #compile(
    generation: PluginGeneration,
    secretRules: readonly AddedRule[] = [],
  ): GenerationServices {
    const { plugins, models } = this.#dependencies;
    const { configuration, environment, logger } = this.#context;
    const pluginRules = generation.safetyRules.map(({ rule }) => rule);
    const safety = hostSafety(configuration, environment, [...secretRules, ...pluginRules]);
    const catalog = models.catalog(generation);
    const isSearchOffered = offeredWebSearch(configuration, generation) !== undefined;
    const { channels = {} } = configuration.value;
    const hasChannel = generation.channels.some(({ id }) => Object.hasOwn(channels, id));
    const coreTools = [
      ...CONSTANT_TOOL_NAMES,
      ...(isSearchOffered ? [WEB_SEARCH] : []),
      ...(hasChannel ? [MESSAGE] : []),
    ];
    const policy = hostPolicy(configuration, coreTools, generation.tools, generation.plugins);
    for (const { code, ...warning } of policy.warnings) {
      logger.warn(formatProblem({ code, ...warning }), { code });
    }
    const tried = triedPolicy(configuration, policy.tools);
    const unknown = unknownNames(configuration, knownNames(generation.plugins, generation));
    for (const { key, severity: _severity, ...problem } of unknown) {
      logger.warn(formatConfigurationProblem({ key, ...problem }), { key });
    }
    const skills = hostSkills({ ...this.#context, safety }, generation);
    return {
      models: catalog,
      embeddings: models.embeddings(generation),
      policy,
      shadow: tried && reportedShadow(tried, this.#context),
      unknownNames: unknown.map(formatConfigurationProblem),
      skills,
      safety,
      pluginRevision: pluginRevision(generation),
      callPlugin: (pluginId, call) => plugins.callPlugin(pluginId, call),
    };
  }
}

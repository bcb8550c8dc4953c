import { defined } from "@openclaw/foundation";
import {
  factsOf,
  type PlannedPlugin,
  type PluginDiagnostic,
  type PluginFacts,
  type PluginPlan,
  requiredIds,
  type UnplannedPlugin,
} from "@openclaw/plugin-discovery";
import {
  type ImportedPlugin,
  inTurn,
  type PluginFaults,
  type PluginFilesCheck,
  PluginLoadError,
  type PluginLoaders,
} from "@openclaw/plugin-loader";
import type { PluginInstance } from "../instances/instance.js";
import type { PluginState } from "./generation.js";
import { type RegisterDependencies, registerPlugin } from "./plugin-registration.js";
import type { PluginStatus } from "./record.js";

/** Context of a load. */
export interface LoadDependencies {
  /** Number of the generation that is being loaded. */
  readonly generation: number;
  /** Previous states of the plugins. */
  readonly before: readonly PluginState[];
  /** True evaluates the plugins' own modules again. */
  readonly again: boolean;
  /** Ids of plugins that are not loaded now and have no effect. */
  readonly broken: readonly string[];
  readonly register: RegisterDependencies;
  readonly loaders: Pick<PluginLoaders, "import">;
  /** Attributes faults to the plugins whose code caused them. */
  readonly faults: PluginFaults;
  /** Checks the files of a plugin before it is loaded. */
  readonly checkFiles?: PluginFilesCheck | undefined;
  /**
   * Starts the services of a plugin in a running host.
   * @param instance - a registered plugin
   * @returns the reason not to use it
   */
  startServices(instance: PluginInstance): Promise<PluginLoadError | undefined>;
  /** Returns the position of a plugin among the others. */
  rankOf(planId: string): number;
}

/** Plugins loaded in isolation, not yet active. */
export interface LoadedPlugins {
  readonly states: readonly PluginState[];
  readonly diagnostics: readonly PluginDiagnostic[];
  /** True when any plugin failed to load. */
  readonly failed: boolean;
}

/**
 * Imports all planned plugins, of which one that waits lets the next one begin, and registers them one
 * after another, in the order of the plan (PLUG-024). A plugin that fails is replaced by its previous state, if it was loaded
 * (PLUG-049).
 * @param plan - the plugins to load
 * @param dependencies - the previous generation, and the dependencies of registration
 */
export async function loadPlugins(
  plan: PluginPlan,
  dependencies: LoadDependencies,
): Promise<LoadedPlugins> {
  const { before, again, faults, checkFiles, generation, loaders, rankOf } = dependencies;
  const loadedBefore = before.filter(({ instance }) => instance !== undefined);
  const outcomes = await Promise.all(
    plan.load.map((planned) =>
      inTurn(() => loaders.import(planned, { again, faults, checkFiles })),
    ),
  );
  const diagnostics = [...plan.diagnostics];
  const states: PluginState[] = [];
  const failed = new Set<string>();
  const keep = (state: PluginState) => {
    states.push(state);
    diagnostics.push(tellKept(state.facts, generation));
  };

  for (const [index, planned] of plan.load.entries()) {
    for (const outcome of outcomes[index] ?? []) {
      const result =
        "failure" in outcome
          ? outcome.failure
          : await registered(outcome.imported, failed, dependencies);
      if (!(result instanceof PluginLoadError)) {
        states.push(result);
        continue;
      }
      failed.add(planned.id);
      diagnostics.push(tellFailure(result));
      const old = loadedBefore.find(({ facts }) => facts.id === outcome.id);
      if (old === undefined) states.push(failedState(planned, outcome.id, result, rankOf));
      else keep(old);
    }
  }
  for (const left of plan.leave) {
    const old = loadedBefore.filter(({ planId }) => planId === left.candidate.id);
    // A plugin whose manifest became unreadable continues to run; a disabled one does not.
    if ("error" in left && old.length > 0) {
      failed.add(left.candidate.id);
      for (const state of old) keep(state);
    } else {
      states.push(leftState(left, rankOf));
    }
  }
  return { states, diagnostics, failed: failed.size > 0 };
}

async function registered(
  imported: ImportedPlugin,
  failed: ReadonlySet<string>,
  { generation, register, broken, startServices, rankOf }: LoadDependencies,
): Promise<PluginState | PluginLoadError> {
  const missing = requiredIds(imported.plan).find((id) => failed.has(id) || broken.includes(id));
  if (missing !== undefined) return unmet(imported, missing);
  try {
    const { instance, registerMs } = await registerPlugin(imported, register);
    const failure = await startServices(instance);
    if (failure !== undefined) {
      await instance.end();
      return failure;
    }
    const { loader, loadMs, plan, exported, isolation } = imported;
    const exportedSchema = exported.configSchema;
    const missingParts = imported.missingParts.length === 0 ? undefined : imported.missingParts;
    return {
      planId: plan.id,
      rank: rankOf(plan.id),
      facts: { ...factsOf(plan), ...instance.identity },
      status: { enabled: true, status: "loaded" },
      loading: {
        generation,
        loader,
        loadMs,
        registerMs,
        ...defined({ exportedSchema, missingParts, isolation }),
      },
      instance,
    };
  } catch (error) {
    if (error instanceof PluginLoadError) return error;
    throw error;
  }
}

function unmet({ id, source }: ImportedPlugin, missing: string): PluginLoadError {
  return new PluginLoadError({
    pluginId: id,
    problem: "version-conflict",
    message: `it requires plugin "${missing}", which failed to load`,
    hint: `correct "${missing}" first`,
    file: source,
  });
}

function leftState(left: UnplannedPlugin, rankOf: LoadDependencies["rankOf"]): PluginState {
  const { candidate } = left;
  const status: PluginStatus =
    "reason" in left
      ? {
          enabled: false,
          status: "disabled",
          reason: left.reason,
          hint: left.line,
        }
      : {
          enabled: false,
          status: "error",
          error: { code: left.error.code, message: left.error.message },
        };
  return { planId: candidate.id, rank: rankOf(candidate.id), facts: factsOf(candidate), status };
}

function failedState(
  planned: PlannedPlugin,
  id: string,
  { problem, message }: PluginLoadError,
  rankOf: LoadDependencies["rankOf"],
): PluginState {
  return {
    planId: planned.id,
    rank: rankOf(planned.id),
    facts: { ...factsOf(planned), id },
    status: { enabled: true, status: "error", error: { code: problem, message } },
  };
}

function tellFailure(failure: PluginLoadError): PluginDiagnostic {
  const { pluginId, problem, message, hint, file } = failure;
  return {
    level: "error",
    code: problem,
    message,
    pluginId,
    ...defined({ source: file }),
    hint,
  };
}

function tellKept({ id, source }: PluginFacts, generation: number): PluginDiagnostic {
  return {
    level: "warn",
    code: "reload-kept-old",
    message: `plugin "${id}" could not be reloaded for generation ${generation}, so its previous version stays active`,
    pluginId: id,
    source,
    hint: "correct what the error says, and reload",
  };
}

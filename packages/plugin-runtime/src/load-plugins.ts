import type { PluginDiagnostic } from "./diagnostic.js";
import { enablingLine } from "./enable-state.js";
import { PluginLoadError } from "./errors.js";
import type { PluginState } from "./generation.js";
import { type ImportedPlugin, importPlugin } from "./plugin-import.js";
import type { PluginPlan, UnplannedPlugin } from "./plugin-plan.js";
import { factsOf, type PluginFacts, type PluginStatus } from "./plugin-record.js";
import { type RegisterSurroundings, registerPlugin } from "./plugin-register.js";
import { requiredIds } from "./requirements.js";

/** What a load starts from. */
export interface LoadSurroundings {
  /** Number of the generation that is being loaded. */
  readonly generation: number;
  /** The plugins of the generation before. */
  readonly before: readonly PluginState[];
  readonly register: RegisterSurroundings;
}

/** The plugins of a generation that does not count yet. */
export interface LoadedPlugins {
  readonly states: readonly PluginState[];
  readonly diagnostics: readonly PluginDiagnostic[];
}

/**
 * Imports all planned plugins at once and lets them register one after another, in the order of the
 * plan (PLUG-024). One that fails is replaced by what it was before, if it was loaded (PLUG-049).
 * @param plan - which plugins to load
 * @param surroundings - the generation before, and what plugins register with
 */
export async function loadPlugins(
  plan: PluginPlan,
  surroundings: LoadSurroundings,
): Promise<LoadedPlugins> {
  const again = surroundings.before.length > 0;
  const outcomes = await Promise.all(plan.load.map((planned) => importPlugin(planned, again)));
  const diagnostics = [...plan.diagnostics];
  const states: PluginState[] = [];
  const failed = new Set<string>();
  for (const [index, planned] of plan.load.entries()) {
    for (const outcome of outcomes[index] ?? []) {
      const result =
        "failure" in outcome
          ? outcome.failure
          : await registered(outcome.imported, failed, surroundings);
      if (!(result instanceof PluginLoadError)) {
        states.push(result);
        continue;
      }
      failed.add(planned.id);
      diagnostics.push(tellFailure(result));
      const before = surroundings.before.find(({ facts }) => facts.id === outcome.id);
      if (before?.instance !== undefined) {
        states.push(before);
        diagnostics.push(tellKept(before.facts, surroundings.generation));
      } else {
        states.push({
          facts: { ...factsOf(planned), id: outcome.id },
          status: errorStatus(result),
        });
      }
    }
  }
  return { states: [...states, ...plan.leave.map(leftState)], diagnostics };
}

async function registered(
  imported: ImportedPlugin,
  failed: ReadonlySet<string>,
  { generation, register }: LoadSurroundings,
): Promise<PluginState | PluginLoadError> {
  const missing = requiredIds(imported.plan).find((id) => failed.has(id));
  if (missing !== undefined) return unmet(imported, missing);
  try {
    const { instance, registerMs } = await registerPlugin(imported, register);
    const { loader, loadMs } = imported;
    return {
      facts: { ...factsOf(imported.plan), ...instance.identity },
      status: { enabled: true, status: "loaded" },
      loading: { generation, loader, loadMs, registerMs },
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

function leftState(left: UnplannedPlugin): PluginState {
  const facts = factsOf(left.candidate);
  const status: PluginStatus =
    "reason" in left
      ? {
          enabled: false,
          status: "disabled",
          reason: left.reason,
          hint: enablingLine(left.candidate, left.reason),
        }
      : {
          enabled: false,
          status: "error",
          error: { code: left.error.code, message: left.error.message },
        };
  return { facts, status };
}

function errorStatus({ problem, message }: PluginLoadError): PluginStatus {
  return { enabled: true, status: "error", error: { code: problem, message } };
}

function tellFailure(failure: PluginLoadError): PluginDiagnostic {
  const { pluginId, problem, message, hint, file } = failure;
  return {
    level: "error",
    code: problem,
    message,
    pluginId,
    ...(file === undefined ? {} : { source: file }),
    hint,
  };
}

function tellKept({ id, source }: PluginFacts, generation: number): PluginDiagnostic {
  return {
    level: "warn",
    code: "reload-kept-old",
    message: `plugin "${id}" could not be loaded again for generation ${generation}, so it serves on as it was`,
    pluginId: id,
    source,
    hint: "correct what the error says, and reload",
  };
}

import { DeadlineExceededError } from "@openclaw/foundation";
import type { HookFile, PlannedPlugin } from "@openclaw/plugin-discovery";
import { PluginExitError, PluginLoadError, PluginPollutionError } from "../errors.js";
import { findSdkParts } from "../sdk-use/sdk-use.js";
import { describeImportProblem } from "./import-problem.js";
import { allMissing } from "./missing-notice.js";
import { describeExports, EXPORT_FORMS } from "./module-export.js";
import { ModuleLoadFailure } from "./module-loader.js";

/**
 * Reports what went wrong while a module was imported.
 * @param id - id of the entry
 * @param file - the entry
 * @param error - thrown by the import
 * @throws PluginLoadError
 */
export async function rethrow(
  plan: PlannedPlugin,
  id: string,
  file: string,
  error: unknown,
): Promise<never> {
  if (error instanceof DeadlineExceededError) throw lateImport(plan, id, file, error);
  const thrown = error instanceof ModuleLoadFailure ? error.cause : error;
  if (PluginExitError.isInstance(thrown)) throw exitFailure(id, thrown);
  if (PluginPollutionError.isInstance(thrown)) throw pollutionFailure(id, file, thrown);
  if (!(error instanceof ModuleLoadFailure)) throw error;
  const problem = await describeImportProblem(error, plan.rootDir);
  const where = problem.place ?? file;
  const all =
    problem.code === "sdk-parts-missing"
      ? allMissing(await findSdkParts([file], plan.rootDir))
      : "";
  throw new PluginLoadError({
    pluginId: id,
    problem: problem.code,
    message: `${where}: ${problem.message}${all}`,
    hint: problem.hint,
    file: where,
    cause: error.cause,
  });
}

function lateImport(
  plan: PlannedPlugin,
  id: string,
  file: string,
  { deadlineMs }: DeadlineExceededError,
) {
  return new PluginLoadError({
    pluginId: id,
    problem: "import-timeout",
    message: `${file} was not evaluated within ${deadlineMs} ms`,
    hint: `await in register instead of in the module, or raise plugins.entries.${plan.id}.registerTimeoutMs`,
    file,
  });
}

function exitFailure(pluginId: string, error: PluginExitError): PluginLoadError {
  return new PluginLoadError({
    pluginId,
    problem: "import-failed",
    message: error.message,
    hint: "throw an error instead, inside register",
    file: error.place,
    cause: error,
  });
}

/**
 * The failure of a plugin that changed built-in objects while it was loaded.
 * @param file - its entry
 * @param error - names the changes
 */
export function pollutionFailure(
  pluginId: string,
  file: string,
  error: PluginPollutionError,
): PluginLoadError {
  return new PluginLoadError({
    pluginId,
    problem: "built-ins-changed",
    message: `it changed built-in objects, which were restored: ${error.changes.join("; ")}`,
    hint: "use functions of your own instead of new or changed members of built-in objects, and check what its dependencies do",
    file,
    cause: error,
  });
}

/**
 * The failure of a module that exports no plugin.
 * @param id - id of the entry
 * @param file - the entry
 * @param namespace - its exports
 */
export function wrongExport(plan: PlannedPlugin, id: string, file: string, namespace: unknown) {
  return new PluginLoadError({
    pluginId: id,
    problem: "export-invalid",
    message: `${file} exports ${describeExports(namespace)}, none of which registers a plugin`,
    hint: `use one of the four forms: ${EXPORT_FORMS}`,
    file: plan.definition === undefined ? file : plan.source,
  });
}

/**
 * The failure of a hook folder whose module does not export the handler that its `HOOK.md` names.
 * @param id - id of the hook folder as a plugin
 * @param file - its module
 * @param namespace - its exports
 * @param hookFile - settings of the `HOOK.md`
 */
export function wrongHandler(
  id: string,
  file: string,
  namespace: unknown,
  { exportName }: HookFile,
) {
  return new PluginLoadError({
    pluginId: id,
    problem: "export-invalid",
    message: `${file} exports ${describeExports(namespace)}, expected the handler as "${exportName}"`,
    hint: `export a function named "${exportName}", or set metadata.openclaw.export in HOOK.md`,
    file,
  });
}

/**
 * The failure of a module that exports another id than its manifest has.
 * @param id - id of the entry
 * @param file - the entry
 */
export function idMismatch(plan: PlannedPlugin, id: string, file: string, exported: string) {
  const manifest = plan.manifestPath;
  return new PluginLoadError({
    pluginId: id,
    problem: "id-mismatch",
    message: `${file} exports the id "${exported}", but ${manifest ?? "the file name"} has "${id}"`,
    hint:
      manifest === undefined
        ? `write openclaw.plugin.json with { "id": "${exported}" } next to the file`
        : "make the two ids the same",
    file,
  });
}

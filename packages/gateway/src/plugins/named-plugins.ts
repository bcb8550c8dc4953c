import { realpathSync } from "node:fs";
import { sep } from "node:path";
import type { PluginDiagnostic } from "@openclaw/plugin-discovery";
import type { PluginGeneration, PluginRecord } from "@openclaw/plugin-runtime";
import { NamedPluginError } from "../errors.js";

/**
 * Checks that every plugin that the operator named for this process runs, because a host without one of its guards
 * would do what the guard prevents (PLUG-086).
 * @param paths - absolute paths of folders or files
 * @param plugins - the loaded plugins
 * @throws NamedPluginError that names every plugin that does not run
 */
export function assertNamedPlugins(paths: readonly string[], plugins: PluginGeneration): void {
  const failures = paths.flatMap((path) => failuresAt(path, plugins));
  if (failures.length > 0) throw new NamedPluginError(failures);
}

function failuresAt(path: string, { plugins, diagnostics }: PluginGeneration) {
  const real = realPathOf(path);
  const found = plugins.filter((record) => isAt(record, real));
  const problemOf = (about: (diagnostic: PluginDiagnostic) => boolean) => {
    const problems = diagnostics.filter((each) => each.level !== "info" && about(each));
    return {
      path,
      reason: problems.map(({ message }) => message).join("; "),
      nextStep: [...new Set(problems.flatMap(({ hint }) => hint ?? []))].join("; "),
    };
  };
  if (found.length === 0) {
    const { reason, nextStep } = problemOf(({ source }) => source === real);
    return [
      {
        path,
        reason: reason || "no plugin was found there",
        nextStep: nextStep || "name the folder or the entry file of a plugin",
      },
    ];
  }
  return found.flatMap((record) => {
    if (record.status === "loaded") return [];
    if (record.status === "disabled") {
      return [
        { path, reason: `plugin "${record.id}" is off (${record.reason})`, nextStep: record.hint },
      ];
    }
    const { reason, nextStep } = problemOf(
      ({ level, pluginId }) => level === "error" && pluginId === record.id,
    );
    return [
      {
        path,
        reason: reason || record.error.message,
        nextStep: nextStep || "correct the plugin",
      },
    ];
  });
}

/** Returns true for a plugin in the folder, in a folder inside it, or of the file. */
function isAt({ rootDir, source }: PluginRecord, path: string): boolean {
  return rootDir === path || source === path || rootDir.startsWith(path + sep);
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

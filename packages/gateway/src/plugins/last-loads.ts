import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PluginGeneration } from "@openclaw/plugin-runtime";

/** Failure of a plugin in the last load of a host. */
export interface LastFailure {
  readonly rootDir: string;
  readonly message: string;
  /** Next step. */
  readonly hint?: string;
}

/** Failures of the last load by plugin ID. */
export type LastFailures = Readonly<Record<string, LastFailure>>;

/**
 * Stores which plugins failed in the last load, so that a list without a running gateway shows them as broken although
 * it runs no plugin code (PLUG-059). Writes nothing when the failures are the same as before.
 * @param stateDir - state folder
 * @param plugins - the loaded plugins
 */
export function storeFailures(stateDir: string, { plugins, diagnostics }: PluginGeneration): void {
  const failures: Record<string, LastFailure> = {};
  for (const record of plugins) {
    if (record.status !== "error") continue;
    const { id, rootDir, error } = record;
    const hint = diagnostics.find(
      ({ pluginId, code }) => pluginId === id && code === error.code,
    )?.hint;
    failures[id] = { rootDir, message: error.message, ...(hint === undefined ? {} : { hint }) };
  }
  const text = JSON.stringify(failures);
  if (text === JSON.stringify(lastFailures(stateDir))) return;
  const file = fileOf(stateDir);
  if (Object.keys(failures).length === 0) {
    rmSync(file, { force: true });
    return;
  }
  const draft = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}

/**
 * Returns the failures of the last load; none when they cannot be read.
 * @param stateDir - state folder
 */
export function lastFailures(stateDir: string): LastFailures {
  try {
    return JSON.parse(readFileSync(fileOf(stateDir), "utf8")) as LastFailures;
  } catch {
    return {};
  }
}

function fileOf(stateDir: string): string {
  return join(stateDir, "plugin-failures.json");
}

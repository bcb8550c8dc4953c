import { pathToFileURL } from "node:url";
import type { DiagnosticCode } from "@openclaw/plugin-discovery";
import type { PluginRecord, PluginReload } from "@openclaw/plugin-runtime";
import { PluginInstallRefusedError } from "./errors.js";
import type { InstallRecord } from "./install-records.js";

/** Problems that another version of the plugin may not have. */
const VERSION_PROBLEMS: ReadonlySet<DiagnosticCode> = new Set([
  "sdk-parts-missing",
  "version-conflict",
]);

/**
 * Failures with which a new plugin is kept: one that only needs settings, and one that needs parts of the SDK that this
 * host lacks, which an update of the host may bring (PLUG-140).
 */
const ACCEPTED_WHEN_NEW: ReadonlySet<string> = new Set<DiagnosticCode>([
  "config-invalid",
  "sdk-parts-missing",
]);

/**
 * Checks that the host accepts a plugin that was moved into place. A plugin that is off because of the
 * configuration is accepted, and so is a new one that only needs settings or parts that this host lacks.
 * @param load - result of the load
 * @param pluginId - the plugin
 * @param before - record of the version that it replaces
 * @throws PluginInstallRefusedError that names every problem
 */
export function assertAccepted(
  { generation, outcome }: PluginReload,
  pluginId: string,
  before: InstallRecord | undefined,
): void {
  const own = generation.plugins.filter(({ id }) => belongsTo(pluginId, id));
  const isRefused =
    outcome === "kept" || own.some((record) => refusesPlugin(record, before !== undefined));
  const duplicate = own.find(({ status, origin }) => status === "disabled" && origin === "global");
  if (duplicate?.status === "disabled" && duplicate.reason === "duplicate") {
    throw new PluginInstallRefusedError(
      pluginId,
      "a bundled plugin has the same ID and stays active",
      `set ${duplicate.hint} to replace it, or give this plugin another id in its manifest`,
    );
  }
  if (!isRefused || (outcome === "loaded" && before === undefined)) return;
  const folders = own.flatMap(({ rootDir }) => [`${pathToFileURL(rootDir)}/`, `${rootDir}/`]);
  const problems = generation.diagnostics.filter(
    ({ level, pluginId: about = "" }) => level === "error" && belongsTo(pluginId, about),
  );
  const messages = problems.map(({ message }) => shortened(message, pluginId, folders));
  const hints = new Set(
    problems.flatMap(({ hint }) => (hint === undefined ? [] : shortened(hint, pluginId, folders))),
  );
  throw new PluginInstallRefusedError(
    pluginId,
    [...new Set(messages)].join("; ") || "it did not load",
    [...hints].join("; ") || "see the log of the gateway",
    {
      installed: before?.version ?? before?.packageVersion,
      versionMatters: problems.some(({ code }) => VERSION_PROBLEMS.has(code)),
    },
  );
}

/** Leaves out what the error says already, and the folder of files that are removed again. */
function shortened(message: string, pluginId: string, folders: readonly string[]): string {
  const text = folders.reduce((part, folder) => part.replaceAll(folder, ""), message);
  return text
    .replace(`plugin "${pluginId}" was not loaded: `, "")
    .replace(`plugin "${pluginId}" is off: `, "")
    .replaceAll(/\?openclaw-reload=\d+/g, "");
}

function refusesPlugin(record: PluginRecord, isUpdate: boolean): boolean {
  if (record.status === "error") return isUpdate || !ACCEPTED_WHEN_NEW.has(record.error.code);
  return record.status === "disabled" && record.reason === "version-conflict";
}

function belongsTo(pluginId: string, id: string): boolean {
  return id === pluginId || id.startsWith(`${pluginId}/`);
}

import { resolve } from "node:path";
import type { DeclaredServers } from "@openclaw/plugin-sdk/services";
import { fields, type RefusedEntry, readServer, type ServerSettings } from "../settings.js";
import { expandEntry } from "../workspace/expansion.js";

/** Fields of an entry that a bundle sets; how much a server may do is decided by the operator. */
const OWN_FIELDS = ["type", "command", "args", "env", "cwd", "url", "headers"];
/** Fields in which the Agent Plugins specification replaces variables. */
const PORTABLE_FIELDS: ReadonlySet<string> = new Set(["args", "env", "cwd"]);

/**
 * Reads the servers of a bundle. `${CLAUDE_PLUGIN_ROOT}`, `${PLUGIN_ROOT}` and `${extensionPath}` are its folder, and
 * `${PLUGIN_DATA}` a folder for its data; other variables are those of the gateway, except in a portable bundle (EXT-535).
 * @param declared - servers as they are written
 * @param environment - variables of the gateway
 * @param taken - names that servers of the configuration or of earlier bundles have
 */
export function readBundleServers(
  declared: DeclaredServers,
  environment: Readonly<Record<string, string | undefined>>,
  taken: ReadonlySet<string>,
): readonly (ServerSettings | RefusedEntry)[] {
  const { pluginId, rootDir, dataDir, servers, isPortable } = declared;
  const folders = {
    ...{ PLUGIN_ROOT: rootDir, CLAUDE_PLUGIN_ROOT: rootDir, CURSOR_PLUGIN_ROOT: rootDir },
    ...{ PLUGIN_DATA: dataDir, CLAUDE_PLUGIN_DATA: dataDir, extensionPath: rootDir },
  };
  return Object.entries(servers).map(([given, written]) => {
    const name = taken.has(given) ? `${pluginId}-${given}` : given;
    const place = {
      key: `${given}@plugin:${pluginId}`,
      title: `the server ${given} of plugin ${pluginId}`,
      folder: rootDir,
    };
    const own = Object.fromEntries(OWN_FIELDS.map((key) => [key, fields(written)[key]]));
    const variables = isPortable
      ? { PLUGIN_ROOT: rootDir, PLUGIN_DATA: dataDir }
      : { ...environment, ...folders };
    const expanded = expandEntry(
      isPortable ? pick(own, (key) => PORTABLE_FIELDS.has(key)) : own,
      variables,
    );
    const [unset] = isPortable ? [] : expanded.unset;
    if (unset !== undefined) {
      const problem = `of plugin ${pluginId} uses the variable ${unset}, which is not set`;
      return { name, problem, nextStep: "set it, and restart the gateway", isOff: false };
    }
    const entry = { ...own, ...expanded.entry };
    const { command, cwd, env } = entry;
    const isPath = typeof command === "string" && /^\.{1,2}[\\/]/.test(command);
    return readServer(
      name,
      {
        ...entry,
        ...(isPath ? { command: resolve(rootDir, command) } : {}),
        ...(typeof cwd === "string" ? { cwd: resolve(rootDir, cwd) } : {}),
        ...(command === undefined ? {} : { env: { ...folders, ...fields(env) } }),
      },
      place,
    );
  });
}

function pick(
  entry: Readonly<Record<string, unknown>>,
  isMeant: (key: string) => boolean,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => isMeant(key)));
}

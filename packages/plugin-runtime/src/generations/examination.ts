import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DiagnosticCode, PluginDiagnostic } from "@openclaw/plugin-discovery";
import type { PluginGeneration } from "./generation.js";
import type { HookInspection } from "./plugin-runtime.js";
import type { PluginRecord } from "./record.js";

/** Load time above which a plugin delays the start of its host noticeably, in milliseconds. */
const SLOW_MS = 500;

/** Diagnostics that an examination repeats, because each of them has a fix. */
const REPEATED: ReadonlySet<DiagnosticCode> = new Set([
  "unknown-hook",
  "hook-of-other-version",
  "wrong-door",
  "hook-inactive",
  "gate-inactive",
  "permission-undeclared",
]);

const SDK_COPIES = ["@openclaw/plugin-sdk", "openclaw"];

/**
 * Returns diagnostics about plugins that work: unknown hooks, handlers that have never run or
 * cannot run, permissions missing from a manifest, copies of the SDK, slow loads; each with its fix
 * (PLUG-051).
 * @param inspection - inspection of the hooks; handlers are counted from the start of the
 *   generation
 */
export function examinePlugins(
  generation: PluginGeneration,
  inspection: Pick<HookInspection, "counters">,
): PluginDiagnostic[] {
  const loaded = generation.plugins.filter(({ status }) => status === "loaded");
  return [
    ...generation.diagnostics.filter(({ code }) => REPEATED.has(code)),
    ...neverFired(loaded, inspection),
    ...loaded.flatMap(sdkCopies),
    ...loaded.flatMap(slowLoad),
  ];
}

function neverFired(
  plugins: readonly PluginRecord[],
  inspection: Pick<HookInspection, "counters">,
): PluginDiagnostic[] {
  return inspection.counters().registrations.flatMap(({ owner, hook, dispatched }) => {
    const plugin = plugins.find(({ id }) => id === owner);
    if (plugin === undefined || dispatched > 0) return [];
    return [
      {
        level: "info",
        code: "handler-never-fired",
        message: `a handler of plugin "${owner}" for "${hook}" has never run since it was loaded`,
        pluginId: owner,
        source: plugin.source,
        hint: `"openclaw hooks show ${hook}" shows what runs before it; a condition or scope may exclude every event`,
      } satisfies PluginDiagnostic,
    ];
  });
}

/** The host gives every plugin its own copy, so another one is unused and misleads its readers. */
function sdkCopies({ id, rootDir, loader, origin }: PluginRecord): PluginDiagnostic[] {
  // Bundled plugins are installed next to the host, including the SDK.
  if (loader === "inline" || origin === "bundled") return [];
  return SDK_COPIES.map((name) => join(rootDir, "node_modules", name))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map((folder) => ({
      level: "warn",
      code: "sdk-copy",
      message: `plugin "${id}" contains a copy of the SDK, which is not used: the host provides its own`,
      pluginId: id,
      source: folder,
      hint: `make the SDK a peerDependency of the plugin, and remove ${folder}`,
    }));
}

function slowLoad({ id, source, loadMs = 0, registerMs = 0 }: PluginRecord): PluginDiagnostic[] {
  const total = Math.round(loadMs + registerMs);
  if (total < SLOW_MS) return [];
  const where = loadMs > registerMs ? "while its modules were evaluated" : "in its register";
  return [
    {
      level: "warn",
      code: "slow-load",
      message: `plugin "${id}" took ${total} ms to load, most of it ${where}`,
      pluginId: id,
      source,
      hint: "import heavy packages where they are first used, and start slow work in a service",
    },
  ];
}

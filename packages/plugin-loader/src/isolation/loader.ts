import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { errorMessage, systemClock } from "@openclaw/foundation";
import {
  declaredPermissions,
  type PlannedPlugin,
  type PluginDiagnostic,
} from "@openclaw/plugin-discovery";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { IsolationTier } from "@openclaw/plugin-sdk/proposals/isolation-tier";
import { PluginLoadError } from "../errors.js";
import type { PluginEntryFile } from "../loading/entry-files.js";
import {
  type ImportedPlugin,
  type ImportOptions,
  type ImportOutcome,
  importEntries,
} from "../loading/plugin-import.js";
import type { PluginLoader } from "../loading/plugin-loaders.js";
import { offeredSdkModules } from "../loading/sdk-modules.js";
import { type LinkEvents, startProcess, startWorker } from "./link.js";
import type { ChildStart } from "./message.js";
import { type RunningServices, repeatRegistrations } from "./registrations.js";
import {
  findSandbox,
  plainStart,
  SANDBOXED_PERMISSIONS,
  type SandboxFound,
  sandboxedStart,
} from "./sandbox.js";
import { Supervisor } from "./supervisor.js";
import { useMember } from "./uses.js";

/** Longest text of a plugin in one line of the log, in characters. */
const MOST_PRINTED = 2_000;

/** Returns where the code of a plugin runs: as the operator says, else as its manifest says (PLUG-052). */
function tierOf({ entry, manifest }: PlannedPlugin): IsolationTier {
  return entry?.isolation ?? manifest.isolation ?? "none";
}

/** Runs plugins in separate threads and processes, behind the same `api` (PLUG-052). */
export class IsolatedLoader implements PluginLoader {
  readonly #syncHooks: readonly string[];
  readonly #findSandbox: () => Promise<SandboxFound>;

  /**
   * @param syncHooks - hooks whose handlers must return at once
   * @param sandbox - returns the sandbox for processes; by default that of this machine
   */
  constructor(syncHooks: readonly string[], sandbox = findSandbox) {
    this.#syncHooks = syncHooks;
    this.#findSandbox = sandbox;
  }

  accepts(plan: PlannedPlugin): boolean {
    return plan.definition === undefined && tierOf(plan) !== "none";
  }

  async import(plan: PlannedPlugin, options: ImportOptions): Promise<readonly ImportOutcome[]> {
    return await importEntries(plan, options, (entry, config) =>
      this.#imported(plan, entry, config),
    );
  }

  async dispose(): Promise<void> {}

  async #imported(
    plan: PlannedPlugin,
    { id, file }: PluginEntryFile,
    config: Readonly<Record<string, unknown>>,
  ): Promise<ImportedPlugin> {
    const tier = tierOf(plan);
    if (plan.hookFile !== undefined) {
      throw new PluginLoadError({
        pluginId: id,
        problem: "export-invalid",
        message: `a hook file cannot run in a ${tier}`,
        hint: `set plugins.entries.${plan.id}.isolation to "none"`,
        file,
      });
    }
    const sandbox = tier === "process" ? await this.#findSandbox() : undefined;
    const isSandboxed = sandbox !== undefined && "program" in sandbox;
    const isolation = { tier, enforced: isSandboxed ? SANDBOXED_PERMISSIONS : [] };
    const other = otherSide();
    const { rootDir } = plan;
    const declared = declaredPermissions(plan.manifest, id);
    const launch = (events: LinkEvents) => {
      if (tier === "worker") return startWorker(other, events);
      const start = isSandboxed
        ? sandboxedStart(sandbox.program, { file: other, rootDir, declared })
        : plainStart(other);
      return startProcess(start, events);
    };
    const facts = { id, source: file, rootDir, isolation, syncHooks: this.#syncHooks };
    return {
      id,
      source: file,
      plan,
      exported: {
        register: (api) =>
          registerIsolated(
            api,
            {
              ...facts,
              ...{ name: api.name, version: api.version, description: api.description },
              ...{ origin: api.origin, config: api.config, pluginConfig: config },
              hostVersion: api.runtime.version,
              hasConfigSchema: plan.manifest.configSchema !== undefined,
              proposals: plan.manifest.proposals ?? [],
              sdkModules: [...offeredSdkModules()],
            },
            launch,
          ),
      },
      config,
      loader: "native",
      loadMs: 0,
      isolation,
      diagnostics:
        sandbox !== undefined && "problem" in sandbox
          ? [tellUnconfined(id, file, sandbox.problem)]
          : [],
      missingParts: [],
    };
  }
}

async function registerIsolated(
  api: OpenClawPluginApi,
  start: ChildStart,
  launch: (events: LinkEvents) => ReturnType<typeof startWorker>,
): Promise<void> {
  const { id } = start;
  const { logger } = api;
  const services: RunningServices = new Map();
  const failed = (error: unknown) =>
    logger.error(`a service of plugin "${id}" failed to start again: ${errorMessage(error)}`);
  const supervisor = new Supervisor({
    ...{ pluginId: id, start, launch, timers: systemClock, now: () => systemClock.now() },
    use: (member, values) => useMember(api, member, values),
    printed: (text) =>
      logger.info(text.trimEnd().slice(0, MOST_PRINTED), { code: "PLUGIN_PRINTED" }),
    stopped: (reason, killMs) =>
      logger.warn(`plugin "${id}" stopped: ${reason}`, { code: "PLUGIN_STOPPED", killMs }),
    restarted() {
      logger.info(`plugin "${id}" was started again`, { code: "PLUGIN_RESTARTED" });
      for (const startAgain of services.values()) startAgain().catch(failed);
    },
    disabled: (reason) =>
      api.diagnose({
        level: "error",
        message: `it is not started again, because it stopped four times in five minutes; the last time ${reason}`,
        hint: "correct or disable it, and reload the plugins; until then each of its calls fails",
      }),
  });
  api.lifecycle.onDispose(() => supervisor.close());
  try {
    repeatRegistrations(api, await supervisor.open(), supervisor, services);
  } catch (error) {
    supervisor.close();
    throw error;
  }
}

/** Returns the program of the other side, which is built next to the host. */
function otherSide(): string {
  const places = ["./isolation-child.js", "../../dist/isolation-child.js"];
  const files = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return files.find((file) => existsSync(file)) ?? files[0] ?? "";
}

function tellUnconfined(id: string, file: string, problem: string): PluginDiagnostic {
  return {
    level: "warn",
    code: "isolation-unconfined",
    message: `plugin "${id}" runs in its own process without a sandbox, because ${problem}; its permissions ${SANDBOXED_PERMISSIONS.join(", ")} are declared and not enforced`,
    pluginId: id,
    source: file,
    hint: "install bubblewrap, and restart the host",
  };
}

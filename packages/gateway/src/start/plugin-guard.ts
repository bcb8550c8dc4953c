import { builtInsWatch, guardProcess, PluginFaults, watchResources } from "@openclaw/plugin-loader";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import { createFaultLog } from "../plugins/faults.js";
import { reportOpenResources } from "../plugins/open-resources.js";
import { HealthWatch } from "./health-watch.js";
import type { HostPhase } from "./phase.js";

/** Part of the host that a guard uses once it exists. */
export interface GuardedHost {
  readonly plugins: Pick<PluginRuntime, "current">;
  /** Disables a plugin for good. */
  disable(pluginId: string): Promise<unknown>;
}

/** Attributes faults and open resources to the plugins of a host, and keeps plugins from ending the process. */
export class PluginGuard {
  readonly faults: PluginFaults;
  readonly #logger: Logger;
  readonly #resources = watchResources();
  readonly #unguard: () => void;
  #endProcessWatch = () => {};
  #health: HealthWatch | undefined;
  #host: GuardedHost | undefined;

  /**
   * @param logger - receives faults
   * @param phase - a plugin is disabled once the host has started
   */
  constructor(logger: Logger, phase: HostPhase) {
    this.#logger = logger;
    const onFault = createFaultLog({
      logger,
      now: () => performance.now(),
      isInactive: (pluginId) =>
        this.#host?.plugins.current.plugins.some(
          ({ id, status }) => id === pluginId && status !== "loaded",
        ) === true,
      disable: async (id) => {
        await phase.opened;
        return this.#host?.disable(id);
      },
    });
    this.faults = new PluginFaults({ logger, onFault });
    this.#unguard = guardProcess(this.faults);
  }

  /**
   * Connects the host whose plugins are guarded.
   * @param host - plugins, and how to disable one
   */
  connect(host: GuardedHost): void {
    this.#host = host;
  }

  /**
   * Also watches what the process has beyond the language, and whether the host answers. Only for a process that serves
   * nothing else.
   * @param url - returns the URL of `/healthz`; undefined while the host does not serve
   */
  watchProcess(url: () => string | undefined): void {
    this.#endProcessWatch = builtInsWatch.watchProcess();
    this.#health = new HealthWatch({
      url,
      restore: () => builtInsWatch.check(this.faults),
      logger: this.#logger,
    });
  }

  /** Logs what plugins left open. */
  reportOpen(): void {
    reportOpenResources(this.#resources.open(), this.#logger);
  }

  /** Ends the watch of resources. */
  stopWatching(): void {
    this.#health?.stop();
    this.#endProcessWatch();
    this.#resources.stop();
  }

  /** Ends the guard of the process. */
  end(): void {
    this.#unguard();
  }
}

import type { PluginServiceContext } from "@openclaw/plugin-sdk/services";

const TIDY_EVERY_MS = 3_600_000;
/** Interval in milliseconds in which a host looks for runs of hosts that died. */
const RECOVER_EVERY_MS = 60_000;

/** Dependencies of {@link Upkeep}. */
export interface UpkeepDependencies {
  /** Returns true when the plugin has a database; a gateway that never ran a workflow opens none. */
  isUsed(): Promise<boolean>;
  /** Returns true when no other host uses the database. */
  isOnlyHost(): Promise<boolean>;
  /** Continues the work of processes that died. */
  recover(): Promise<void>;
  /** Removes expired runs, and keys that are not accepted any more. */
  tidy(): Promise<void>;
}

/** Regular work of the plugin: it looks for expired runs each hour, and for runs of other hosts each minute (LOB-032). */
export class Upkeep {
  readonly #dependencies: UpkeepDependencies;

  /** @param dependencies - the work */
  constructor(dependencies: UpkeepDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Does the work that a start calls for, and repeats it.
   * @param repeat - repeats work of the service
   */
  async start(repeat: PluginServiceContext["repeat"]): Promise<void> {
    const { isUsed, isOnlyHost, recover, tidy } = this.#dependencies;
    repeat({
      ...{ name: "expired-runs", intervalMs: TIDY_EVERY_MS },
      async run() {
        if (await isUsed()) await tidy();
      },
    });
    repeat({
      ...{ name: "runs-of-other-hosts", intervalMs: RECOVER_EVERY_MS },
      async run() {
        if ((await isUsed()) && !(await isOnlyHost())) await recover();
      },
    });
    if (!(await isUsed())) return;
    await tidy();
    await recover();
  }
}

import { errorMessage } from "@openclaw/plugin-sdk/kit";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";

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
  readonly logger: Pick<OpenClawPluginApi["logger"], "warn">;
}

/** Regular work of the plugin: it looks for expired runs each hour, and for runs of other hosts each minute (LOB-032). */
export class Upkeep {
  readonly #dependencies: UpkeepDependencies;
  readonly #timers: NodeJS.Timeout[] = [];

  /** @param dependencies - the work */
  constructor(dependencies: UpkeepDependencies) {
    this.#dependencies = dependencies;
  }

  /** Does the work that a start calls for, and starts the timers. */
  async start(): Promise<void> {
    const { isUsed, isOnlyHost, recover, tidy } = this.#dependencies;
    this.#every(TIDY_EVERY_MS, "expired runs could not be removed", async () => {
      if (await isUsed()) await tidy();
    });
    this.#every(RECOVER_EVERY_MS, "runs of other hosts could not be continued", async () => {
      if ((await isUsed()) && !(await isOnlyHost())) await recover();
    });
    if (!(await isUsed())) return;
    await tidy();
    await recover();
  }

  stop(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
  }

  #every(milliseconds: number, problem: string, work: () => Promise<void>): void {
    const timer = setInterval(() => {
      work().catch((error: unknown) => {
        this.#dependencies.logger.warn(`${problem}: ${errorMessage(error)}`);
      });
    }, milliseconds);
    timer.unref();
    this.#timers.push(timer);
  }
}

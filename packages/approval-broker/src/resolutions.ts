import { defined, errorMessage, type Timers, withDeadline } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { ResolvedApproval } from "@openclaw/plugin-sdk/approvals";
import type { PluginApprovalResolution } from "@openclaw/plugin-sdk/hooks";
import type { Store } from "@openclaw/store";
import type { Approval, ApprovalState } from "@openclaw/store/decisions";

/** How long a plugin has to take an answer in (APPR-018). */
const TELL_MS = 5_000;
/** How often a plugin that fails to take an answer in is told of it (APPR-019). */
const MOST_ATTEMPTS = 5;

const RESOLUTIONS: Readonly<Record<Exclude<ApprovalState, "pending">, PluginApprovalResolution>> = {
  "allowed-once": "allow-once",
  "allowed-always": "allow-always",
  denied: "deny",
  "timed-out": "timeout",
  cancelled: "cancelled",
};

/** What a plugin wants to be told with how its question ended. */
export type OnResolution = (resolution: PluginApprovalResolution) => void | Promise<void>;

/** Who asked, and wants to be told. */
export interface Requester {
  readonly pluginId?: string | undefined;
  readonly onResolution?: OnResolution | undefined;
}

/** Tells the handlers that a plugin registered for answers of an earlier process. */
export type NotifyPlugin = (approval: ResolvedApproval) => Promise<void>;

/** What {@link ApprovalResolutions} needs. */
export interface ApprovalResolutionsOptions {
  readonly store: Store;
  readonly logger: Logger;
  readonly timers: Timers;
  /** Undefined while no plugins can be told. */
  readonly tellPlugin: NotifyPlugin | undefined;
}

/**
 * How a question ended, in the word that plugins are told.
 * @param approval - a question that is no longer pending
 */
export function resolutionOf({
  state,
}: Pick<Approval, "state">): PluginApprovalResolution | undefined {
  return state === "pending" ? undefined : RESOLUTIONS[state];
}

/** Tells plugins how their questions ended: in this process who asked, in a later one who registered. */
export class ApprovalResolutions {
  readonly #options: ApprovalResolutionsOptions;
  /** Who asked in this process, by id of the question. */
  readonly #waiting = new Map<string, OnResolution>();

  constructor(options: ApprovalResolutionsOptions) {
    this.#options = options;
  }

  /** Remembers who is to be told in this process. */
  expect(id: string, onResolution: OnResolution): void {
    this.#waiting.set(id, onResolution);
  }

  /**
   * Tells of an answer, once it is final and before anything is done under it. It never throws: what a
   * plugin makes of an answer changes nothing (HCR-007).
   * @param approval - as it was settled
   */
  async tell(approval: Approval): Promise<void> {
    const resolution = resolutionOf(approval);
    if (approval.pluginId === undefined || resolution === undefined) return;
    const asker = this.#waiting.get(approval.id);
    this.#waiting.delete(approval.id);
    if (asker === undefined) return await this.#tellRegistered(approval, resolution, 0);
    // Told exactly once: noted first, so that no later process tells it again.
    await this.#options.store.decisions.approvals.noteTelling(approval.id, true);
    await this.tellAsker({ ...approval, onResolution: asker }, resolution);
  }

  /**
   * Tells who asked in this process; also where no question had to be stored.
   * @param asker - the plugin and its callback, if it has one
   * @param resolution - how it ended
   */
  async tellAsker(
    { pluginId, onResolution }: Requester,
    resolution: PluginApprovalResolution,
  ): Promise<void> {
    if (onResolution === undefined) return;
    try {
      await withDeadline(TELL_MS, () => onResolution(resolution), this.#options.timers);
    } catch (error) {
      this.#log(pluginId, `onResolution of plugin "${pluginId}" failed`, error);
    }
  }

  /** Tells what an earlier process left untold. */
  async tellRest(): Promise<void> {
    for (const { approval, attempts } of await this.#options.store.decisions.approvals.untold()) {
      const resolution = resolutionOf(approval);
      if (resolution === undefined || this.#waiting.has(approval.id)) continue;
      await this.#tellRegistered(approval, resolution, attempts);
    }
  }

  async #tellRegistered(
    approval: Approval,
    decision: PluginApprovalResolution,
    attemptsBefore: number,
  ): Promise<void> {
    const { store, tellPlugin } = this.#options;
    if (tellPlugin === undefined) return;
    const { id, sessionKey, tool, decidedBy, pluginId = "", alsoRequestedBy } = approval;
    const untold = new Set([pluginId, ...alsoRequestedBy]);
    for (let attempt = attemptsBefore + 1; attempt <= MOST_ATTEMPTS; attempt++) {
      for (const plugin of untold) {
        const resolved: ResolvedApproval = {
          id,
          sessionKey,
          pluginId: plugin,
          decision,
          ...defined({ tool, decidedBy }),
        };
        try {
          await withDeadline(TELL_MS, () => tellPlugin(resolved), this.#options.timers);
          untold.delete(plugin);
        } catch (error) {
          const times = `attempt ${attempt} of ${MOST_ATTEMPTS}`;
          this.#log(plugin, `plugin "${plugin}" failed to take an answer in (${times})`, error);
        }
      }
      await store.decisions.approvals.noteTelling(
        id,
        untold.size === 0 || attempt === MOST_ATTEMPTS,
      );
      if (untold.size === 0) return;
    }
  }

  #log(pluginId: string | undefined, what: string, error: unknown): void {
    const fields = { code: "APPROVAL_RESOLUTION_FAILED", pluginId };
    this.#options.logger.error(`${what}: ${errorMessage(error)}`, fields);
  }
}

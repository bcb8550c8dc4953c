import {
  defined,
  errorMessage,
  type TimerHandle,
  type Timers,
  withDeadline,
} from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { ResolvedApproval } from "@openclaw/plugin-sdk/approvals";
import type { PluginApprovalResolution } from "@openclaw/plugin-sdk/hooks";
import { type Store, withoutLease } from "@openclaw/store";
import type { Approval, ApprovalState } from "@openclaw/store/decisions";

/** Deadline of a plugin's handler of a resolution, in milliseconds (APPR-018). */
const NOTIFY_MS = 5_000;
/** Time in milliseconds that the node whose call waits has to notify its callback, before registered handlers are called. */
const CALLER_MS = 2_000;
/** Maximum number of attempts to notify a plugin whose handler fails (APPR-019). */
const MOST_ATTEMPTS = 5;

const RESOLUTIONS: Readonly<Record<Exclude<ApprovalState, "pending">, PluginApprovalResolution>> = {
  "allowed-once": "allow-once",
  "allowed-always": "allow-always",
  denied: "deny",
  "timed-out": "timeout",
  cancelled: "cancelled",
};

/** Callback of a plugin that receives the outcome of its approval request. */
export type OnResolution = (resolution: PluginApprovalResolution) => void | Promise<void>;

/** Plugin that requested approval, and its callback. */
export interface Requester {
  readonly pluginId?: string | undefined;
  readonly onResolution?: OnResolution | undefined;
}

/**
 * Calls the handlers that a plugin registered for decisions about requests of an earlier process.
 */
export type NotifyPlugin = (approval: ResolvedApproval) => Promise<void>;

/** Options of {@link ApprovalResolutions}. */
export interface ApprovalResolutionsOptions {
  readonly store: Store;
  readonly logger: Logger;
  readonly timers: Timers;
  /** Undefined while plugins cannot be notified. */
  readonly notifyPlugin: NotifyPlugin | undefined;
}

/**
 * Returns the outcome of an approval request, in the word that plugins receive.
 * @param approval - approval request that is no longer pending
 */
export function resolutionOf({
  state,
}: Pick<Approval, "state">): PluginApprovalResolution | undefined {
  return state === "pending" ? undefined : RESOLUTIONS[state];
}

/**
 * Notifies plugins of the outcome of their approval requests: the callback in this process,
 * registered handlers in a later one.
 */
export class ApprovalResolutions {
  readonly #options: ApprovalResolutionsOptions;
  /** Callbacks of this process, by ID of the approval request. */
  readonly #waiting = new Map<string, OnResolution>();
  /** Timers of decisions whose callback another node may have. */
  readonly #later = new Set<TimerHandle>();

  constructor(options: ApprovalResolutionsOptions) {
    this.#options = options;
  }

  /** Stores the callback to notify in this process. */
  expect(id: string, onResolution: OnResolution): void {
    this.#waiting.set(id, onResolution);
  }

  /**
   * Notifies of a decision once it is final, before anything runs under it. Never throws: a failing
   * plugin does not change the decision (HCR-007).
   * @param approval - settled approval request
   */
  async notify(approval: Approval): Promise<void> {
    const resolution = resolutionOf(approval);
    if (approval.pluginId === undefined || resolution === undefined) return;
    if (await this.notifyCaller(approval)) return;
    if (await this.#hasOtherNodes()) this.#notifyLater(approval.id);
    else await this.#notifyRegistered(approval, resolution, 0);
  }

  /**
   * Notifies the callback of the call in this process, if it has one.
   * @param approval - approval request that this node or another one has settled
   * @returns false when this process has no callback for it
   */
  async notifyCaller(approval: Approval): Promise<boolean> {
    const resolution = resolutionOf(approval);
    const callback = this.#waiting.get(approval.id);
    if (callback === undefined || resolution === undefined) return false;
    this.#waiting.delete(approval.id);
    // Notified exactly once: recorded first, so that no other process notifies again.
    const { approvals } = this.#options.store.decisions;
    if (!(await approvals.recordNotification(approval.id, true))) return true;
    await this.notifyRequester({ ...approval, onResolution: callback }, resolution);
    return true;
  }

  /** Calls no registered handler of a decision of another node any more. */
  close(): void {
    for (const timer of this.#later) this.#options.timers.clearTimeout(timer);
    this.#later.clear();
  }

  async #hasOtherNodes(): Promise<boolean> {
    const { nodes } = this.#options.store;
    if (nodes.own === undefined) return false;
    return (await nodes.list()).some(({ nodeId, isLive }) => isLive && nodeId !== nodes.own);
  }

  /** Notifies registered handlers, unless the node whose call waits has notified its callback by then. */
  #notifyLater(id: string): void {
    const timer = withoutLease(() =>
      this.#options.timers.setTimeout(() => {
        this.#later.delete(timer);
        this.notifyPending(id).catch((error: unknown) =>
          this.#log(undefined, "the plugins of an approval decision were not notified", error),
        );
      }, CALLER_MS),
    );
    this.#later.add(timer);
  }

  /**
   * Notifies the plugin that requested approval in this process, even when no request was stored.
   * @param requester - plugin, and its callback if it has one
   * @param resolution - outcome
   */
  async notifyRequester(
    { pluginId, onResolution }: Requester,
    resolution: PluginApprovalResolution,
  ): Promise<void> {
    if (onResolution === undefined) return;
    try {
      await withDeadline(NOTIFY_MS, () => onResolution(resolution), this.#options.timers);
    } catch (error) {
      this.#log(pluginId, `onResolution of plugin "${pluginId}" failed`, error);
    }
  }

  /**
   * Notifies plugins of the outcomes that an earlier process did not report.
   * @param only - ID of a request; all when absent
   */
  async notifyPending(only?: string): Promise<void> {
    for (const {
      approval,
      attempts,
    } of await this.#options.store.decisions.approvals.unnotified()) {
      const resolution = resolutionOf(approval);
      if (resolution === undefined || this.#waiting.has(approval.id)) continue;
      if (only !== undefined && approval.id !== only) continue;
      await this.#notifyRegistered(approval, resolution, attempts);
    }
  }

  async #notifyRegistered(
    approval: Approval,
    decision: PluginApprovalResolution,
    attemptsBefore: number,
  ): Promise<void> {
    const { store, notifyPlugin } = this.#options;
    if (notifyPlugin === undefined) return;
    const { id, sessionKey, tool, decidedBy, pluginId = "", alsoRequestedBy } = approval;
    const { answer: input } = approval;
    const unnotified = new Set([pluginId, ...alsoRequestedBy]);
    for (let attempt = attemptsBefore + 1; attempt <= MOST_ATTEMPTS; attempt++) {
      for (const plugin of unnotified) {
        const resolved: ResolvedApproval = {
          id,
          sessionKey,
          pluginId: plugin,
          decision,
          ...defined({ tool, decidedBy, input }),
        };
        try {
          await withDeadline(NOTIFY_MS, () => notifyPlugin(resolved), this.#options.timers);
          unnotified.delete(plugin);
        } catch (error) {
          const times = `attempt ${attempt} of ${MOST_ATTEMPTS}`;
          this.#log(
            plugin,
            `plugin "${plugin}" failed to handle an approval decision (${times})`,
            error,
          );
        }
      }
      await store.decisions.approvals.recordNotification(
        id,
        unnotified.size === 0 || attempt === MOST_ATTEMPTS,
      );
      if (unnotified.size === 0) return;
    }
  }

  #log(pluginId: string | undefined, what: string, error: unknown): void {
    const fields = { code: "APPROVAL_RESOLUTION_FAILED", pluginId };
    this.#options.logger.error(`${what}: ${errorMessage(error)}`, fields);
  }
}

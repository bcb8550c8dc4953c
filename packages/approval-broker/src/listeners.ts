import type { Approval } from "@openclaw/store/decisions";

/** Called with an approval request. */
export type ApprovalListener = (approval: Approval) => void;

/** Listeners of one kind of change of approval requests. */
export class ApprovalListeners {
  readonly #listeners = new Set<ApprovalListener>();

  /**
   * Adds a listener.
   * @param listener - called for each change from now on
   * @returns function that removes it
   */
  add(listener: ApprovalListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Calls every listener, also when one of them removes another.
   * @param approval - request that changed
   */
  notify(approval: Approval): void {
    for (const listener of [...this.#listeners]) listener(approval);
  }
}

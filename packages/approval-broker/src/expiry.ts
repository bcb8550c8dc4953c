import type { BackgroundTasks, TaskSchedule } from "@openclaw/foundation";
import type { Store } from "@openclaw/store";
import type { Approval } from "@openclaw/store/decisions";
import type { ApprovalChanges } from "./changes.js";
import { ApprovalNotFoundError } from "./errors.js";
import { TIMEOUT_MS } from "./settings.js";

/** Maximum delay of a process timer, in milliseconds. */
const LONGEST_MS = 2_147_483_647;

/** Time in milliseconds for which a person at a terminal keeps a request from expiring. */
const HOLD_MS = 60_000;

/** Options of an {@link ApprovalExpiry}. */
export interface ApprovalExpiryOptions {
  /** Store whose clock decides. */
  readonly store: Store;
  /** Background tasks of the process. */
  readonly tasks: Pick<BackgroundTasks, "add">;
  /** Settles the expired requests. */
  expire(): Promise<unknown>;
  /** Handles an error of the store while the timer is set. */
  failed(error: unknown): void;
}

/** Background task for the approval request that expires next; pending requests use no other resource. */
export class ApprovalExpiry {
  readonly #options: ApprovalExpiryOptions;
  readonly #task: TaskSchedule;
  #work: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: ApprovalExpiryOptions) {
    this.#options = options;
    this.#task = options.tasks.add({ name: "approvals", isLocal: true, run: () => this.#due() });
  }

  /** Sets the timer for the request that expires next. Call it whenever a request was added. */
  arm(): void {
    this.#then(async () => {
      const wait = await this.#options.store.decisions.approvals.untilExpiry();
      if (wait === undefined || this.#closed) this.#task.cancel();
      else this.#task.in(Math.min(wait, LONGEST_MS));
    }).catch((error: unknown) => this.#options.failed(error));
  }

  /** Stops the timer; the next process settles the requests that expire after it. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#task.cancel();
    await this.#work;
  }

  async #due(): Promise<void> {
    const expired = this.#then(() => this.#options.expire());
    this.arm();
    await expired;
  }

  /** Does a work after the earlier ones; the next one does not wait for its success. */
  #then(work: () => Promise<unknown>): Promise<void> {
    const done = this.#work.then(async () => {
      if (!this.#closed) await work();
    });
    this.#work = done.catch(() => undefined);
    return done;
  }
}

/**
 * Keeps a pending request from expiring under a person who is reading it.
 * @param idOrCode - ID or code of the request
 * @param store - store of the requests
 * @param changes - tells of the later expiry
 * @returns the request, as it is when it is not pending
 * @throws ApprovalNotFoundError
 */
export async function holdRequest(
  idOrCode: string,
  store: Store,
  changes: Pick<ApprovalChanges, "announce" | "notify">,
): Promise<Approval> {
  const found = await store.decisions.approvals.get(idOrCode);
  if (found === undefined) throw new ApprovalNotFoundError(idOrCode);
  const isLater = (held: Approval | undefined) =>
    held !== undefined && held.expiresAt !== found.expiresAt;
  const held = await store.transaction(async (unit) => {
    const extended = await unit.decisions.approvals.extend(found.id, HOLD_MS, TIMEOUT_MS.most);
    if (isLater(extended)) changes.announce(unit, "updated", found.id);
    return extended;
  });
  if (held !== undefined && isLater(held)) changes.notify("updated", held);
  return held ?? found;
}

import { AsyncLocalStorage } from "node:async_hooks";
import type { Lease } from "./lease.js";

/**
 * Work that is done under a lease. Each of its transactions compares the lease before its commit, until the work has
 * ended; what the work left behind, such as a timer, is no longer bound to it.
 */
interface Fence {
  readonly holder: LeaseHolder;
  hasEnded: boolean;
}

/** Has the lease of its work; none while the work waits without it. */
export interface LeaseHolder {
  readonly lease: Lease | undefined;
}

const fences = new AsyncLocalStorage<Fence | undefined>();

/**
 * Does work whose transactions are rejected once another node has acquired its lease (SCALE-007).
 * @param holder - has the lease
 */
export async function underLease<Result>(
  holder: LeaseHolder,
  work: () => Promise<Result>,
): Promise<Result> {
  const fence: Fence = { holder, hasEnded: false };
  try {
    return await fences.run(fence, work);
  } finally {
    fence.hasEnded = true;
  }
}

/** Calls a function without the lease of its caller. */
export function withoutLease<Result>(call: () => Result): Result {
  return fences.run(undefined, call);
}

/** Returns the lease that a transaction has to compare. */
export function currentLease(): Lease | undefined {
  const fence = fences.getStore();
  return fence === undefined || fence.hasEnded ? undefined : fence.holder.lease;
}

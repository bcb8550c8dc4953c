import type { Store } from "@openclaw/store";
import type { TurnEvent } from "../context/event.js";
import type { RunningTurn, TurnState } from "../context/turn.js";
import type { TurnWrite, WaitingWrite } from "../context/turn-write.js";

/** Dependencies of the functions that commit writes. */
export interface WriteDependencies {
  readonly store: Store;
}

/**
 * Lets a write wait for the next one of the turn, with which it is committed in one transaction. Only for a step
 * that may share a commit with the next one (TURN-054); the end of a turn commits what still waits.
 */
export function deferWrite({ state }: Pick<RunningTurn, "state">, waiting: WaitingWrite): void {
  state.waitingWrites.push(waiting);
}

/**
 * Removes the waiting writes of a turn. They are made once: after a failure, their commit may have succeeded
 * all the same.
 * @returns their write, in their order, and the events to send when it is committed
 */
export function takeWaitingWrites(state: Pick<TurnState, "waitingWrites">): {
  write: TurnWrite<void>;
  committed: readonly TurnEvent[];
} {
  const waiting = state.waitingWrites.splice(0);
  return {
    async write(unit) {
      for (const each of waiting) await each.write(unit);
    },
    committed: waiting.flatMap(({ event }) => (event === undefined ? [] : [event])),
  };
}

/**
 * Commits a write of a turn in one transaction with those that wait for it, in their order.
 * @param transact - runs the transaction; default the store's own
 */
export async function commitWrite<Result>(
  { request, state, dependencies }: RunningTurn<WriteDependencies>,
  write: TurnWrite<Result>,
  transact: (write: TurnWrite<Result>) => Promise<Result> = (all) =>
    dependencies.store.transaction(all, { session: request.sessionKey }),
): Promise<Result> {
  const waiting = takeWaitingWrites(state);
  const result = await transact(async (unit) => {
    await waiting.write(unit);
    return await write(unit);
  });
  for (const event of waiting.committed) request.onEvent(event);
  return result;
}

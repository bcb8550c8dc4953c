import type { Store } from "@openclaw/store";
import type { TurnEvent } from "./event.js";

/** Writes of a turn, made in the transaction that they receive. */
export type TurnWrite<Result = unknown> = (unit: Store) => Promise<Result>;

/** A write that shares the transaction of the next one. */
export interface WaitingWrite {
  readonly write: TurnWrite;
  /** Event to send when it is committed. */
  readonly event?: TurnEvent | undefined;
}

import { effect, type Signal, signal } from "@preact/signals";
import { token } from "./credential.js";
import { type Fault, faultOf } from "./fault.js";
import { isLive, onOpened } from "./link.js";

/** Time in milliseconds after a change until the part is read, so that many changes cause one read. */
const SETTLE_MS = 300;

/** Part of the state of the gateway that a view shows while it is on the page. */
export interface Watched<Value> {
  /** Undefined before the first read. */
  readonly value: Signal<Value | undefined>;
  /** Failure of the last read, or of a change. */
  readonly fault: Signal<Fault | undefined>;
  /** Reads it now; a failure is kept as the fault. */
  load(): Promise<void>;
  /** Reads it after a change, unless no view shows it. */
  refresh(): void;
  /**
   * Does something, and reads the part again; a failure is kept as the fault.
   * @param act - changes the gateway
   * @returns result of `act`; undefined when it failed
   */
  change<Result>(act: () => Promise<Result>): Promise<Result | undefined>;
  /** Shows it in a view; returns what ends that. */
  show(): () => void;
}

/**
 * Makes a part of the state that is read while a view shows it, at each connection and after changes.
 * @param read - reads it; undefined while the view has chosen nothing
 */
export function watched<Value>(read: () => Promise<Value | undefined>): Watched<Value> {
  const value = signal<Value | undefined>(undefined);
  const fault = signal<Fault | undefined>(undefined);
  let views = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let newest = 0;
  let isReadFault = false;
  const load = async () => {
    clearTimeout(timer);
    timer = undefined;
    newest += 1;
    const own = newest;
    try {
      const found = await read();
      // A slow answer must not replace that of a newer read.
      if (own !== newest) return;
      value.value = found;
      // The failure of a change stays until the next change.
      if (isReadFault) fault.value = undefined;
    } catch (error) {
      if (own !== newest) return;
      isReadFault = true;
      fault.value = faultOf(error);
    }
  };
  const refresh = () => {
    // Changes that follow each other without a pause do not put the read off.
    if (views === 0 || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (views > 0 && isLive.peek()) void load();
    }, SETTLE_MS);
  };
  onOpened(() => {
    if (views > 0) void load();
  });
  effect(() => {
    if (token.value !== undefined) return;
    newest += 1;
    value.value = undefined;
    fault.value = undefined;
  });
  return {
    ...{ value, fault, load, refresh },
    async change(act) {
      try {
        const result = await act();
        fault.value = undefined;
        await load();
        return result;
      } catch (error) {
        isReadFault = false;
        fault.value = faultOf(error);
        return undefined;
      }
    },
    show() {
      views += 1;
      if (isLive.peek()) void load();
      return () => {
        views -= 1;
      };
    },
  };
}

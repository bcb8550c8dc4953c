import { PluginPollutionError } from "../errors.js";
import { type BuiltInChange, BuiltIns } from "./built-ins.js";

/** Time between two complete checks around calls that are frequent, in milliseconds. */
const SAMPLED_MS = 100;
/** Time for which a call that has not settled is thought to run code rather than to wait, in milliseconds. */
const SUSPECTED_MS = 10_000;
/** Time for which every call is checked completely after a change whose author is unknown, in milliseconds. */
const SUSPICIOUS_MS = 10 * 60_000;

/** Receives changes of built-in objects, after they were restored. */
export interface PollutionReceiver {
  /**
   * Called when a plugin changed built-in objects after it was loaded.
   * @param error - names the plugin and the changes
   */
  polluted(error: PluginPollutionError): void;
  /**
   * Called when it is not known who changed built-in objects.
   * @param changes - the changes
   * @param suspects - plugins that were in a call; none when it happened between calls, such as in a timer
   */
  pollutedByUnknown(changes: readonly string[], suspects: readonly string[]): void;
}

/** A plugin whose calls are watched. */
export interface WatchedCaller {
  readonly pluginId: string;
  readonly owner: PollutionReceiver;
  /**
   * Notes that the plugin changed built-in objects.
   * @param error - names the changes
   */
  blame(error: PluginPollutionError): void;
}

/** A call of a plugin that has not settled. */
export interface WatchedCall {
  readonly caller: WatchedCaller;
  /** True when all built-in objects are compared after its synchronous part. */
  readonly isThoroughAtReturn: boolean;
  /** True when all built-in objects are compared when it settles. */
  readonly isThoroughAtEnd: boolean;
  readonly startedAt: number;
}

/**
 * When all built-in objects are compared: `complete` before and after a call, `sampled` in some of the calls.
 * Imports and calls of `register` follow one another, so only what comes after them is checked. Every call is
 * checked for enumerable properties that all objects inherit.
 */
export type CheckDepth = "complete" | "sampled" | "import" | "register";

/**
 * Watches the built-in objects of the process, which all plugins share. A change is found when a call of a plugin
 * returns or settles, or when the next call begins; it is restored at once.
 */
class BuiltInsWatch {
  #builtIns: BuiltIns | undefined;
  readonly #pending = new Set<WatchedCall>();
  #checkedAt = Number.NEGATIVE_INFINITY;
  #suspiciousUntil = Number.NEGATIVE_INFINITY;

  /**
   * Begins a call of a plugin. The first call of the process takes the objects as they are.
   * @param caller - the plugin
   * @param check - depth of the comparison
   */
  enter(caller: WatchedCaller, check: CheckDepth): WatchedCall {
    const isThorough = check === "complete" || (check === "sampled" && this.#isDue());
    if (this.#builtIns === undefined) this.#builtIns = new BuiltIns();
    else this.#check(isThorough, caller, () => this.#suspects());
    const call = {
      caller,
      isThoroughAtReturn: isThorough || check === "register",
      isThoroughAtEnd: isThorough || check !== "sampled",
      startedAt: performance.now(),
    };
    this.#pending.add(call);
    return call;
  }

  /**
   * Checks after the synchronous part of a call, during which nothing else can have run.
   * @param call - a call that has not settled
   * @param isSettled - true ends the call
   */
  returned(call: WatchedCall, isSettled: boolean): void {
    if (isSettled) this.#pending.delete(call);
    this.#check(call.isThoroughAtReturn, call.caller, () => [call.caller]);
  }

  /**
   * Checks when a call has settled; every plugin that was in a call may have changed something.
   * @param call - a call that has returned
   */
  settled(call: WatchedCall): void {
    this.#check(call.isThoroughAtEnd, call.caller, () => this.#suspects());
    this.#pending.delete(call);
  }

  /**
   * Ends the calls of a plugin that the host has given up.
   * @param caller - the plugin
   */
  abandon(caller: WatchedCaller): void {
    for (const call of this.#pending) if (call.caller === caller) this.#pending.delete(call);
  }

  #suspects(): WatchedCaller[] {
    const since = performance.now() - SUSPECTED_MS;
    const calls = [...this.#pending].filter(({ startedAt }) => startedAt > since);
    return [...new Set(calls.map(({ caller }) => caller))];
  }

  #isDue(): boolean {
    const now = performance.now();
    if (now > this.#suspiciousUntil && now - this.#checkedAt < SAMPLED_MS) return false;
    this.#checkedAt = now;
    return true;
  }

  /** Restores what was changed, and names who may have done it. */
  #check(isThorough: boolean, { owner }: WatchedCaller, suspectsOf: () => WatchedCaller[]): void {
    const builtIns = this.#builtIns;
    if (builtIns === undefined || !(isThorough || builtIns.isPolluted())) return;
    const changes = builtIns.changes();
    if (changes.length === 0) return;
    const outcomes = restore(changes);
    // What cannot be restored is reported once.
    this.#builtIns = new BuiltIns();
    this.#accuse(suspectsOf(), owner, outcomes);
  }

  #accuse(
    suspects: readonly WatchedCaller[],
    owner: PollutionReceiver,
    changes: readonly string[],
  ): void {
    const [suspect] = suspects;
    if (suspects.length === 1 && suspect !== undefined) {
      suspect.blame(new PluginPollutionError(suspect.pluginId, changes));
      return;
    }
    this.#suspiciousUntil = performance.now() + SUSPICIOUS_MS;
    const owners = new Set(suspects.length === 0 ? [owner] : suspects.map((each) => each.owner));
    for (const each of owners) {
      each.pollutedByUnknown(
        changes,
        suspects.map(({ pluginId }) => pluginId),
      );
    }
  }
}

/** Calls nothing that may be among the changes before the last of them is restored. */
function restore(changes: readonly BuiltInChange[]): string[] {
  const restored: boolean[] = [];
  for (let index = 0; index < changes.length; index += 1) {
    restored[index] = changes[index]?.restore() ?? false;
  }
  return changes.map(
    ({ description }, index) =>
      `${description}${restored[index] === true ? "" : ", which cannot be undone before the next start"}`,
  );
}

/** The one of the process, as the built-in objects are. */
export const builtInsWatch = new BuiltInsWatch();

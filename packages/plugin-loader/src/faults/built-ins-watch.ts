import { PluginPollutionError } from "../errors.js";
import type { BuiltInChange } from "./built-in-change.js";
import { BuiltIns, type WatchedScope } from "./built-ins.js";

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
   * Called when it is not known who changed built-in objects: a plugin whose call had not settled, or code that ran
   * between calls, such as a timer of any plugin.
   * @param suspects - plugins whose call had not settled
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
  /** True when all built-in objects are compared before it, when it returns and when it settles. */
  readonly isThorough: boolean;
  readonly startedAt: number;
  /** True for a load while no call of another plugin was made or may have continued since it began. */
  isAlone: boolean;
}

/**
 * When all built-in objects are compared: `complete` before and after a call, `sampled` in some of the calls. An import
 * and a call of `register` are compared like `complete`, and answer for their asynchronous part too while they are
 * alone. Every call is checked for enumerable properties that all objects inherit.
 */
export type CheckDepth = "complete" | "sampled" | "import" | "register";

/**
 * Watches the built-in objects of the process, which all plugins share. A change is found when a call of a plugin
 * returns or settles, or when the next call begins; it is restored at once. Only what changed during the synchronous
 * part of a call is certainly by its plugin: a timer of any plugin can run between the other checks.
 */
class BuiltInsWatch {
  #builtIns: BuiltIns | undefined;
  #scope: WatchedScope = "language";
  readonly #pending = new Set<WatchedCall>();
  /** Number of thorough calls whose synchronous part has not ended. */
  #thoroughRunning = 0;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #suspiciousUntil = Number.NEGATIVE_INFINITY;

  /**
   * Also watches the globals of Node, the clock and the listeners of the process, as they are now. Only for a process
   * that serves one host: tests replace these.
   * @returns ends this watch
   */
  watchProcess(): () => void {
    this.#scope = "process";
    this.#builtIns = new BuiltIns(this.#scope);
    return () => {
      this.#scope = "language";
      this.#builtIns = undefined;
    };
  }

  /**
   * Compares all built-in objects between the calls of plugins, and restores what was changed.
   * @param owner - receives the changes when no plugin is in a call
   * @returns true when something was changed
   */
  check(owner: PollutionReceiver): boolean {
    const changes = this.#takeChanges(true);
    this.#reportUnknown(changes, owner);
    return changes.length > 0;
  }

  /**
   * Begins a call of a plugin. The first call of the process takes the objects as they are.
   * @param caller - the plugin
   * @param check - depth of the comparison
   */
  enter(caller: WatchedCaller, check: CheckDepth): WatchedCall {
    // What runs inside of a thorough call must leave no change that would be found after that call.
    const isThorough = check !== "sampled" || this.#thoroughRunning > 0 || this.#isDue();
    if (this.#builtIns === undefined) this.#builtIns = new BuiltIns(this.#scope);
    else this.#reportUnknown(this.#takeChanges(isThorough), caller.owner);
    for (const each of this.#pending) if (each.caller !== caller) each.isAlone = false;
    const isLoad = check === "import" || check === "register";
    const call = {
      caller,
      isThorough,
      isAlone: isLoad && this.#suspects().every((suspect) => suspect === caller),
      startedAt: performance.now(),
    };
    this.#pending.add(call);
    if (isThorough) this.#thoroughRunning += 1;
    return call;
  }

  /**
   * Checks after the synchronous part of a call, during which nothing else can have run.
   * @param call - a call that has not settled
   * @param isSettled - true ends the call
   */
  returned(call: WatchedCall, isSettled: boolean): void {
    const { caller, isThorough } = call;
    if (isThorough) this.#thoroughRunning -= 1;
    const changes = this.#takeChanges(isThorough);
    if (changes.length > 0) {
      // Without a complete comparison before the call, the others can be older than it.
      const isCertain = (change: RestoredChange) => isThorough || change.isInheritedByAll;
      blame(caller, changes.filter(isCertain));
      this.#reportUnknown(
        changes.filter((change) => !isCertain(change)),
        caller.owner,
      );
    }
    if (isSettled) this.#pending.delete(call);
  }

  /**
   * Checks when a call has settled. A load that was alone is blamed; otherwise any plugin that was in a call, or a
   * timer, may have changed something.
   * @param call - a call that has returned
   */
  settled(call: WatchedCall): void {
    const changes = this.#takeChanges(call.isThorough);
    if (call.isAlone) blame(call.caller, changes);
    else this.#reportUnknown(changes, call.caller.owner);
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

  /** Restores what was changed, and describes it. */
  #takeChanges(isThorough: boolean): readonly RestoredChange[] {
    const builtIns = this.#builtIns;
    if (builtIns === undefined || !(isThorough || builtIns.isPolluted())) return [];
    const changes = builtIns.changes();
    if (changes.length === 0) return [];
    const restored = restore(changes);
    // What cannot be restored is reported once.
    this.#builtIns = new BuiltIns(this.#scope);
    return restored;
  }

  #reportUnknown(changes: readonly RestoredChange[], owner: PollutionReceiver): void {
    if (changes.length === 0) return;
    this.#suspiciousUntil = performance.now() + SUSPICIOUS_MS;
    const suspects = this.#suspects();
    const owners = new Set(suspects.length === 0 ? [owner] : suspects.map((each) => each.owner));
    for (const each of owners) {
      each.pollutedByUnknown(
        changes.map(({ description }) => description),
        suspects.map(({ pluginId }) => pluginId),
      );
    }
  }
}

function blame(caller: WatchedCaller, changes: readonly RestoredChange[]): void {
  if (changes.length === 0) return;
  const descriptions = changes.map(({ description }) => description);
  caller.blame(new PluginPollutionError(caller.pluginId, descriptions));
}

type RestoredChange = Pick<BuiltInChange, "description" | "isInheritedByAll">;

/** Calls nothing that may be among the changes before the last of them is restored. */
function restore(changes: readonly BuiltInChange[]): RestoredChange[] {
  const restored: boolean[] = [];
  for (let index = 0; index < changes.length; index += 1) {
    restored[index] = changes[index]?.restore() ?? false;
  }
  return changes.map(({ description, isInheritedByAll }, index) => ({
    description: `${description}${restored[index] === true ? "" : ", which cannot be undone before the next start"}`,
    isInheritedByAll,
  }));
}

/** The one of the process, as the built-in objects are. */
export const builtInsWatch = new BuiltInsWatch();

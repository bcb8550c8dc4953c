import { PluginPollutionError } from "../errors.js";
import { type BuiltInChange, BuiltIns } from "./built-ins.js";

/** Time between two complete checks around calls that are frequent, in milliseconds. */
const SAMPLED_MS = 100;
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
  /** Number of its calls that have not settled; the watch counts them. */
  running: number;
  /**
   * Notes that the plugin changed built-in objects.
   * @param error - names the changes
   */
  blame(error: PluginPollutionError): void;
}

/**
 * Watches the built-in objects of the process, which all plugins share. A change is found when a call of a plugin
 * returns or settles, or when the next call begins; it is restored at once.
 */
class BuiltInsWatch {
  #builtIns: BuiltIns | undefined;
  /** Plugins with calls that have not settled. */
  readonly #running = new Set<WatchedCaller>();
  #checkedAt = Number.NEGATIVE_INFINITY;
  #suspiciousUntil = Number.NEGATIVE_INFINITY;

  /**
   * Begins a call of a plugin. The first call of the process takes the objects as they are.
   * @param scope - the plugin
   * @param isOften - true checks only some of such calls completely
   * @returns true when the call is checked completely
   */
  enter(scope: WatchedCaller, isOften: boolean): boolean {
    if (scope.running === 0) this.#running.add(scope);
    scope.running += 1;
    if (this.#builtIns === undefined) {
      this.#builtIns = new BuiltIns();
      return true;
    }
    const isThorough = !isOften || this.#isDue();
    const changes = this.#find(isThorough);
    if (changes.length > 0)
      this.#accuse(
        [...this.#running].filter((each) => each !== scope || scope.running > 1),
        scope.owner,
        changes,
      );
    return isThorough;
  }

  /**
   * Checks after the synchronous part of a call, during which nothing else can have run.
   * @param scope - the plugin
   * @param isThorough - as `enter` returned
   */
  returned(scope: WatchedCaller, isThorough: boolean): void {
    const changes = this.#find(isThorough);
    if (changes.length > 0) this.#accuse([scope], scope.owner, changes);
  }

  /**
   * Checks when a call has settled; every plugin that was in a call may have changed something.
   * @param scope - the plugin
   * @param isThorough - as `enter` returned
   */
  settled(scope: WatchedCaller, isThorough: boolean): void {
    const changes = this.#find(isThorough);
    if (changes.length > 0) this.#accuse([...this.#running], scope.owner, changes);
  }

  /**
   * Ends a call.
   * @param scope - the plugin
   */
  leave(scope: WatchedCaller): void {
    scope.running -= 1;
    if (scope.running === 0) this.#running.delete(scope);
  }

  #isDue(): boolean {
    const now = performance.now();
    if (now > this.#suspiciousUntil && now - this.#checkedAt < SAMPLED_MS) return false;
    this.#checkedAt = now;
    return true;
  }

  /** Returns the descriptions of what was changed, and restores it. */
  #find(isThorough: boolean): string[] {
    const builtIns = this.#builtIns;
    if (builtIns === undefined || !(isThorough || builtIns.isPolluted())) return [];
    const changes = builtIns.changes();
    if (changes.length === 0) return [];
    const outcomes = restore(changes);
    // What cannot be restored is reported once.
    this.#builtIns = new BuiltIns();
    return outcomes;
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

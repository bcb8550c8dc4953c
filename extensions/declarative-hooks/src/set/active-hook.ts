import type { ConfiguredHookCounts } from "@openclaw/plugin-sdk/hooks";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { HookDefinition } from "../definition/definition.js";
import { block, type Outcome } from "../definition/outcome.js";
import { HookActionError } from "../errors.js";
import type { HookInput } from "../points/input.js";
import { isToolCall, type PointName } from "../points/point.js";

/** Number of runs that are kept. */
const KEPT_RUNS = 20;

/**
 * Runs the action of a hook.
 * @param input - the event
 * @param signal - returns the signal that aborts at the deadline; created only when it is used
 */
export type RunAction = (input: HookInput, signal: () => AbortSignal) => Outcome | Promise<Outcome>;

interface Run {
  readonly at: number;
  readonly point: PointName;
  readonly outcome: "continue" | "modify" | "ask" | "block" | "error";
  readonly durationMs: number;
  readonly reason?: string;
}

/** Hook that runs, with its numbers and its last runs. */
export class ActiveHook {
  readonly definition: HookDefinition;
  /** Reason why its action may not run now, so that it stops its events; undefined when it may. */
  withheld: string | undefined;
  readonly #run: RunAction;
  readonly #warn: (message: string) => void;
  readonly #ignored = new Set<string>();
  readonly #runs: Run[] = [];
  #matched = 0;
  #modified = 0;
  #blocked = 0;
  #failed = 0;

  /** @param warn - receives what the hook does without an effect, once for each kind */
  constructor(definition: HookDefinition, run: RunAction, warn: (message: string) => void) {
    this.definition = definition;
    this.#run = run;
    this.#warn = warn;
  }

  get counts(): ConfiguredHookCounts {
    return {
      matched: this.#matched,
      modified: this.#modified,
      blocked: this.#blocked,
      failed: this.#failed,
    };
  }

  /** The last runs, newest first. */
  get runs(): readonly JsonObject[] {
    return this.#runs.toReversed().map(({ at, ...run }) => ({
      at: new Date(at).toISOString(),
      ...run,
    }));
  }

  /** Outcomes that had no effect, as sentences. */
  get ignored(): readonly string[] {
    return [...this.#ignored];
  }

  /**
   * Runs the action with an event that passed the filter. An inline action answers at once.
   * @param input - the event
   * @param signal - returns the signal that aborts at the deadline
   * @throws HookActionError while the action may not run, where the reason is not shown
   */
  run(input: HookInput, signal: () => AbortSignal): Outcome | Promise<Outcome> {
    this.#matched += 1;
    const began = performance.now();
    let outcome: Outcome | Promise<Outcome>;
    try {
      const stopped = this.#stopped(input.point);
      if (stopped !== undefined) return this.#note(input.point, began, stopped);
      outcome = this.#run(input, signal);
    } catch (error) {
      throw this.#fail(input.point, began, error);
    }
    if (!(outcome instanceof Promise)) return this.#note(input.point, began, outcome);
    return outcome.then(
      (ended) => this.#note(input.point, began, ended),
      (error: unknown) => {
        throw this.#fail(input.point, began, error);
      },
    );
  }

  /**
   * Reports an outcome that the point does not have (DHOOK-005, DHOOK-006).
   * @param point - point of the event
   * @param action - decision of the hook
   */
  ignore(point: PointName, action: "modify" | "ask" | "block"): void {
    const message = `hook "${this.definition.name}" answered ${action} at ${point}, where it has no effect`;
    if (this.#ignored.has(message)) return;
    this.#ignored.add(message);
    this.#warn(message);
  }

  /** Tells model and operator the reason; a sender, who may be anyone, is not told about files of the operator. */
  #stopped(point: PointName): Outcome | undefined {
    const { withheld, definition } = this;
    if (withheld === undefined) return undefined;
    if (isToolCall(point) || point === "beforeOutbound") return block(withheld);
    throw new HookActionError(definition.name, withheld);
  }

  #note(point: PointName, began: number, outcome: Outcome): Outcome {
    const { action } = outcome;
    if (action === "modify") this.#modified += 1;
    if (action === "block") this.#blocked += 1;
    this.#keep({
      ...{ at: Date.now(), point, outcome: action, durationMs: elapsed(began) },
      ...("reason" in outcome ? { reason: outcome.reason } : {}),
    });
    return outcome;
  }

  #fail(point: PointName, began: number, error: unknown): unknown {
    this.#failed += 1;
    const reason = errorMessage(error);
    this.#keep({ at: Date.now(), point, outcome: "error", durationMs: elapsed(began), reason });
    return error;
  }

  #keep(run: Run): void {
    this.#runs.push(run);
    if (this.#runs.length > KEPT_RUNS) this.#runs.shift();
  }
}

function elapsed(began: number): number {
  return Math.round((performance.now() - began) * 1000) / 1000;
}

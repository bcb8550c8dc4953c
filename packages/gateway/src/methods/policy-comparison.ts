import { setImmediate as nextTurn } from "node:timers/promises";
import { defined } from "@openclaw/foundation";
import type { PolicyComparison, PolicyFlipSample, PolicyFlips } from "@openclaw/protocol";
import type { Store } from "@openclaw/store";
import type { PolicyDecisionRow } from "@openclaw/store/decisions";
import type { Policy } from "@openclaw/tool-policy";
import { recordedDecider, recordedQuery } from "./recorded-decision.js";

/** Maximum number of samples per tool. */
const MAXIMUM_SAMPLES = 5;
const PAGE = 1000;

/** Selection of recorded calls. */
export interface ComparedCalls {
  readonly sessionKey?: string;
  readonly agentId?: string;
  /** Milliseconds since the epoch. */
  readonly since?: number;
}

/** Run of a comparison. */
export interface ComparisonJob {
  /** Aborts the comparison. */
  readonly signal: AbortSignal;
  /**
   * Called at the beginning and after each part.
   * @param progress - number of recorded decisions that were compared, and of all
   */
  onProgress(progress: { readonly compared: number; readonly total: number }): void;
}

/**
 * Evaluates recorded tool calls with a candidate policy, and compares the results with the recorded
 * decisions. Nothing is executed or written (POL-034). Other work runs between the parts (POL-036).
 * @param candidate - policy to compare
 * @param calls - selection of calls
 * @param store - store with the policy log
 * @param job - abort signal and receiver of the progress
 * @throws the reason of the signal when it aborts
 */
export async function comparePolicy(
  candidate: Policy,
  calls: ComparedCalls,
  { decisions: { policy: policyDecisions } }: Pick<Store, "decisions">,
  { signal, onProgress }: ComparisonJob,
): Promise<PolicyComparison> {
  const comparison = new Comparison(candidate);
  const total = await policyDecisions.count(calls);
  let compared = 0;
  let afterPosition = 0;
  for (;;) {
    signal.throwIfAborted();
    onProgress({ compared, total: Math.max(compared, total) });
    const page = await policyDecisions.list({ ...calls, afterPosition, limit: PAGE });
    for (const row of page) comparison.take(row);
    compared += page.length;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) {
      onProgress({ compared, total: compared });
      return comparison.result();
    }
    afterPosition = last.position;
    // An embedded store answers without a turn of the event loop.
    await nextTurn();
  }
}

/** Call that two policies may have evaluated: that of the turn's start and the one current at the call. */
interface EvaluatedCall {
  readonly row: PolicyDecisionRow;
  readonly allowed: boolean;
}

class Comparison {
  readonly #candidate: Policy;
  readonly #tools = new Map<string, PolicyFlips>();
  readonly #totals = { calls: 0, allowed: 0, denied: 0, allowToDeny: 0, denyToAllow: 0 };
  #from: number | undefined;
  /** Call that is being read; its decisions are next to each other in the log. */
  #pending: EvaluatedCall | undefined;

  constructor(candidate: Policy) {
    this.#candidate = candidate;
  }

  take(row: PolicyDecisionRow): void {
    const pending = this.#pending?.row;
    const sameCall = pending?.runId === row.runId && pending.toolCallId === row.toolCallId;
    if (!sameCall) this.#settle();
    // Of two policies the stricter one decided (POL-045).
    if (!sameCall || !row.allowed) this.#pending = { row, allowed: row.allowed };
  }

  result(): PolicyComparison {
    this.#settle();
    const tools = [...this.#tools.values()].sort((one, other) => (one.tool < other.tool ? -1 : 1));
    return { ...this.#totals, ...defined({ from: this.#from }), tools };
  }

  #settle(): void {
    const call = this.#pending;
    this.#pending = undefined;
    if (call === undefined) return;
    const { row, allowed } = call;
    const totals = this.#totals;
    this.#from ??= row.at;
    totals.calls += 1;
    totals[allowed ? "allowed" : "denied"] += 1;
    const { tool, context } = recordedQuery(row);
    const after = this.#candidate.decide(tool, context);
    if (after.allowed === allowed) return;
    const direction = allowed ? "allowToDeny" : "denyToAllow";
    totals[direction] += 1;
    const flips = this.#tools.get(row.tool) ?? {
      tool: row.tool,
      allowToDeny: 0,
      denyToAllow: 0,
      samples: [],
    };
    const { runId, toolCallId, at } = row;
    const before = recordedDecider(row);
    const sample: PolicyFlipSample = { runId, toolCallId, at, before, after: after.decidedBy };
    this.#tools.set(row.tool, {
      ...flips,
      [direction]: flips[direction] + 1,
      samples: [...flips.samples, sample].slice(-MAXIMUM_SAMPLES),
    });
  }
}

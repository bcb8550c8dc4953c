import type { Usage } from "@openclaw/plugin-sdk/tools";
import { preparedQuery } from "../database/prepared-query.js";
import { encodeOptionalText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowDataError } from "../errors.js";
import { TokenTotalTable } from "../sessions/token-totals.js";
import { type SpendingLimit, type SpentLimit, spentOf } from "./limit.js";
import {
  fittingCalls,
  type SpendingFilter,
  type SpendingQuery,
  type SpendingSum,
  sumSpending,
} from "./sums.js";

/** A call of a model. */
export interface SpendingCall {
  /** ID of the call. */
  readonly callId: string;
  /** Run that made the call; absent for one that no turn made. */
  readonly runId?: string | undefined;
  readonly sessionKey?: string | undefined;
  /** Incarnation of the session. */
  readonly sessionId?: string | undefined;
  readonly agentId: string;
  /** Job for which the call is made. */
  readonly jobId?: string | undefined;
  readonly provider: string;
  readonly model: string;
}

/** Tokens and cost of a call. */
export interface SpentAmount {
  /** Tokens; missing counts are 0. */
  readonly usage: Usage;
  /** Picodollars. */
  readonly cost: bigint;
  /** True when the price or the number of tokens is an estimate. */
  readonly isEstimated: boolean;
}

/** Reservation of a call. */
export interface SpendingReservation {
  /** Estimated cost in picodollars. */
  readonly estimate: bigint;
  /** Milliseconds after which the reservation of a process that stopped no longer counts. */
  readonly expiresInMs: number;
  /**
   * Returns the limits that apply.
   * @param now - time of the database, in milliseconds since the epoch
   */
  limits(now: number): readonly SpendingLimit[];
}

/** Outcome of a reservation, with what was used before it. */
export interface ReservedSpending {
  /** The first limit that the call would exceed; then nothing was reserved. */
  readonly exceeded?: SpentLimit | undefined;
  readonly limits: readonly SpentLimit[];
  /** Time of the database, in milliseconds since the epoch. */
  readonly now: number;
}

/** Calls of models, what they cost, and the limits of that cost. */
export interface Spending {
  /**
   * Reserves the estimated cost of a call if it fits into every limit. Hosts that share a database reserve one after
   * the other, so that together they do not exceed a limit (LLM-031).
   * @param call - call that is about to be made
   * @param reservation - estimate and limits
   */
  reserve(call: SpendingCall, reservation: SpendingReservation): Promise<ReservedSpending>;
  /**
   * Stores tokens and cost of a call, instead of its reservation if there is one; call it in the transaction that stores the
   * reply.
   * @throws RowDataError when the cost cannot be stored exactly
   */
  record(call: SpendingCall, spent: SpentAmount): Promise<void>;
  /** Removes the reservation of a call that used nothing. */
  release(callId: string): Promise<void>;
  /** Returns how much of each limit is used or reserved. */
  spent(limits: (now: number) => readonly SpendingLimit[]): Promise<readonly SpentLimit[]>;
  /**
   * Returns the sums of the settled calls of a period, by group.
   * @param query - period, filter and group
   */
  sums(query: SpendingQuery): Promise<readonly SpendingSum[]>;
  /**
   * Returns those of some settled calls that a filter selects.
   * @param filter - values that the calls have
   */
  fitting(callIds: readonly string[], filter: SpendingFilter): Promise<ReadonlySet<string>>;
}

/** The spending of a database or transaction. */
export class SpendingTable implements Spending {
  readonly #unit: UnitOfWork;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async reserve(
    call: SpendingCall,
    { estimate, expiresInMs, limits }: SpendingReservation,
  ): Promise<ReservedSpending> {
    return await this.#unit.atomic(async (unit) => {
      const now = await unit.clock();
      const states: SpentLimit[] = [];
      for (const limit of limits(now)) states.push(await spentOf(unit, limit, now));
      const exceeded = states.find((state) => isExceeded(state, estimate));
      if (exceeded !== undefined) return { exceeded, limits: states, now };
      await unit
        .query()
        .insertInto("model_calls")
        .values({
          ...columnsOf(call),
          ...amounts({ usage: {}, cost: estimate, isEstimated: true }, call.callId),
          created_at: now,
          expires_at: now + expiresInMs,
        })
        .execute();
      return { limits: states, now };
    });
  }

  async record(call: SpendingCall, spent: SpentAmount): Promise<void> {
    await this.#unit.atomic(async (unit) => {
      const now = unit.now();
      const row = {
        ...columnsOf(call),
        ...amounts(spent, call.callId),
        created_at: now,
        settled_at: now,
      };
      await recordCall(unit, row);
      const { input = 0, output = 0, total = input + output } = spent.usage;
      if (total === 0 && row.cost === 0) return;
      await new TokenTotalTable(unit).add(call, total, row.cost);
    });
  }

  async release(callId: string): Promise<void> {
    await this.#unit
      .query()
      .deleteFrom("model_calls")
      .where("call_id", "=", encodeText(callId))
      .where("settled_at", "is", null)
      .execute();
  }

  async spent(limits: (now: number) => readonly SpendingLimit[]): Promise<readonly SpentLimit[]> {
    return await this.#unit.atomic(async (unit) => {
      const now = await unit.clock();
      const states: SpentLimit[] = [];
      for (const limit of limits(now)) states.push(await spentOf(unit, limit, now));
      return states;
    });
  }

  async sums(query: SpendingQuery): Promise<readonly SpendingSum[]> {
    return await sumSpending(this.#unit, query);
  }

  async fitting(callIds: readonly string[], filter: SpendingFilter): Promise<ReadonlySet<string>> {
    return await fittingCalls(this.#unit, callIds, filter);
  }
}

function isExceeded(spent: SpentLimit, estimate: bigint): boolean {
  return spent.limit.unit === "cost"
    ? BigInt(spent.used) + estimate > spent.limit.maximum
    : spent.used >= spent.limit.maximum;
}

function columnsOf(call: SpendingCall) {
  return {
    call_id: encodeText(call.callId),
    run_id: encodeOptionalText(call.runId),
    session_key: encodeOptionalText(call.sessionKey),
    session_id: encodeOptionalText(call.sessionId),
    agent_id: encodeText(call.agentId),
    job_id: encodeOptionalText(call.jobId),
    provider: encodeText(call.provider),
    model: encodeText(call.model),
  };
}

function amounts({ usage, cost, isEstimated }: SpentAmount, callId: string) {
  if (cost < 0n || cost > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new RowDataError(
      `spending: the call ${callId} cost ${cost} picodollars, expected at most ${Number.MAX_SAFE_INTEGER}; check the prices in models.known`,
    );
  }
  return {
    input: usage.input ?? 0,
    output: usage.output ?? 0,
    cache_read: usage.cacheRead ?? 0,
    cache_write: usage.cacheWrite ?? 0,
    reasoning: usage.reasoning ?? 0,
    cost: Number(cost),
    is_estimated: isEstimated ? 1 : 0,
  };
}

type RecordedRow = ReturnType<typeof columnsOf> &
  ReturnType<typeof amounts> & { readonly created_at: number; readonly settled_at: number };

const recordCall = preparedQuery<RecordedRow, unknown>((query, parameter) =>
  query
    .insertInto("model_calls")
    .values({
      call_id: parameter("call_id"),
      run_id: parameter("run_id"),
      session_key: parameter("session_key"),
      session_id: parameter("session_id"),
      agent_id: parameter("agent_id"),
      job_id: parameter("job_id"),
      provider: parameter("provider"),
      model: parameter("model"),
      input: parameter("input"),
      output: parameter("output"),
      cache_read: parameter("cache_read"),
      cache_write: parameter("cache_write"),
      reasoning: parameter("reasoning"),
      cost: parameter("cost"),
      is_estimated: parameter("is_estimated"),
      created_at: parameter("created_at"),
      settled_at: parameter("settled_at"),
    })
    .onConflict((conflict) =>
      conflict.column("call_id").doUpdateSet((column) => ({
        // The model that answered may be another one than the reservation names.
        provider: column.ref("excluded.provider"),
        model: column.ref("excluded.model"),
        input: column.ref("excluded.input"),
        output: column.ref("excluded.output"),
        cache_read: column.ref("excluded.cache_read"),
        cache_write: column.ref("excluded.cache_write"),
        reasoning: column.ref("excluded.reasoning"),
        cost: column.ref("excluded.cost"),
        is_estimated: column.ref("excluded.is_estimated"),
        settled_at: column.ref("excluded.settled_at"),
        expires_at: null,
      })),
    ),
);

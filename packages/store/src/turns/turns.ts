import type { JsonObject, Usage } from "@openclaw/plugin-sdk/tools";
import { type Selectable, sql } from "kysely";
import { type ErrorRecord, isErrorRecord } from "../database/error-record.js";
import {
  isJsonObject,
  readOptionalJson,
  readWord,
  writeOptionalJson,
} from "../database/json-column.js";
import {
  decodeOptionalText,
  decodeText,
  encodeOptionalText,
  encodeText,
} from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowConstraintError, RowNotFoundError, RowStateError } from "../errors.js";
import { emptyMessages } from "../messages/emptied.js";
import { endTurn, insertTurn, nextTurn, resumeTurn, startTurn, UNFINISHED } from "./queries.js";
import type { TurnColumns } from "./schema.js";
import { isUsage } from "./usage.js";

const TURN_TRIGGERS = ["user", "cron", "heartbeat", "subagent", "api", "resume", "job"] as const;
const TURN_ENDS = ["completed", "failed", "interrupted", "blocked"] as const;
/** Every state of a turn. */
export const TURN_STATES = [...UNFINISHED, ...TURN_ENDS] as const;

/** Trigger of a turn. */
export type TurnTrigger = (typeof TURN_TRIGGERS)[number];

/** Final state of a turn. */
export type TurnEnd = (typeof TURN_ENDS)[number];

/** State of a turn. */
export type TurnState = (typeof TURN_STATES)[number];

/** Error that made a turn fail. */
export interface TurnError extends ErrorRecord {
  /** The stage of the turn that failed. */
  readonly stage: string;
}

/** A turn about to be queued. */
export interface NewTurn {
  readonly runId: string;
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly agentId: string;
  /** The message that the turn answers. */
  readonly inboxId: string;
  readonly trigger: TurnTrigger;
  /**
   * Data that the host needs to run the turn after a restart, for example the rewritten content and
   * the route. The store does not interpret it and deletes it when the turn ends.
   */
  readonly payload?: JsonObject | undefined;
}

/** Settings of {@link Turns.enqueue}. */
export interface EnqueueOptions {
  /** Stores the turn as running instead of queued: the caller begins it at once. */
  readonly hasBegun?: boolean | undefined;
}

/** A stored turn. Times are milliseconds since the epoch. */
export interface Turn extends NewTurn {
  readonly state: TurnState;
  /** Number of times the turn was started. */
  readonly attempts: number;
  readonly queuedAt: number;
  /** Time of the last start. */
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  readonly stopReason?: string | undefined;
  readonly error?: TurnError | undefined;
  readonly usage?: Usage | undefined;
}

/** Outcome of a turn. */
export interface TurnOutcome {
  readonly state: TurnEnd;
  readonly stopReason?: string | undefined;
  readonly error?: TurnError | undefined;
  readonly usage?: Usage | undefined;
}

/** The oldest turn of a session that has not ended. */
export interface NextTurn {
  readonly runId: string;
  /** Node that answers for it. */
  readonly nodeId: string | undefined;
}

/** Turns of agents, from queued to ended. */
export interface Turns {
  /**
   * Adds a turn, in state `queued` unless it has begun; call it in the transaction that settles its message as
   * `queued`.
   * @throws RowStateError when the run id is taken
   * @throws RowNotFoundError when its message, session or incarnation does not exist
   */
  enqueue(turn: NewTurn, options?: EnqueueOptions): Promise<Turn>;
  /**
   * Marks a turn as running.
   * @param options - `resume` also accepts a turn that was running when its process ended, and one
   *   that waits for an approval
   * @throws RowNotFoundError when the turn does not exist
   * @throws RowStateError when it has ended, or is running or waiting and `resume` is not true
   */
  begin(runId: string, options?: { resume?: boolean | undefined }): Promise<Turn>;
  /**
   * Marks a running turn as waiting for an approval; it uses no resources while it waits
   * (APPR-012).
   * @throws RowNotFoundError when the turn does not exist
   * @throws RowStateError when it is not running
   */
  pause(runId: string): Promise<Turn>;
  /**
   * Ends a turn that is queued, running or waiting. For a `blocked` turn, also empties the text of
   * its messages (TURN-024).
   * @throws RowNotFoundError when the turn does not exist
   * @throws RowStateError when it has already ended
   */
  finish(runId: string, outcome: TurnOutcome): Promise<Turn>;
  /**
   * Erases the text of the user: in the messages of a turn, and in the turn's own copy (TURN-024).
   * Call it in the transaction that writes the replacement.
   */
  eraseText(runId: string): Promise<void>;
  /**
   * Replaces the payload of a queued turn that has not started.
   * @returns undefined when it has started or ended, or does not exist
   */
  amend(runId: string, payload: JsonObject): Promise<Turn | undefined>;
  /** Returns the turn with a run id. */
  get(runId: string): Promise<Turn | undefined>;
  /**
   * Returns the turn of an incarnation that was queued last.
   * @param sessionId - incarnation of the session
   */
  last(sessionId: string): Promise<Turn | undefined>;
  /** Returns every turn that has not ended, in the order in which their messages were committed. */
  unfinished(): Promise<readonly Turn[]>;
  /** Returns those of {@link Turns.unfinished} for which this node answers. */
  left(): Promise<readonly Turn[]>;
  /**
   * Returns the turn of a session that runs next, or runs: the oldest that has not ended.
   * @param sessionKey - full key of the session
   */
  next(sessionKey: string): Promise<NextTurn | undefined>;
}

/** The turns of a database or transaction. */
export class TurnTable implements Turns {
  readonly #unit: UnitOfWork;

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async enqueue(turn: NewTurn, { hasBegun = false }: EnqueueOptions = {}): Promise<Turn> {
    const now = this.#unit.now();
    const { runId, inboxId, sessionKey, sessionId } = turn;
    const call = `turns.enqueue(${runId})`;
    const [queued] = await insertTurn(this.#unit, {
      run_id: encodeText(runId),
      inbox_id: encodeText(inboxId),
      session_key: encodeText(sessionKey),
      session_id: encodeText(sessionId),
      agent_id: encodeText(turn.agentId),
      triggered_by: turn.trigger,
      payload: writeOptionalJson(turn.payload, "turns.payload", runId),
      state: hasBegun ? "running" : "queued",
      attempts: hasBegun ? 1 : 0,
      queued_at: now,
      started_at: hasBegun ? now : null,
    }).catch((error: unknown) => {
      if (!RowConstraintError.isInstance(error) || error.constraint !== "foreign-key") {
        throw error;
      }
      const missing = `message ${inboxId}, session ${sessionKey} or its incarnation ${sessionId}`;
      throw new RowNotFoundError(call, missing, "accept the message and open the session first");
    });
    if (queued !== undefined) return toTurn(queued);
    throw new RowStateError(call, "present", "absent", "give each turn its own run id");
  }

  async begin(
    runId: string,
    { resume = false }: { resume?: boolean | undefined } = {},
  ): Promise<Turn> {
    const beginTurn = resume ? resumeTurn : startTurn;
    const [begun] = await beginTurn(this.#unit, {
      run_id: encodeText(runId),
      started_at: this.#unit.now(),
    });
    if (begun !== undefined) return toTurn(begun);
    return await refuse(
      `turns.begin(${runId})`,
      runId,
      resume ? "queued, running or awaiting_approval" : "queued",
      this.#unit,
    );
  }

  async pause(runId: string): Promise<Turn> {
    const paused = await this.#unit
      .query()
      .updateTable("turns")
      .set({ state: "awaiting_approval" })
      .where("run_id", "=", encodeText(runId))
      .where("state", "=", "running")
      .returningAll()
      .executeTakeFirst();
    if (paused !== undefined) return toTurn(paused);
    return await refuse(`turns.pause(${runId})`, runId, "running", this.#unit);
  }

  async finish(runId: string, outcome: TurnOutcome): Promise<Turn> {
    return await this.#unit.atomic(async (unit) => {
      const [ended] = await endTurn(unit, {
        run_id: encodeText(runId),
        state: outcome.state,
        ended_at: unit.now(),
        stop_reason: encodeOptionalText(outcome.stopReason),
        error: writeOptionalJson(outcome.error, "turns.error", runId),
        usage: writeOptionalJson(outcome.usage, "turns.usage", runId),
      });
      if (ended === undefined) {
        return await refuse(`turns.finish(${runId})`, runId, "queued or running", unit);
      }
      if (outcome.state === "blocked") await emptyMessagesOf(ended, unit);
      return toTurn(ended);
    });
  }

  async eraseText(runId: string): Promise<void> {
    await this.#unit.atomic(async (unit) => {
      const turn = await unit
        .query()
        .updateTable("turns")
        .set({ payload: null })
        .where("run_id", "=", encodeText(runId))
        .returning(["run_id", "inbox_id"])
        .executeTakeFirst();
      if (turn !== undefined) await emptyMessagesOf(turn, unit);
    });
  }

  async amend(runId: string, payload: JsonObject): Promise<Turn | undefined> {
    const amended = await this.#unit
      .query()
      .updateTable("turns")
      .set({ payload: writeOptionalJson(payload, "turns.payload", runId) })
      .where("run_id", "=", encodeText(runId))
      .where("state", "=", "queued")
      .returningAll()
      .executeTakeFirst();
    return amended === undefined ? undefined : toTurn(amended);
  }

  async get(runId: string): Promise<Turn | undefined> {
    return await findTurn(runId, this.#unit);
  }

  async last(sessionId: string): Promise<Turn | undefined> {
    const row = await this.#unit
      .query()
      .selectFrom("turns")
      .selectAll()
      .where("session_id", "=", encodeText(sessionId))
      .orderBy("queued_at", "desc")
      .orderBy("run_id", "desc")
      .limit(1)
      .executeTakeFirst();
    return row === undefined ? undefined : toTurn(row);
  }

  async unfinished(): Promise<readonly Turn[]> {
    return (await this.#unfinished().execute()).map(toTurn);
  }

  async left(): Promise<readonly Turn[]> {
    const { nodeId } = this.#unit;
    const query = this.#unfinished();
    const left = nodeId === undefined ? query : query.where("inbox.node_id", "=", nodeId);
    return (await left.execute()).map(toTurn);
  }

  async next(sessionKey: string): Promise<NextTurn | undefined> {
    const [row] = await nextTurn(this.#unit, { session_key: encodeText(sessionKey) });
    return row && { runId: decodeText(row.run_id), nodeId: row.node_id ?? undefined };
  }

  #unfinished() {
    return (
      this.#unit
        .query()
        .selectFrom("turns")
        .innerJoin("inbox", "inbox.id", "turns.inbox_id")
        .selectAll("turns")
        // Literals, not parameters, so that the planner can use the partial index.
        .where(
          "turns.state",
          "in",
          UNFINISHED.map((state) => sql.lit(state)),
        )
        .orderBy("inbox.position")
    );
  }
}

/** Throws the error that explains why a turn could not be changed. */
async function refuse(
  call: string,
  runId: string,
  expected: string,
  unit: UnitOfWork,
): Promise<never> {
  const turn = await findTurn(runId, unit);
  if (turn === undefined) throw new RowNotFoundError(call, "the turn", "enqueue it first");
  const nextStep =
    turn.state === "running"
      ? "it is already running; pass { resume: true } only to resume it after a restart"
      : "a turn ends only once; enqueue a new one";
  throw new RowStateError(call, turn.state, expected, nextStep);
}

async function findTurn(runId: string, unit: UnitOfWork): Promise<Turn | undefined> {
  const row = await unit
    .query()
    .selectFrom("turns")
    .selectAll()
    .where("run_id", "=", encodeText(runId))
    .executeTakeFirst();
  return row === undefined ? undefined : toTurn(row);
}

/** Empties the message that started a turn, and those that were merged into it before it ran. */
async function emptyMessagesOf(
  { run_id, inbox_id }: Pick<TurnColumns, "run_id" | "inbox_id">,
  unit: UnitOfWork,
): Promise<void> {
  await emptyMessages((eb) => eb.or([eb("id", "=", inbox_id), eb("run_id", "=", run_id)]), unit);
}

/** Returns a turn from its row. */
export function toTurn(row: Selectable<TurnColumns>): Turn {
  const runId = decodeText(row.run_id);
  return {
    runId,
    sessionKey: decodeText(row.session_key),
    sessionId: decodeText(row.session_id),
    agentId: decodeText(row.agent_id),
    inboxId: decodeText(row.inbox_id),
    trigger: readWord(row.triggered_by, TURN_TRIGGERS, "turns.triggered_by", runId),
    payload: readOptionalJson(row.payload, isJsonObject, "turns.payload", runId),
    state: readWord(row.state, TURN_STATES, "turns.state", runId),
    attempts: row.attempts,
    queuedAt: row.queued_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    stopReason: decodeOptionalText(row.stop_reason),
    error: readOptionalJson(row.error, isTurnError, "turns.error", runId),
    usage: readOptionalJson(row.usage, isUsage, "turns.usage", runId),
  };
}

function isTurnError(value: unknown): value is TurnError {
  return isErrorRecord(value) && "stage" in value && typeof value.stage === "string";
}

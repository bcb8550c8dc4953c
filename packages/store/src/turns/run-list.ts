import { sql } from "kysely";
import { requireLimit } from "../database/row-limit.js";
import { decodeOptionalText, decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { readStep } from "./stored-steps.js";
import { type Turn, type TurnState, toTurn } from "./turns.js";

/** Number of newest steps of a run that has not ended. */
const RECENT_STEPS = 40;
/** Number of characters of the message of a run. */
const TEXT_LENGTH = 200;

/** Filter and length of a list of runs. */
export interface RunListQuery {
  /** Maximum number of runs. */
  readonly limit: number;
  readonly states: readonly TurnState[];
  readonly sessionKey?: string | undefined;
  /** Selects only runs that were queued at or after this time, in milliseconds since the epoch. */
  readonly from?: number | undefined;
  /** Selects only runs after this position of the list. */
  readonly after?: RunCursor | undefined;
}

/** Position in the list of runs. */
type RunCursor = Pick<Turn, "queuedAt" | "runId">;

/** Step of a run that has not ended. */
export interface RunStep {
  /** Kind of the step in the journal. */
  readonly kind: string;
  /** Tool or model of the step. */
  readonly name?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Run with what a person is told about it. */
export interface ListedRun extends Omit<Turn, "payload"> {
  /** Channel of the message that it answers. */
  readonly channel: string;
  /** Beginning of that message; empty when it was erased. */
  readonly text: string;
  /** Label of its session. */
  readonly label?: string | undefined;
  readonly modelCalls: number;
  readonly toolCalls: number;
  /** Absent for a run that has ended or has no step. */
  readonly step?: RunStep | undefined;
  /** Its newest steps without their names, oldest first; absent for a run that has ended. */
  readonly recentSteps?: readonly Omit<RunStep, "name">[] | undefined;
  /** Picodollars of its settled calls; absent for a run that has ended, whose `usage` has them. */
  readonly cost?: bigint | undefined;
}

/**
 * Returns runs, the one that was queued last first.
 * @param unit - the database or transaction
 * @param query - filter and maximum number
 * @throws StoreArgumentError when `limit` is not a whole number from 1
 */
export async function listRuns(
  unit: UnitOfWork,
  { limit, states, sessionKey, from, after }: RunListQuery,
): Promise<readonly ListedRun[]> {
  requireLimit("turns.list", limit);
  const rows = await unit
    .query()
    .selectFrom("turns")
    .innerJoin("inbox", "inbox.id", "turns.inbox_id")
    .innerJoin("sessions", "sessions.session_key", "turns.session_key")
    .selectAll("turns")
    .select(["inbox.channel", "sessions.label"])
    .select(sql<string>`substr(inbox.content, 1, ${sql.lit(TEXT_LENGTH)})`.as("text"))
    // Literals, not parameters, so that the planner can use the partial index.
    .where(
      "turns.state",
      "in",
      states.map((state) => sql.lit(state)),
    )
    .$if(sessionKey !== undefined, (query) =>
      query.where("turns.session_key", "=", encodeText(sessionKey ?? "")),
    )
    .$if(from !== undefined, (query) => query.where("turns.queued_at", ">=", from ?? 0))
    .$if(after !== undefined, (query) =>
      query.where(({ or, and, eb }) => {
        const { queuedAt = 0, runId = "" } = after ?? {};
        return or([
          eb("turns.queued_at", "<", queuedAt),
          and([eb("turns.queued_at", "=", queuedAt), eb("turns.run_id", "<", encodeText(runId))]),
        ]);
      }),
    )
    .orderBy("turns.queued_at", "desc")
    .orderBy("turns.run_id", "desc")
    .limit(limit)
    .execute();
  const runs = rows.map(toTurn);
  const open = runs.filter(({ endedAt }) => endedAt === undefined);
  const [calls, steps, recent, costs] = [
    await callsOf(runs, unit),
    await stepsOf(open, unit),
    await recentStepsOf(open, unit),
    await costsOf(open, unit),
  ];
  return runs.map(({ payload: _, ...run }, index) => ({
    ...run,
    channel: decodeText(rows[index]?.channel ?? ""),
    text: decodeText(rows[index]?.text ?? ""),
    label: decodeOptionalText(rows[index]?.label ?? null),
    modelCalls: calls.get(`model-requested ${run.runId}`) ?? 0,
    toolCalls: calls.get(`tool-intended ${run.runId}`) ?? 0,
    step: steps.get(run.runId),
    recentSteps: run.endedAt === undefined ? (recent.get(run.runId) ?? []) : undefined,
    cost: run.endedAt === undefined ? (costs.get(run.runId) ?? 0n) : undefined,
  }));
}

/** Returns the numbers of calls of models and tools, by the kind of their step and the run. */
async function callsOf(
  runs: readonly Pick<Turn, "runId">[],
  unit: UnitOfWork,
): Promise<ReadonlyMap<string, number>> {
  if (runs.length === 0) return new Map();
  const rows = await unit
    .query()
    .selectFrom("journal")
    .select(({ fn }) => ["run_id", "kind", fn.countAll<number>().as("calls")])
    .where("run_id", "in", idsOf(runs))
    .where("kind", "in", ["model-requested", "tool-intended"])
    .groupBy(["run_id", "kind"])
    .execute();
  return new Map(rows.map(({ run_id, kind, calls }) => [`${kind} ${decodeText(run_id)}`, calls]));
}

async function stepsOf(
  runs: readonly Pick<Turn, "runId">[],
  unit: UnitOfWork,
): Promise<ReadonlyMap<string, RunStep>> {
  if (runs.length === 0) return new Map();
  const rows = await unit
    .query()
    .selectFrom("journal")
    .select(["run_id", "seq", "kind", "step", "created_at"])
    .where("run_id", "in", idsOf(runs))
    .where(({ eb, selectFrom }) =>
      eb(
        "seq",
        "=",
        selectFrom("journal as newer")
          .select(({ fn }) => fn.max("newer.seq").as("seq"))
          .whereRef("newer.run_id", "=", "journal.run_id"),
      ),
    )
    .execute();
  const steps = new Map<string, RunStep>();
  for (const row of rows) {
    const step = await readStep(row, unit);
    const name = "toolName" in step ? step.toolName : "model" in step ? step.model : undefined;
    steps.set(decodeText(row.run_id), { kind: row.kind, name, at: row.created_at });
  }
  return steps;
}

async function recentStepsOf(
  runs: readonly Pick<Turn, "runId">[],
  unit: UnitOfWork,
): Promise<ReadonlyMap<string, readonly Omit<RunStep, "name">[]>> {
  if (runs.length === 0) return new Map();
  const numbered = unit
    .query()
    .selectFrom("journal")
    .select(["run_id", "seq", "kind", "created_at"])
    .select(
      sql<number>`row_number() over (partition by journal.run_id order by journal.seq desc)`.as(
        "age",
      ),
    )
    .where("run_id", "in", idsOf(runs));
  const rows = await unit
    .query()
    .selectFrom(numbered.as("numbered"))
    .select(["run_id", "kind", "created_at"])
    .where("age", "<=", RECENT_STEPS)
    .orderBy("seq")
    .execute();
  const steps = new Map<string, Omit<RunStep, "name">[]>();
  for (const { run_id, kind, created_at: at } of rows) {
    const runId = decodeText(run_id);
    const before = steps.get(runId) ?? [];
    before.push({ kind, at });
    steps.set(runId, before);
  }
  return steps;
}

async function costsOf(
  runs: readonly Pick<Turn, "runId" | "sessionId">[],
  unit: UnitOfWork,
): Promise<ReadonlyMap<string, bigint>> {
  if (runs.length === 0) return new Map();
  const sessions = [...new Set(runs.map(({ sessionId }) => encodeText(sessionId)))];
  const rows = await unit
    .query()
    .selectFrom("model_calls")
    .select(["run_id", sql<string>`cast(sum(cost) as text)`.as("cost")])
    // The index is that of the sessions.
    .where("session_id", "in", sessions)
    .where("run_id", "in", idsOf(runs))
    .where("settled_at", "is not", null)
    .groupBy("run_id")
    .execute();
  return new Map(rows.map(({ run_id, cost }) => [decodeText(run_id ?? ""), BigInt(cost)]));
}

function idsOf(runs: readonly Pick<Turn, "runId">[]): string[] {
  return runs.map(({ runId }) => encodeText(runId));
}

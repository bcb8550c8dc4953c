import type { Usage } from "@openclaw/plugin-sdk/tools";
import { isJsonObject, readJson, readOptionalJson } from "../database/json-column.js";
import { requireLimit } from "../database/row-limit.js";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { isJournalStep, type JournalStep } from "./journal-step.js";

/** Period, and the part of its rows to return. */
export interface UsagePage<Position> {
  /** First time, in milliseconds since the epoch. */
  readonly from: number;
  /** End of the period, exclusive. */
  readonly to: number;
  /** Position of the last row of the page before. */
  readonly after?: Position | undefined;
  /** Maximum number of rows. */
  readonly limit: number;
}

/** Tokens of an ended turn. */
export interface EndedTurnUsage {
  readonly runId: string;
  readonly agentId: string;
  readonly sessionKey: string;
  readonly endedAt: number;
  readonly usage: Usage;
}

/** Period and page of {@link TurnUsage.modelCalls}. */
export interface ModelCallPage extends UsagePage<Pick<ModelCallStep, "runId" | "seq">> {
  /** Incarnation of a session whose calls are returned; those of all sessions when absent. */
  readonly sessionId?: string | undefined;
}

/** Step of a model call. */
export interface ModelCallStep {
  readonly runId: string;
  readonly seq: number;
  readonly step: JournalStep;
}

/** Tokens that turns have used, page by page. */
export interface TurnUsage {
  /**
   * Returns turns that ended in a period, in the order of their IDs.
   * @throws StoreArgumentError when `limit` is not a whole number from 1
   */
  ended(page: UsagePage<string>): Promise<readonly EndedTurnUsage[]>;
  /**
   * Returns the requests to models and their replies in a period, in the order of their runs.
   * @throws StoreArgumentError when `limit` is not a whole number from 1
   */
  modelCalls(page: ModelCallPage): Promise<readonly ModelCallStep[]>;
}

/** The usage of a database or transaction. */
export class TurnUsageTables implements TurnUsage {
  readonly #unit: UnitOfWork;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async ended({ from, to, after, limit }: UsagePage<string>): Promise<readonly EndedTurnUsage[]> {
    requireLimit("turns.usage.ended", limit);
    const rows = await this.#unit
      .query()
      .selectFrom("turns")
      .select(["run_id", "agent_id", "session_key", "ended_at", "usage"])
      .where("ended_at", ">=", from)
      .where("ended_at", "<", to)
      .$if(after !== undefined, (query) => query.where("run_id", ">", encodeText(after ?? "")))
      .orderBy("run_id")
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      runId: decodeText(row.run_id),
      agentId: decodeText(row.agent_id),
      sessionKey: decodeText(row.session_key),
      endedAt: row.ended_at ?? 0,
      usage: readOptionalJson(row.usage, isUsage, "turns.usage", row.run_id) ?? {},
    }));
  }

  async modelCalls(page: ModelCallPage): Promise<readonly ModelCallStep[]> {
    const { from, to, after, limit, sessionId } = page;
    requireLimit("turns.usage.modelCalls", limit);
    const rows = await this.#unit
      .query()
      .selectFrom("journal")
      .select(["run_id", "seq", "step"])
      .where("kind", "in", ["model-requested", "model-answered"])
      .where("created_at", ">=", from)
      .where("created_at", "<", to)
      .$if(sessionId !== undefined, (query) =>
        query.where("run_id", "in", (where) =>
          where
            .selectFrom("turns")
            .select("run_id")
            .where("session_id", "=", encodeText(sessionId ?? "")),
        ),
      )
      .$if(after !== undefined, (query) =>
        query.where(({ or, and, eb }) => {
          const runId = encodeText(after?.runId ?? "");
          return or([
            eb("run_id", ">", runId),
            and([eb("run_id", "=", runId), eb("seq", ">", after?.seq ?? 0)]),
          ]);
        }),
      )
      .orderBy("run_id")
      .orderBy("seq")
      .limit(limit)
      .execute();
    return rows.map(({ run_id, seq, step }) => ({
      runId: decodeText(run_id),
      seq,
      step: readJson(step, isJournalStep, "journal.step", `${run_id}#${seq}`),
    }));
  }
}

/** Returns true for token counts of a turn. */
export function isUsage(value: unknown): value is Usage {
  if (!isJsonObject(value)) return false;
  return Object.entries(value).every(([name, count]) =>
    name === "cost" ? isCost(count) : typeof count === "number",
  );
}

function isCost(value: unknown): boolean {
  return (
    isJsonObject(value) && typeof value.usd === "string" && typeof value.estimated === "boolean"
  );
}

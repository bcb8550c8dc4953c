import type { Usage } from "@openclaw/plugin-sdk/tools";
import { isJsonObject } from "../database/json-column.js";
import { requireLimit } from "../database/row-limit.js";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import type { JournalStep } from "./journal-step.js";
import { readStep } from "./stored-steps.js";

/** Period, and the part of its rows to return. */
export interface UsagePage {
  /** First time, in milliseconds since the epoch. */
  readonly from: number;
  /** End of the period, exclusive. */
  readonly to: number;
  /** Position of the last row of the page before. */
  readonly after?: Pick<ModelCallStep, "runId" | "seq"> | undefined;
  /** Maximum number of rows. */
  readonly limit: number;
}

/** Step with the reply of a model, or the answer of a tool call. */
export interface ModelCallStep {
  readonly runId: string;
  readonly seq: number;
  /** Time of the step, in milliseconds since the epoch. */
  readonly at: number;
  readonly step: JournalStep;
}

/** Replies and results that turns have received, page by page. */
export interface TurnUsage {
  /**
   * Returns the replies of models in a period, in the order of their runs.
   * @throws StoreArgumentError when `limit` is not a whole number from 1
   */
  modelCalls(page: UsagePage): Promise<readonly ModelCallStep[]>;
  /**
   * Returns the answers of tool calls in a period, in the order of their runs.
   * @throws StoreArgumentError when `limit` is not a whole number from 1
   */
  toolAnswers(page: UsagePage): Promise<readonly ModelCallStep[]>;
}

/** The usage of a database or transaction. */
export class TurnUsageTables implements TurnUsage {
  readonly #unit: UnitOfWork;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async modelCalls(page: UsagePage): Promise<readonly ModelCallStep[]> {
    requireLimit("turns.usage.modelCalls", page.limit);
    return await this.#steps("model-answered", page);
  }

  async toolAnswers(page: UsagePage): Promise<readonly ModelCallStep[]> {
    requireLimit("turns.usage.toolAnswers", page.limit);
    return await this.#steps("tool-answered", page);
  }

  async #steps(
    kind: "model-answered" | "tool-answered",
    { from, to, after, limit }: UsagePage,
  ): Promise<readonly ModelCallStep[]> {
    const rows = await this.#unit
      .query()
      .selectFrom("journal")
      .select(["run_id", "seq", "step", "created_at"])
      .where("kind", "=", kind)
      .where("created_at", ">=", from)
      .where("created_at", "<", to)
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
    const steps: ModelCallStep[] = [];
    for (const row of rows) {
      const { run_id, seq, created_at: at } = row;
      steps.push({ runId: decodeText(run_id), seq, at, step: await readStep(row, this.#unit) });
    }
    return steps;
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

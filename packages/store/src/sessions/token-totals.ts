import { preparedQuery } from "../database/prepared-query.js";
import { encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";

/** Scope of a total: an agent over all its sessions, one incarnation of a session, or a job. */
export type TokenScope =
  | { readonly agentId: string }
  | { readonly sessionId: string }
  | { readonly jobId: string };

/** Agent, session and job that a call of a model counts for. */
export interface CountedScopes {
  readonly agentId: string;
  readonly sessionId?: string | undefined;
  readonly jobId?: string | undefined;
}

/** Running totals of the tokens that models have used and their cost; budgets are compared with them. */
export interface TokenTotals {
  /**
   * Adds a model call; call it in the transaction that stores the response.
   * @param scopes - agent, session and job of the call
   * @param tokens - sum of input and output tokens
   * @param cost - picodollars
   */
  add(scopes: CountedScopes, tokens: number, cost?: number): Promise<void>;
  /** Returns the number of tokens used so far. */
  of(scope: TokenScope): Promise<number>;
}

/** The totals of a database or transaction. */
export class TokenTotalTable implements TokenTotals {
  readonly #unit: UnitOfWork;

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async add({ agentId, sessionId, jobId }: CountedScopes, tokens: number, cost = 0): Promise<void> {
    if (sessionId !== undefined) {
      await addTotal(this.#unit, { scope: "session", id: encodeText(sessionId), tokens, cost });
    }
    if (jobId !== undefined) {
      await addTotal(this.#unit, { scope: "job", id: encodeText(jobId), tokens, cost });
    }
    // Last, because the other sessions of the agent wait for this row until the commit.
    await addTotal(this.#unit, { scope: "agent", id: encodeText(agentId), tokens, cost });
  }

  async of(scope: TokenScope): Promise<number> {
    const [word, id] = columnsOf(scope);
    const row = await this.#unit
      .query()
      .selectFrom("token_totals")
      .select("tokens")
      .where("scope", "=", word)
      .where("id", "=", encodeText(id))
      .executeTakeFirst();
    return row?.tokens ?? 0;
  }
}

function columnsOf(scope: TokenScope): readonly ["agent" | "session" | "job", string] {
  if ("agentId" in scope) return ["agent", scope.agentId];
  return "sessionId" in scope ? ["session", scope.sessionId] : ["job", scope.jobId];
}

interface AddedTotal {
  readonly scope: "agent" | "session" | "job";
  readonly id: string;
  readonly tokens: number;
  readonly cost: number;
}

const addTotal = preparedQuery<AddedTotal, unknown>((query, parameter) =>
  query
    .insertInto("token_totals")
    .values({
      scope: parameter("scope"),
      id: parameter("id"),
      tokens: parameter("tokens"),
      cost: parameter("cost"),
    })
    .onConflict((conflict) =>
      conflict.columns(["scope", "id"]).doUpdateSet((column) => ({
        tokens: column("token_totals.tokens", "+", column.ref("excluded.tokens")),
        cost: column("token_totals.cost", "+", column.ref("excluded.cost")),
      })),
    ),
);

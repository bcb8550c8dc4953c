import { preparedQuery } from "../database/prepared-query.js";
import { encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";

/** Scope of a total: an agent over all its sessions, or one incarnation of a session. */
export type TokenScope = { readonly agentId: string } | { readonly sessionId: string };

/** Running totals of the tokens that models have used; budgets are compared with them. */
export interface TokenTotals {
  /**
   * Adds the tokens of a model call; call it in the transaction that stores the response.
   * @param scope - agent and session of the call
   * @param tokens - sum of input and output tokens
   */
  add(scope: { agentId: string; sessionId: string }, tokens: number): Promise<void>;
  /** Returns the number of tokens used so far. */
  of(scope: TokenScope): Promise<number>;
}

/** The totals of a database or transaction. */
export class TokenTotalTable implements TokenTotals {
  readonly #unit: UnitOfWork;

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async add(
    { agentId, sessionId }: { agentId: string; sessionId: string },
    tokens: number,
  ): Promise<void> {
    const agent = encodeText(agentId);
    await addTokens(this.#unit, { agent, session: encodeText(sessionId), tokens });
  }

  async of(scope: TokenScope): Promise<number> {
    const [word, id] = "agentId" in scope ? ["agent", scope.agentId] : ["session", scope.sessionId];
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

const addTokens = preparedQuery<{ agent: string; session: string; tokens: number }, unknown>(
  (query, parameter) =>
    query
      .insertInto("token_totals")
      .values([
        { scope: "agent", id: parameter("agent"), tokens: parameter("tokens") },
        { scope: "session", id: parameter("session"), tokens: parameter("tokens") },
      ])
      .onConflict((conflict) =>
        conflict.columns(["scope", "id"]).doUpdateSet((column) => ({
          tokens: column("token_totals.tokens", "+", column.ref("excluded.tokens")),
        })),
      ),
);

import { preparedQuery } from "../database/prepared-query.js";
import { encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";

/** Whose tokens are added up: an agent's over all its sessions, or one incarnation of a session's. */
export type TokenScope = { readonly agentId: string } | { readonly sessionId: string };

/** Tokens that models have used, added up as they are used; what budgets are held against. */
export interface TokenTotals {
  /**
   * Adds what a model call used; call it in the transaction that stores its answer.
   * @param scope - the agent and the session it was for
   * @param tokens - of input and output together
   */
  add(scope: { agentId: string; sessionId: string }, tokens: number): Promise<void>;
  /** What was used so far. */
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

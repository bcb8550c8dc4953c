import { displayUsd, parseUsd } from "@openclaw/foundation/display";
import type { TurnUsage } from "./exchange-result.js";

/** Share above which a person should know that the conversation will soon be shortened. */
const WARNING_PERCENT = 80;

/** Share of the context window that a conversation uses. */
export interface ContextShare {
  readonly percent: number;
  readonly isNearlyFull: boolean;
}

/** Tokens and cost of the turns of a conversation. */
export class UsageTotals {
  #input = 0;
  #output = 0;
  /** Picodollars. */
  #cost = 0n;
  /** True when a part of the cost is an estimate. */
  #isEstimated = false;
  #context: ContextShare | undefined;

  /** Share of the context window in use; undefined before the first call of a model that counts tokens. */
  get context(): ContextShare | undefined {
    return this.#context;
  }

  /**
   * Records the tokens of the last model call.
   * @param event - tokens in use, and the size of the context window
   */
  use({ usedTokens, windowTokens }: { usedTokens: number; windowTokens: number }): void {
    if (windowTokens <= 0) return;
    const percent = Math.round((usedTokens / windowTokens) * 100);
    this.#context = { percent, isNearlyFull: percent > WARNING_PERCENT };
  }

  /**
   * Adds the usage of a turn.
   * @param usage - tokens and cost, as far as they are known
   */
  add({ input = 0, output = 0, cost }: TurnUsage = {}): void {
    this.#input += input;
    this.#output += output;
    this.#cost += parseUsd(cost?.usd ?? "0") ?? 0n;
    this.#isEstimated ||= cost?.estimated === true;
  }

  /** Returns the parts of the status line: nothing before the first turn, and no cost where models cost nothing. */
  facts(): readonly string[] {
    if (this.#input + this.#output === 0) return [];
    const tokens = `${this.#input} in, ${this.#output} out`;
    if (this.#cost === 0n) return [tokens];
    return [tokens, `${this.#isEstimated ? "about " : ""}${displayUsd(this.#cost)}`];
  }
}

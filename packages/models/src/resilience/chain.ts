import { type Clock, systemClock } from "@openclaw/foundation";
import type { ReplyCache } from "../reply/reply-cache.js";
import type { ChainCall, ModelAttempt } from "./call.js";
import { ChainRun } from "./chain-run.js";
import type { ModelHealth } from "./health.js";
import { type ChainSettings, DEFAULT_CHAIN_SETTINGS } from "./settings.js";

/** Dependencies of a {@link ModelChain}. */
export interface ModelChainOptions {
  readonly health: ModelHealth;
  readonly settings?: ChainSettings;
  readonly clock?: Clock;
  /** Returns a number from 0 to 1, for waits. */
  readonly random?: () => number;
  /** Cache of replies; none by default. */
  readonly cache?: ReplyCache | undefined;
  /**
   * Returns the system text to send instead of the given one; that itself by default. Every request passes here, also those
   * that plugins make and those that summarise.
   */
  readonly systemText?: ((system: string) => string) | undefined;
}

/** Sends model requests to the first of several models that replies (LLM-016 to LLM-028). */
export class ModelChain {
  /** Cooldowns and breakers, which may be shared with other chains. */
  readonly health: ModelHealth;
  readonly #settings: ChainSettings;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #cache: ReplyCache | undefined;
  readonly #systemText: ModelChainOptions["systemText"];

  /** @param options - shared health, settings and clock */
  constructor({
    health,
    settings = DEFAULT_CHAIN_SETTINGS,
    clock = systemClock,
    random = Math.random,
    cache,
    systemText,
  }: ModelChainOptions) {
    this.health = health;
    this.#settings = settings;
    this.#clock = clock;
    this.#random = random;
    this.#cache = cache;
    this.#systemText = systemText;
  }

  /**
   * Runs attempts until one succeeds. An attempt that throws the error of its events may be repeated, with the same
   * model or the next one; any other error ends the call.
   * @param call - candidates and caller
   * @param attempt - sends one request with `events`, and returns the result of the call
   * @throws ModelRequestError of the last attempt, whose message lists the other models
   * @throws NoModelAvailableError without candidates, and when all of them cool down in strict mode
   */
  async run<Result>(
    call: ChainCall,
    attempt: (attempt: ModelAttempt) => Promise<Result>,
  ): Promise<Result> {
    return await new ChainRun(call, attempt, {
      health: this.health,
      settings: this.#settings,
      clock: this.#clock,
      random: this.#random,
      cache: this.#cache,
      systemText: this.#systemText,
    }).result();
  }
}

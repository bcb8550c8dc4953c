import type { MemoryDatabase } from "../database/memory-database.js";
import { InvalidParameterError, MemoryNotFoundError } from "../errors.js";

const LONGEST_KEY = 200;
const LONGEST_VALUE = 2000;

export const FACT_TYPES = ["static", "dynamic"] as const;
export type FactType = (typeof FACT_TYPES)[number];

/** Source of a fact that the user stated. */
const USER_STATED = "user_stated";
/** Source of a fact that a rule found in a message (MEM-029). */
export const CAPTURED = "captured";

/** A fact about a user (MEM-028). */
export interface Fact {
  readonly key: string;
  readonly value: string;
  /** `static` for what lasts, such as a birthday; `dynamic` for the current situation. */
  readonly type: FactType;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly source: string;
  readonly updatedAt: string;
}

/** A fact to set. */
export interface FactChange {
  readonly key: string;
  readonly value: string;
  readonly type?: string | undefined;
  readonly confidence?: number | undefined;
  readonly source?: string | undefined;
}

/** Facts about users, each with a key that is unique per user. */
export class Profiles {
  readonly #database: MemoryDatabase;
  readonly #now: () => number;

  constructor(database: MemoryDatabase, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /**
   * Sets a fact, and replaces one with the same key.
   * @param change - key, value, type, confidence and source
   * @throws InvalidParameterError
   */
  async set(user: string, change: FactChange): Promise<Fact> {
    const fact = { ...checkedFact(change), updatedAt: new Date(this.#now()).toISOString() };
    await this.#database.query(
      `insert into facts (user_id, key, value, type, confidence, source, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7)
        on conflict (user_id, key) do update set value = excluded.value, type = excluded.type,
          confidence = excluded.confidence, source = excluded.source, updated_at = excluded.updated_at`,
      [user, fact.key, fact.value, fact.type, fact.confidence, fact.source, fact.updatedAt],
    );
    return fact;
  }

  /** Lists the facts about a user, in the order of their keys. */
  async list(user: string): Promise<Fact[]> {
    return [
      ...(await this.#database.query<Fact>(
        `select key, value, type, confidence, source, ${this.#database.time("updated_at")} as "updatedAt"
          from facts where user_id = $1 order by key`,
        [user],
      )),
    ];
  }

  /**
   * Returns a fact.
   * @param key - key of the fact
   * @throws MemoryNotFoundError
   */
  async get(user: string, key: string): Promise<Fact> {
    const fact = (await this.list(user)).find((each) => each.key === key.trim());
    if (fact !== undefined) return fact;
    throw new MemoryNotFoundError(
      "key",
      `fact ${JSON.stringify(key)}`,
      "action get without a key lists the facts",
    );
  }

  /**
   * Deletes a fact.
   * @param key - key of the fact
   * @throws MemoryNotFoundError
   */
  async remove(user: string, key: string): Promise<void> {
    const fact = await this.get(user, key);
    await this.#database.query("delete from facts where user_id = $1 and key = $2", [
      user,
      fact.key,
    ]);
  }
}

function checkedFact({
  key,
  value,
  type = "static",
  confidence = 1,
  source = USER_STATED,
}: FactChange): Omit<Fact, "updatedAt"> {
  const found = FACT_TYPES.find((each) => each === type);
  if (found === undefined) {
    throw new InvalidParameterError(
      "profile_type",
      `expected ${FACT_TYPES.join(" or ")}, got ${JSON.stringify(type)}`,
    );
  }
  if (!(confidence >= 0 && confidence <= 1)) {
    throw new InvalidParameterError(
      "confidence",
      `expected a number from 0 to 1, got ${confidence}`,
    );
  }
  return {
    key: checkedText("key", key, LONGEST_KEY),
    value: checkedText("value", value, LONGEST_VALUE),
    type: found,
    confidence,
    source,
  };
}

function checkedText(field: string, text: string, longest: number): string {
  const trimmed = text.trim().replaceAll("\0", "");
  if (trimmed.length >= 1 && trimmed.length <= longest) return trimmed;
  throw new InvalidParameterError(
    field,
    `expected 1 to ${longest} characters, got ${trimmed.length}`,
  );
}

import { errorMessage } from "@openclaw/foundation";
import {
  OpenClawError,
  PluginQueryError,
  PluginStoreArgumentError,
} from "@openclaw/plugin-sdk/errors";
import type {
  DatabaseVectors,
  PluginDatabase,
  PluginDatabaseQuery,
  SqlRow,
  SqlValue,
} from "@openclaw/plugin-sdk/store";
import { CompiledQuery, type QueryResult } from "kysely";
import type { UnitOfWork } from "../database/unit-of-work.js";

/**
 * First words of allowed statements. Others would end the host's transaction, access files of other
 * plugins, or change the settings of the database.
 */
const STATEMENTS = new Set([
  "select",
  "insert",
  "update",
  "delete",
  "replace",
  "with",
  "values",
  "create",
  "alter",
  "drop",
  "reindex",
  "analyze",
  "explain",
]);

/** First words of statements of a database that is only read. */
const READING = new Set(["select", "with", "values", "explain"]);

/** White space and comments before a statement. */
const LEADING = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/;

/** Owner and engine of a plugin's database. */
export interface PluginDatabaseFacts {
  readonly pluginId: string;
  readonly name: string;
  readonly dialect: "sqlite" | "postgres";
  readonly vectors: DatabaseVectors;
  /** Returns the problem of a statement that accesses anything outside the database. */
  readonly reachesBeyond: (sql: string) => string | undefined;
  /** True rejects statements that begin with a word for writing. */
  readonly isReadOnly: boolean;
}

/**
 * Returns the reason why a statement cannot run.
 * @param sql - statement of a plugin
 * @param isReadOnly - true for a database that is only read
 * @returns undefined when it can run
 */
export function statementProblem(sql: unknown, isReadOnly = false): string | undefined {
  if (typeof sql !== "string") return `expected the text of a statement, got ${typeof sql}`;
  const statement = sql.replace(LEADING, "");
  const word = statement.slice(0, statement.search(/[^a-z]|$/i));
  const isKnown = STATEMENTS.has(word.toLowerCase());
  if (isKnown && isReadOnly && !READING.has(word.toLowerCase())) {
    return `a statement may not begin with "${word}": the database is only read while it is copied`;
  }
  if (isKnown) return undefined;
  return word === ""
    ? "expected a statement, got none"
    : `a statement may not begin with "${word}"; use transaction() for statements that belong together`;
}

/** A plugin's database, in which large integers are `bigint`. */
export class UnitPluginDatabase implements PluginDatabase {
  readonly #unit: UnitOfWork;
  readonly #facts: PluginDatabaseFacts;
  readonly #isInside: boolean;

  /**
   * @param unit - the database, or one of its transactions
   * @param facts - owner and engine
   * @param isInside - true when the unit is a transaction
   */
  constructor(unit: UnitOfWork, facts: PluginDatabaseFacts, isInside = false) {
    this.#unit = unit;
    this.#facts = facts;
    this.#isInside = isInside;
  }

  get dialect(): PluginDatabaseFacts["dialect"] {
    return this.#facts.dialect;
  }

  get vectors(): DatabaseVectors {
    return this.#facts.vectors;
  }

  async query<Row extends object = SqlRow>(
    sql: string,
    params: readonly SqlValue[] = [],
  ): Promise<readonly Row[]> {
    const { pluginId, dialect, reachesBeyond, isReadOnly } = this.#facts;
    const problem =
      statementProblem(sql, isReadOnly) ?? reachesBeyond(sql) ?? parameterProblem(params);
    if (problem !== undefined) throw new PluginStoreArgumentError(pluginId, "query", problem);
    const query = CompiledQuery.raw(sql, dialect === "sqlite" ? bound(params) : [...params]);
    try {
      const { rows } = await this.#run(query);
      // The author of the statement knows the type of its rows.
      return rows.map((row) => readable(row as SqlRow) as Row);
    } catch (error) {
      throw this.#refused(error);
    }
  }

  /** Runs a statement: of a transaction, which it joins, or alone, when the engine makes it atomic. */
  async #run(query: CompiledQuery): Promise<QueryResult<unknown>> {
    // A failed statement prevents the commit of the transaction around it.
    if (this.#isInside) return await this.#unit.atomic((unit) => unit.run(query));
    return await this.#unit.run(query);
  }

  async transaction<Result>(
    work: (inside: PluginDatabaseQuery) => Promise<Result>,
  ): Promise<Result> {
    return await this.#unit.atomic((unit) => work(new UnitPluginDatabase(unit, this.#facts, true)));
  }

  #refused(error: unknown): unknown {
    // Misuse of a transaction, or of a closed database, is not an error of the statement.
    const isMisuse =
      OpenClawError.isInstance(error) && /^(STORE_CLOSED|TRANSACTION_)/.test(error.code);
    if (isMisuse) return error;
    const { pluginId, name } = this.#facts;
    const reason = errorMessage(error);
    return new PluginQueryError(pluginId, name, `${reason}${advice(reason)}`, { cause: error });
  }
}

function advice(reason: string): string {
  if (reason.startsWith("Too few parameter values")) return "; write $1, $2 … for parameters";
  if (/more than one statement|multiple commands/.test(reason)) {
    return "; run one statement at a time";
  }
  if (/supplies \d+ parameters?, but/.test(reason))
    return "; give one parameter for each of $1, $2 …";
  const missing = /^Missing named parameter "(\d+)"/.exec(reason)?.[1];
  return missing === undefined ? "" : `; the statement uses $${missing}, which was not given`;
}

function parameterProblem(params: unknown): string | undefined {
  if (!Array.isArray(params)) return `params: expected a list, got ${typeof params}`;
  const index = params.findIndex((value) => !isSqlValue(value));
  if (index < 0) return undefined;
  const expected = "a string, number, bigint, boolean, null or Uint8Array";
  return `$${index + 1}: expected ${expected}, got ${typeof params[index]}; keep times and JSON as text`;
}

function isSqlValue(value: unknown): boolean {
  if (value === null || value instanceof Uint8Array) return true;
  return ["string", "number", "bigint", "boolean"].includes(typeof value);
}

/** Binds parameters by number, as `$1` names them; the engine has no boolean type. */
function bound(params: readonly SqlValue[]): Record<string, SqlValue>[] {
  if (params.length === 0) return [];
  const numbered = params.map((value, index) => [
    String(index + 1),
    typeof value === "boolean" ? Number(value) : value,
  ]);
  return [Object.fromEntries(numbered)];
}

/** Returns integers as numbers when these are exact. The row is changed in place: it has no other reader. */
function readable(row: SqlRow): SqlRow {
  for (const column of Object.keys(row)) {
    const value = row[column];
    if (typeof value !== "bigint") continue;
    const number = Number(value);
    if (Number.isSafeInteger(number)) row[column] = number;
  }
  return row;
}

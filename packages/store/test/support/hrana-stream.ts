import BetterSqlite from "better-sqlite3";

/** Value of Hrana. */
type Value =
  | { readonly type: "null" }
  | { readonly type: "integer"; readonly value: string }
  | { readonly type: "float"; readonly value: number }
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "blob"; readonly base64: string };

interface Statement {
  readonly sql?: string | null;
  readonly sql_id?: number | null;
  readonly args?: readonly Value[];
  readonly named_args?: readonly { readonly name: string; readonly value: Value }[];
}

type Condition =
  | { readonly type: "ok" | "error"; readonly step: number }
  | { readonly type: "not"; readonly cond: Condition }
  | { readonly type: "and" | "or"; readonly conds: readonly Condition[] }
  | { readonly type: "is_autocommit" };

interface Batch {
  readonly steps: readonly { readonly condition?: Condition | null; readonly stmt: Statement }[];
}

type StreamRequest =
  | { readonly type: "execute"; readonly stmt: Statement }
  | { readonly type: "batch"; readonly batch: Batch }
  | { readonly type: "sequence"; readonly sql: string }
  | { readonly type: "store_sql"; readonly sql_id: number; readonly sql: string }
  | { readonly type: "close_sql"; readonly sql_id: number }
  | { readonly type: "get_autocommit" | "close" };

/** Body of a request. */
export interface PipelineRequest {
  readonly baton?: string | null;
  readonly requests: readonly StreamRequest[];
}

/** Answer to one request of a stream. */
export type PipelineResult =
  | { readonly type: "ok"; readonly response: object }
  | { readonly type: "error"; readonly error: ProtocolError };

interface ProtocolError {
  readonly message: string;
  readonly code: string;
}

/** A stream: one connection to a database, on which statements run one after another. */
export class HranaStream {
  readonly #database: BetterSqlite.Database;
  readonly #texts = new Map<number, string>();
  #isClosed = false;

  /** @param file - path of the database */
  constructor(file: string) {
    this.#database = new BetterSqlite(file, { timeout: 0 });
    this.#database.pragma("journal_mode = wal");
    this.#database.pragma("synchronous = off");
    this.#database.pragma("foreign_keys = on");
    this.#database.defaultSafeIntegers(true);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
    this.#database.close();
  }

  /** Answers a request. */
  answer(request: StreamRequest): PipelineResult {
    try {
      return { type: "ok", response: { type: request.type, ...this.#run(request) } };
    } catch (error) {
      return { type: "error", error: errorOf(error) };
    }
  }

  #run(request: StreamRequest): object {
    switch (request.type) {
      case "execute":
        return { result: this.#execute(request.stmt) };
      case "batch":
        return { result: this.#batch(request.batch) };
      case "sequence":
        this.#database.exec(request.sql);
        return {};
      case "store_sql":
        this.#texts.set(request.sql_id, request.sql);
        return {};
      case "close_sql":
        this.#texts.delete(request.sql_id);
        return {};
      case "get_autocommit":
        return { is_autocommit: !this.#database.inTransaction };
      case "close":
        this.close();
        return {};
    }
  }

  #execute({ sql, sql_id, args = [], named_args = [] }: Statement): object {
    const text = sql ?? this.#texts.get(Number(sql_id)) ?? "";
    const statement = this.#database.prepare<unknown[]>(text);
    const bound =
      named_args.length > 0
        ? [
            Object.fromEntries(
              named_args.map(({ name, value }) => [name.replace(/^[$:@]/, ""), read(value)]),
            ),
          ]
        : args.map(read);
    if (!statement.reader) {
      const { changes, lastInsertRowid } = statement.run(...bound);
      return {
        ...{ cols: [], rows: [], affected_row_count: Number(changes) },
        last_insert_rowid: String(lastInsertRowid),
      };
    }
    const cols = statement.columns().map(({ name, type }) => ({ name, decltype: type }));
    const rows = statement.raw(true).all(...bound) as unknown[][];
    return { cols, rows: rows.map((row) => row.map(written)), affected_row_count: 0 };
  }

  #batch({ steps }: Batch): object {
    const results: (object | null)[] = [];
    const errors: (ProtocolError | null)[] = [];
    const holds = (condition: Condition): boolean => {
      switch (condition.type) {
        case "ok":
          return results[condition.step] !== null;
        case "error":
          return errors[condition.step] !== null;
        case "not":
          return !holds(condition.cond);
        case "and":
          return condition.conds.every(holds);
        case "or":
          return condition.conds.some(holds);
        case "is_autocommit":
          return !this.#database.inTransaction;
      }
    };
    for (const { condition, stmt } of steps) {
      let result: object | null = null;
      let failure: ProtocolError | null = null;
      if (condition === null || condition === undefined || holds(condition)) {
        try {
          result = this.#execute(stmt);
        } catch (error) {
          failure = errorOf(error);
        }
      }
      results.push(result);
      errors.push(failure);
    }
    return { step_results: results, step_errors: errors };
  }
}

function errorOf(error: unknown): ProtocolError {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof BetterSqlite.SqliteError ? error.code : "SQL_INPUT_ERROR";
  // A server sends the primary code only.
  return { message, code: code.replace(/^(SQLITE_[A-Z]+)_.*$/, "$1") };
}

function read(value: Value): unknown {
  switch (value.type) {
    case "null":
      return null;
    case "integer":
      return BigInt(value.value);
    case "blob":
      return Buffer.from(value.base64, "base64");
    default:
      return value.value;
  }
}

function written(value: unknown): Value {
  if (value === null) return { type: "null" };
  if (typeof value === "bigint") return { type: "integer", value: String(value) };
  if (typeof value === "number") return { type: "float", value };
  if (typeof value === "string") return { type: "text", value };
  return { type: "blob", base64: (value as Buffer).toString("base64").replaceAll("=", "") };
}

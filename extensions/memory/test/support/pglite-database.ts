import { PGlite, type Transaction } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import type { PluginDatabase, PluginDatabaseQuery, PluginStore } from "@openclaw/plugin-sdk/store";

/** Parsers of the host: integers as numbers, times and JSON as text. */
const INT8 = 20;
const TEXT_TYPES = [1184, 114, 3802, 2950];

/** PostgreSQL with pgvector in this process. The packages of the host's server have no pgvector. */
export class PgliteServer {
  readonly #database: PGlite;
  #schemas = 0;

  private constructor(database: PGlite) {
    this.#database = database;
  }

  static async start(): Promise<PgliteServer> {
    const parsers = {
      [INT8]: Number,
      ...Object.fromEntries(TEXT_TYPES.map((type) => [type, (text: string) => text])),
    };
    const database = await PGlite.create({ extensions: { vector }, parsers });
    await database.exec("create extension vector with schema public");
    return new PgliteServer(database);
  }

  stop(): Promise<void> {
    return this.#database.close();
  }

  /** Returns a store whose one database is a new schema, with the statements that the host would run. */
  newStore(): Pick<PluginStore, "database"> {
    this.#schemas += 1;
    const schema = `test_${this.#schemas}`;
    let migrated = false;
    const run = <Result>(work: (inside: Transaction) => Promise<Result>): Promise<Result> =>
      this.#database.transaction(async (inside) => {
        await inside.exec(`set local search_path = ${schema}`);
        return await work(inside);
      });
    return {
      database: async ({ migrations }) => {
        if (!migrated) {
          await this.#database.exec(`create schema ${schema}`);
          const statements = migrations.flatMap(({ postgres }) => postgres);
          await run(async (inside) => {
            for (const statement of statements) await inside.exec(statement);
          });
          migrated = true;
        }
        return {
          dialect: "postgres",
          vectors: { extension: "pgvector", schema: "public" },
          query: (sql, params) => run((inside) => queryIn(inside).query(sql, params)),
          transaction: (work) => run((inside) => work(queryIn(inside))),
        } satisfies PluginDatabase;
      },
    };
  }
}

function queryIn(inside: Transaction): PluginDatabaseQuery {
  return {
    async query<Row extends object>(sql: string, params: readonly unknown[] = []) {
      const { rows } = await inside.query<Row>(sql, [...params]);
      return rows;
    },
  };
}

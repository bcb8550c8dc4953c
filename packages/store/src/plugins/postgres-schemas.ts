import { errorMessage, sha256 } from "@openclaw/foundation";
import type { DatabaseVectors } from "@openclaw/plugin-sdk/store";
import { Client, type CustomTypesConfig, escapeIdentifier, escapeLiteral, types } from "pg";
import { type PostgresPlace, postgresPlace } from "../engine/database-url.js";
import { translatePostgresError } from "../engine/postgres/errors.js";
import { openPostgres } from "../engine/postgres/postgres.js";
import type {
  OpenPluginDatabase,
  PluginDatabaseName,
  PluginDatabasePlace,
  PluginDatabaseSettings,
} from "./database-place.js";

/** One connection for writing, one for reading. */
const POOL_SIZE = 2;
const COMMENT = /^OpenClaw: database (\S+) of plugin (.+)$/;
const PLUGIN_SCHEMA = /^plugin_.*_[0-9a-f]{12}_[0-9a-f]{8}$/;

/** PostgreSQL schemas on the host's server, one for each database of a plugin. */
export class PostgresPluginSchemas implements PluginDatabasePlace {
  readonly dialect = "postgres";
  readonly #host: PostgresPlace;
  readonly #settings: PluginDatabaseSettings;

  /**
   * @param url - URL of the host's own schema
   * @param settings - durability and clock
   */
  constructor(url: string, settings: PluginDatabaseSettings) {
    this.#host = postgresPlace(url);
    this.#settings = settings;
  }

  async open(pluginId: string, name: string): Promise<OpenPluginDatabase> {
    const schema = this.#schemaOf({ pluginId, name });
    const place = { ...this.#host, schema, name: `${this.#host.name} (${schema})` };
    const { unit, words } = await openPostgres({
      place,
      ...this.#settings,
      types: PLUGIN_TYPES,
      poolSize: POOL_SIZE,
      leaseSchema: this.#host.schema,
    });
    const comment = escapeLiteral(commentOf({ pluginId, name }));
    await this.#run((client) =>
      client.query(`comment on schema ${escapeIdentifier(schema)} is ${comment}`),
    );
    let vectors: Promise<DatabaseVectors> | undefined;
    return {
      unit,
      words,
      reachesBeyond: (sql) => foreignSchema(sql, schema, this.#host.schema),
      addVectors: () => {
        vectors ??= this.#addVectors();
        return vectors;
      },
    };
  }

  async list(): Promise<readonly PluginDatabaseName[]> {
    const found: PluginDatabaseName[] = [];
    await this.#run(async (client) => {
      const { rows } = await client.query<{ schema: string; comment: string | null }>(
        "select nspname as schema, obj_description(oid, 'pg_namespace') as comment from pg_namespace where starts_with(nspname, 'plugin_') order by nspname",
      );
      for (const { schema, comment } of rows) {
        const [, name = "", pluginId = ""] = COMMENT.exec(comment ?? "") ?? [];
        // Other hosts may use the same server.
        if (this.#schemaOf({ pluginId, name }) === schema) found.push({ pluginId, name });
      }
    });
    return found;
  }

  /** Schemas stay: there is no other place for them on the server. */
  async setAside(): Promise<undefined> {
    return undefined;
  }

  async remove(pluginId: string): Promise<void> {
    await this.#run(async (client) => {
      const { rows } = await client.query<{ schema: string }>(
        "select nspname as schema from pg_namespace where starts_with(nspname, $1)",
        [this.#prefixOf(pluginId)],
      );
      for (const { schema } of rows) {
        await client.query(`drop schema ${escapeIdentifier(schema)} cascade`);
      }
    });
  }

  /** Installs pgvector in the database of the server unless it is, in the schema that all users share. */
  async #addVectors(): Promise<DatabaseVectors> {
    try {
      let found: string | undefined;
      await this.#run(async (client) => {
        found = await vectorSchema(client);
        if (found !== undefined) return;
        await client.query("create extension if not exists vector with schema public");
        found = await vectorSchema(client);
      });
      return found === undefined
        ? { extension: "none", reason: "pgvector was installed and not found" }
        : { extension: "pgvector", schema: found };
    } catch (error) {
      return { extension: "none", reason: `pgvector cannot be used: ${errorMessage(error)}` };
    }
  }

  async #run(work: (client: Client) => Promise<unknown>): Promise<void> {
    const client = new Client({ connectionString: this.#host.connection });
    client.on("error", () => {});
    try {
      await client.connect();
      await work(client);
    } catch (error) {
      throw translatePostgresError(this.#host.name, error);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  #schemaOf({ pluginId, name }: PluginDatabaseName): string {
    return `${this.#prefixOf(pluginId)}${sha256(name).slice(0, 8)}`;
  }

  /**
   * Returns a schema prefix that is readable as far as the length allows, and unique per plugin and
   * host.
   */
  #prefixOf(pluginId: string): string {
    const readable = pluginId
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "_")
      .slice(0, 24);
    const own = sha256(JSON.stringify([this.#host.schema, pluginId])).slice(0, 12);
    return `plugin_${readable}_${own}_`;
  }
}

/** The name of a schema has only a digest of the names; its comment has them. */
function commentOf({ pluginId, name }: PluginDatabaseName): string {
  return `OpenClaw: database ${name} of plugin ${pluginId}`;
}

async function vectorSchema(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ schema: string }>(
    "select nspname as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where extname = 'vector'",
  );
  return rows[0]?.schema;
}

/**
 * Parses values as {@link PluginDatabaseQuery.query} returns them: integers exactly, times and JSON
 * as text.
 */
const PLUGIN_TYPES: CustomTypesConfig = {
  getTypeParser(type: number, format?: "text" | "binary") {
    const { INT8, INT2, INT4, FLOAT4, FLOAT8, BOOL, BYTEA } = types.builtins;
    if (type === INT8) return wholeNumber;
    const isPlain = [INT2, INT4, FLOAT4, FLOAT8, BOOL, BYTEA].includes(type);
    return isPlain ? types.getTypeParser(type, format) : String;
  },
};

function wholeNumber(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** Strings and comments, and names that hide what they refer to. */
const TEXTS = /'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\//g;
const QUALIFIED = /(u&)?(?:"((?:[^"]|"")+)"|([a-z_][\w$]*))\s*\./gi;

/**
 * Returns the problem of a statement that names a schema of the host or of another plugin. The check
 * prevents access by mistake; it is not a boundary against malicious code in the host's process.
 */
function foreignSchema(sql: string, own: string, host: string): string | undefined {
  for (const [, hides, quoted, plain] of sql.replaceAll(TEXTS, " ").matchAll(QUALIFIED)) {
    if (hides !== undefined) return "a statement may not write names with U&";
    const name = quoted?.replaceAll('""', '"') ?? plain?.toLowerCase() ?? "";
    if (name === host || (PLUGIN_SCHEMA.test(name) && name !== own)) {
      return `a statement may not use the schema "${name}", which does not belong to the plugin`;
    }
  }
  return undefined;
}

import { isDeepStrictEqual } from "node:util";
import { PluginStoreArgumentError } from "@openclaw/plugin-sdk/errors";
import type { PluginKeyValueStore } from "@openclaw/plugin-sdk/store";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { sql } from "kysely";
import { isJsonValue, readJson } from "../database/json-column.js";
import { jsonText } from "../database/json-text.js";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";

const MAXIMUM_KEY_LENGTH = 512;
const MAXIMUM_VALUE_BYTES = 256 * 1024;

/** JSON values that plugins store by key, separate for each plugin (PLUG-061). */
export interface PluginValues {
  /** Returns the values of one plugin. */
  of(pluginId: string): PluginKeyValueStore;
  /** Deletes every value of a plugin. */
  clear(pluginId: string): Promise<void>;
}

/** The values of all plugins, in one table. */
export class PluginValueTable implements PluginValues {
  readonly #unit: UnitOfWork;

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  of(pluginId: string): PluginKeyValueStore {
    return new ValuesOfPlugin(this.#unit, pluginId);
  }

  async clear(pluginId: string): Promise<void> {
    await this.#unit
      .query()
      .deleteFrom("plugin_values")
      .where("plugin_id", "=", encodeText(pluginId))
      .execute();
  }
}

class ValuesOfPlugin implements PluginKeyValueStore {
  readonly #unit: UnitOfWork;
  readonly #pluginId: string;

  constructor(unit: UnitOfWork, pluginId: string) {
    this.#unit = unit;
    this.#pluginId = pluginId;
  }

  async get(key: string): Promise<JsonValue | undefined> {
    return await this.#read(this.#unit, this.#key("get", key));
  }

  async set(key: string, value: JsonValue): Promise<void> {
    await this.#write(this.#unit, this.#key("set", key), this.#text("set", value));
  }

  async delete(key: string): Promise<boolean> {
    return await this.#remove(this.#unit, this.#key("delete", key));
  }

  async list(prefix = ""): Promise<readonly { readonly key: string; readonly value: JsonValue }[]> {
    if (typeof prefix !== "string") throw this.#wrong("list", `prefix: ${expectedText(prefix)}`);
    const start = encodeText(prefix);
    const rows = await this.#unit
      .query()
      .selectFrom("plugin_values")
      .select(["key", "value"])
      .where("plugin_id", "=", encodeText(this.#pluginId))
      .where("key", ">=", start)
      .where(sql`substr(key, 1, length(${start}))`, "=", start)
      .orderBy("key")
      .execute();
    return rows.map(({ key, value }) => ({ key: decodeText(key), value: this.#value(key, value) }));
  }

  async compareAndSet(
    key: string,
    expected: JsonValue | undefined,
    next: JsonValue | undefined,
  ): Promise<boolean> {
    const stored = this.#key("compareAndSet", key);
    const text = next === undefined ? undefined : this.#text("compareAndSet", next);
    return await this.#unit.atomic(async (unit) => {
      const found = await this.#read(unit, stored);
      if (!isDeepStrictEqual(found, expected)) return false;
      if (text !== undefined) await this.#write(unit, stored, text);
      else if (found !== undefined) await this.#remove(unit, stored);
      return true;
    });
  }

  async #read(unit: UnitOfWork, key: string): Promise<JsonValue | undefined> {
    const row = await unit
      .query()
      .selectFrom("plugin_values")
      .select("value")
      .where("plugin_id", "=", encodeText(this.#pluginId))
      .where("key", "=", key)
      .executeTakeFirst();
    return row === undefined ? undefined : this.#value(key, row.value);
  }

  async #write(unit: UnitOfWork, key: string, value: string): Promise<void> {
    const changed = { value, updated_at: unit.now() };
    await unit
      .query()
      .insertInto("plugin_values")
      .values({ plugin_id: encodeText(this.#pluginId), key, ...changed })
      .onConflict((conflict) => conflict.columns(["plugin_id", "key"]).doUpdateSet(changed))
      .execute();
  }

  async #remove(unit: UnitOfWork, key: string): Promise<boolean> {
    const [result] = await unit
      .query()
      .deleteFrom("plugin_values")
      .where("plugin_id", "=", encodeText(this.#pluginId))
      .where("key", "=", key)
      .execute();
    return result?.numDeletedRows === 1n;
  }

  #value(key: string, text: string): JsonValue {
    return readJson(text, isJsonValue, "plugin_values.value", `${this.#pluginId} ${key}`);
  }

  #key(call: string, key: unknown): string {
    if (typeof key !== "string") throw this.#wrong(call, `key: ${expectedText(key)}`);
    if (key.length < 1 || key.length > MAXIMUM_KEY_LENGTH) {
      const expected = `1 to ${MAXIMUM_KEY_LENGTH} characters`;
      throw this.#wrong(call, `key: expected ${expected}, got ${key.length}; use a shorter key`);
    }
    return encodeText(key);
  }

  #text(call: string, value: unknown): string {
    const text = jsonText(value);
    if (text instanceof Error) {
      throw this.#wrong(call, `value: expected a JSON value: ${text.message}`);
    }
    const bytes = Buffer.byteLength(text);
    if (bytes <= MAXIMUM_VALUE_BYTES) return text;
    const expected = `at most ${MAXIMUM_VALUE_BYTES} bytes of JSON`;
    const next = "split it over several keys, or keep it in a database of the plugin";
    throw this.#wrong(call, `value: expected ${expected}, got ${bytes}; ${next}`);
  }

  #wrong(call: string, problem: string): PluginStoreArgumentError {
    return new PluginStoreArgumentError(this.#pluginId, `store.kv.${call}`, problem);
  }
}

function expectedText(value: unknown): string {
  return `expected a string, got ${value === null ? "null" : typeof value}`;
}

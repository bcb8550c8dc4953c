import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { isJsonValue, readJson, writeJson } from "../database/json-column.js";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";

/** Value of the configuration that is stored in the database. */
export interface Setting {
  /** Keys from the root of the configuration. */
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** Command or file that the value comes from. */
  readonly source: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** Settings of the operator (HOST-007). No setting is below another one. */
export interface Settings {
  /** Returns the settings in the order of their paths. */
  list(): Promise<readonly Setting[]>;
  /**
   * Stores a setting instead of every one at, above and below its path.
   * @param setting - path, value and source
   */
  set(setting: Omit<Setting, "updatedAt">): Promise<void>;
  /**
   * Removes the settings at and below a path.
   * @param path - keys from the root
   * @returns the number of removed settings
   */
  remove(path: readonly string[]): Promise<number>;
}

/** The settings of a database or transaction. */
export class SettingTable implements Settings {
  readonly #unit: UnitOfWork;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async list(): Promise<readonly Setting[]> {
    const rows = await this.#unit.query().selectFrom("settings").selectAll().execute();
    return rows
      .map((row) => ({
        path: readJson(decodeText(row.path), isPath, "settings.path", row.path),
        value: readJson(row.value, isJsonValue, "settings.value", row.path),
        source: decodeText(row.source),
        updatedAt: Number(row.updated_at),
      }))
      .sort((one, other) => (one.path.join("\0") < other.path.join("\0") ? -1 : 1));
  }

  async set({ path, value, source }: Omit<Setting, "updatedAt">): Promise<void> {
    await this.#unit.atomic(async (unit) => {
      const table = new SettingTable(unit);
      const others = (await table.list()).filter(
        (other) => isBelow(other.path, path) || isBelow(path, other.path),
      );
      for (const other of others) await table.#delete(other.path);
      const key = JSON.stringify(path);
      await unit
        .query()
        .insertInto("settings")
        .values({
          path: encodeText(key),
          value: writeJson(value, "settings.value", key),
          source: encodeText(source),
          updated_at: await unit.clock(),
        })
        .execute();
    });
  }

  async remove(path: readonly string[]): Promise<number> {
    return await this.#unit.atomic(async (unit) => {
      const table = new SettingTable(unit);
      const found = (await table.list()).filter((setting) => isBelow(setting.path, path));
      for (const setting of found) await table.#delete(setting.path);
      return found.length;
    });
  }

  async #delete(path: readonly string[]): Promise<void> {
    await this.#unit
      .query()
      .deleteFrom("settings")
      .where("path", "=", encodeText(JSON.stringify(path)))
      .execute();
  }
}

/** Returns true for a path that is another one, or below it. */
function isBelow(path: readonly string[], other: readonly string[]): boolean {
  return path.length >= other.length && other.every((key, index) => key === path[index]);
}

function isPath(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((key) => typeof key === "string");
}

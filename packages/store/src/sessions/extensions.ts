import { PluginStoreArgumentError } from "@openclaw/plugin-sdk/errors";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { isJsonValue, readJson, writeJson } from "../database/json-column.js";
import { jsonText } from "../database/json-text.js";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowConstraintError, RowNotFoundError } from "../errors.js";
import { mergePatch } from "./json-merge-patch.js";

const MAXIMUM_BYTES = 16 * 1024;
const CALL = "session.state.patch";

/** Session, plugin and namespace of a value. */
export interface SessionExtensionPlace {
  readonly pluginId: string;
  readonly sessionKey: string;
  readonly namespace: string;
}

/** A value that a plugin stores with a session. */
export interface SessionExtensionValue extends SessionExtensionPlace {
  readonly value: JsonValue;
  /** Grows with each change of the value. */
  readonly version: number;
}

/** Change of a value: a JSON merge patch (RFC 7396), or the value that replaces it. */
export type SessionExtensionChange = { readonly patch: JsonValue } | { readonly value: JsonValue };

/** Outcome of a change that depends on the version of the value. */
export type SessionExtensionOutcome =
  | { readonly outcome: "changed"; readonly value: JsonValue; readonly version: number }
  /** The value has another version than expected, and is unchanged. */
  | { readonly outcome: "stale"; readonly version: number }
  /** The changed value would exceed 16 KiB of JSON, and was not stored. */
  | { readonly outcome: "too-large"; readonly bytes: number };

/** JSON values that plugins store with sessions, one per session, plugin and namespace (TURN-050). */
export interface SessionExtensions {
  /** Returns the value of a session, plugin and namespace. */
  get(place: SessionExtensionPlace): Promise<JsonValue | undefined>;
  /**
   * Changes a value by a JSON merge patch (RFC 7396); a missing value counts as null.
   * @param place - session, plugin and namespace of the value
   * @param patch - null removes a field; null alone removes the value
   * @returns the new value
   * @throws PluginStoreArgumentError when patch or value is not JSON or exceeds 16 KiB; the value
   *   is unchanged
   * @throws RowNotFoundError when the session does not exist
   */
  patch(place: SessionExtensionPlace, patch: JsonValue): Promise<JsonValue>;
  /**
   * Changes a value if it has the expected version. A version is 0 while there is no value, and grows with each
   * change; a removed value does not get one of its earlier versions again.
   * @param place - session, plugin and namespace of the value
   * @param change - null, or a patch that is null, removes the value
   * @param expectedVersion - version that the value must have; any when absent
   * @throws RowNotFoundError when the session does not exist
   */
  change(
    place: SessionExtensionPlace,
    change: SessionExtensionChange,
    expectedVersion?: number,
  ): Promise<SessionExtensionOutcome>;
  /** Returns all values of some sessions. */
  ofSessions(sessionKeys: readonly string[]): Promise<readonly SessionExtensionValue[]>;
  /**
   * Removes all values of a session or plugin.
   * @param owner - the session or plugin
   */
  clear(owner: { readonly sessionKey: string } | { readonly pluginId: string }): Promise<void>;
}

/** The values of a database or transaction. */
export class SessionExtensionTable implements SessionExtensions {
  readonly #unit: UnitOfWork;

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async get(place: SessionExtensionPlace): Promise<JsonValue | undefined> {
    return (await readVersioned(place, this.#unit)).value;
  }

  async patch(place: SessionExtensionPlace, patch: JsonValue): Promise<JsonValue> {
    const checked = storedValue(place, checkedText(place, "patch", patch));
    return await this.#unit.atomic(async (unit) => {
      const before = await readVersioned(place, unit);
      const value = mergePatch(before.value ?? null, checked);
      if (value === null) await remove(place, unit);
      else await write(place, checkedText(place, "value", value), nextVersion(before, unit), unit);
      return value;
    });
  }

  async change(
    place: SessionExtensionPlace,
    change: SessionExtensionChange,
    expectedVersion?: number,
  ): Promise<SessionExtensionOutcome> {
    return await this.#unit.atomic(async (unit) => {
      const before = await readVersioned(place, unit);
      if (expectedVersion !== undefined && expectedVersion !== before.version) {
        return { outcome: "stale", version: before.version };
      }
      const value =
        "value" in change ? change.value : mergePatch(before.value ?? null, change.patch);
      if (value === null) {
        await remove(place, unit);
        return { outcome: "changed", value, version: 0 };
      }
      const text = writeJson(value, "session_extensions.value", place.namespace);
      const bytes = Buffer.byteLength(text);
      if (bytes > MAXIMUM_BYTES) return { outcome: "too-large", bytes };
      const version = nextVersion(before, unit);
      await write(place, text, version, unit);
      return { outcome: "changed", value, version };
    });
  }

  async ofSessions(sessionKeys: readonly string[]): Promise<readonly SessionExtensionValue[]> {
    if (sessionKeys.length === 0) return [];
    const rows = await this.#unit
      .query()
      .selectFrom("session_extensions")
      .select(["session_key", "plugin_id", "namespace", "value", "version"])
      .where("session_key", "in", sessionKeys.map(encodeText))
      .orderBy("session_key")
      .orderBy("plugin_id")
      .orderBy("namespace")
      .execute();
    return rows.map((row) => {
      const place = {
        sessionKey: decodeText(row.session_key),
        pluginId: decodeText(row.plugin_id),
        namespace: decodeText(row.namespace),
      };
      return { ...place, value: storedValue(place, row.value), version: row.version };
    });
  }

  async clear(
    owner: { readonly sessionKey: string } | { readonly pluginId: string },
  ): Promise<void> {
    const rows = this.#unit.query().deleteFrom("session_extensions");
    await ("sessionKey" in owner
      ? rows.where("session_key", "=", encodeText(owner.sessionKey))
      : rows.where("plugin_id", "=", encodeText(owner.pluginId))
    ).execute();
  }
}

/** Value with its version, which is 0 while there is no value. */
interface VersionedValue {
  readonly value: JsonValue | undefined;
  readonly version: number;
}

async function readVersioned(
  place: SessionExtensionPlace,
  unit: UnitOfWork,
): Promise<VersionedValue> {
  const row = await unit
    .query()
    .selectFrom("session_extensions")
    .select(["value", "version"])
    .where((where) => where.and(keyOf(place)))
    .executeTakeFirst();
  return row === undefined
    ? { value: undefined, version: 0 }
    : { value: storedValue(place, row.value), version: row.version };
}

/** A new value begins with the time, so that it does not get a version of a value that was removed. */
function nextVersion({ version }: VersionedValue, unit: UnitOfWork): number {
  return version === 0 ? unit.now() : version + 1;
}

async function write(
  place: SessionExtensionPlace,
  value: string,
  version: number,
  unit: UnitOfWork,
): Promise<void> {
  const changed = { value, version, updated_at: unit.now() };
  await unit
    .query()
    .insertInto("session_extensions")
    .values({ ...keyOf(place), ...changed })
    .onConflict((conflict) =>
      conflict.columns(["session_key", "plugin_id", "namespace"]).doUpdateSet(changed),
    )
    .execute()
    .catch((error: unknown) => {
      const isMissing = RowConstraintError.isInstance(error) && error.constraint === "foreign-key";
      if (!isMissing) throw error;
      const nextStep = "use the key of an existing session, for example from a hook";
      throw new RowNotFoundError(CALL, `session ${place.sessionKey}`, nextStep);
    });
}

async function remove(place: SessionExtensionPlace, unit: UnitOfWork): Promise<void> {
  await unit
    .query()
    .deleteFrom("session_extensions")
    .where((where) => where.and(keyOf(place)))
    .execute();
}

function keyOf({ sessionKey, pluginId, namespace }: SessionExtensionPlace) {
  return {
    session_key: encodeText(sessionKey),
    plugin_id: encodeText(pluginId),
    namespace: encodeText(namespace),
  };
}

function checkedText(
  { pluginId, namespace }: SessionExtensionPlace,
  argument: "patch" | "value",
  json: JsonValue,
): string {
  const wrong = (problem: string) =>
    new PluginStoreArgumentError(pluginId, CALL, `${argument} of "${namespace}": ${problem}`);
  const text = jsonText(json);
  if (text instanceof Error) throw wrong(`expected a JSON value: ${text.message}`);
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAXIMUM_BYTES) return text;
  const expected = `at most ${MAXIMUM_BYTES} bytes of JSON`;
  throw wrong(`expected ${expected}, got ${bytes}; keep large values in the plugin's store`);
}

function storedValue({ pluginId, namespace }: SessionExtensionPlace, text: string): JsonValue {
  return readJson(text, isJsonValue, "session_extensions.value", `${pluginId} ${namespace}`);
}

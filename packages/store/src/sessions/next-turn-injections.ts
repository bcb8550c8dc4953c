import { defined } from "@openclaw/foundation";
import { PluginQuotaError, PluginStoreArgumentError } from "@openclaw/plugin-sdk/errors";
import type { QueuedInjection } from "@openclaw/plugin-sdk/hooks";
import type { NextTurnInjection, NextTurnInjectionReceipt } from "@openclaw/plugin-sdk/sessions";
import { type Selectable, sql } from "kysely";
import { isJsonObject, readOptionalJson, readWord } from "../database/json-column.js";
import { jsonText } from "../database/json-text.js";
import { preparedQuery } from "../database/prepared-query.js";
import {
  decodeOptionalText,
  decodeText,
  encodeOptionalText,
  encodeText,
} from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowNotFoundError } from "../errors.js";
import type { NextTurnInjectionColumns } from "./schema.js";

const PLACEMENTS = ["prepend_context", "append_context"] as const;
const MAXIMUM_BYTES = 16 * 1024;
const MAXIMUM_KEY_LENGTH = 512;
const MAXIMUM_PENDING = 64;
/** Time for which the key of a received injection is remembered, in milliseconds: 7 days. */
const KEY_MEMORY_MS = 7 * 24 * 60 * 60 * 1000;
const CALL = "session.workflow.enqueueNextTurnInjection";

/** The injections that a turn receives. */
export interface DrainedInjections {
  /** Injections in the order in which they were enqueued. */
  readonly injections: readonly QueuedInjection[];
  /** Number of injections dropped because they expired. */
  readonly expired: number;
}

/**
 * Text that plugins add to the next turn of a session; each injection reaches a model at most once
 * (TURN-049).
 */
export interface NextTurnInjections {
  /**
   * Enqueues an injection. A second call with the same plugin and key stores nothing and returns
   * the first one's id, for up to 7 days after a model has received it.
   * @param injection - the text and its session
   * @throws PluginStoreArgumentError for text over 16 KiB, or another field of a wrong type or
   *   range
   * @throws PluginQuotaError when 64 injections of the plugin are already pending for the session
   * @throws RowNotFoundError when the session does not exist
   */
  enqueue(pluginId: string, injection: NextTurnInjection): Promise<NextTurnInjectionReceipt>;
  /**
   * Binds the pending injections of a session to a turn. Those bound to a turn that ended before a
   * model received them become pending again; a turn may drain its injections repeatedly.
   * @param runId - the turn
   * @param accepts - true for plugins whose injections may be drained; those of other plugins stay
   *   pending
   */
  drain(
    sessionKey: string,
    runId: string,
    accepts: (pluginId: string) => boolean,
  ): Promise<DrainedInjections>;
  /**
   * Marks the injections of a turn as received by a model; no turn drains them again.
   * @param runId - the turn
   */
  consume(runId: string): Promise<void>;
  /**
   * Removes all injections of a session or plugin, including remembered keys.
   * @param owner - the session or plugin
   */
  clear(owner: { readonly sessionKey: string } | { readonly pluginId: string }): Promise<void>;
}

/** The injections of a database or transaction. */
export class NextTurnInjectionTable implements NextTurnInjections {
  readonly #unit: UnitOfWork;
  readonly #newId: (now: number) => string;

  constructor(unit: UnitOfWork, newId: (now: number) => string) {
    this.#unit = unit;
    this.#newId = newId;
  }

  async enqueue(pluginId: string, injection: NextTurnInjection): Promise<NextTurnInjectionReceipt> {
    const fields = checkedFields(pluginId, injection);
    const { sessionKey } = injection;
    const session_key = encodeText(sessionKey);
    const plugin_id = encodeText(pluginId);
    return await this.#unit.atomic(async (unit) => {
      const now = await unit.clock();
      await requireSession(sessionKey, unit);
      await dropOutdated(session_key, now, unit);
      const earlier = await keyedRow(session_key, plugin_id, fields.idempotency_key, unit);
      if (earlier !== undefined) {
        return { enqueued: false, reason: "duplicate", id: earlier.id, sessionKey };
      }
      await requireRoom(pluginId, session_key, plugin_id, unit);
      const id = this.#newId(now);
      await unit
        .query()
        .insertInto("next_turn_injections")
        .values({
          id,
          session_key,
          plugin_id,
          ...fields,
          created_at: now,
          expires_at: injection.ttlMs === undefined ? null : now + injection.ttlMs,
        })
        .execute();
      return { enqueued: true, id, sessionKey };
    });
  }

  async drain(
    sessionKey: string,
    runId: string,
    accepts: (pluginId: string) => boolean,
  ): Promise<DrainedInjections> {
    const session_key = encodeText(sessionKey);
    // Most turns find nothing, which needs no transaction.
    const [any] = await anyRow(this.#unit, { session_key });
    if (any === undefined) return { injections: [], expired: 0 };
    return await this.#unit.atomic(async (unit) => {
      const expired = await dropOutdated(session_key, await unit.clock(), unit);
      const waiting = await waitingRows(session_key, encodeText(runId), unit);
      const drained = waiting.filter((row) => accepts(decodeText(row.plugin_id)));
      if (drained.length > 0) {
        const positions = drained.map(({ position }) => position);
        await unit
          .query()
          .updateTable("next_turn_injections")
          .set({ run_id: encodeText(runId) })
          .where("position", "in", positions)
          .execute();
      }
      return { injections: drained.map(toInjection), expired };
    });
  }

  async consume(runId: string): Promise<void> {
    await this.#unit.atomic(async (unit) => {
      const consumed_at = await unit.clock();
      const bound = encodeText(runId);
      await unit
        .query()
        .deleteFrom("next_turn_injections")
        .where("run_id", "=", bound)
        .where("idempotency_key", "is", null)
        .execute();
      // Only the key of a keyed injection is kept.
      await unit
        .query()
        .updateTable("next_turn_injections")
        .set({ text: "", metadata: null, expires_at: null, run_id: null, consumed_at })
        .where("run_id", "=", bound)
        .execute();
    });
  }

  async clear(
    owner: { readonly sessionKey: string } | { readonly pluginId: string },
  ): Promise<void> {
    const rows = this.#unit.query().deleteFrom("next_turn_injections");
    await ("sessionKey" in owner
      ? rows.where("session_key", "=", encodeText(owner.sessionKey))
      : rows.where("plugin_id", "=", encodeText(owner.pluginId))
    ).execute();
  }
}

const anyRow = preparedQuery<{ session_key: string }, { position: number }>((query, parameter) =>
  query
    .selectFrom("next_turn_injections")
    .select("position")
    .where("session_key", "in", [parameter("session_key")])
    .limit(sql.lit(1)),
);

/**
 * Selects pending injections, including those of an ended turn that no model received, but not
 * those of another running turn.
 */
function waitingRows(session_key: string, run_id: string, unit: UnitOfWork) {
  return unit
    .query()
    .selectFrom("next_turn_injections")
    .selectAll()
    .where("session_key", "=", session_key)
    .where("consumed_at", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("turns")
            .select("turns.run_id")
            .whereRef("turns.run_id", "=", "next_turn_injections.run_id")
            .where("turns.run_id", "!=", run_id)
            .where("turns.state", "=", "running"),
        ),
      ),
    )
    .orderBy("position")
    .execute();
}

/** Removes expired injections, and keys that have been remembered long enough. */
async function dropOutdated(session_key: string, now: number, unit: UnitOfWork): Promise<number> {
  const ofSession = () =>
    unit.query().deleteFrom("next_turn_injections").where("session_key", "=", session_key);
  await ofSession()
    .where("consumed_at", "<=", now - KEY_MEMORY_MS)
    .execute();
  const { numDeletedRows } = await ofSession()
    .where("expires_at", "<=", now)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function keyedRow(
  session_key: string,
  plugin_id: string,
  idempotency_key: string | null,
  unit: UnitOfWork,
) {
  if (idempotency_key === null) return undefined;
  return await unit
    .query()
    .selectFrom("next_turn_injections")
    .select("id")
    .where("session_key", "=", session_key)
    .where("plugin_id", "=", plugin_id)
    .where("idempotency_key", "=", idempotency_key)
    .executeTakeFirst();
}

async function requireSession(sessionKey: string, unit: UnitOfWork): Promise<void> {
  const found = await unit
    .query()
    .selectFrom("sessions")
    .select("session_key")
    .where("session_key", "=", encodeText(sessionKey))
    .executeTakeFirst();
  if (found !== undefined) return;
  const nextStep = "use the key of an existing session, for example from a hook";
  throw new RowNotFoundError(CALL, `session ${sessionKey}`, nextStep);
}

async function requireRoom(
  pluginId: string,
  session_key: string,
  plugin_id: string,
  unit: UnitOfWork,
): Promise<void> {
  const { pending } = await unit
    .query()
    .selectFrom("next_turn_injections")
    .select((column) => column.fn.countAll<number>().as("pending"))
    .where("session_key", "=", session_key)
    .where("plugin_id", "=", plugin_id)
    .where("consumed_at", "is", sql.lit(null))
    .executeTakeFirstOrThrow();
  if (pending < MAXIMUM_PENDING) return;
  throw new PluginQuotaError(
    pluginId,
    CALL,
    `${MAXIMUM_PENDING} injections are already pending for the session`,
    "wait for its next turn, or combine several injections into one",
  );
}

/** Returns the columns of the fields that a plugin sets. */
function checkedFields(pluginId: string, injection: NextTurnInjection) {
  const wrong = (problem: string) => new PluginStoreArgumentError(pluginId, CALL, problem);
  const { sessionKey, text, placement = "prepend_context", idempotencyKey, ttlMs } = injection;
  if (typeof sessionKey !== "string") {
    throw wrong(`sessionKey: expected a string, got ${typeof sessionKey}`);
  }
  if (typeof text !== "string" || text.trim() === "") {
    throw wrong(
      `text: expected a string, got ${typeof text === "string" ? "an empty one" : typeof text}`,
    );
  }
  requireBytes(text, "text", wrong);
  if (!PLACEMENTS.includes(placement)) {
    throw wrong(`placement: expected ${PLACEMENTS.join(" or ")}, got ${String(placement)}`);
  }
  if (idempotencyKey !== undefined && !isKey(idempotencyKey)) {
    throw wrong(`idempotencyKey: expected 1 to ${MAXIMUM_KEY_LENGTH} characters`);
  }
  if (ttlMs !== undefined && !(Number.isSafeInteger(ttlMs) && ttlMs >= 1)) {
    throw wrong(`ttlMs: expected a whole number of milliseconds from 1, got ${String(ttlMs)}`);
  }
  return {
    text: encodeText(text),
    placement,
    idempotency_key: encodeOptionalText(idempotencyKey),
    metadata: metadataColumn(injection.metadata, wrong),
  };
}

function metadataColumn(metadata: unknown, wrong: (problem: string) => Error): string | null {
  if (metadata === undefined) return null;
  if (!isJsonObject(metadata)) throw wrong("metadata: expected an object");
  const written = jsonText(metadata);
  if (written instanceof Error) {
    throw wrong(`metadata: expected a JSON object: ${written.message}`);
  }
  requireBytes(written, "metadata", wrong);
  return written;
}

function requireBytes(text: string, field: string, wrong: (problem: string) => Error): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAXIMUM_BYTES) return;
  throw wrong(`${field}: expected at most ${MAXIMUM_BYTES} bytes, got ${bytes}; shorten it`);
}

function isKey(key: unknown): boolean {
  return typeof key === "string" && key.length >= 1 && key.length <= MAXIMUM_KEY_LENGTH;
}

function toInjection(row: Selectable<NextTurnInjectionColumns>): QueuedInjection {
  const { id } = row;
  const column = "next_turn_injections.metadata";
  return defined({
    id,
    pluginId: decodeText(row.plugin_id),
    text: decodeText(row.text),
    placement: readWord(row.placement, PLACEMENTS, "next_turn_injections.placement", id),
    idempotencyKey: decodeOptionalText(row.idempotency_key),
    metadata: readOptionalJson(row.metadata, isJsonObject, column, id),
  });
}

import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { isJsonValue, readJson, writeJson } from "../database/json-column.js";
import { encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { StoreArgumentError } from "../errors.js";

/** Topic of the signals, whose text is the ID of the signal. */
const SIGNALS = "signals";
/** Most bytes of an ID, and of a value, which names what has happened; its content is in a table. */
const MOST_ID_BYTES = 500;
const MOST_VALUE_BYTES = 1024;

/**
 * Signals: values that one part of a host tells another (SCALE-509). The first value of an ID is kept until it is removed, so it
 * is received by those who wait and by those who ask later, also after a restart.
 */
export interface Signals {
  /**
   * Stores a value, in the transaction of the change that it announces.
   * @param id - ID of the signal, from 1 to 500 bytes
   * @param value - at most 1 KiB of JSON
   * @returns false when the signal has a value already, which stays
   * @throws StoreArgumentError for an invalid ID or value
   */
  signal(id: string, value?: JsonValue): Promise<boolean>;
  /**
   * Waits for the value of a signal, which stays stored.
   * @param id - ID of the signal
   * @param abort - ends the wait
   * @returns the value
   * @throws the reason of `abort`
   * @throws TransactionMisuseError on the store of a transaction, which would keep others from sending it
   */
  await(id: string, abort?: AbortSignal): Promise<JsonValue>;
  /** Returns the value of a signal; undefined when it has none. */
  get(id: string): Promise<JsonValue | undefined>;
  /**
   * Removes a signal, in the transaction that stores what follows from it.
   * @returns false when it has no value
   */
  remove(id: string): Promise<boolean>;
}

/** The signals of a database or transaction. */
export class SignalTable implements Signals {
  readonly #unit: UnitOfWork;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async signal(id: string, value: JsonValue = null): Promise<boolean> {
    const written = writeJson(value, "signals.value", id);
    requireBytes("the ID", id, 1, MOST_ID_BYTES);
    requireBytes(`the value of ${id}`, written, 1, MOST_VALUE_BYTES);
    return await this.#unit.atomic(async (unit) => {
      const { numInsertedOrUpdatedRows } = await unit
        .query()
        .insertInto("signals")
        .values({ signal_id: encodeText(id), value: written, created_at: await unit.clock() })
        .onConflict((conflict) => conflict.column("signal_id").doNothing())
        .executeTakeFirstOrThrow();
      const isNew = (numInsertedOrUpdatedRows ?? 0n) > 0n;
      if (isNew) unit.topics.publish(SIGNALS, id);
      return isNew;
    });
  }

  async await(id: string, abort?: AbortSignal): Promise<JsonValue> {
    requireBytes("the ID", id, 1, MOST_ID_BYTES);
    abort?.throwIfAborted();
    let told = () => {};
    let end = (_reason: unknown) => {};
    const ended = new Promise<never>((_resolve, reject) => {
      end = reject;
    });
    // Subscribed before the first look, so that no value comes between the two.
    const unsubscribe = this.#unit.topics.subscribe(SIGNALS, (text) => {
      if (text === id) told();
    });
    const onAbort = () => end(abort?.reason);
    abort?.addEventListener("abort", onAbort, { once: true });
    try {
      for (;;) {
        const next = new Promise<void>((resolve) => {
          told = resolve;
        });
        const value = await Promise.race([this.get(id), ended]);
        if (value !== undefined) return value;
        await Promise.race([next, ended]);
      }
    } finally {
      unsubscribe();
      abort?.removeEventListener("abort", onAbort);
    }
  }

  async get(id: string): Promise<JsonValue | undefined> {
    const row = await this.#unit
      .query()
      .selectFrom("signals")
      .select("value")
      .where("signal_id", "=", encodeText(id))
      .executeTakeFirst();
    return row && readJson(row.value, isJsonValue, "signals.value", id);
  }

  async remove(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#unit
      .query()
      .deleteFrom("signals")
      .where("signal_id", "=", encodeText(id))
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }
}

function requireBytes(what: string, text: string, least: number, most: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes >= least && bytes <= most) return;
  throw new StoreArgumentError("signals.signal", what, `${least} to ${most} bytes`, bytes);
}

import { writeJson } from "../database/json-column.js";
import { encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { type Device, type DeviceState, deviceOf } from "./device.js";

/** Device that has just proved that it has a key. */
export interface DeviceContact extends Pick<Device, "deviceId" | "publicKey" | "name" | "address"> {
  /** Network of the address, whose waiting devices are limited together. */
  readonly network: string;
}

/** Limits of the devices that wait. */
export interface DeviceLimits {
  /** Milliseconds that a device waits. */
  readonly waitingMs: number;
  /** Maximum number of waiting devices. */
  readonly maxWaiting: number;
  /** Maximum number of waiting devices of one network. */
  readonly maxWaitingPerNetwork: number;
  /** Milliseconds after which a waiting device that no longer asks gives its place to another one. */
  readonly idleMs: number;
}

/** Outcome of a contact. */
export type DeviceAdmission =
  | { readonly outcome: DeviceState | "created"; readonly device: Device }
  /** Too many other devices wait. */
  | { readonly outcome: "full" };

/** Decision of an operator about a device. */
export interface DeviceDecision {
  readonly to: Exclude<DeviceState, "waiting">;
  /** States from which the decision is possible. */
  readonly from: readonly DeviceState[];
  /** Operator. */
  readonly by: string;
  /** Rights of the device; unchanged when absent. */
  readonly scopes?: readonly string[] | undefined;
  /** Milliseconds after which the device is forgotten; absent keeps it. */
  readonly keptMs?: number | undefined;
}

/** Devices that connect with a key, and those that wait for the operator (HOST-023). */
export interface Devices {
  /** Returns the devices, those that wait first, then in the order of their requests. */
  list(): Promise<readonly Device[]>;
  /** Returns the number of devices that wait. */
  countWaiting(): Promise<number>;
  /**
   * Notes that a device proved its key, and stores the request of an unknown one, unless too many others wait. One that
   * no longer asks gives its place.
   * @param contact - device with key, name and address
   * @param code - code of a new request
   * @param limits - limits of the devices that wait
   */
  admit(contact: DeviceContact, code: string, limits: DeviceLimits): Promise<DeviceAdmission>;
  /**
   * Changes the state of a device.
   * @param decision - new state, and the states from which it is possible
   * @returns the device; undefined when it is in another state, or expired
   */
  decide(deviceId: string, decision: DeviceDecision): Promise<Device | undefined>;
  /**
   * Changes the name of a device.
   * @param name - new name
   * @returns the device; undefined when there is none
   */
  rename(deviceId: string, name: string): Promise<Device | undefined>;
}

/** The devices of a database or transaction. */
export class DeviceTable implements Devices {
  readonly #unit: UnitOfWork;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async list(): Promise<readonly Device[]> {
    const rows = await current(this.#unit, await this.#unit.clock())
      .orderBy("requested_at")
      .orderBy("device_id")
      .execute();
    const devices = rows.map(deviceOf);
    const isWaiting = ({ state }: Device) => state === "waiting";
    return [...devices.filter(isWaiting), ...devices.filter((device) => !isWaiting(device))];
  }

  async countWaiting(): Promise<number> {
    const rows = await current(this.#unit, await this.#unit.clock())
      .where("state", "=", "waiting")
      .execute();
    return rows.length;
  }

  async admit(
    contact: DeviceContact,
    code: string,
    { waitingMs, maxWaiting, maxWaitingPerNetwork, idleMs }: DeviceLimits,
  ): Promise<DeviceAdmission> {
    return await this.#unit.atomic(async (unit) => {
      const now = await unit.clock();
      const known = await this.#seen(unit, contact, now);
      if (known !== undefined) return { outcome: known.state, device: known };
      await unit.query().deleteFrom("devices").where("expires_at", "<=", now).execute();
      const waiting = await current(unit, now).where("state", "=", "waiting").execute();
      const network = encodeText(contact.network);
      const ofNetwork = waiting.filter((row) => row.network === network);
      const isNetworkFull = ofNetwork.length >= maxWaitingPerNetwork;
      if (isNetworkFull || waiting.length >= maxWaiting) {
        const [idle] = (isNetworkFull ? ofNetwork : waiting)
          .filter((row) => lastAsked(row) <= now - idleMs)
          .toSorted((one, other) => lastAsked(one) - lastAsked(other));
        if (idle === undefined) return { outcome: "full" };
        await unit.query().deleteFrom("devices").where("device_id", "=", idle.device_id).execute();
      }
      const { deviceId, publicKey, name, address } = contact;
      const row = {
        device_id: deviceId,
        public_key: publicKey,
        name: encodeText(name),
        state: "waiting",
        code,
        scopes: "[]",
        network,
        address: encodeText(address),
        requested_at: now,
        expires_at: now + waitingMs,
        decided_at: null,
        decided_by: null,
        last_seen_at: null,
      };
      await unit.query().insertInto("devices").values(row).execute();
      return { outcome: "created", device: deviceOf(row) };
    });
  }

  async decide(
    deviceId: string,
    { to, from, by, scopes, keptMs }: DeviceDecision,
  ): Promise<Device | undefined> {
    return await this.#unit.atomic(async (unit) => {
      const now = await unit.clock();
      const row = await unit
        .query()
        .updateTable("devices")
        .set({
          state: to,
          code: null,
          expires_at: keptMs === undefined ? null : now + keptMs,
          decided_at: now,
          decided_by: encodeText(by),
          ...(scopes === undefined
            ? {}
            : { scopes: writeJson(scopes, "devices.scopes", deviceId) }),
        })
        .where("device_id", "=", deviceId)
        .where("state", "in", [...from])
        .where((where) =>
          where.or([where("expires_at", "is", null), where("expires_at", ">", now)]),
        )
        .returningAll()
        .executeTakeFirst();
      return row && deviceOf(row);
    });
  }

  async rename(deviceId: string, name: string): Promise<Device | undefined> {
    const row = await this.#unit
      .query()
      .updateTable("devices")
      .set({ name: encodeText(name) })
      .where("device_id", "=", deviceId)
      .returningAll()
      .executeTakeFirst();
    return row && deviceOf(row);
  }

  /** Returns the device of a contact, with the time of its connection, or of its request while it waits. */
  async #seen(
    unit: UnitOfWork,
    { deviceId, address }: DeviceContact,
    now: number,
  ): Promise<Device | undefined> {
    const row = await current(unit, now).where("device_id", "=", deviceId).executeTakeFirst();
    if (row?.state !== "approved" && row?.state !== "waiting") return row && deviceOf(row);
    const seen = { address: encodeText(address), last_seen_at: now };
    // The state of the updated row counts, because a revocation may have committed meanwhile.
    const updated = await unit
      .query()
      .updateTable("devices")
      .set(seen)
      .where("device_id", "=", deviceId)
      .returningAll()
      .executeTakeFirst();
    return updated && deviceOf(updated);
  }
}

function lastAsked(row: { readonly last_seen_at: number | null; readonly requested_at: number }) {
  return row.last_seen_at ?? row.requested_at;
}

/** Selects the devices that are not expired. */
function current(unit: UnitOfWork, now: number) {
  return unit
    .query()
    .selectFrom("devices")
    .selectAll()
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now)]));
}

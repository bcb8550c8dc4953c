import type { Selectable } from "kysely";
import { readJson, readWord } from "../database/json-column.js";
import { decodeOptionalText, decodeText } from "../database/text-column.js";
import type { DeviceColumns } from "./schema.js";

const STATES = ["waiting", "approved", "rejected", "revoked"] as const;

/**
 * State of a device: it waits for the operator, it may connect, its request was rejected for some time, or it may not
 * connect any more.
 */
export type DeviceState = (typeof STATES)[number];

/** Device that proved that it has a key. */
export interface Device {
  /** SHA-256 of the public key, in hexadecimal. */
  readonly deviceId: string;
  /** Raw Ed25519 key in Base64url. */
  readonly publicKey: string;
  readonly name: string;
  readonly state: DeviceState;
  /** Code that a waiting device shows. */
  readonly code: string | undefined;
  /** Rights of an approved device. */
  readonly scopes: readonly string[];
  /** IP address from which it was last seen. */
  readonly address: string;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
  /** Time at which a waiting or rejected device is forgotten, in milliseconds since the epoch. */
  readonly expiresAt: number | undefined;
  /** Time of the last decision, in milliseconds since the epoch. */
  readonly decidedAt: number | undefined;
  /** Operator who made it. */
  readonly decidedBy: string | undefined;
  /** Time of the last connection, in milliseconds since the epoch. */
  readonly lastSeenAt: number | undefined;
}

/**
 * Returns the device of a row.
 * @param row - row of the table
 * @throws RowDataError when the row is damaged
 */
export function deviceOf(row: Selectable<DeviceColumns>): Device {
  const { device_id: deviceId } = row;
  return {
    deviceId,
    publicKey: row.public_key,
    name: decodeText(row.name),
    state: readWord(row.state, STATES, "devices.state", deviceId),
    code: decodeOptionalText(row.code),
    scopes: readJson(row.scopes, isStrings, "devices.scopes", deviceId),
    address: decodeText(row.address),
    requestedAt: Number(row.requested_at),
    expiresAt: optionalTime(row.expires_at),
    decidedAt: optionalTime(row.decided_at),
    decidedBy: decodeOptionalText(row.decided_by),
    lastSeenAt: optionalTime(row.last_seen_at),
  };
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function optionalTime(time: number | null): number | undefined {
  return time === null ? undefined : Number(time);
}

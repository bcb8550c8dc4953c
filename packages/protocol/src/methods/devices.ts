import { type Static, Type } from "typebox";
import type { Immutable } from "../definition/immutable.js";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";
import { DEVICE_NAME_LENGTH, DEVICE_SCOPES } from "../wire/device.js";

// The browsers that are notified belong to the devices of a person.
export { pushMethods } from "../push/methods.js";

const closed = { additionalProperties: false };
const time = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description}, in milliseconds since the epoch.` });
const device = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    "Code that the device shows, or its ID; at least the first 16 digits of it, in groups or without.",
});
const name = (description: string) =>
  Type.String({ minLength: 1, maxLength: DEVICE_NAME_LENGTH, description });
const scopes = Type.Array(Type.Enum([...DEVICE_SCOPES]), {
  minItems: 1,
  uniqueItems: true,
  description: "Rights of the device; `operator.read` and `operator.write` when absent.",
});

const summary = Type.Object(
  {
    deviceId: Type.String({ description: "SHA-256 of the public key, in hexadecimal." }),
    fingerprint: Type.String({ description: "First 16 digits of the ID, in groups of four." }),
    name: Type.String(),
    state: Type.Enum(["waiting", "approved", "rejected", "revoked"]),
    code: Type.Optional(Type.String({ description: "Code that the waiting device shows." })),
    scopes: Type.Array(Type.Enum([...DEVICE_SCOPES])),
    address: Type.String({ description: "IP address from which the device was last seen." }),
    isConnected: Type.Boolean({ description: "True while the device has a connection." }),
    requestedAt: time("Time of the request"),
    expiresAt: Type.Optional(time("Time at which a waiting or rejected device is forgotten")),
    decidedAt: Type.Optional(time("Time of the last decision")),
    decidedBy: Type.Optional(Type.String({ description: "Operator who made it." })),
    lastSeenAt: Type.Optional(time("Time of the last connection")),
  },
  { title: "DeviceSummary" },
);

/** Device that asked to be paired. */
export type DeviceSummary = Immutable<Static<typeof summary>>;

/** The methods of paired devices. */
export const deviceMethods = methodTable(
  defineMethod({
    name: "devices.list",
    summary: "Lists the devices that wait for an approval, and those with a decision (HOST-023).",
    params: Type.Object({}, closed),
    result: Type.Object({ devices: Type.Array(summary) }),
    errors: [],
    scope: "operator.admin",
    effect: "read",
  }),
  defineMethod({
    name: "devices.approve",
    summary: "Lets a device connect with its key, also one that was rejected or revoked before.",
    params: Type.Object({ device, scopes: Type.Optional(scopes) }, closed),
    result: summary,
    errors: ["DEVICE_NOT_FOUND", "DEVICE_STATE"],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "devices.reject",
    summary: "Rejects the request of a device; its key cannot ask again for 24 hours.",
    params: Type.Object({ device }, closed),
    result: summary,
    errors: ["DEVICE_NOT_FOUND", "DEVICE_STATE"],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "devices.revoke",
    summary: "Closes the connections of an approved device, and rejects its further ones.",
    params: Type.Object({ device }, closed),
    result: summary,
    errors: ["DEVICE_NOT_FOUND", "DEVICE_STATE"],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "devices.rename",
    summary: "Changes the name of a device.",
    params: Type.Object({ device, name: name("New name, without control characters.") }, closed),
    result: summary,
    errors: ["DEVICE_NOT_FOUND", "DEVICE_NAME"],
    scope: "operator.admin",
    effect: "write",
  }),
);

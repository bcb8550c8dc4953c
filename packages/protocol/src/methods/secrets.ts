import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

const closed = { additionalProperties: false };
const time = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description}, in milliseconds since the epoch.` });
const name = Type.String({ minLength: 1, maxLength: 128, description: "Name of the secret." });
const passphrase = Type.String({ minLength: 12, maxLength: 1024, description: "Passphrase." });
const scope = "operator.admin" as const;

/** The methods of stored secrets; none of them returns a value in clear text. */
export const secretMethods = methodTable(
  defineMethod({
    name: "secrets.list",
    summary: "Lists the stored secrets without their values (HOST-016).",
    params: Type.Object({}, closed),
    result: Type.Object({
      secrets: Type.Array(
        Type.Object({
          name,
          createdAt: time("Time of the first value"),
          updatedAt: time("Time of the current value"),
          expiresAt: Type.Optional(time("Time after which it reads as missing")),
          isExpired: Type.Boolean(),
          lastUsedAt: Type.Optional(time("Time of the last use")),
          lastUsedBy: Type.Optional(
            Type.String({ description: "Key of the configuration that used it last." }),
          ),
        }),
      ),
    }),
    errors: [],
    scope,
    effect: "read",
  }),
  defineMethod({
    name: "secrets.uses",
    summary:
      "Lists the uses of secrets, the latest first, also those of deleted ones (HOST-016). They are kept for `store.retention.secretUseDays`.",
    params: Type.Object(
      {
        name: Type.Optional(name),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
      },
      closed,
    ),
    result: Type.Object({
      uses: Type.Array(
        Type.Object({
          name,
          actor: Type.String({ description: "`host`, or the caller that exported it." }),
          by: Type.String({
            description: "Key of the configuration that got the value, or `secrets export`.",
          }),
          at: time("Time of the use"),
        }),
      ),
    }),
    errors: [],
    scope,
    effect: "read",
  }),
  defineMethod({
    name: "secrets.set",
    summary: "Stores a secret, encrypted, or replaces its value (HOST-014).",
    params: Type.Object(
      {
        name,
        value: Type.String({ minLength: 1, maxLength: 65_536, description: "Value." }),
        expiresAt: Type.Optional(time("Time after which it reads as missing")),
      },
      closed,
    ),
    result: Type.Object({ name, created: Type.Boolean({ description: "False for a new value." }) }),
    errors: ["SECRET_INVALID", "SECRET_KEY_UNUSABLE"],
    scope,
    effect: "write",
    // A repeat has no further effect, and a hash of the parameters would be a hash of the secret.
    idempotency: "own",
  }),
  defineMethod({
    name: "secrets.delete",
    summary: "Deletes a secret.",
    params: Type.Object({ name }, closed),
    result: Type.Object({ name }),
    errors: ["SECRET_NOT_FOUND"],
    scope,
    effect: "write",
  }),
  defineMethod({
    name: "secrets.rotate",
    summary: "Encrypts every secret with a new master key, in one transaction (HOST-017).",
    params: Type.Object({}, closed),
    result: Type.Object({
      secrets: Type.Integer({ description: "Number of secrets." }),
      keyNote: Type.String({ description: "Location of the new key, or what to do with it." }),
    }),
    errors: ["SECRET_KEY_UNUSABLE"],
    scope,
    effect: "write",
  }),
  defineMethod({
    name: "secrets.export",
    summary: "Returns all secrets, encrypted with a passphrase (HOST-017).",
    params: Type.Object({ passphrase }, closed),
    result: Type.Object({ text: Type.String({ description: "Encrypted export." }) }),
    errors: ["SECRET_INVALID", "SECRET_KEY_UNUSABLE"],
    scope,
    // Not of effect read, which may be called with the passphrase in a URL.
    effect: "write",
    idempotency: "own",
  }),
  defineMethod({
    name: "secrets.import",
    summary: "Stores the secrets of an export; those with the same names are replaced.",
    params: Type.Object(
      { text: Type.String({ maxLength: 900_000, description: "Encrypted export." }), passphrase },
      closed,
    ),
    result: Type.Object({ names: Type.Array(name) }),
    errors: ["SECRET_INVALID", "SECRET_KEY_UNUSABLE"],
    scope,
    effect: "write",
    // A repeat has no further effect, and a hash of the parameters would be a hash of the secret.
    idempotency: "own",
  }),
);

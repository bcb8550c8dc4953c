import { type Static, Type } from "typebox";

/** Method with which a device asks for a challenge, before `connect` (HOST-023). */
export const DEVICE_CHALLENGE = "device.challenge";

/** Maximum length of the name of a device, in UTF-16 code units. */
export const DEVICE_NAME_LENGTH = 64;

/** Rights that a paired device can have: not those of an administrator. */
export const DEVICE_SCOPES = ["operator.read", "operator.write", "operator.approvals"] as const;

const closed = { additionalProperties: false };

// 32 bytes have one spelling only, because the last character has two bits that must be 0.
const publicKey = Type.String({
  pattern: "^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$",
  description: "Raw Ed25519 public key of the device, 32 bytes in Base64url without padding.",
});

/** Schema of the parameters of `device.challenge`. */
export const deviceChallengeParamsSchema = Type.Object(
  {
    publicKey,
    name: Type.String({
      minLength: 1,
      maxLength: DEVICE_NAME_LENGTH,
      description: "Name that the operator sees at the first request, without control characters.",
    }),
  },
  closed,
);

/** Parameters of `device.challenge`. */
export type DeviceChallengeParams = Static<typeof deviceChallengeParamsSchema>;

/** Schema of the reply to `device.challenge`. */
export const deviceChallengeResultSchema = Type.Object({
  challenge: Type.String({
    minLength: 1,
    maxLength: 200,
    description: "Random value, valid once, on this connection and for this key.",
  }),
  expiresInMs: Type.Integer({ minimum: 1, description: "Time for which it is valid." }),
  deviceId: Type.String({
    description: "Fingerprint of the key: SHA-256 of its 32 bytes, in hexadecimal.",
  }),
});

/** Reply to `device.challenge`. */
export type DeviceChallengeResult = Static<typeof deviceChallengeResultSchema>;

/** Schema of `auth.device` of `connect`. */
export const deviceProofSchema = Type.Object(
  {
    publicKey,
    challenge: Type.String({ minLength: 1, maxLength: 200 }),
    signature: Type.String({
      pattern: "^[A-Za-z0-9_-]{86}$",
      description: "Ed25519 signature of the statement, 64 bytes in Base64url without padding.",
    }),
  },
  closed,
);

/** Proof that a device has its key. */
export type DeviceProof = Static<typeof deviceProofSchema>;

/**
 * Returns the text that a device signs, as UTF-8. The host is part of it, so that another server cannot pass on the
 * challenge of a gateway and use the signature there.
 * @param statement - `host` of the URL that the device connects to, with the port unless it is the default one; its
 * public key, and the challenge
 */
export function deviceStatement({
  host,
  publicKey: key,
  challenge,
}: {
  readonly host: string;
  readonly publicKey: string;
  readonly challenge: string;
}): string {
  return ["openclaw-device-v1", host, key, challenge].join("\n");
}

/**
 * Returns true for the name of a device: 1 to 64 characters, without those that terminals interpret or do not show.
 * @param name - name from a client
 */
export function isDeviceName(name: string): boolean {
  return name.trim() !== "" && name.length <= DEVICE_NAME_LENGTH && !/\p{C}/u.test(name);
}

/** Digits of a device's ID that identify it in commands. */
export const FINGERPRINT_DIGITS = 16;

/** Returns the form of a device's ID that people read: its first 16 digits in groups of four. */
export function deviceFingerprint(deviceId: string): string {
  return (deviceId.slice(0, FINGERPRINT_DIGITS).match(/.{4}/g) ?? []).join("-");
}

/** Returns the ID of the caller that a device is. No token can have it, because names of tokens have no colon. */
export function deviceCallerId(deviceId: string): string {
  return `device:${deviceId.slice(0, FINGERPRINT_DIGITS)}`;
}

/** Returns true for the caller that a device is. */
export function isDeviceCaller(callerId: string): boolean {
  return callerId.startsWith("device:");
}

import { ProtocolError } from "@openclaw/protocol/registry";

/** Reason why a device did not prove its key. */
export type DeviceProofProblem =
  | "no-challenge"
  | "expired-challenge"
  | "other-challenge"
  | "other-key"
  | "wrong-signature";

const PROBLEMS: { readonly [Problem in DeviceProofProblem]: string } = {
  "no-challenge":
    "this connection has no challenge; call device.challenge before connect on the same connection",
  "expired-challenge":
    "the challenge was sent more than 10 minutes ago; connect again, and sign the new one",
  "other-challenge":
    "the challenge is not the one of this connection; sign the one that this connection received",
  "other-key":
    "the challenge was sent for another key; use the same public key for device.challenge and connect",
  "wrong-signature":
    "the signature does not match; sign the statement for the host of the URL with the private key of this public key",
};

/** A device did not prove that it has its key (HOST-023). */
export class DeviceProofError extends ProtocolError {
  static override readonly code = "DEVICE_PROOF_INVALID";
  static override readonly kind = "unauthenticated";

  /** @param problem - why the proof is not accepted */
  constructor(problem: DeviceProofProblem) {
    const retryable = problem === "expired-challenge";
    super(PROBLEMS[problem], { details: { reason: problem }, retryable });
  }
}

/** A device waits for the operator (HOST-023). */
export class DeviceWaitingError extends ProtocolError {
  static override readonly code = "DEVICE_WAITING";
  static override readonly kind = "forbidden";

  /**
   * @param device - its ID, its code, and the end of the request in milliseconds since the epoch
   * @param retryAfterMs - time in milliseconds before the device asks again
   */
  constructor(
    device: { readonly deviceId: string; readonly code: string; readonly expiresAt: number },
    retryAfterMs: number,
  ) {
    super(
      `this device waits for an approval; run \`openclaw devices approve ${device.code}\` on the machine of the gateway`,
      { details: { ...device }, retryable: true, retryAfterMs },
    );
  }
}

/** The operator rejected a device (HOST-023). */
export class DeviceRejectedError extends ProtocolError {
  static override readonly code = "DEVICE_REJECTED";
  static override readonly kind = "forbidden";

  /** @param fingerprint - fingerprint of the device's key */
  constructor(fingerprint: string) {
    super(
      `the operator of the gateway rejected this device; run \`openclaw devices approve ${fingerprint}\` there to accept it, or ask again after a day`,
    );
  }
}

/** The operator revoked a device (HOST-023). */
export class DeviceRevokedError extends ProtocolError {
  static override readonly code = "DEVICE_REVOKED";
  static override readonly kind = "forbidden";

  /** @param fingerprint - fingerprint of the device's key */
  constructor(fingerprint: string) {
    super(
      `the operator of the gateway revoked this device; run \`openclaw devices approve ${fingerprint}\` there to accept it again`,
    );
  }
}

/** Too many devices wait for the operator (HOST-023). */
export class DevicePairingFullError extends ProtocolError {
  static override readonly code = "DEVICE_PAIRING_FULL";
  static override readonly kind = "rate-limited";

  /** @param retryAfterMs - time in milliseconds before the device asks again */
  constructor(retryAfterMs: number) {
    super(
      "too many other devices wait for an approval; approve or reject them with `openclaw devices` on the machine of the gateway, and try again",
      { retryAfterMs },
    );
  }
}

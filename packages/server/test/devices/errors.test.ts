import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { describe, expect, it } from "vitest";
import * as errors from "../../src/devices/errors.js";

const request = { deviceId: "ab".repeat(32), code: "ABCDEFGH", expiresAt: 1000 };
const samples = [
  new errors.DeviceProofError("wrong-signature"),
  new errors.DeviceWaitingError(request, 5000),
  new errors.DeviceRejectedError("abab-abab-abab-abab"),
  new errors.DeviceRevokedError("abab-abab-abab-abab"),
  new errors.DevicePairingFullError(60_000),
];

describe("errors of devices", () => {
  it("are all covered here, and only their own class recognises them", () => {
    const classes = samples.map((sample) => sample.constructor as typeof OpenClawError);
    expect(new Set<unknown>(classes)).toEqual(new Set(Object.values(errors)));
    for (const sample of samples) {
      expect(classes.filter((each) => each.isInstance(sample))).toEqual([sample.constructor]);
      expect(OpenClawError.isInstance(sample)).toBe(true);
    }
  });

  it("have a code, a kind and data", () => {
    expect(samples).toMatchObject([
      {
        code: "DEVICE_PROOF_INVALID",
        kind: "unauthenticated",
        details: { reason: "wrong-signature" },
        retryable: false,
      },
      {
        code: "DEVICE_WAITING",
        kind: "forbidden",
        details: request,
        retryable: true,
        retryAfterMs: 5000,
      },
      { code: "DEVICE_REJECTED", kind: "forbidden" },
      { code: "DEVICE_REVOKED", kind: "forbidden" },
      { code: "DEVICE_PAIRING_FULL", kind: "rate-limited", retryAfterMs: 60_000 },
    ]);
  });

  it("name the next step", () => {
    expect(samples.map(({ message }) => message)).toEqual([
      expect.stringContaining("sign the statement for the host of the URL"),
      expect.stringContaining("run `openclaw devices approve ABCDEFGH`"),
      expect.stringContaining("run `openclaw devices approve abab-abab-abab-abab`"),
      expect.stringContaining("run `openclaw devices approve abab-abab-abab-abab`"),
      expect.stringContaining("approve or reject them with `openclaw devices`"),
    ]);
  });
});

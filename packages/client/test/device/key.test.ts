import { describe, expect, it } from "vitest";
import { proofOf } from "../../src/device/key.js";

const CHALLENGE = { host: "gateway.test", challenge: "c" };

describe("proof of a device", () => {
  it("[HOST-110] signs the host, the key and the challenge", async () => {
    const statements: string[] = [];
    const signature = new Uint8Array(64).fill(251);
    const key = {
      ...{ publicKey: "k", name: "phone" },
      sign(statement: Uint8Array) {
        statements.push(new TextDecoder().decode(statement));
        return signature;
      },
    };
    expect(await proofOf(key, CHALLENGE)).toEqual({
      publicKey: "k",
      challenge: "c",
      signature: Buffer.from(signature).toString("base64url"),
    });
    expect(statements).toEqual(["openclaw-device-v1\ngateway.test\nk\nc"]);
  });

  it("reports a key that does not sign, or signs with another algorithm", async () => {
    const locked = {
      ...{ publicKey: "k", name: "phone" },
      sign: () => Promise.reject(new Error("the phone is locked")),
    };
    await expect(proofOf(locked, CHALLENGE)).rejects.toMatchObject({
      code: "DEVICE_KEY_UNUSABLE",
      message: "the key of this device did not sign: the phone is locked; unlock it",
    });
    const other = { ...locked, sign: () => new Uint8Array(70) };
    await expect(proofOf(other, CHALLENGE)).rejects.toMatchObject({
      code: "DEVICE_KEY_UNUSABLE",
      message: expect.stringContaining("expected an Ed25519 signature of 64 bytes, got 70"),
    });
  });
});

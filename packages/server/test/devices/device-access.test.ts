import { generateKeyPairSync, sign } from "node:crypto";
import { createManualClock } from "@openclaw/foundation";
import { deviceStatement } from "@openclaw/protocol/device";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { FailedAttempts } from "../../src/access/failed-attempts.js";
import { DeviceAccess } from "../../src/devices/device-access.js";
import { DeviceHandshake } from "../../src/websocket/device-handshake.js";

const MINUTE_MS = 60_000;
const HOST = "gateway.test:18789";
const CLIENT = { address: "10.0.0.1", host: HOST };

async function openAccess() {
  const clock = createManualClock();
  const store = await openStore({ file: ":memory:" });
  onTestFinished(() => store.close());
  const silent = () => undefined;
  const logger = { debug: silent, info: silent, warn: silent, error: silent };
  const failures = new FailedAttempts(clock);
  const access = new DeviceAccess({ store, failures, clock, logger });
  const { publicKey: key, privateKey } = generateKeyPairSync("ed25519");
  const { x: publicKey = "" } = key.export({ format: "jwk" });
  const proofOf = (challenge: string, host = HOST) => {
    const statement = Buffer.from(deviceStatement({ host, publicKey, challenge }));
    return {
      ...{ publicKey, challenge },
      signature: sign(null, statement, privateKey).toString("base64url"),
    };
  };
  return { access, clock, proofOf, ask: { publicKey, name: "phone" } };
}

describe("DeviceAccess", () => {
  it("[HOST-023] accepts the answer to a challenge for 10 minutes", async () => {
    const { access, clock, proofOf, ask } = await openAccess();
    const challenge = access.challenge(ask, CLIENT);
    const device = { name: "phone", challenge };
    clock.advance(10 * MINUTE_MS - 1);
    await expect(
      access.authenticate(proofOf(challenge.value), device, CLIENT),
    ).rejects.toMatchObject({ code: "DEVICE_WAITING" });
    clock.advance(1);
    await expect(
      access.authenticate(proofOf(challenge.value), device, CLIENT),
    ).rejects.toMatchObject({
      code: "DEVICE_PROOF_INVALID",
      details: { reason: "expired-challenge" },
      retryable: true,
    });
  });

  it("[HOST-023] uses up the challenge of a connection with the first answer", async () => {
    const { access, proofOf, ask } = await openAccess();
    const handshake = new DeviceHandshake(access, CLIENT);
    const { challenge } = handshake.start(ask);
    const proof = proofOf(challenge);
    await expect(handshake.authenticate(proof)).rejects.toMatchObject({ code: "DEVICE_WAITING" });
    await expect(handshake.authenticate(proof)).rejects.toMatchObject({
      details: { reason: "no-challenge" },
    });
  });

  it.each([
    ["in upper case", "GATEWAY.test:18789", HOST],
    ["with the default port", "gateway.test:443", "gateway.test"],
  ])("[HOST-110] compares the signed host with a header %s", async (_, header, host) => {
    const { access, proofOf, ask } = await openAccess();
    const client = { address: "10.0.0.1", host: header };
    const challenge = access.challenge(ask, client);
    const proof = proofOf(challenge.value, host);
    await expect(
      access.authenticate(proof, { name: "phone", challenge }, client),
    ).rejects.toMatchObject({ code: "DEVICE_WAITING" });
  });

  it("[HOST-023] rejects 32 bytes that are not a key", async () => {
    const { access, proofOf } = await openAccess();
    const publicKey = `${"_".repeat(42)}8`;
    const challenge = access.challenge({ publicKey, name: "phone" }, CLIENT);
    const proof = { ...proofOf(challenge.value), publicKey };
    await expect(
      access.authenticate(proof, { name: "phone", challenge }, CLIENT),
    ).rejects.toMatchObject({ details: { reason: "wrong-signature" } });
  });

  it("[HOST-112] leaves at most 100 challenges unanswered", async () => {
    const { access, ask } = await openAccess();
    const challenges = Array.from({ length: 100 }, (_, index) =>
      access.challenge(ask, { address: `10.0.1.${index % 10}`, host: HOST }),
    );
    const next = { address: "10.0.2.1", host: HOST };
    expect(() => access.challenge(ask, next)).toThrow("have not answered");
    challenges[0]?.end();
    challenges[0]?.end();
    expect(access.challenge(ask, next).value).toHaveLength(43);
    expect(() => access.challenge(ask, next)).toThrow("have not answered");
  });
});

import { METHOD_SCOPES } from "@openclaw/protocol";
import { describe, expect, it } from "vitest";
import { gate } from "../../support/gate.js";
import { type SocketHost, socketHost, TOKEN } from "../../support/socket-host.js";
import { type TestDevice, testDevice } from "../../support/test-device.js";

const MINUTE_MS = 60_000;

/** Approves a device that has asked to be paired. */
async function approve({ store }: SocketHost, device: TestDevice, scopes = ["operator.read"]) {
  const listed = (await store.devices.list()).find((each) => each.publicKey === device.publicKey);
  await store.devices.decide(listed?.deviceId ?? "", {
    ...{ to: "approved", from: ["waiting"], by: "operator", scopes },
  });
}

/** Starts a host with an approved device. */
async function pairedHost() {
  const host = await socketHost();
  const device = testDevice();
  await device.connect(host.client());
  await approve(host, device);
  return { host, device };
}

describe("devices on the wire", () => {
  it("[HOST-023] wait for the operator, and connect with their key and a new challenge once approved", async () => {
    const host = await socketHost();
    const device = testDevice();
    const first = host.client();
    expect(await device.connect(first)).toMatchObject({
      ok: false,
      error: {
        ...{ code: "FORBIDDEN", reason: "DEVICE_WAITING", retryable: true, retryAfterMs: 5000 },
        message: expect.stringMatching(/openclaw devices approve [A-Z2-9]{8}/),
        details: { deviceId: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    });
    expect(await first.closed()).toEqual({ code: 1008, reason: "DEVICE_WAITING" });
    await approve(host, device);
    const [one, other] = [host.client(), host.client()];
    const challenges = [await device.challenge(one), await device.challenge(other)];
    expect(challenges[0]).not.toBe(challenges[1]);
    expect(await device.answer(one, challenges[0] ?? "")).toMatchObject({
      ok: true,
      payload: { scopes: ["operator.read"], methods: ["test.echo", "test.wait", "test.subscribe"] },
    });
    expect(await one.call("test.echo", { text: "hello" })).toEqual({ text: "hello" });
    expect(await device.answer(other, challenges[1] ?? "")).toMatchObject({ ok: true });
  });

  it("[HOST-023] have a challenge for 10 minutes", async () => {
    const { host, device } = await pairedHost();
    const early = host.client();
    const challenge = await device.challenge(early);
    host.clock.advance(10 * MINUTE_MS - 1);
    expect(await device.answer(early, challenge)).toMatchObject({ ok: true });
    const late = host.client();
    await device.challenge(late);
    host.clock.advance(10 * MINUTE_MS);
    expect(await late.closed()).toEqual({ code: 1008, reason: "HANDSHAKE_FAILED" });
  });

  it("[HOST-023] cannot use the answer of another connection", async () => {
    const { host, device } = await pairedHost();
    const [one, other] = [host.client(), host.client()];
    const challenge = await device.challenge(one);
    await device.challenge(other);
    expect(await device.answer(other, challenge)).toMatchObject({
      ok: false,
      error: {
        ...{ code: "UNAUTHORIZED", reason: "DEVICE_PROOF_INVALID" },
        details: { reason: "other-challenge" },
      },
    });
    expect(await other.closed()).toEqual({ code: 1008, reason: "DEVICE_PROOF_INVALID" });
    expect(await device.answer(one, challenge)).toMatchObject({ ok: true });
  });

  it("[HOST-023] cannot use an answer twice", async () => {
    const { host, device } = await pairedHost();
    const client = host.client();
    const challenge = await device.challenge(client);
    expect(await device.answer(client, challenge)).toMatchObject({ ok: true });
    expect(await device.answer(client, challenge)).toMatchObject({
      error: { reason: "INVALID_REQUEST" },
    });
    const replayed = host.client();
    expect(await device.answer(replayed, challenge)).toMatchObject({
      error: { reason: "DEVICE_PROOF_INVALID", details: { reason: "no-challenge" } },
    });
  });

  it("[HOST-023] are rejected with another key, also one of the same connection", async () => {
    const { host, device } = await pairedHost();
    const stranger = testDevice();
    const claimed = host.client();
    const challenge = await device.challenge(claimed);
    // The key of the device, with the signature of another one.
    expect(
      await stranger.answer(claimed, challenge, { publicKey: device.publicKey }),
    ).toMatchObject({ error: { details: { reason: "wrong-signature" } } });
    const switched = host.client();
    const other = await device.challenge(switched);
    expect(await stranger.answer(switched, other)).toMatchObject({
      error: { details: { reason: "other-key" } },
    });
  });

  it("[HOST-110] sign the host of their URL, so that another server cannot use the signature", async () => {
    const { host, device } = await pairedHost();
    const client = host.client();
    const challenge = await device.challenge(client);
    expect(await device.answer(client, challenge, { host: "evil.example" })).toMatchObject({
      error: { details: { reason: "wrong-signature" } },
    });
  });

  it("[HOST-111] reach no method before the approval", async () => {
    const host = await socketHost();
    const device = testDevice();
    const client = host.client();
    await device.challenge(client);
    const response = client.request("test.echo", { text: "hello" });
    await expect(response).rejects.toThrow("HANDSHAKE_FAILED");
    expect(client.frames.filter(({ type }) => type === "res")).toHaveLength(1);
    expect(await client.closed()).toEqual({ code: 1008, reason: "HANDSHAKE_FAILED" });
  });

  it("[HOST-111] never have the rights of an administrator, whatever the database says", async () => {
    const host = await socketHost();
    const device = testDevice();
    await device.connect(host.client());
    await approve(host, device, [...METHOD_SCOPES]);
    expect(await device.connect(host.client())).toMatchObject({
      payload: { scopes: ["operator.read", "operator.write", "operator.approvals"] },
    });
  });

  it("[HOST-023] are closed at once when they are revoked, also while they connect", async () => {
    const { host, device } = await pairedHost();
    const [open, connecting] = [host.client(), host.client()];
    await device.connect(open);
    await device.challenge(connecting);
    const [listed] = await host.store.devices.list();
    const deviceId = listed?.deviceId ?? "";
    expect(host.sockets.hasDevice(deviceId)).toBe(true);
    await host.store.devices.decide(deviceId, {
      to: "revoked",
      from: ["approved"],
      by: "operator",
    });
    host.sockets.revokeDevice(deviceId);
    for (const client of [open, connecting]) {
      expect(await client.closed()).toEqual({ code: 1008, reason: "DEVICE_REVOKED" });
      expect(client.frames.at(-1)).toMatchObject({
        type: "error",
        error: { reason: "DEVICE_REVOKED" },
      });
    }
    expect(host.sockets.hasDevice(deviceId)).toBe(false);
    expect(await device.connect(host.client())).toMatchObject({
      error: { code: "FORBIDDEN", reason: "DEVICE_REVOKED", retryable: false },
    });
  });

  it("[HOST-023] do not connect when they are revoked between the check of their key and the reply", async () => {
    let pause: (() => Promise<void>) | undefined;
    const host = await socketHost({ afterAdmission: async () => pause?.() });
    const device = testDevice();
    await device.connect(host.client());
    await approve(host, device);
    const [admitted, continued] = [gate(), gate()];
    pause = () => {
      admitted.pass();
      return continued.passed;
    };
    const client = host.client();
    const connecting = device.connect(client);
    await admitted.passed;
    const [{ deviceId = "" } = {}] = await host.store.devices.list();
    await host.store.devices.decide(deviceId, {
      to: "revoked",
      from: ["approved"],
      by: "operator",
    });
    host.sockets.revokeDevice(deviceId);
    continued.pass();
    await expect(connecting).rejects.toThrow("DEVICE_REVOKED");
    expect(client.frames.filter((frame) => frame.type === "res")).toHaveLength(1);
    expect(await client.closed()).toEqual({ code: 1008, reason: "DEVICE_REVOKED" });
  });

  it("[HOST-111] cannot connect with a token on the connection of a device, nor with both", async () => {
    const { host, device } = await pairedHost();
    const client = host.client();
    await device.challenge(client);
    await expect(client.connect(TOKEN)).rejects.toThrow("must not have a token");
    expect(await client.closed()).toEqual({ code: 1002, reason: "INVALID_REQUEST" });
  });

  it("[HOST-023] get one challenge for each connection", async () => {
    const { host, device } = await pairedHost();
    const client = host.client();
    await device.challenge(client);
    await expect(device.challenge(client)).rejects.toThrow("a connection has one challenge");
    expect(await client.closed()).toEqual({ code: 1008, reason: "HANDSHAKE_FAILED" });
  });

  it.each([
    ["a key with 31 bytes", { publicKey: "A".repeat(42) }],
    ["another spelling of a key", { publicKey: `${"A".repeat(42)}B` }],
    ["a name with a control character", { name: "a\u001b[2Jb" }],
    ["a name that is not displayed", { name: "\u202e" }],
    ["a name of 65 characters", { name: "x".repeat(65) }],
    ["no name", { name: "" }],
  ])("[HOST-112] are rejected with %s", async (_, change) => {
    const host = await socketHost();
    const { publicKey, name } = testDevice();
    const client = host.client();
    expect(await client.request("device.challenge", { publicKey, name, ...change })).toMatchObject({
      ok: false,
      error: { reason: "INVALID_REQUEST" },
    });
    expect(await client.closed()).toEqual({ code: 1002, reason: "INVALID_REQUEST" });
  });

  it("[HOST-112] count as failed attempts of their address with wrong signatures, like wrong tokens", async () => {
    const { host, device } = await pairedHost();
    const stranger = testDevice();
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const client = host.client();
      const challenge = await device.challenge(client);
      await stranger.answer(client, challenge, { publicKey: device.publicKey });
    }
    expect(await host.client().request("device.challenge", nameOf(device))).toMatchObject({
      error: { code: "RATE_LIMITED", retryAfterMs: MINUTE_MS },
    });
    await expect(host.client().connect(TOKEN)).rejects.toThrow("too many failed attempts");
    host.clock.advance(MINUTE_MS);
    expect(await device.connect(host.client())).toMatchObject({ ok: true });
  });

  it("[HOST-112] leave at most 10 challenges of an address unanswered, and get 60 in a minute", async () => {
    const { host, device } = await pairedHost();
    const clients = Array.from({ length: 10 }, () => host.client());
    for (const client of clients) await device.challenge(client);
    const refused = host.client();
    expect(await refused.request("device.challenge", nameOf(device))).toMatchObject({
      error: { code: "RATE_LIMITED" },
    });
    for (const client of clients) await client.close();
    // 12 so far, with that of the pairing.
    for (let count = 12; count < 60; count += 1) {
      const client = host.client();
      await device.challenge(client);
      await client.close();
    }
    expect(await host.client().request("device.challenge", nameOf(device))).toMatchObject({
      error: { code: "RATE_LIMITED", message: expect.stringContaining("too many requests") },
    });
    host.clock.advance(MINUTE_MS);
    expect(await device.connect(host.client())).toMatchObject({ ok: true });
  });

  it("[HOST-112] wait at most 3 of one address; the next is told to try again", async () => {
    const host = await socketHost();
    for (const name of ["one", "two", "three"]) await testDevice(name).connect(host.client());
    expect(await testDevice("four").connect(host.client())).toMatchObject({
      error: { code: "RATE_LIMITED", reason: "DEVICE_PAIRING_FULL", retryAfterMs: MINUTE_MS },
    });
    expect(await host.store.devices.countWaiting()).toBe(3);
  });
});

function nameOf({ publicKey, name }: TestDevice) {
  return { publicKey, name };
}

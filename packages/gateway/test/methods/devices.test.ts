import { statSync } from "node:fs";
import { join } from "node:path";
import { connectGateway, type GatewayConnection } from "@openclaw/client";
import { openDeviceKey } from "@openclaw/client/device-file";
import { createManualClock } from "@openclaw/foundation";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { OPERATOR_CALL } from "@openclaw/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Gateway } from "../../src/running-gateway.js";
import { startTestGateway } from "../support/gateway.js";
import { testDevice } from "../support/test-device.js";
import { WireClient } from "../support/wire-client.js";

const CLIENT = { id: "test", version: "1.0.0", mode: "node" } as const;

/** Starts a gateway with its own folder, which can be started again. */
function testPlace() {
  const folder = temporaryFolder();
  const running = new Set<Gateway>();
  onTestFinished(async () => {
    for (const gateway of running) await gateway.stop("command");
    folder[Symbol.dispose]();
  });
  return {
    folder,
    async start() {
      const gateway = await startTestGateway(folder, { port: 0 });
      running.add(gateway);
      return { gateway, url: gateway.url ?? "", methods: await gateway.methods() };
    },
    async stop(gateway: Gateway) {
      running.delete(gateway);
      await gateway.stop("command");
    },
  };
}

/** Resolves with the state of a connection that a condition accepts. */
function stateOf<Status extends GatewayConnection["state"]["status"]>(
  connection: GatewayConnection,
  status: Status,
): Promise<Extract<GatewayConnection["state"], { status: Status }>> {
  return new Promise((resolve) => {
    const check = (state: GatewayConnection["state"]) => {
      if (state.status !== status) return false;
      resolve(state as Extract<GatewayConnection["state"], { status: Status }>);
      return true;
    };
    if (check(connection.state)) return;
    const remove = connection.onState((state) => {
      if (check(state)) remove();
    });
  });
}

describe("devices of a gateway", () => {
  it("[HOST-023] [HOST-114] [GW-400] are paired, keep their rights over a restart, and are revoked", async () => {
    const place = testPlace();
    const keyFile = join(place.folder.path, "phone", "device.pem");
    const { gateway, url, methods } = await place.start();
    const open = (to: string) => {
      const device = openDeviceKey(keyFile, { name: "phone" });
      const connection = connectGateway({ url: to, device, client: CLIENT });
      onTestFinished(() => connection.close());
      return connection;
    };
    const waiting = open(url);
    const { error } = await stateOf(waiting, "reconnecting");
    waiting.close();
    expect(error).toMatchObject({ code: "DEVICE_WAITING", kind: "forbidden", retryable: true });
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    const { devices } = await methods.call("devices.list", {});
    const [asked] = devices;
    expect(devices).toEqual([
      {
        deviceId: expect.stringMatching(/^[0-9a-f]{64}$/),
        fingerprint: asked?.deviceId.slice(0, 16).replace(/(.{4})(?!$)/g, "$1-"),
        name: "phone",
        state: "waiting",
        code: expect.stringMatching(/^[A-Z2-9]{8}$/),
        scopes: [],
        address: "127.0.0.1",
        isConnected: false,
        requestedAt: expect.any(Number),
        expiresAt: expect.any(Number),
      },
    ]);
    expect(error.message).toContain(`openclaw devices approve ${asked?.code}`);
    expect(await methods.call("host.status", {})).toMatchObject({ waitingDevices: 1 });

    const code = asked?.code?.toLowerCase() ?? "";
    expect(await methods.call("devices.approve", { device: code })).toMatchObject({
      state: "approved",
      scopes: ["operator.read", "operator.write"],
      decidedBy: "operator",
    });
    const connected = open(url);
    expect(await connected.ready()).toMatchObject({ scopes: ["operator.read", "operator.write"] });
    expect(await connected.call("host.health", {})).toMatchObject({ ready: true });
    // A device reads the configuration, and changes nothing of it.
    const { baseHash } = await connected.call("config.get", {});
    const change = { baseHash, changes: [{ path: ["gateway", "port"], value: 1 }] };
    await expect(connected.call("config.set", change)).rejects.toMatchObject({
      details: { missingScope: "operator.admin" },
    });
    expect((await methods.call("devices.list", {})).devices).toMatchObject([{ isConnected: true }]);
    connected.close();
    await place.stop(gateway);

    const next = await place.start();
    const again = open(next.url);
    await again.ready();
    const fingerprint = asked?.fingerprint ?? "";
    const revoked = stateOf(again, "refused");
    expect(await next.methods.call("devices.revoke", { device: fingerprint })).toMatchObject({
      state: "revoked",
      isConnected: false,
    });
    expect((await revoked).error).toMatchObject({ code: "DEVICE_REVOKED", kind: "forbidden" });
    await expect(open(next.url).ready({ attempts: 1 })).rejects.toMatchObject({
      code: "DEVICE_REVOKED",
    });
    await next.methods.call("devices.approve", { device: fingerprint });
    expect(await open(next.url).ready({ attempts: 1 })).toMatchObject({ protocol: 1 });
  });

  it("[HOST-114] connect by themselves after the approval, at the time that the gateway names", async () => {
    const place = testPlace();
    const { url, methods } = await place.start();
    const device = openDeviceKey(join(place.folder.path, "device.pem"), { name: "phone" });
    const timers = createManualClock();
    const connection = connectGateway({ url, device, client: CLIENT, timers });
    onTestFinished(() => connection.close());
    const { error, delayMs } = await stateOf(connection, "reconnecting");
    expect(error).toMatchObject({ details: { code: expect.stringMatching(/^[A-Z2-9]{8}$/) } });
    expect(delayMs).toBeGreaterThanOrEqual(5000);
    const [{ deviceId = "" } = {}] = (await methods.call("devices.list", {})).devices;
    await methods.call("devices.approve", { device: deviceId });
    timers.advance(delayMs);
    expect(await connection.ready()).toMatchObject({ protocol: 1 });
  });

  it("[HOST-114] stop when their key does not sign", async () => {
    const { url, methods } = await testPlace().start();
    const { publicKey } = testDevice();
    const sign = () => Promise.reject(new Error("the phone is locked"));
    const device = { publicKey, name: "phone", sign };
    const connection = connectGateway({ url, device, client: CLIENT });
    onTestFinished(() => connection.close());
    await expect(connection.ready()).rejects.toMatchObject({ code: "DEVICE_KEY_UNUSABLE" });
    expect(await methods.call("devices.list", {})).toEqual({ devices: [] });
  });

  it("[HOST-113] are decided about once, by code or fingerprint, and every decision is in the audit log", async () => {
    const { methods, url } = await testPlace().start();
    const [phone, tablet] = [testDevice("phone"), testDevice("tablet")];
    for (const device of [phone, tablet]) await device.connect(new WireClient(url));
    const { devices } = await methods.call("devices.list", {});
    const find = (name: string) => devices.find((device) => device.name === name);
    const phoneId = find("phone")?.deviceId ?? "";
    const tabletId = find("tablet")?.deviceId ?? "";
    const caller = { id: "reader", scopes: ["operator.admin"], via: "http" } as const;
    await methods.dispatch(
      "devices.approve",
      { device: find("phone")?.code, scopes: ["operator.read", "operator.approvals"] },
      { ...OPERATOR_CALL, caller },
    );
    await methods.call("devices.rename", { device: phoneId, name: "old phone" });
    await methods.call("devices.revoke", { device: phoneId.slice(0, 16) });
    await methods.call("devices.reject", { device: tabletId });
    expect(await tablet.connect(new WireClient(url))).toMatchObject({
      error: { reason: "DEVICE_REJECTED", retryable: false },
    });
    const { entries } = await methods.call("approvals.audit", {});
    expect(entries.toReversed()).toMatchObject([
      {
        ...{
          event: "device-approved",
          deviceId: phoneId,
          reason: "operator.read operator.approvals",
        },
        actor: { channel: "http", id: "reader" },
      },
      { event: "device-renamed", deviceId: phoneId, actor: { channel: "cli", id: "operator" } },
      { event: "device-revoked", deviceId: phoneId },
      { event: "device-rejected", deviceId: tabletId },
    ]);
    expect(await methods.call("approvals.verify", {})).toEqual({ intact: true, rows: 4 });
  });

  it("[HOST-113] report a wrong reference, state or name", async () => {
    const { methods, url } = await testPlace().start();
    const device = testDevice();
    await device.connect(new WireClient(url));
    const [{ deviceId = "", fingerprint = "" } = {}] = (await methods.call("devices.list", {}))
      .devices;
    for (const reference of ["AAAAAAAA", deviceId.slice(0, 15), "0".repeat(64), "phone"]) {
      await expect(methods.call("devices.approve", { device: reference })).rejects.toMatchObject({
        code: "DEVICE_NOT_FOUND",
        kind: "not-found",
      });
    }
    await expect(methods.call("devices.revoke", { device: deviceId })).rejects.toMatchObject({
      code: "DEVICE_STATE",
      message: `the device ${fingerprint} is not approved; reject a waiting one`,
    });
    await methods.call("devices.approve", { device: deviceId });
    await expect(methods.call("devices.approve", { device: deviceId })).rejects.toMatchObject({
      code: "DEVICE_STATE",
      kind: "conflict",
    });
    await expect(methods.call("devices.reject", { device: deviceId })).rejects.toMatchObject({
      code: "DEVICE_STATE",
    });
    await expect(
      methods.call("devices.rename", { device: deviceId, name: "a\nb" }),
    ).rejects.toMatchObject({ code: "DEVICE_NAME", kind: "invalid" });
    const admin = { device: deviceId, scopes: ["operator.admin"] };
    await expect(methods.dispatch("devices.approve", admin, OPERATOR_CALL)).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
  });

  it("[HOST-111] call no method of an administrator, and get no tickets", async () => {
    const { methods, url } = await testPlace().start();
    const device = testDevice();
    await device.connect(new WireClient(url));
    const [{ deviceId = "" } = {}] = (await methods.call("devices.list", {})).devices;
    await methods.call("devices.approve", { device: deviceId });
    const client = new WireClient(url);
    onTestFinished(() => client.close());
    const connected = await device.connect(client);
    expect(connected).toMatchObject({ ok: true });
    for (const [method, params] of [
      ["devices.list", {}],
      ["devices.approve", { device: deviceId, idempotencyKey: "1" }],
      ["config.set", { idempotencyKey: "2" }],
      ["approvals.resolve", { id: "ABCD", decision: "deny", idempotencyKey: "3" }],
    ] as const) {
      expect(await client.request(method, params)).toMatchObject({
        error: { code: "FORBIDDEN", reason: "MISSING_SCOPE" },
      });
    }
    expect(await client.request("auth.ticket", { idempotencyKey: "4" })).toMatchObject({
      error: { code: "FORBIDDEN", reason: "DEVICE_TICKET" },
    });
    const sent = { sessionKey: "main", text: "hello", idempotencyKey: "5" };
    expect(await client.call("chat.send", sent)).toMatchObject({ sessionKey: "agent:main:main" });
  });
});

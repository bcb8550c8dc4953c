import { join } from "node:path";
import { connectGateway, type GatewayConnection } from "@openclaw/client";
import { openDeviceKey } from "@openclaw/client/device-file";
import { describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

/** Resolves when a connection has another state than at the start. */
function firstState(connection: GatewayConnection): Promise<GatewayConnection["state"]> {
  return new Promise((resolve) => {
    const remove = connection.onState((state) => {
      remove();
      resolve(state);
    });
  });
}

describe("openclaw devices", () => {
  it("[HOST-113] takes a device from its first request to a revocation, as the page of devices says", async () => {
    using place = emptyPlace();
    const run = (...args: string[]) => openclaw(args, place);
    await using gateway = await startGateway(place);
    const empty = await run("devices", "list");
    expect(empty).toMatchObject({ exitCode: 0, stdout: "No device waits for an approval.\n" });

    const device = openDeviceKey(join(place.workspace, "device.pem"), { name: "phone" });
    const client = { id: "test", version: "1.0.0", mode: "node" } as const;
    const connect = () => connectGateway({ url: gateway.url, device, client });
    const waiting = connect();
    expect(await firstState(waiting)).toMatchObject({ error: { code: "DEVICE_WAITING" } });
    waiting.close();

    const listed = await run("devices", "list");
    const row = /^(\w{8}) +([0-9a-f-]{19}) +phone +127\.0\.0\.1 +\d+ s$/m.exec(listed.stdout);
    const [, code = "", fingerprint = ""] = row ?? [];
    expect(code).toHaveLength(8);
    const overall = await run("status");
    expect(overall.stdout).toMatch(/devices +1 waiting for an approval; see openclaw devices list/);
    const renamed = await run("devices", "rename", fingerprint, "old phone");
    expect(renamed.stdout).toBe(`Renamed ${fingerprint} to old phone.\n`);
    expect(await run("devices", "approve", "AAAAAAAA")).toMatchObject({ exitCode: 4 });
    expect(await run("devices", "revoke", code)).toMatchObject({ exitCode: 3 });
    const scopes = ["--scope", "read", "--scope", "operator.approvals"];
    const approved = await run("devices", "approve", code.toLowerCase(), ...scopes);
    expect(approved.stdout).toBe(
      `Approved old phone (${fingerprint}) with operator.read operator.approvals.\n`,
    );

    const connected = connect();
    await connected.ready({ attempts: 1 });
    const active = await run("devices", "list");
    expect(active.stdout).toMatch(/old phone +approved +read approvals +connected/);
    const ended = new Promise<GatewayConnection["state"]>((resolve) => {
      connected.onState((state) => {
        if (state.status === "refused") resolve(state);
      });
    });
    const revoked = await run("devices", "revoke", fingerprint);
    expect(revoked.stdout).toBe(
      `Revoked old phone (${fingerprint}); its connections are closed.\n`,
    );
    expect(await ended).toMatchObject({ error: { code: "DEVICE_REVOKED" } });
    const json = await run("devices", "list", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      devices: [{ fingerprint, name: "old phone", state: "revoked", isConnected: false }],
    });
    const audit = await run("approvals", "audit");
    expect(audit.stdout).toMatch(/device-approved +http:operator +/);
    expect(audit.stdout).toContain(fingerprint);
  });

  it("[HOST-113] rejects a device without a running gateway", async () => {
    using place = emptyPlace();
    const run = (...args: string[]) => openclaw(args, place);
    const device = openDeviceKey(join(place.workspace, "device.pem"), { name: "phone" });
    {
      await using gateway = await startGateway(place);
      const client = { id: "test", version: "1.0.0", mode: "node" } as const;
      const waiting = connectGateway({ url: gateway.url, device, client });
      await firstState(waiting);
      waiting.close();
    }
    const listed = JSON.parse((await run("devices", "list", "--json")).stdout);
    const [{ code }] = listed.devices;
    const rejected = await run("devices", "reject", code, "--json");
    expect(JSON.parse(rejected.stdout)).toMatchObject({ name: "phone", state: "rejected" });
  });
});

import { describe, expect, it } from "vitest";
import type { DeviceContact } from "../../src/index.js";
import { newDatabase, openTestStore, START } from "../support/open-store.js";

const HOUR_MS = 60 * 60_000;
const IDLE_MS = 5 * 60_000;
const LIMITS = { waitingMs: HOUR_MS, maxWaiting: 4, maxWaitingPerNetwork: 3, idleMs: IDLE_MS };
const PHONE = contact("a");
const APPROVAL = {
  to: "approved",
  from: ["waiting"],
  by: "operator",
  scopes: ["operator.read"],
} as const;

function contact(letter: string, network = "10.0.0.1"): DeviceContact {
  return {
    deviceId: letter.repeat(64),
    publicKey: letter.repeat(43),
    name: `device ${letter}`,
    address: network,
    network,
  };
}

async function openDevices() {
  let now = START;
  const database = newDatabase();
  const { devices } = await openTestStore({ ...database, now: () => now });
  return {
    devices,
    database,
    advance(ms: number) {
      now += ms;
    },
    ask: (letter: string, network?: string) =>
      devices.admit(contact(letter, network), `CODE${letter}`, LIMITS),
  };
}

describe("Devices", () => {
  it("[HOST-112] keeps a request with its code for an hour", async () => {
    const { devices, ask, advance } = await openDevices();
    expect(await ask("a")).toEqual({
      outcome: "created",
      device: {
        deviceId: PHONE.deviceId,
        publicKey: PHONE.publicKey,
        name: "device a",
        state: "waiting",
        code: "CODEa",
        scopes: [],
        address: "10.0.0.1",
        requestedAt: START,
        expiresAt: START + HOUR_MS,
        decidedAt: undefined,
        decidedBy: undefined,
        lastSeenAt: undefined,
      },
    });
    advance(HOUR_MS - 1);
    expect(await devices.admit(PHONE, "OTHER", LIMITS)).toMatchObject({
      outcome: "waiting",
      device: { code: "CODEa" },
    });
    expect(await devices.countWaiting()).toBe(1);
    advance(1);
    expect(await devices.countWaiting()).toBe(0);
    expect(await devices.list()).toEqual([]);
    expect(await devices.decide(PHONE.deviceId, APPROVAL)).toBeUndefined();
    expect(await devices.admit(PHONE, "OTHER", LIMITS)).toMatchObject({
      outcome: "created",
      device: { code: "OTHER" },
    });
  });

  it("[HOST-112] limits the waiting devices of a network and of all networks", async () => {
    const { devices, ask, advance } = await openDevices();
    for (const letter of ["a", "b", "c"]) {
      expect(await ask(letter)).toMatchObject({ outcome: "created" });
    }
    expect(await ask("d")).toEqual({ outcome: "full" });
    expect(await ask("d", "10.0.0.2")).toMatchObject({ outcome: "created" });
    expect(await ask("e", "10.0.0.3")).toEqual({ outcome: "full" });
    await devices.decide(PHONE.deviceId, APPROVAL);
    expect(await ask("e", "10.0.0.3")).toMatchObject({ outcome: "created" });
    advance(HOUR_MS);
    expect(await ask("f")).toMatchObject({ outcome: "created" });
    expect((await devices.list()).map(({ name }) => name)).toEqual(["device f", "device a"]);
  });

  it("[HOST-400] gives the place of a device that no longer asks to another one", async () => {
    const { devices, ask, advance } = await openDevices();
    for (const letter of ["a", "b", "c"]) await ask(letter);
    advance(IDLE_MS - 1);
    expect(await ask("d")).toEqual({ outcome: "full" });
    // The first two still ask.
    for (const letter of ["a", "b"]) await ask(letter);
    advance(1);
    expect(await ask("d")).toMatchObject({ outcome: "created" });
    expect(await ask("e")).toEqual({ outcome: "full" });
    const names = (await devices.list()).map(({ name }) => name);
    expect(names).toEqual(["device a", "device b", "device d"]);
  });

  it("[HOST-023] keeps a decision, with the operator and the time", async () => {
    const { devices, ask, advance, database } = await openDevices();
    await ask("a");
    advance(1000);
    expect(await devices.decide(PHONE.deviceId, APPROVAL)).toMatchObject({
      state: "approved",
      code: undefined,
      expiresAt: undefined,
      scopes: ["operator.read"],
      decidedAt: START + 1000,
      decidedBy: "operator",
      lastSeenAt: undefined,
    });
    advance(30 * 24 * HOUR_MS);
    const seen = await devices.admit({ ...PHONE, address: "10.0.0.9" }, "OTHER", LIMITS);
    expect(seen).toMatchObject({
      outcome: "approved",
      device: { address: "10.0.0.9", lastSeenAt: START + 1000 + 30 * 24 * HOUR_MS },
    });
    const again = await openTestStore(database);
    expect(await again.devices.list()).toEqual([seen.outcome === "full" ? undefined : seen.device]);
  });

  it("[HOST-023] makes a decision in the named states only", async () => {
    const { devices, ask } = await openDevices();
    const revocation = { to: "revoked", from: ["approved"], by: "operator" } as const;
    await ask("a");
    expect(await devices.decide(PHONE.deviceId, revocation)).toBeUndefined();
    await devices.decide(PHONE.deviceId, APPROVAL);
    expect(await devices.decide(PHONE.deviceId, APPROVAL)).toBeUndefined();
    expect(await devices.decide(PHONE.deviceId, revocation)).toMatchObject({ state: "revoked" });
    expect(await ask("a")).toMatchObject({ outcome: "revoked" });
    expect(await devices.decide("b".repeat(64), revocation)).toBeUndefined();
  });

  it("[HOST-112] forgets a rejected device after its time", async () => {
    const { devices, ask, advance } = await openDevices();
    await ask("a");
    const rejection = {
      to: "rejected",
      from: ["waiting"],
      by: "operator",
      keptMs: HOUR_MS,
    } as const;
    expect(await devices.decide(PHONE.deviceId, rejection)).toMatchObject({
      state: "rejected",
      expiresAt: START + HOUR_MS,
    });
    expect(await ask("a")).toMatchObject({ outcome: "rejected" });
    advance(HOUR_MS);
    expect(await ask("a")).toMatchObject({ outcome: "created" });
  });

  it("changes the name of a device", async () => {
    const { devices, ask } = await openDevices();
    await ask("a");
    expect(await devices.rename(PHONE.deviceId, "kitchen \\ tablet")).toMatchObject({
      name: "kitchen \\ tablet",
      state: "waiting",
    });
    expect(await devices.rename("b".repeat(64), "other")).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import { brokerHost, OWNER, pendingRequest } from "./support/broker-host.js";

const ONCE = { decision: "allow-once", via: "test" } as const;
const GUARD = { kind: "plugin", cause: { kind: "plugin" }, pluginId: "guard" } as const;

describe("the callback of a plugin", () => {
  it("[APPR-018] [HCR-007] is told once of a timeout, when the row is final", async () => {
    const { broker, store, time } = await brokerHost();
    const told: unknown[] = [];
    const { id } = await pendingRequest(broker, {
      ...GUARD,
      onResolution: async (resolution) => {
        told.push([resolution, (await store.decisions.approvals.get(id))?.state]);
      },
    });
    time.now += 120_000;
    expect(await broker.verdict(id)).toMatchObject({ status: "denied" });
    await broker.expire();
    await expect(broker.decide(id, ONCE, OWNER)).rejects.toThrow("timed-out by timeout");
    expect(told).toEqual([["timeout", "timed-out"]]);
  });

  it("[APPR-018] [HCR-007] is told once of a cancellation", async () => {
    const { broker } = await brokerHost();
    const told: string[] = [];
    const onResolution = (resolution: string) => void told.push(resolution);
    await pendingRequest(broker, { ...GUARD, onResolution });
    await broker.cancelFor({ runId: "run-1" }, "interrupt");
    await broker.cancelFor({ runId: "run-1" }, "interrupt");
    expect(told).toEqual(["cancelled"]);
  });

  it("[APPR-018] [APPR-019] is told instead of the handlers of the plugin, also after a restart", async () => {
    const told: string[] = [];
    const notifyPlugin = async () => void told.push("handler");
    const { broker, restarted } = await brokerHost({ notifyPlugin });
    const onResolution = () => void told.push("callback");
    const { id } = await pendingRequest(broker, { ...GUARD, onResolution });
    await broker.decide(id, ONCE, OWNER);
    await broker.close();
    await restarted({ notifyPlugin }).start();
    expect(told).toEqual(["callback"]);
  });
});

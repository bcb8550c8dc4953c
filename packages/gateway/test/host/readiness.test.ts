import { describe, expect, it, vi } from "vitest";
import { type ReadinessSources, readinessChecks } from "../../src/host/readiness.js";
import { createTestHost } from "../support/host.js";

/** Returns the checks of a host with changes to its state. */
async function checksOf(changes: Partial<ReadinessSources> = {}) {
  const { store, plugins } = await createTestHost();
  return readinessChecks({
    phase: "ready",
    store,
    plugins: plugins.current,
    channels: [],
    model: { ref: "demo/echo", isProvided: true },
    ...changes,
  });
}

describe("readinessChecks", () => {
  it("[GW-031] name store, gateway, plugins, channels and models", async () => {
    expect(await checksOf()).toEqual([
      { name: "store", ok: true },
      { name: "gateway", ok: true },
      { name: "configuration", ok: true, isRequired: false },
      { name: "plugins", ok: true, isRequired: false },
      { name: "channels", ok: true, detail: "none", isRequired: false },
      { name: "models", ok: true, isRequired: false },
    ]);
  });

  it("[CHAN-014] name channels with their states, and those that are degraded", async () => {
    const telegram = { channel: "telegram", accountId: "default", state: "connected" } as const;
    const work = { channel: "slack", accountId: "work", state: "degraded" } as const;
    const detailOf = async (channels: ReadinessSources["channels"]) =>
      (await checksOf({ channels })).find(({ name }) => name === "channels");
    expect(await detailOf([telegram])).toMatchObject({ ok: true, detail: "telegram: connected" });
    expect(await detailOf([telegram, work])).toEqual({
      ...{ name: "channels", ok: false, isRequired: false },
      detail: "slack/work: degraded",
    });
  });

  it("report a host that starts or stops", async () => {
    expect((await checksOf({ phase: "stopping" }))[1]).toEqual({
      name: "gateway",
      ok: false,
      detail: "stopping",
    });
  });

  it("report a store that fails, and one that does not answer in time", async () => {
    const full = { check: () => Promise.reject(new Error("the disk is full")) };
    expect((await checksOf({ store: full }))[0]).toMatchObject({
      ok: false,
      detail: "the disk is full",
    });
    const { plugins } = await createTestHost();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const checking = readinessChecks({
        phase: "ready",
        store: { check: () => new Promise(() => {}) },
        plugins: plugins.current,
        channels: [],
        model: { ref: "demo/echo", isProvided: true },
      });
      await vi.advanceTimersByTimeAsync(10_000);
      expect((await checking)[0]).toMatchObject({ name: "store", ok: false });
    } finally {
      vi.useRealTimers();
    }
  });

  it("name plugins that failed and a model without a provider, which do not make the host unready", async () => {
    const { plugins } = await createTestHost({
      plugins: [
        {
          id: "broken",
          register() {
            throw new Error("no");
          },
        },
      ],
    });
    const model = { ref: "gone/model", isProvided: false };
    const checks = await checksOf({ plugins: plugins.current, model });
    expect(checks.filter(({ ok }) => !ok)).toEqual([
      { name: "plugins", ok: false, detail: "failed: broken", isRequired: false },
      {
        name: "models",
        ok: false,
        detail: "no provider of gone/model is registered",
        isRequired: false,
      },
    ]);
  });
});

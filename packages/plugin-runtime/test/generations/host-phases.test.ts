import { describe, expect, it, vi } from "vitest";
import { createFileHost } from "../support/file-host.js";
import { createTestHost, plugin } from "../support/host.js";

const CONTEXT = { callDepth: 0 };
const BOOT = { port: 0, host: "127.0.0.1", reason: "boot" } as const;
const START = { event: { port: 0, host: "127.0.0.1", generation: 1 }, context: CONTEXT };

describe("plugin that is loaded after boot", () => {
  it("[LIFE-036] does not run for the past boot, is reported, and runs once for the start", async () => {
    const heard: string[] = [];
    const host = createFileHost(
      [
        {
          id: "early",
          register: (api) => {
            api.on("gateway_pre_start", () => void heard.push("early boot"));
            api.on("gateway_start", ({ generation }) => void heard.push(`early ${generation}`));
          },
        },
        {
          id: "late",
          register: (api) => {
            api.lifecycle.on("boot.pre", () => void heard.push("late boot"));
            api.lifecycle.on(
              "boot.post",
              ({ generation }) => void heard.push(`late ${generation}`),
            );
          },
        },
      ],
      { deny: ["late"] },
    );
    const { runtime } = host;
    await runtime.load();
    await runtime.boot(BOOT, CONTEXT);
    await runtime.start(START);
    expect(heard).toEqual(["early boot", "early 1"]);
    const { outcome, generation } = await runtime.reload("late", { config: { plugins: {} } });
    expect(outcome).toBe("loaded");
    await vi.waitFor(() => expect(heard).toHaveLength(3));
    expect(heard).toEqual(["early boot", "early 1", "late 2"]);
    const passed = generation.diagnostics.filter(({ code }) => code === "boot-passed");
    expect(passed).toMatchObject([{ level: "warn", pluginId: "late" }]);
    expect(passed[0]?.hint).toContain('"gateway_start"');
    await runtime.dispose();
    expect(heard).toHaveLength(3);
  });

  it("[LIFE-036] receives the start again when it is reloaded into a running host; other plugins do not", async () => {
    const heard: string[] = [];
    const tell = (id: string) =>
      plugin((api) => void api.on("gateway_start", () => void heard.push(api.id)), id);
    const { runtime } = createTestHost([tell("first"), tell("second")]);
    await runtime.load();
    await runtime.boot(BOOT, CONTEXT);
    await runtime.start(START);
    await runtime.reload("second");
    await vi.waitFor(() => expect(heard).toHaveLength(3));
    expect(heard.toSorted()).toEqual(["first", "second", "second"]);
    await runtime.dispose();
  });

  it("receives nothing before the host has started", async () => {
    const heard: string[] = [];
    const { runtime } = createTestHost([
      plugin((api) => void api.on("gateway_start", () => void heard.push("start"))),
    ]);
    await runtime.load();
    await runtime.reload("guard");
    expect(heard).toEqual([]);
    await runtime.start(START);
    expect(heard).toEqual(["start"]);
    await runtime.dispose();
  });
});

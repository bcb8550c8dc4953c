import { describe, expect, it, vi } from "vitest";
import { eventually } from "../support/eventually.js";
import { openDatabase, startNode } from "../support/nodes.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

describe("routines of several nodes", () => {
  it("[SCALE-016] are changed on any node, and each due time has one run, also after another node leads", async () => {
    const { url, store } = await openDatabase();
    const leading = await startNode(url);
    const other = await startNode(url);
    const methods = await other.gateway.methods();
    const list = async (name: string) =>
      (await methods.call("cron.runs", { routine: name })).runs.map(({ state }) => state);

    // The node that runs no routines takes the change, and the leading one runs it.
    const soon = () => new Date(Date.now() + 1500).toISOString();
    const task = { prompt: "Say that it is time.", action: "lightweight" } as const;
    await methods.call("cron.add", { name: "first", at: soon(), ...task });
    await eventually(async () => ((await list("first")).length > 0 ? true : undefined));
    await methods.call("cron.run", { routine: "first" });
    await eventually(async () => ((await list("first")).length === 2 ? true : undefined));

    await methods.call("cron.add", { name: "second", at: soon(), ...task });
    await leading.gateway.stop("command");
    await eventually(async () => ((await list("second")).length > 0 ? true : undefined));
    for (const { routineId } of await store.routines.list({ limit: 10 })) {
      const runs = await store.routines.runs.of({ routineId, limit: 10 });
      const times = runs.map(({ plannedAt }) => plannedAt);
      expect(new Set(times).size).toBe(times.length);
    }
    expect(await list("second")).toHaveLength(1);
  });
});

import { describe, expect, it } from "vitest";
import { openTestStore } from "../support/open-store.js";

describe("paused tasks", () => {
  it("[HOST-180] are listed in order, each once, until they are resumed", async () => {
    const { pausedTasks } = await openTestStore();
    expect(await pausedTasks.list()).toEqual([]);
    await Promise.all(["retention", "jobs", "jobs"].map((name) => pausedTasks.set(name, true)));
    expect(await pausedTasks.list()).toEqual(["jobs", "retention"]);
    await pausedTasks.set("jobs", false);
    await pausedTasks.set("unknown", false);
    expect(await pausedTasks.list()).toEqual(["retention"]);
  });
});

import { BackgroundTasks, systemClock } from "@openclaw/foundation";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { scheduleRetention } from "../../src/upkeep/retention-schedule.js";
import { openTestStore } from "../support/host.js";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Creates a store with a denied tool call that is some days old. */
async function storeWithRefusal(ageDays: number) {
  let now = 0;
  const store = await openTestStore(() => now);
  const call = { runId: "run", sessionKey: "session", toolCallId: "call", tool: "exec" };
  await store.decisions.toolAuditLog.add({ ...call, decider: "policy" });
  now = ageDays * DAY;
  return { store, count: async () => (await store.decisions.toolAuditLog.list()).length };
}

function collectingLogger() {
  const lines: [string, object | undefined][] = [];
  const write = (text: string, fields?: object) => void lines.push([text, fields]);
  return { lines, logger: { debug: write, info: write, warn: write, error: write } };
}

function tasksOf({ warn }: { warn(text: string): void }) {
  return new BackgroundTasks({ timers: systemClock, now: Date.now, failed: warn });
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("scheduleRetention", () => {
  it("[SCALE-029] sweeps a minute after the start and every hour, according to the configuration", async () => {
    const { store, count } = await storeWithRefusal(10);
    const sweep = vi.spyOn(store.retention, "sweep");
    const { lines, logger } = collectingLogger();
    const schedule = scheduleRetention({
      ...{ store, logger, tasks: tasksOf(logger) },
      configuration: { value: { store: { retention: { toolAuditDays: 9 } } } },
    });
    await vi.advanceTimersByTimeAsync(MINUTE - 1);
    expect(sweep).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    expect(lines).toEqual([["removed expired data", { toolAudit: 1 }]]);
    expect(await count()).toBe(0);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    expect(sweep).toHaveBeenCalledTimes(2);
    await schedule.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("logs a failed sweep, and tries again", async () => {
    const { store } = await storeWithRefusal(1000);
    vi.spyOn(store.retention, "sweep").mockRejectedValueOnce(new Error("the disk is full"));
    const { lines, logger } = collectingLogger();
    const schedule = scheduleRetention({
      ...{ store, logger, tasks: tasksOf(logger) },
      configuration: { value: {} },
    });
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(lines[0]?.[0]).toBe("the background task retention failed: the disk is full");
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    await vi.waitFor(() => expect(lines[1]?.[1]).toEqual({ toolAudit: 1 }));
    await schedule.close();
  });
});

import { setImmediate } from "node:timers/promises";
import { createManualClock } from "@openclaw/foundation";
import type { Store } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import { TaskNotFoundError } from "../../src/errors.js";
import { PluginTasks } from "../../src/plugins/ports/repeated-work.js";
import { openTasks } from "../../src/upkeep/host-tasks.js";
import { createTaskMethods } from "../../src/upkeep/task-methods.js";
import { openTestStore } from "../support/host.js";

/** Opens the tasks of a process, one of which runs every minute. */
async function startProcess(store: Store) {
  const clock = createManualClock(1000);
  const lines: string[] = [];
  const write = (text: string) => void lines.push(text);
  const logger = { debug: write, info: write, warn: write, error: write };
  const tasks = await openTasks({ store, logger, timers: clock, now: () => clock.now() });
  const world = { runs: 0, problem: "" };
  const task = tasks.add({
    name: "sweep",
    intervalMs: () => 60_000,
    async run() {
      world.runs += 1;
      task.in(60_000);
      if (world.problem !== "") throw new Error(world.problem);
    },
  });
  task.in(60_000);
  return { clock, tasks, methods: createTaskMethods(tasks), lines, world };
}

const SWEEP = { name: "sweep", intervalMs: 60_000, isRunning: false, failures: 0 };

describe("the methods of background tasks", () => {
  it("[HOST-024] list, run, pause and resume them", async () => {
    const { clock, methods, lines, world } = await startProcess(await openTestStore());
    const idle = { ...SWEEP, isPaused: false, nextRunAt: 61_000 };
    expect(await methods.call("tasks.list", {})).toEqual({ tasks: [idle] });
    expect(await methods.call("tasks.pause", { name: "sweep" })).toEqual({
      ...{ ...SWEEP, isPaused: true },
    });
    const ran = { lastRunAt: 1000, lastDurationMs: 0 };
    expect(await methods.call("tasks.run", { name: "sweep" })).toEqual({
      ...{ ...SWEEP, isPaused: true, ...ran },
    });
    clock.advance(120_000);
    expect(world.runs).toBe(1);
    expect(await methods.call("tasks.resume", { name: "sweep" })).toMatchObject({
      ...{ isPaused: false, nextRunAt: 121_000 },
    });
    world.problem = "the disk is full";
    expect(await methods.call("tasks.run", { name: "sweep" })).toMatchObject({
      ...{ failures: 1, lastError: "the disk is full" },
    });
    expect(lines).toEqual(["the background task sweep failed: the disk is full"]);
  });

  it("[HOST-024] reject a name that no task has, and suggest one", async () => {
    const { methods } = await startProcess(await openTestStore());
    for (const name of ["tasks.pause", "tasks.resume", "tasks.run"] as const) {
      const refusal = await methods.call(name, { name: "swep" }).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(TaskNotFoundError);
      expect(refusal).toMatchObject({
        ...{ code: "TASK_NOT_FOUND", message: expect.stringContaining('"sweep"') },
      });
    }
  });

  it("[HOST-180] leave a paused task paused in the next process, until it is resumed there", async () => {
    const store = await openTestStore();
    const first = await startProcess(store);
    await first.methods.call("tasks.pause", { name: "sweep" });
    const second = await startProcess(store);
    expect(await second.methods.call("tasks.list", {})).toEqual({
      tasks: [{ ...SWEEP, isPaused: true }],
    });
    second.clock.advance(120_000);
    expect(second.world.runs).toBe(0);
    await second.methods.call("tasks.resume", { name: "sweep" });
    expect(await store.pausedTasks.list()).toEqual([]);
    const third = await startProcess(store);
    third.clock.advance(60_000);
    expect(third.world.runs).toBe(1);
  });
});

describe("the background tasks of plugins", () => {
  it("[HOST-505] are listed with their plugin, and are run, paused and resumed as others", async () => {
    const { clock, tasks, methods, lines } = await startProcess(await openTestStore());
    const world = { runs: 0, problem: "" };
    const end = new PluginTasks(tasks).repeat("memory", {
      ...{ name: "hygiene", intervalMs: 5000 },
      run() {
        world.runs += 1;
        if (world.problem !== "") throw new Error(world.problem);
      },
    });
    const name = "memory/hygiene";
    const idle = { name, pluginId: "memory", intervalMs: 5000, isRunning: false, failures: 0 };
    expect(await methods.call("tasks.list", {})).toEqual({
      tasks: [{ ...idle, isPaused: false, nextRunAt: 6000 }, expect.objectContaining(SWEEP)],
    });
    clock.advance(5000);
    expect(world.runs).toBe(1);
    expect(await methods.call("tasks.pause", { name })).toMatchObject({ isPaused: true });
    clock.advance(20_000);
    expect(world.runs).toBe(1);
    world.problem = "the disk is full";
    expect(await methods.call("tasks.run", { name })).toMatchObject({
      ...{ failures: 1, lastError: "the disk is full", lastRunAt: 26_000, lastDurationMs: 0 },
    });
    expect(lines).toEqual([`the background task ${name} failed: the disk is full`]);
    await methods.call("tasks.resume", { name });
    end();
    end();
    clock.advance(20_000);
    expect(world.runs).toBe(2);
    await expect(methods.call("tasks.run", { name })).rejects.toThrow(TaskNotFoundError);
  });

  it("[HOST-505] are done by the newest generation that started, until it stops", async () => {
    const { clock, tasks } = await startProcess(await openTestStore());
    const repeated = new PluginTasks(tasks);
    const done: string[] = [];
    const advance = async (ms: number) => {
      clock.advance(ms);
      // A run has ended when its promises have.
      await setImmediate();
    };
    const start = (generation: string, intervalMs: number) =>
      repeated.repeat("memory", {
        ...{ name: "hygiene", intervalMs },
        run: () => void done.push(generation),
      });
    const endOld = start("old", 1000);
    const endNew = start("new", 2000);
    await advance(2000);
    expect(done).toEqual(["new"]);
    endNew();
    await advance(2000);
    expect(done).toEqual(["new", "old"]);
    endOld();
    await advance(9000);
    expect(done).toEqual(["new", "old"]);
    expect(tasks.list().map(({ name }) => name)).toEqual(["sweep"]);
  });
});

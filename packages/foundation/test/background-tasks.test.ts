import { describe, expect, it } from "vitest";
import { BackgroundTasks, createManualClock } from "../src/index.js";

type Pauses = ConstructorParameters<typeof BackgroundTasks>[0]["pauses"];

function tasksWithClock(pauses?: Pauses) {
  const clock = createManualClock(1000);
  const problems: string[] = [];
  const tasks = new BackgroundTasks({
    timers: clock,
    now: () => clock.now(),
    failed: (problem, isReported) => void problems.push(`${isReported} ${problem}`),
    ...(pauses && { pauses }),
  });
  return { clock, tasks, problems };
}

const settled = async () => {
  for (let round = 0; round < 10; round += 1) await Promise.resolve();
};

describe("background tasks", () => {
  it("[HOST-024] have a name, an interval, and the times and errors of their runs", async () => {
    const { clock, tasks } = tasksWithClock();
    let problem: string | undefined;
    const task = tasks.add({
      name: "sweep",
      intervalMs: () => 100,
      async run() {
        task.in(100);
        if (problem !== undefined) throw new Error(problem);
      },
    });
    tasks.add({ name: "other", run: async () => undefined });
    const at = { name: "sweep", intervalMs: 100, isRunning: false, isPaused: false, failures: 0 };
    expect(tasks.list()[1]).toEqual(at);
    task.in(50);
    expect(tasks.list()[1]).toEqual({ ...at, nextRunAt: 1050 });
    clock.advance(50);
    await settled();
    expect(tasks.list().map(({ name }) => name)).toEqual(["other", "sweep"]);
    const ended = { ...at, lastRunAt: 1050, lastDurationMs: 0, nextRunAt: 1150 };
    expect(tasks.list()[1]).toEqual(ended);
    problem = "the disk is full";
    clock.advance(100);
    await settled();
    expect(tasks.list()[1]).toMatchObject({ lastError: "the disk is full", failures: 1 });
  });

  it("[HOST-025] run again at their next time after a throw, and five in a row are reported", async () => {
    const { clock, tasks, problems } = tasksWithClock();
    let isBroken = true;
    let runs = 0;
    const task = tasks.add({
      name: "sweep",
      intervalMs: () => 100,
      async run() {
        runs += 1;
        if (isBroken) throw new Error("broken");
        task.in(100);
      },
    });
    task.in(100);
    for (let round = 0; round < 5; round += 1) {
      clock.advance(100);
      await settled();
    }
    expect(problems).toEqual([
      "false the background task sweep failed: broken",
      ...[2, 3, 4].map((n) => `false the background task sweep failed ${n} times in a row: broken`),
      "true the background task sweep failed 5 times in a row: broken",
    ]);
    isBroken = false;
    clock.advance(100);
    await settled();
    expect(tasks.list()).toMatchObject([{ failures: 0 }]);
    expect(tasks.list()[0]?.lastError).toBeUndefined();
    expect(runs).toBe(6);
  });

  it("[HOST-024] are paused, resumed and run now", async () => {
    const { clock, tasks } = tasksWithClock();
    let runs = 0;
    const run = async () => {
      runs += 1;
    };
    const task = tasks.add({ name: "sweep", run });
    task.in(100);
    expect(await tasks.pause("sweep")).toMatchObject({ isPaused: true });
    clock.advance(500);
    await settled();
    expect(runs).toBe(0);
    expect(await tasks.runNow("sweep")).toMatchObject({ isPaused: true, isRunning: false });
    expect(runs).toBe(1);
    // What was due meanwhile begins at once.
    await tasks.resume("sweep");
    clock.advance(0);
    await settled();
    expect(runs).toBe(2);
    expect(await tasks.pause("none")).toBeUndefined();
    expect(await tasks.resume("none")).toBeUndefined();
    expect(await tasks.runNow("none")).toBeUndefined();
    await tasks.close();
    task.in(1);
    clock.advance(10);
    await settled();
    expect(runs).toBe(2);
  });

  it("[HOST-180] keep their pauses, and are not paused while a pause is not kept", async () => {
    const kept: string[] = [];
    let problem: string | undefined;
    const { clock, tasks } = tasksWithClock({
      earlier: ["sweep", "gone"],
      async keep(name, isPaused) {
        if (problem !== undefined) throw new Error(problem);
        kept.push(`${name} ${isPaused}`);
      },
    });
    let runs = 0;
    const run = async () => {
      runs += 1;
    };
    tasks.add({ name: "sweep", run }).in(100);
    expect(tasks.list()).toMatchObject([{ name: "sweep", isPaused: true }]);
    expect(tasks.list()[0]?.nextRunAt).toBeUndefined();
    clock.advance(500);
    await settled();
    expect(runs).toBe(0);
    problem = "the disk is full";
    await expect(tasks.resume("sweep")).rejects.toThrow(problem);
    expect(tasks.list()).toMatchObject([{ isPaused: true }]);
    problem = undefined;
    expect(await tasks.resume("sweep")).toMatchObject({ isPaused: false });
    clock.advance(0);
    await settled();
    expect(runs).toBe(1);
    expect(await tasks.pause("sweep")).toMatchObject({ isPaused: true });
    // One that is added again stays paused.
    tasks.add({ name: "sweep", run }).in(0);
    clock.advance(10);
    await settled();
    expect(runs).toBe(1);
    expect(kept).toEqual(["sweep false", "sweep true"]);
  });

  it("[JOB-019] skip a run during another one, and close when the current run has ended", async () => {
    const { clock, tasks } = tasksWithClock();
    let end = () => {};
    let runs = 0;
    const task = tasks.add({
      name: "sweep",
      intervalMs: () => 100,
      run() {
        runs += 1;
        task.in(100);
        return new Promise<void>((resolve) => {
          end = resolve;
        });
      },
    });
    task.in(100);
    clock.advance(100);
    clock.advance(300);
    expect(runs).toBe(1);
    let isClosed = false;
    const closing = tasks.close().then(() => {
      isClosed = true;
    });
    await settled();
    expect(isClosed).toBe(false);
    end();
    await closing;
    clock.advance(300);
    expect(runs).toBe(1);
  });
});

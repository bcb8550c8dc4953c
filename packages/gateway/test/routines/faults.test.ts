import { createManualClock } from "@openclaw/foundation";
import type { Store } from "@openclaw/store";
import { StoreUnavailableError } from "@openclaw/store/errors";
import { describe, expect, it } from "vitest";
import { historyOf, lastOf } from "../jobs/support/only-job.js";
import { eventually } from "../support/eventually.js";
import { createTestHost, gate, openTestStore, type TestHostOptions } from "../support/host.js";
import { addRoutine, ended, HOUR, MINUTE, MONDAY, OPERATOR } from "./support/routine.js";

async function timed(options: TestHostOptions = {}, clock = createManualClock(MONDAY)) {
  const host = await createTestHost({ now: () => clock.now(), timers: clock, ...options });
  await host.routines.recover();
  return { clock, host };
}

/** Changes the stored definition of a routine, as another version of the product could leave it. */
async function rewrite(store: Store, routineId: string, changes: object): Promise<void> {
  const definition = (await store.routines.get(routineId))?.definition;
  await store.routines.change(routineId, {
    definition: JSON.parse(JSON.stringify({ ...definition, ...changes })),
  });
}

/** Returns a store whose writes fail while the disk is full. */
function onDisk(store: Store) {
  const disk = { isFull: false, failures: 0 };
  const onFull = new Proxy(store, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function") return value;
      if (key !== "transaction" || !disk.isFull) return value.bind(target);
      return () => {
        disk.failures += 1;
        return Promise.reject(new StoreUnavailableError("store.db", "full"));
      };
    },
  });
  return { disk, store: onFull };
}

describe("a routine whose zone disappears", () => {
  it("[JOB-508] is disabled with a notice, is shown with that reason, and runs in another zone", async () => {
    const store = await openTestStore();
    const first = await timed({ store });
    const { routineId } = await addRoutine(first.host);
    await addRoutine(first.host, { name: "other" });
    first.host.routines.close();
    const trigger = { kind: "cron", expression: "0 7 * * *", timezone: "Mars/Base" };
    await rewrite(store, routineId, { trigger });
    const { clock, host } = await timed({ store }, first.clock);
    const [run] = await ended(store, routineId, 1);
    expect(run).toMatchObject({ state: "failed", delivery: { state: "delivered" } });
    expect((await historyOf(store)).at(-1)).toMatch(
      /^assistant: Routine "morning" failed: .*Mars\/Base.*cron edit morning --tz.*is disabled/s,
    );
    expect(await host.routines.list(OPERATOR)).toHaveLength(2);
    const { routine } = await host.routines.get("morning", OPERATOR);
    expect(routine).toMatchObject({
      ...{ enabled: false, disabledReason: "Its time zone Mars/Base is no longer known" },
    });
    await host.routines.update("morning", OPERATOR, { tz: "Europe/Berlin", enabled: true });
    const { nextAt } = await host.routines.get("morning", OPERATOR);
    expect(nextAt).toBe(Date.UTC(2026, 11, 1, 6));
    clock.advance(24 * HOUR);
    expect((await ended(store, routineId, 2)).at(-1)).toMatchObject({ state: "attention" });
  });

  it("[JOB-508] does not keep the others from running when another version stored it", async () => {
    const store = await openTestStore();
    const first = await timed({ store });
    const { routineId } = await addRoutine(first.host);
    const other = await addRoutine(first.host, { name: "other" });
    first.host.routines.close();
    await rewrite(store, routineId, { trigger: { kind: "moon" } });
    const { clock, host } = await timed({ store }, first.clock);
    clock.advance(10 * MINUTE);
    expect(await ended(store, other.routineId, 1)).toMatchObject([{ state: "attention" }]);
    await host.routines.remove("morning", OPERATOR);
    expect(await host.routines.list(OPERATOR)).toHaveLength(1);
  });
});

describe("a routine whose channel is deleted", () => {
  it("[JOB-030] [JOB-509] runs, and shows why its result was not delivered", async () => {
    const { clock, host } = await timed({ findSurface: () => undefined });
    const { routineId } = await addRoutine(host, {
      askedIn: "agent:main:telegram:direct:7",
      creator: { channel: "telegram", conversationId: "7", senderId: "7", senderIsOwner: true },
    });
    clock.advance(10 * MINUTE);
    const [run] = await ended(host.store, routineId, 1);
    expect(run).toMatchObject({
      ...{ state: "attention", answer: "ok" },
      delivery: { state: "not-delivered", reason: expect.stringMatching(/telegram/) },
    });
    const { enabled } = (await host.routines.get("morning", OPERATOR)).routine;
    expect(enabled).toBe(true);
  });
});

describe("a routine that is changed while it runs", () => {
  it("[JOB-510] ends that run with its earlier task, and uses the change from the next one on", async () => {
    const open = gate();
    const asked: string[] = [];
    const { clock, host } = await timed({
      script(call) {
        asked.push(lastOf(call));
        return {
          text: `answer ${asked.length}`,
          ...(asked.length === 1 ? { waitFor: open.passed } : {}),
        };
      },
    });
    const { routineId } = await addRoutine(host);
    clock.advance(10 * MINUTE);
    await eventually(async () => asked.length === 1 || undefined);
    await expect(host.routines.update("morning", OPERATOR, { name: "evening" })).rejects.toThrow(
      "it runs now; rename it after the end",
    );
    await host.routines.update("morning", OPERATOR, {
      prompt: "look at the calendar",
      every: "1h",
    });
    open.pass();
    expect(await ended(host.store, routineId, 1)).toMatchObject([
      { state: "attention", answer: "answer 1", delivery: { state: "delivered" } },
    ]);
    clock.advance(HOUR);
    await ended(host.store, routineId, 2);
    expect(asked[0]).toContain("look at the inbox");
    expect(asked[1]).toContain("look at the calendar");
  });
});

describe("a disk that is full", () => {
  it("[JOB-511] delays a run at its time, which runs once when there is space", async () => {
    const { disk, store } = onDisk(await openTestStore());
    const { clock, host } = await timed({ store });
    const { routineId } = await addRoutine(host);
    disk.isFull = true;
    clock.advance(10 * MINUTE);
    await eventually(
      async () => host.lines.some((line) => line.includes("disk is full")) || undefined,
    );
    disk.isFull = false;
    clock.advance(5000);
    expect(await ended(store, routineId, 1)).toMatchObject([{ state: "attention" }]);
    expect(host.asked()).toHaveLength(1);
  });

  it("[JOB-511] keeps a due time that cannot begin, and the end of a run that cannot be stored", async () => {
    const { disk, store } = onDisk(await openTestStore());
    const { clock, host } = await timed({
      store,
      register(api) {
        api.registerTool({
          ...{ name: "count", description: "Counts.", parameters: { type: "object" } },
          execute() {
            disk.isFull = true;
            return "3 letters";
          },
        });
      },
    });
    const { routineId } = await addRoutine(host, {
      prompt: undefined,
      tool: "count",
      every: "10m",
    });
    clock.advance(10 * MINUTE);
    await eventually(
      async () => host.lines.some((line) => line.includes("disk is full")) || undefined,
    );
    expect(await store.routines.runs.of({ routineId, limit: 9 })).toMatchObject([
      { state: "running" },
    ]);
    disk.isFull = false;
    clock.advance(15_000);
    expect(await ended(store, routineId, 1)).toMatchObject([
      { state: "failed", reason: expect.stringContaining("disk is full") },
    ]);
    expect(await historyOf(store)).toHaveLength(1);
  });

  it("[JOB-511] settles a run whose turn could not store its end", async () => {
    const { disk, store } = onDisk(await openTestStore());
    const { clock, host } = await timed({
      store,
      script() {
        disk.isFull = true;
        return { text: "Two letters." };
      },
    });
    const { routineId } = await addRoutine(host);
    clock.advance(10 * MINUTE);
    await eventually(async () => disk.failures > 0 || undefined);
    const settled = async () => {
      disk.isFull = false;
      clock.advance(15_000);
      const [run] = await store.routines.runs.of({ routineId, limit: 1 });
      return run?.delivery !== undefined ? run : undefined;
    };
    expect(["attention", "failed"]).toContain((await eventually(settled)).state);
    expect(host.asked()).toHaveLength(1);
  });
});

describe("a model that fails for a day", () => {
  it("[JOB-512] is told once for each due time, and the next one runs when the model is back", async () => {
    let isDown = true;
    const { clock, host } = await timed({
      script() {
        if (isDown) throw new Error("the provider is down");
        return { text: "Two letters." };
      },
    });
    const { routineId } = await addRoutine(host);
    clock.advance(10 * MINUTE);
    await ended(host.store, routineId, 1);
    isDown = false;
    clock.advance(24 * HOUR);
    const runs = await ended(host.store, routineId, 2);
    expect(runs.map(({ state }) => state)).toEqual(["failed", "attention"]);
    expect(await historyOf(host.store)).toEqual([
      expect.stringMatching(/^assistant: Routine "morning" failed: /),
      "assistant: Two letters.",
    ]);
  });
});

import { BackgroundTasks, createManualClock } from "@openclaw/foundation";
import { openStore, type Routine, type RoutineRun, type Store } from "@openclaw/store";
import { expect, it, onTestFinished } from "vitest";
import { writeDefinition } from "../src/definition.js";
import { changedDefinition, type RoutineChangeRequest } from "../src/request.js";
import { nextTime, type Schedule } from "../src/schedules/schedule.js";
import { routineSettings } from "../src/settings.js";
import { RoutineTicker } from "../src/ticker.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 9, 10);

/** Number of routines in a chunk of the release check, which simulates a year. */
const CASES = process.env.OPENCLAW_TEST_CASES;
const AMOUNT = { routines: Number(CASES ?? 50), days: CASES === undefined ? 30 : 365 };
const SEED = Number(process.env.OPENCLAW_TEST_SEED ?? 47);
/** A chunk of the release check takes minutes on a busy machine. */
const TIME_LIMIT_MS = CASES === undefined ? 300_000 : 24 * HOUR;

const ZONES = [
  ...["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"],
  ...["UTC", "America/Santiago", "Africa/Casablanca", "Pacific/Chatham", "Asia/Tehran"],
  ...["Europe/Dublin", "America/St_Johns", "Antarctica/Troll"],
];

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A gateway that can be killed: its runs end after a time, and nothing remains of them but the store. */
class Gateway {
  readonly ticker: RoutineTicker;
  readonly #active = new Map<string, { readonly run: RoutineRun; readonly endsAt: number }>();
  readonly #store: Store;
  #isKilled = false;
  readonly #now: () => number;

  constructor(
    store: Store,
    {
      now,
      timers,
      begun,
      lasts,
    }: {
      readonly now: () => number;
      readonly timers: ReturnType<typeof createManualClock>;
      readonly begun: Map<string, number>;
      readonly lasts: () => number;
    },
  ) {
    // Each use of the store after the end of the process fails, at whatever place that is.
    const mortal = new Proxy(store, {
      get: (target, key) => {
        if (this.#isKilled) throw new Error("the process was killed");
        const value: unknown = Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const failed = (problem: string) => {
      if (!this.#isKilled) expect.fail(problem);
    };
    const quiet = () => undefined;
    this.#store = mortal;
    this.#now = now;
    this.ticker = new RoutineTicker({
      store: mortal,
      clock: { timers, now },
      tasks: new BackgroundTasks({ timers, now, failed }),
      logger: { debug: quiet, info: quiet, warn: quiet, error: failed },
      runner: {
        activeRun: (routineId) => this.#active.get(routineId)?.run,
        begin: async (_routine, run) => {
          const key = `${run.routineId} ${run.plannedAt}`;
          begun.set(key, (begun.get(key) ?? 0) + 1);
          expect(await mortal.routines.runs.start(run, { runId: key })).toBe(true);
          const endsAt = now() + lasts();
          this.#active.set(run.routineId, { run, endsAt });
        },
        replace: async ({ routineId }, reason) => {
          const active = this.#active.get(routineId);
          this.#active.delete(routineId);
          if (active !== undefined)
            await mortal.routines.runs.end(active.run, { state: "skipped", reason });
        },
        size: 0,
        storeEnds: async () => undefined,
        takeUp: async (_routine, run) => {
          await mortal.routines.runs.end(run, { state: "failed", reason: "the gateway ended" });
          await mortal.routines.runs.deliver(run, { state: "not-requested" });
        },
      },
      results: { deliver: async () => undefined },
      changes: { tell: () => undefined },
      settings: () => ({ ...routineSettings({ timezone: "UTC" }), checkMs: HOUR }),
      hostReason: async () => undefined,
    });
  }

  /** Ends the process; what it does at this moment has no effect any more. */
  kill(): void {
    this.#isKilled = true;
    this.ticker.close();
  }

  /** Ends the runs whose time is over. */
  async work(): Promise<void> {
    for (const [routineId, { run, endsAt }] of this.#active) {
      if (endsAt > this.#now()) continue;
      this.#active.delete(routineId);
      await this.#store.routines.runs.end(run, { state: "ok", answer: "ROUTINE_OK" });
      await this.#store.routines.runs.deliver(run, { state: "not-requested" });
    }
    await this.ticker.look();
  }
}

/** Returns a schedule and rules, by the number of the routine. */
function requestOf(index: number, random: () => number): RoutineChangeRequest {
  const tz = ZONES[index % ZONES.length] ?? "UTC";
  const minute = Math.floor(random() * 4) * 15;
  const hour = Math.floor(random() * 24);
  const kinds: readonly RoutineChangeRequest[] = [
    { cron: `${minute} ${hour} * * *`, tz },
    { cron: `${minute} ${hour} * * 1-5`, tz },
    { cron: `${minute} ${hour} 31 * *`, tz },
    { cron: `${minute} */12 * * *`, tz },
    { every: "12h", tz },
    { every: "1d", tz },
  ];
  return {
    ...kinds[index % kinds.length],
    prompt: "look",
    overlap: index % 7 === 0 ? "queue" : index % 5 === 0 ? "cancel-other" : "skip",
    catchUp: (["latest", "all", "none"] as const)[index % 3] ?? "latest",
  };
}

/** Returns true when a record covers a due time that is too old to run. */
function covers({ reason = "", plannedAt }: RoutineRun, at: number): boolean {
  const [, until] = /so (?:are|were) all due times until (.+)$/.exec(reason) ?? [];
  return until !== undefined && at >= plannedAt && at <= Date.parse(until);
}

it(
  "[JOB-026] [SCALE-016] gives each due time exactly one run or one reason, over restarts, kills and clocks that jump",
  async () => {
    const random = seeded(SEED);
    const timers = createManualClock(START);
    let skew = 0;
    let latest = START;
    const now = () => timers.now() + skew;
    const store = await openStore({ file: ":memory:", now });
    onTestFinished(() => store.close());
    const routines: { readonly routine: Routine; readonly schedule: Schedule }[] = [];
    for (let index = 0; index < AMOUNT.routines; index += 1) {
      const definition = changedDefinition(undefined, requestOf(index, random), START, "UTC");
      const { trigger } = definition;
      if (!("timezone" in trigger)) throw new Error("it has a schedule");
      const routine = await store.routines.add({
        ...{ routineId: `${index.toString(16).padStart(4, "0")}-routine`, name: `r${index}` },
        ...{ agentId: "main", sessionKey: `agent:main:cron:${index}`, owner: "[]", creator: {} },
        ...{ definition: writeDefinition(definition), scheduledFrom: START, enabled: true },
      });
      routines.push({ routine, schedule: trigger });
    }
    const begun = new Map<string, number>();
    let isSettling = false;
    const lasts = () => (isSettling || random() < 0.9 ? MINUTE : 20 * HOUR);
    const parts = { now, timers, begun, lasts };
    let gateway = new Gateway(store, parts);
    await gateway.ticker.open();
    let restarts = 0;
    const end = START + AMOUNT.days * 24 * HOUR;
    while (timers.now() < end) {
      timers.advance(HOUR);
      if (random() < 0.02) skew += (random() < 0.5 ? -1 : 1) * 2 * HOUR;
      if (random() < 0.06) {
        // Killed: nothing of the process remains, and at times it is away for up to two days.
        gateway.kill();
        if (random() < 0.3) timers.advance(Math.floor(random() * 48) * HOUR);
        restarts += 1;
        gateway = new Gateway(store, parts);
        await gateway.ticker.open();
      }
      latest = Math.max(latest, now());
      await gateway.work();
    }
    // The runs of the last days come to their end.
    isSettling = true;
    for (let hours = 0; hours < 60; hours += 1) {
      timers.advance(HOUR);
      latest = Math.max(latest, now());
      await gateway.work();
    }
    gateway.kill();
    let due = 0;
    for (const { routine, schedule } of routines) {
      const { routineId, name } = routine;
      const rows = await store.routines.runs.of({ routineId, limit: 100_000 });
      const byTime = new Map(rows.map((row) => [row.plannedAt, row]));
      const shared = rows.filter(({ reason }) => reason?.includes("all due times until"));
      let at = nextTime(schedule, START);
      const times = new Set<number>();
      for (; at !== undefined && at <= latest - 60 * HOUR; at = nextTime(schedule, at)) {
        times.add(at);
        due += 1;
        const time = at;
        const row = byTime.get(at);
        const where = `${name} at ${new Date(at).toISOString()}`;
        if (row === undefined) {
          expect(
            shared.filter((each) => covers(each, time)),
            where,
          ).toHaveLength(1);
          continue;
        }
        expect(["ok", "failed", "skipped", "missed"], where).toContain(row.state);
        if (row.state !== "ok") expect(row.reason, where).toBeDefined();
        const runs = begun.get(`${routineId} ${at}`) ?? 0;
        expect(runs, where).toBe(row.startedAt === undefined ? 0 : 1);
      }
      for (const { plannedAt } of rows) {
        if (plannedAt <= latest - 60 * HOUR) expect(times).toContain(plannedAt);
      }
    }
    expect(due).toBeGreaterThan(AMOUNT.days * AMOUNT.routines * 0.5);
    expect(restarts).toBeGreaterThan(AMOUNT.days / 3);
  },
  TIME_LIMIT_MS,
);

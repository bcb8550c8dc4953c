import { AsyncLocalStorage, createHook } from "node:async_hooks";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { startTestGateway } from "../../support/gateway.js";

const SESSIONS = 100_000;
const MOST_BYTES = 10e6;

/** Adds sessions that are not in use, each with its incarnation. */
function addIdleSessions(file: string): void {
  using database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec(`
    begin;
    create temp table number as
      with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${SESSIONS})
      select n from counted;
    insert into sessions (session_key, session_id, agent_id, created_at, updated_at)
      select 'agent:main:idle:' || n, 'id ' || n, 'main', n, n from number;
    insert into session_incarnations (session_id, session_key, opened_at, message_count, last_seq)
      select 'id ' || n, 'agent:main:idle:' || n, n, 0, 0 from number;
    commit;
  `);
}

/** Counts the timers that work has started and that are still set, and no others of the process. */
function timerCounter() {
  const scope = new AsyncLocalStorage<true>();
  const set = new Set<number>();
  const hook = createHook({
    init(id, type) {
      if (type === "Timeout" && scope.getStore() === true) set.add(id);
    },
    destroy: (id) => void set.delete(id),
  }).enable();
  return {
    within: <Result>(work: () => Result) => scope.run(true, work),
    count: () => set.size,
    [Symbol.dispose]: () => void hook.disable(),
  };
}

/**
 * Returns the memory and the number of timers of a running gateway.
 * @param most - number of timers that remain, because a start may leave others that end by themselves
 */
async function held(
  folder: ReturnType<typeof temporaryFolder>,
  collect: () => void,
  most = Number.POSITIVE_INFINITY,
) {
  using timers = timerCounter();
  const gateway = await timers.within(() => startTestGateway(folder));
  collect();
  const { heapUsed, external } = process.memoryUsage();
  await expect.poll(timers.count).toBeLessThanOrEqual(most);
  const count = timers.count();
  await gateway.stop("command");
  return { bytes: heapUsed + external, timers: count };
}

describe("idle sessions", () => {
  it("[SCALE-035] use no memory and no timer of a gateway, with 100,000 of them", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    using folder = temporaryFolder();
    // The first start of a process also allocates what all later ones share.
    await held(folder, collect);
    const without = await held(folder, collect);
    addIdleSessions(join(folder.path, "state", "openclaw.db"));
    const idle = await held(folder, collect, without.timers);
    expect(idle.bytes - without.bytes).toBeLessThan(MOST_BYTES);
    expect(without.timers).toBeGreaterThan(0);
    expect(idle.timers).toBeLessThanOrEqual(without.timers);
  });
});

import { systemClock, type TimerHandle, type Timers } from "@openclaw/foundation";
import type { SessionConfiguration } from "@openclaw/messaging";
import { describe, expect, it, vi } from "vitest";
import { createTestHost, gate, message, openTestStore, SESSION } from "../../support/host.js";

const SWEEP_MS = 600_000;
const DAY_MS = 24 * 60 * 60_000;

/** Timers of the process, except that the test fires the search for idle sessions. */
function sweepTimers() {
  const sweeps = new Set<() => void>();
  const timers: Timers = {
    setTimeout(callback, ms): TimerHandle {
      if (ms !== SWEEP_MS) return systemClock.setTimeout(callback, ms);
      sweeps.add(callback);
      return callback;
    },
    clearTimeout(handle) {
      if (typeof handle !== "function") systemClock.clearTimeout(handle);
      else for (const sweep of sweeps) if (sweep === handle) sweeps.delete(sweep);
    },
  };
  const sweep = () => {
    const due = [...sweeps];
    sweeps.clear();
    for (const each of due) each();
  };
  return { timers, sweep, waiting: () => sweeps.size };
}

async function start(session: SessionConfiguration = {}) {
  let now = 1_700_000_000_000;
  const running = gate();
  const release = gate();
  const ends: (readonly [string | undefined, string])[] = [];
  const { timers, sweep, waiting } = sweepTimers();
  const host = await createTestHost({
    configuration: { session },
    timers,
    now: () => now,
    store: await openTestStore(() => now),
    script: async ({ prompt }) => {
      if (JSON.stringify(prompt.at(-1)).includes("slow")) {
        running.pass();
        await release.passed;
      }
      return { text: "ok" };
    },
    register: (api) =>
      api.on("session_end", ({ reason, sessionKey }) => void ends.push([sessionKey, `${reason}`])),
  });
  const say = (text: string, sessionKey = SESSION) =>
    host.flow.receive(message(text, { sessionKey }), {});
  const pass = async (days: number) => {
    now += days * DAY_MS;
    sweep();
    // The run of the search ends.
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { host, say, pass, ends, running, release, waiting };
}

describe("sessions in memory", () => {
  it("[SUB-029] leave it after 7 days without use, and are the same when they return", async () => {
    const { host, say, pass, ends, waiting } = await start();
    expect(waiting()).toBe(0);
    await say("one");
    const { sessionId } = (await host.store.sessions.get(SESSION)) ?? {};
    await pass(6);
    await say("other", "agent:main:other");
    expect(host.sessions.inUse).toBe(2);
    await pass(1);
    expect(host.sessions.inUse).toBe(1);
    await vi.waitFor(() => expect(ends).toEqual([[SESSION, "idle"]]));
    expect(await say("two")).toMatchObject({ text: "ok" });
    expect(host.sessions.inUse).toBe(2);
    expect((await host.store.sessions.get(SESSION))?.sessionId).toBe(sessionId);
    expect(host.asked().at(-1)).toContain("one");
    expect(await say("/undo")).toMatchObject({ text: expect.stringContaining('"two"') });
    expect(await say("/undo")).toMatchObject({ text: expect.stringContaining('"one"') });
    await pass(8);
    expect(host.sessions.inUse).toBe(0);
    expect(waiting()).toBe(0);
  });

  it("[SUB-029] leave it after the configured time", async () => {
    const { host, say, pass, ends } = await start({ idleTimeoutSeconds: 3600 });
    await say("one");
    await pass(0.5 / 24);
    expect(host.sessions.inUse).toBe(1);
    await pass(0.5 / 24);
    expect(host.sessions.inUse).toBe(0);
    await vi.waitFor(() => expect(ends).toEqual([[SESSION, "idle"]]));
  });

  it("[SUB-029] stay while they have a turn", async () => {
    const { host, say, pass, ends, running, release } = await start();
    const turn = say("slow");
    await running.passed;
    await pass(8);
    expect(host.sessions.inUse).toBe(1);
    expect(ends).toEqual([]);
    release.pass();
    expect(await turn).toMatchObject({ text: "ok" });
    await host.live.idle();
    await pass(0);
    expect(host.sessions.inUse).toBe(0);
  });

  it("[SUB-029] hold no timer once the host stops", async () => {
    const { host, say, waiting } = await start();
    await say("one");
    expect(waiting()).toBe(1);
    host.ending.abort(new Error("the host stops"));
    expect(waiting()).toBe(0);
  });
});

import type { Session } from "@openclaw/store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LiveSessions } from "../../src/sessions/live-sessions.js";

const KEY = "agent:main:main";

/** A gate that the test opens. */
function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** A stored session with settings. */
function stored(settings: Pick<Session, "model" | "verbose"> = {}): Session {
  return {
    ...{ sessionKey: KEY, sessionId: "1", agentId: "main", messageCount: 0 },
    ...{ createdAt: 0, updatedAt: 0, ...settings },
  };
}

const count = (live: LiveSessions) =>
  [...{ [Symbol.iterator]: () => live[Symbol.iterator]() }].length;

describe("what a process keeps of a session", () => {
  it("[TURN-505] is one object, which is gone once nothing is kept", async () => {
    const live = new LiveSessions(1);
    const session = live.of(KEY);
    live.remember(stored({ model: "a/b" }));
    session.use = { sessionId: "1", at: 0 };
    session.credentialRequest = { sessionKey: KEY, pluginId: "p", name: "n", expiresAt: 1 };
    const caller = session.attend({});
    const entered = await session.enter();
    const work = gate();
    const turn = live.run(KEY, () => work.passed);
    const check = session.run("checks", () => work.passed);
    expect(live.find(KEY)).toBe(session);

    live.remember(stored());
    session.use = undefined;
    session.credentialRequest = undefined;
    session.release();
    caller.end();
    caller.end();
    entered.end();
    entered.end();
    expect(live.find(KEY)).toBe(session);
    work.open();
    await Promise.all([turn, check]);
    expect(live.find(KEY)).toBeUndefined();
    expect(live.settingsOf(KEY)).toEqual({});
  });

  it("[TURN-505] is kept for settings alone, and as long as a message waits to be stored", async () => {
    const live = new LiveSessions(1);
    live.remember(stored({ verbose: true }));
    expect(live.settingsOf(KEY)).toEqual({ verbose: true });
    live.forgetSettings(KEY);
    expect(live.find(KEY)).toBeUndefined();

    const work = gate();
    const session = live.of(KEY);
    const direct = session.storeDirectly(() => work.passed);
    const entering = session.enter();
    work.open();
    await direct;
    expect(live.find(KEY)).toBe(session);
    const entered = await entering;
    expect(session.mayStoreDirectly).toBe(false);
    entered.end();
    expect(live.find(KEY)).toBeUndefined();
  });

  it("runs the work of each order one after another, and forgets the session after the last", async () => {
    const order = fc.constantFrom("credentials", "checks", "arrivals", "turns");
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(order, { maxLength: 12 }),
        async (scheduler, names) => {
          const live = new LiveSessions(1);
          const begun: string[] = [];
          const running = new Set<string>();
          const all = names.map((name, index) =>
            live.of(KEY).run(name, async () => {
              expect(running.has(name)).toBe(false);
              running.add(name);
              begun.push(`${name} ${index}`);
              await scheduler.schedule(Promise.resolve());
              running.delete(name);
            }),
          );
          await scheduler.waitFor(Promise.all(all));
          for (const name of ["credentials", "checks", "arrivals", "turns"]) {
            const given = names.flatMap((each, index) =>
              each === name ? [`${name} ${index}`] : [],
            );
            expect(begun.filter((each) => each.startsWith(name))).toEqual(given);
          }
          expect(count(live)).toBe(0);
        },
      ),
    );
  });
});

describe("a session with many waiting turns", () => {
  /** Lets the turns that wait for each other and for places continue. */
  const settle = async () => {
    for (let step = 0; step < 50; step += 1) await Promise.resolve();
  };

  it("[SCALE-011] gets one turn for each turn of another session, also while 10,000 wait", async () => {
    const live = new LiveSessions(1);
    const ran: string[] = [];
    const others: Promise<void>[] = [];
    const turn = (session: string, work: () => void = () => {}) =>
      live.run(
        session,
        async () => {
          ran.push(session);
          work();
          await settle();
        },
        { origin: "telegram:bot" },
      );
    // While each hundredth turn runs, a message comes in another session.
    const hot = Array.from({ length: 10_000 }, (_, number) =>
      turn("hot", () => {
        if (number % 100 === 0) others.push(turn(`other ${number}`));
      }),
    );
    await Promise.all(hot);
    await Promise.all(others);
    const expected = Array.from({ length: 10_000 }, (_, number) =>
      number % 100 === 0 ? ["hot", `other ${number}`] : ["hot"],
    );
    expect(ran).toEqual(expected.flat());
  });

  it("[SCALE-011] waits behind the sessions that waited before it", async () => {
    const live = new LiveSessions(1);
    const ran: string[] = [];
    const names = ["hot", "second", "third"];
    const all = names.flatMap((name) =>
      Array.from({ length: 4 }, () =>
        live.run(name, async () => {
          ran.push(name);
          await settle();
        }),
      ),
    );
    await Promise.all(all);
    expect(ran).toEqual(Array.from({ length: 4 }, () => names).flat());
  });
});

import { LiveSessions } from "@openclaw/messaging";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { gate } from "../../support/host.js";

const WORK = fc.record({ key: fc.constantFrom("a", "b", "c"), fails: fc.boolean() });

describe("LiveSessions", () => {
  it("[GW-662] gives waiting tasks the places that a change adds, and takes back those that it removes", async () => {
    let places = 1;
    const queue = new LiveSessions(() => places);
    const running: string[] = [];
    const ends = new Map<string, () => void>();
    const run = (name: string) =>
      queue.run(name, async () => {
        running.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
      });
    const done = [run("a"), run("b"), run("c")];
    await vi.waitFor(() => expect(running).toEqual(["a"]));
    places = 3;
    ends.get("a")?.();
    await vi.waitFor(() => expect(running).toEqual(["a", "b", "c"]));
    places = 1;
    done.push(run("d"));
    ends.get("b")?.();
    await done[1];
    expect(running).not.toContain("d");
    ends.get("c")?.();
    await vi.waitFor(() => expect(running).toContain("d"));
    ends.get("d")?.();
    await Promise.all(done);
  });

  it("[CHAN-008] gives slots to waiting origins in turn, however many tasks one of them has", async () => {
    const queue = new LiveSessions(1);
    const order: string[] = [];
    const task = (origin: string, number: number) =>
      queue.run(`${origin}${number}`, async () => void order.push(`${origin}${number}`), {
        origin,
      });
    const first = gate();
    const running = queue.run("first", () => first.passed);
    const flood = Array.from({ length: 5 }, (_, number) => task("flood", number));
    const others = [task("calm", 0), task("calm", 1), task("third", 0)];
    first.pass();
    await Promise.all([running, ...flood, ...others]);
    expect(order).toEqual([
      ...["flood0", "calm0", "third0", "flood1", "calm1", "flood2", "flood3", "flood4"],
    ]);
  });

  it("keeps the order of each key and the concurrency limit, whatever the tasks do", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 4 }),
        fc.array(WORK, { maxLength: 12 }),
        async (scheduler, places, works) => {
          const queue = new LiveSessions(places);
          const running: string[] = [];
          const started: string[] = [];
          const results = works.map(({ key, fails }, index) =>
            queue.run(key, async () => {
              expect(running).not.toContain(key);
              running.push(key);
              started.push(`${key}${index}`);
              expect(running.length).toBeLessThanOrEqual(places);
              await scheduler.schedule(Promise.resolve(), `${key}${index}`);
              running.splice(running.indexOf(key), 1);
              if (fails) throw new Error(`${key}${index}`);
              return index;
            }),
          );
          expect(queue.size).toBe(works.length);
          const idle = queue.idle();
          const outcomes = Promise.allSettled(results);
          await scheduler.waitFor(outcomes);

          expect(await outcomes).toEqual(
            works.map(({ key, fails }, index) =>
              fails
                ? { status: "rejected", reason: new Error(`${key}${index}`) }
                : { status: "fulfilled", value: index },
            ),
          );
          for (const key of ["a", "b", "c"]) {
            const given = works.flatMap((work, index) =>
              work.key === key ? `${key}${index}` : [],
            );
            expect(started.filter((name) => name.startsWith(key))).toEqual(given);
          }
          await idle;
          expect(queue.size).toBe(0);
        },
      ),
    );
  });

  it("uses every slot, for the keys that waited longest", async () => {
    const queue = new LiveSessions(2);
    const order: string[] = [];
    const gates = { a: gate(), b: gate(), c: gate() };
    const works = (["a", "b", "c"] as const).map((key) =>
      queue.run(key, async () => {
        order.push(key);
        await gates[key].passed;
      }),
    );
    const again = queue.run("a", async () => void order.push("a again"));
    gates.b.pass();
    await works[1];
    gates.c.pass();
    await works[2];
    expect(order).toEqual(["a", "b", "c"]);
    gates.a.pass();
    await again;
    expect(order).toEqual(["a", "b", "c", "a again"]);
  });

  it("gives the slot of a task that throws at once to the next", async () => {
    const queue = new LiveSessions(1);
    const failed = queue.run("a", () => {
      throw new Error("at once");
    });
    const next = queue.run("b", async () => "runs");
    await expect(failed).rejects.toThrow("at once");
    expect(await next).toBe("runs");
  });

  it("is idle at once when it is empty, and again after further tasks", async () => {
    const queue = new LiveSessions(1);
    await queue.idle();
    const open = gate();
    const work = queue.run("a", () => open.passed);
    let isIdle = false;
    const idle = queue.idle().then(() => {
      isIdle = true;
    });
    await Promise.resolve();
    expect(isIdle).toBe(false);
    open.pass();
    await Promise.all([work, idle]);
    expect(queue.size).toBe(0);
  });
});

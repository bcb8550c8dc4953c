import { describe, expect, it } from "vitest";
import { createFixture, type Fixture } from "../support/fixture.js";

/** Dispatches one hook of each kind that may be asynchronous. */
const DISPATCHES = {
  seen: ({ runner }: Fixture) => runner.observe("seen", { id: "1" }, {}),
  build: ({ runner }: Fixture) => runner.rewrite("build", { text: "", tags: [] }, {}),
  check: ({ runner }: Fixture) => runner.decide("check", { toolName: "t", params: {} }, {}),
  answer: ({ runner }: Fixture) => runner.claim("answer", { body: "" }, {}),
};
const HOOKS = Object.keys(DISPATCHES) as (keyof typeof DISPATCHES)[];

function register(
  { runner }: Fixture,
  name: keyof typeof DISPATCHES,
  owner: string,
  handler: () => unknown,
  options: object = {},
) {
  runner.register({ name, owner, source: `${owner}.ts`, handler, ...options } as never);
}

function named({ diagnostics }: Fixture) {
  return diagnostics
    .filter(({ code }) => code === "busy-handler")
    .map(({ owner, message }) => `${owner}: ${/\d+ ms/.exec(message)?.[0]}`);
}

describe("detection of handlers that block the event loop", () => {
  it.each(HOOKS)("[SCALE-039] names the handler on its first call: %s", async (hook) => {
    const fixture = createFixture();
    register(fixture, hook, "quick", () => fixture.clock.stall(50));
    register(fixture, hook, "busy", () => fixture.clock.stall(80));
    await DISPATCHES[hook](fixture);
    expect(named(fixture)).toEqual(["busy: 80 ms"]);
  });

  it.each(HOOKS)(
    "[SCALE-039] names the handler on its second call, after an await: %s",
    async (hook) => {
      const fixture = createFixture();
      const { clock } = fixture;
      register(fixture, hook, "patient", async () => {
        await new Promise((resolve) => setImmediate(resolve));
      });
      register(fixture, hook, "busy", async () => {
        await null;
        clock.stall(80);
      });
      register(fixture, hook, "timed", async () => {
        await new Promise<void>((resolve) => {
          setImmediate(() => {
            clock.stall(90);
            resolve();
          });
        });
      });
      await DISPATCHES[hook](fixture);
      fixture.diagnostics.length = 0;
      await DISPATCHES[hook](fixture);
      expect(named(fixture)).toEqual(["busy: 80 ms", "timed: 90 ms"]);
    },
  );

  it("[SCALE-039] names a handler that is retried or queued", async () => {
    const fixture = createFixture();
    const busy = () => {
      fixture.clock.stall(80);
      throw new Error("again");
    };
    register(fixture, "build", "busy", busy, { retry: { count: 1 } });
    await DISPATCHES.build(fixture);
    expect(named(fixture)).toContain("busy: 80 ms");
  });

  it("does not blame a handler for work of other handlers or of the host", async () => {
    const fixture = createFixture();
    const { runner, clock } = fixture;
    register(fixture, "seen", "busy", () => clock.stall(70));
    register(fixture, "check", "caller", () => {
      void runner.observe("seen", { id: "1" }, {});
    });
    register(fixture, "check", "patient", () => new Promise((resolve) => setImmediate(resolve)));
    const first = DISPATCHES.check(fixture);
    clock.stall(200);
    await first;
    const second = DISPATCHES.check(fixture);
    clock.stall(200);
    await second;
    expect(new Set(named(fixture))).toEqual(new Set(["busy: 70 ms"]));
  });

  it("stops following a handler some time after its awaits", async () => {
    const fixture = createFixture();
    const { clock } = fixture;
    let busy = false;
    register(fixture, "check", "late", async () => {
      await null;
      if (busy) clock.stall(80);
    });
    const first = DISPATCHES.check(fixture);
    clock.stall(100);
    await first;
    for (let call = 0; call < 256; call += 1) await DISPATCHES.check(fixture);
    busy = true;
    await DISPATCHES.check(fixture);
    expect(named(fixture)).toEqual([]);
    await DISPATCHES.check(fixture);
    expect(named(fixture)).toEqual(["late: 80 ms"]);
  });

  it("stops following when callbacks of other work pass and no handler is called", async () => {
    const fixture = createFixture();
    const { clock } = fixture;
    let busy = false;
    register(fixture, "check", "late", async () => {
      await null;
      if (busy) clock.stall(80);
    });
    const first = DISPATCHES.check(fixture);
    clock.stall(100);
    await first;
    for (let callback = 0; callback < 20_000; callback += 1) await null;
    busy = true;
    await DISPATCHES.check(fixture);
    expect(named(fixture)).toEqual([]);
    await DISPATCHES.check(fixture);
    expect(named(fixture)).toEqual(["late: 80 ms"]);
  });
});

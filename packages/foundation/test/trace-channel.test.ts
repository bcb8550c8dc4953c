import { AsyncLocalStorage } from "node:async_hooks";
import { tracingChannel } from "node:diagnostics_channel";
import { describe, expect, it, onTestFinished } from "vitest";
import { traceChannel } from "../src/trace-channel.js";

let count = 0;

/** Returns a new channel, and what it publishes until the end of the test. */
function observed() {
  count += 1;
  const name = `test:work-${count}`;
  const seen: [string, unknown][] = [];
  const note = (kind: string) => (message: unknown) =>
    void seen.push([kind, structuredClone(message)]);
  const listeners = {
    start: note("start"),
    end: note("end"),
    asyncStart: note("asyncStart"),
    asyncEnd: note("asyncEnd"),
    error: note("error"),
  };
  const channels = tracingChannel(name);
  channels.subscribe(listeners);
  onTestFinished(() => channels.unsubscribe(listeners));
  return { seen, channels, trace: traceChannel<{ id: number }, { size: number }>(name).trace };
}

describe("traceChannel", () => {
  it("publishes the ids at the start and what is known of the end", async () => {
    const { seen, trace } = observed();
    const result = await trace(
      () => ({ id: 1 }),
      async () => "secret",
      ({ length }) => ({ size: length }),
    );
    expect(result).toBe("secret");
    expect(seen).toEqual([
      ["start", { id: 1 }],
      ["end", { id: 1 }],
      ["asyncEnd", { id: 1, size: 6, durationMs: expect.any(Number) }],
    ]);
  });

  it("publishes the code of an error and not its message", async () => {
    const { seen, trace } = observed();
    const failure = Object.assign(new Error("secret"), { code: "BROKEN" });
    const ends = () => ({ size: 0 });
    await expect(
      trace(
        () => ({ id: 2 }),
        () => Promise.reject(failure),
        ends,
      ),
    ).rejects.toBe(failure);
    await expect(
      trace(
        () => ({ id: 3 }),
        () => Promise.reject("odd"),
        ends,
      ),
    ).rejects.toBe("odd");
    const errors = seen.filter(([kind]) => kind === "error").map(([, message]) => message);
    expect(errors).toEqual([
      { id: 2, errorCode: "BROKEN" },
      { id: 3, errorCode: "UNEXPECTED" },
    ]);
    expect(seen.filter(([kind]) => kind === "asyncEnd")).toHaveLength(2);
    expect(JSON.stringify(seen)).not.toContain("secret");
  });

  it("sets bound storages during the work", async () => {
    const { channels, trace } = observed();
    const storage = new AsyncLocalStorage<unknown>();
    channels.start.bindStore(storage, (message) => message);
    const during = await trace(
      () => ({ id: 4 }),
      async () => {
        await undefined;
        return structuredClone(storage.getStore());
      },
      () => ({ size: 0 }),
    );
    expect(during).toEqual({ id: 4 });
    expect(storage.getStore()).toBeUndefined();
  });

  it("reads nothing without a subscriber", async () => {
    const { trace } = traceChannel<{ id: number }, { size: number }>("test:unheard");
    const never = () => expect.unreachable("nobody listens");
    expect(await trace(never, async () => "done", never)).toBe("done");
  });
});

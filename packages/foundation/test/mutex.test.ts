import { KeyedMutex, Mutex } from "@openclaw/foundation";
import { describe, expect, it } from "vitest";

function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

describe("Mutex", () => {
  it("runs tasks one after another, in order, also after a failure", async () => {
    const mutex = new Mutex();
    const first = gate();
    const events: string[] = [];
    const one = mutex.run(async () => {
      await first.passed;
      events.push("one");
      throw new Error("no");
    });
    const two = mutex.run(async () => {
      events.push("two");
      return 2;
    });
    await Promise.resolve();
    expect(events).toEqual([]);
    first.open();
    await expect(one).rejects.toThrow("no");
    expect(await two).toBe(2);
    expect(events).toEqual(["one", "two"]);
    await mutex.idle();
  });

  it("admits one holder at a time, in order of arrival", async () => {
    const mutex = new Mutex();
    const release = await mutex.acquire();
    const events: string[] = [];
    const next = mutex.acquire().then((end) => {
      events.push("second");
      end();
    });
    const last = mutex.run(async () => events.push("third"));
    await Promise.resolve();
    expect(events).toEqual([]);
    release();
    release();
    await Promise.all([next, last]);
    expect(events).toEqual(["second", "third"]);
  });
});

describe("KeyedMutex", () => {
  it("runs the tasks of a key in order, also after a failure, and other keys concurrently", async () => {
    const mutex = new KeyedMutex();
    const events: string[] = [];
    const first = gate();
    const failing = mutex.run("a", async () => {
      events.push("a1 starts");
      await first.passed;
      events.push("a1 fails");
      throw new Error("a1");
    });
    const second = mutex.run("a", async () => events.push("a2"));
    await mutex.run("b", async () => events.push("b1"));
    first.open();
    await expect(failing).rejects.toThrow("a1");
    await second;
    expect(events).toEqual(["a1 starts", "b1", "a1 fails", "a2"]);
  });
});

import { getEventListeners } from "node:events";
import { waitUnlessAborted } from "@openclaw/foundation";
import { describe, expect, it } from "vitest";

describe("waitUnlessAborted", () => {
  it("returns the result of the work, at once or later", async () => {
    const { signal } = new AbortController();
    expect(await waitUnlessAborted(signal, () => 1)).toBe(1);
    expect(await waitUnlessAborted(signal, async () => 2)).toBe(2);
  });

  it("throws the error of the work, at once or later", async () => {
    const { signal } = new AbortController();
    const broken = () => {
      throw new Error("at once");
    };
    await expect(waitUnlessAborted(signal, broken)).rejects.toThrow("at once");
    const failing = () => Promise.reject(new Error("later"));
    await expect(waitUnlessAborted(signal, failing)).rejects.toThrow("later");
  });

  it("ends with the signal's reason, and drops a later failure", async () => {
    const controller = new AbortController();
    let fail = (_error: unknown) => {};
    const work = new Promise<void>((_resolve, reject) => {
      fail = reject;
    });
    const waiting = waitUnlessAborted(controller.signal, () => work);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    fail(new Error("too late"));
    await expect(work).rejects.toThrow("too late");
  });

  it("does not start the work when the signal has already aborted", async () => {
    const signal = AbortSignal.abort(new Error("before"));
    await expect(waitUnlessAborted(signal, () => expect.unreachable())).rejects.toThrow("before");
  });

  it("leaves no listener on the signal", async () => {
    const { signal } = new AbortController();
    await waitUnlessAborted(signal, () => 1);
    await waitUnlessAborted(signal, () => Promise.reject(1)).catch(() => undefined);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

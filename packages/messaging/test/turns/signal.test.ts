import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { followSignals } from "../../src/turns/signal.js";

describe("followSignals", () => {
  it("aborts with its first aborted source, for the same reason", () => {
    const [host, caller] = [new AbortController(), new AbortController()];
    using turn = followSignals(host.signal, caller.signal);
    expect(turn.signal.aborted).toBe(false);
    caller.abort("gone");
    host.abort("stopping");
    expect(turn.signal.reason).toBe("gone");
  });

  it("is aborted from the start when a source is", () => {
    using turn = followSignals(undefined, AbortSignal.abort("gone"));
    expect(turn.signal.reason).toBe("gone");
  });

  it("removes its listeners and stops following when it is disposed", () => {
    const host = new AbortController();
    const turns = Array.from({ length: 20 }, () => followSignals(host.signal, undefined));
    expect(getEventListeners(host.signal, "abort")).toHaveLength(20);
    for (const turn of turns) turn[Symbol.dispose]();
    expect(getEventListeners(host.signal, "abort")).toHaveLength(0);
    host.abort();
    expect(turns.filter(({ signal }) => signal.aborted)).toEqual([]);
  });
});

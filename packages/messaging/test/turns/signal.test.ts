import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { followSignals } from "../../src/turns/signal.js";

describe("the signal of a turn", () => {
  it("aborts with the first of those it follows, for its reason", () => {
    const [host, caller] = [new AbortController(), new AbortController()];
    using turn = followSignals(host.signal, caller.signal);
    expect(turn.signal.aborted).toBe(false);
    caller.abort("gone");
    host.abort("stopping");
    expect(turn.signal.reason).toBe("gone");
  });

  it("is aborted from the start when one of those is", () => {
    using turn = followSignals(undefined, AbortSignal.abort("gone"));
    expect(turn.signal.reason).toBe("gone");
  });

  it("leaves no listener behind and follows no more once it is let go of", () => {
    const host = new AbortController();
    const turns = Array.from({ length: 20 }, () => followSignals(host.signal, undefined));
    expect(getEventListeners(host.signal, "abort")).toHaveLength(20);
    for (const turn of turns) turn[Symbol.dispose]();
    expect(getEventListeners(host.signal, "abort")).toHaveLength(0);
    host.abort();
    expect(turns.filter(({ signal }) => signal.aborted)).toEqual([]);
  });
});

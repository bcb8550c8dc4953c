import type { Turn } from "@openclaw/store";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { QueuedState } from "../../src/sessions/queued-turn.js";
import { BackgroundPace } from "../../src/turns/background-pace.js";

type FollowedTurn = Parameters<BackgroundPace["follow"]>[0];

/** A turn whose states and end the test decides. */
function newTurn(runId: string, trigger: Turn["trigger"]) {
  let end = () => {};
  let tell = (_state: QueuedState) => {};
  const outcome: FollowedTurn["outcome"] = new Promise((resolve) => {
    end = () => resolve({ status: "interrupted", messageId: runId, runId });
  });
  const turn: Turn = {
    ...{ runId, trigger, sessionKey: runId, sessionId: runId, agentId: "main", inboxId: runId },
    ...{ state: "running", attempts: 1, enqueuedAt: 0, queuedAt: 0, payload: {} },
  };
  const watch: FollowedTurn["watch"] = (observer) => {
    tell = observer;
    observer("working");
  };
  const finish = async () => {
    end();
    await outcome;
    await Promise.resolve();
  };
  return { turn, outcome, watch, finish, tell: (state: QueuedState) => tell(state) };
}

describe("the pace of turns in the background", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Asks for the next step of jobs, and returns those whose step has begun. */
  function steps(pace: BackgroundPace, ...names: string[]): readonly string[] {
    const begun: string[] = [];
    for (const name of names) {
      const queued = newTurn(name, "job");
      pace.follow(queued);
      void pace.beforeStep(queued.turn).then(() => begun.push(name));
    }
    return begun;
  }

  it("[SCALE-505] lets each step begin at once while no turn of a user works", async () => {
    const begun = steps(new BackgroundPace(), "a", "b");
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(["a", "b"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("[SCALE-505] holds up no turn of a user and no subagent", async () => {
    const pace = new BackgroundPace();
    pace.follow(newTurn("chat", "user"));
    await pace.beforeStep(newTurn("other", "user").turn);
    await pace.beforeStep(newTurn("sub", "subagent").turn);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(["ends", "waits for an approval"])(
    "[SCALE-505] holds steps while the turn of a user works, until it %s, and begins one after another",
    async (how) => {
      const pace = new BackgroundPace();
      const chat = newTurn("chat", "user");
      pace.follow(chat);
      const begun = steps(pace, "a", "b");
      await vi.advanceTimersByTimeAsync(99);
      expect(begun).toEqual([]);
      if (how === "ends") await chat.finish();
      else chat.tell("paused");
      await vi.advanceTimersByTimeAsync(9);
      expect(begun).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(begun).toEqual(["a"]);
      await vi.advanceTimersByTimeAsync(49);
      expect(begun).toEqual(["a"]);
      await vi.advanceTimersByTimeAsync(1);
      expect(begun).toEqual(["a", "b"]);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it("[SCALE-505] holds a step for at most 100 ms, and again when the turn of a user works again", async () => {
    const pace = new BackgroundPace();
    const chat = newTurn("chat", "user");
    pace.follow(chat);
    const first = steps(pace, "a");
    await vi.advanceTimersByTimeAsync(100);
    expect(first).toEqual(["a"]);
    chat.tell("paused");
    chat.tell("working");
    const second = steps(pace, "b");
    await vi.advanceTimersByTimeAsync(99);
    expect(second).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(second).toEqual(["b"]);
  });

  it("[SCALE-505] begins the next step that waited when the one before is done", async () => {
    const pace = new BackgroundPace();
    const chat = newTurn("chat", "user");
    pace.follow(chat);
    const first = newTurn("a", "job");
    pace.follow(first);
    const held = pace.beforeStep(first.turn);
    const begun = steps(pace, "b", "c");
    await chat.finish();
    await vi.advanceTimersByTimeAsync(10);
    await held;
    await vi.advanceTimersByTimeAsync(5);
    await first.finish();
    await vi.advanceTimersByTimeAsync(4);
    expect(begun).toEqual([]);
    await vi.advanceTimersByTimeAsync(10);
    expect(begun).toEqual(["b"]);
  });

  it("[SCALE-505] holds steps when the next message of a user comes at once", async () => {
    const pace = new BackgroundPace();
    const chat = newTurn("chat", "user");
    pace.follow(chat);
    await chat.finish();
    const begun = steps(pace, "a");
    await vi.advanceTimersByTimeAsync(9);
    pace.follow(newTurn("next", "user"));
    await vi.advanceTimersByTimeAsync(90);
    expect(begun).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toEqual(["a"]);
  });
});

import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { StoreClosedError, TransactionMisuseError } from "../../src/errors.js";
import type { Store } from "../../src/index.js";
import { inbound, openTestStore, queueTurn } from "../support/open-store.js";

async function ids(store: Store): Promise<readonly string[]> {
  return (await store.messages.inbox.inState("received")).map(({ id }) => id);
}

describe("store.transaction", () => {
  it("commits all of its writes and returns the result of its work", async () => {
    const store = await openTestStore();
    const result = await store.transaction(async (inside) => {
      await inside.messages.inbox.accept(inbound({ id: "a" }));
      await inside.messages.inbox.accept(inbound({ id: "b" }));
      return "done";
    });
    expect(result).toBe("done");
    expect(await ids(store)).toEqual(["a", "b"]);
  });

  it("sees its own writes and rolls all of them back when its work throws", async () => {
    const store = await openTestStore();
    const { session } = await queueTurn(store);
    const before = await everything(store);
    const failure = new Error("after the last write");
    const work = store.transaction(async (inside) => {
      await inside.messages.inbox.accept(inbound({ id: "another" }));
      await inside.sessions.open("another", { agentId: "agent" });
      await inside.turns.begin("run");
      await inside.messages.transcript.append({
        sessionId: session.sessionId,
        message: { role: "user", content: [], timestamp: 1 },
      });
      await inside.messages.outbox.add({
        runId: "run",
        part: 0,
        sessionKey: "session",
        target: { channel: "test", to: "sender" },
        content: "answer",
      });
      expect(await everything(inside)).not.toEqual(before);
      throw failure;
    });
    await expect(work).rejects.toBe(failure);
    expect(await everything(store)).toEqual(before);
  });

  it("is not visible outside before it commits; calls in the meantime wait", async () => {
    const store = await openTestStore();
    const order: string[] = [];
    let outside: Promise<unknown> = Promise.resolve();
    const { promise: begun, resolve: begin } = signal();
    const transaction = store.transaction(async (inside) => {
      begin();
      await inside.messages.inbox.accept(inbound({ id: "a" }));
      await inside.messages.inbox.accept(inbound({ id: "b" }));
      order.push("inside");
    });
    await begun;
    outside = store
      .transaction(ids)
      .then((found) => order.push(`outside saw ${found.join(" and ")}`));
    await Promise.all([transaction, outside]);
    expect(order).toEqual(["inside", "outside saw a and b"]);
  });

  it("runs after another when both start concurrently", async () => {
    const store = await openTestStore();
    await store.sessions.open("session", { agentId: "agent" });
    await Promise.all(
      Array.from({ length: 10 }, () =>
        store.transaction(async (inside) => {
          const session = await inside.sessions.get("session");
          await inside.sessions.touch("session", { label: `${session?.label ?? ""}+` });
        }),
      ),
    );
    expect((await store.sessions.get("session"))?.label).toBe("+".repeat(10));
  });

  it("joins the transaction it is started in", async () => {
    const store = await openTestStore();
    const failure = new Error("outer");
    const work = store.transaction(async (outer) => {
      await outer.transaction(async (inner) => {
        await inner.messages.inbox.accept(inbound({ id: "inner" }));
      });
      throw failure;
    });
    await expect(work).rejects.toBe(failure);
    expect(await ids(store)).toEqual([]);
  });

  it("cannot commit after a nested one failed, even when that error was caught", async () => {
    const store = await openTestStore();
    const failure = new Error("inner");
    const work = store.transaction(async (outer) => {
      await outer.messages.inbox.accept(inbound({ id: "outer" }));
      await outer
        .transaction(async (inner) => {
          await inner.messages.inbox.accept(inbound({ id: "inner" }));
          throw failure;
        })
        .catch(() => undefined);
    });
    await expect(work).rejects.toThrow(TransactionMisuseError);
    await expect(work).rejects.toMatchObject({ cause: failure });
    expect(await ids(store)).toEqual([]);
  });

  it("names the first of several caught failures", async () => {
    const store = await openTestStore();
    const work = store.transaction(async (inside) => {
      await inside.sessions.touch("first").catch(() => undefined);
      await inside.sessions.touch("second").catch(() => undefined);
    });
    const message = "sessions.touch(first): the session does not exist; open it first";
    await expect(work).rejects.toMatchObject({ cause: { message } });
  });
});

describe("misuse of a transaction", () => {
  it("throws when the outer store is used inside, instead of waiting forever", async () => {
    const store = await openTestStore();
    const uses: readonly (() => Promise<unknown>)[] = [
      () => store.messages.inbox.get("x"),
      () => store.transaction(async () => undefined),
      () => store.close(),
    ];
    for (const use of uses) {
      const work = store.transaction(use);
      await expect(work).rejects.toThrow(TransactionMisuseError);
      await expect(work).rejects.toThrow(/use the store that it receives$/);
    }
    await store.check();
  });

  it("throws when the store of a transaction is closed", async () => {
    const store = await openTestStore();
    const work = store.transaction((inside) => inside.close());
    await expect(work).rejects.toThrow(/close the store that began it/);
  });

  it("throws when the store of a transaction is used after its end", async () => {
    const store = await openTestStore();
    const kept = await store.transaction(async (inside) => inside);
    await expect(kept.messages.inbox.get("x")).rejects.toThrow(StoreClosedError);
    await expect(
      kept.transaction(async (inside) => inside.messages.inbox.get("x")),
    ).rejects.toThrow("the store of a transaction was used after it was closed");
  });

  it("does not run calls that are still waiting when the transaction fails", async () => {
    const store = await openTestStore();
    const pendingCalls: Promise<unknown>[] = [];
    const work = store.transaction(async (inside) => {
      pendingCalls.push(inside.messages.inbox.accept(inbound({ id: "begun" })));
      const later = setImmediate().then(() =>
        inside.messages.inbox.accept(inbound({ id: "later" })),
      );
      pendingCalls.push(later);
      void Promise.allSettled(pendingCalls);
      throw new Error("did not await");
    });
    await expect(work).rejects.toThrow("did not await");
    const outcomes = await Promise.allSettled(pendingCalls);
    expect(outcomes.at(-1)?.status).toBe("rejected");
    expect(await ids(store)).toEqual([]);
  });

  it("ends with the transaction, after which work that it started may use the outer store", async () => {
    const store = await openTestStore();
    const { promise: ended, resolve: end } = signal();
    const started: Promise<unknown>[] = [];
    await store.transaction(async () => {
      started.push(ended.then(() => store.messages.inbox.accept(inbound())));
    });
    end();
    await Promise.all(started);
    expect(await ids(store)).toEqual(["message"]);
  });
});

describe("close", () => {
  it("waits for calls in progress, rejects later calls, and may be repeated", async () => {
    const store = await openTestStore();
    const accepted = store.messages.inbox.accept(inbound());
    const closed = Promise.all([store.close(), store.close()]);
    const late = store.messages.inbox.get("message");
    await expect(late).rejects.toThrow(StoreClosedError);
    await expect(late).rejects.toThrow("the store was used after it was closed; open it again");
    expect((await accepted).duplicate).toBe(false);
    await closed;
    await expect(store.transaction(async () => undefined)).rejects.toThrow(StoreClosedError);
  });
});

async function everything(store: Store): Promise<unknown> {
  const sessions = await store.sessions.list({ limit: 100 });
  const transcripts = sessions.map(({ sessionId }) => store.messages.transcript.load(sessionId));
  return {
    sessions,
    inbox: await store.messages.inbox.inState("received"),
    turns: await store.turns.unfinished(),
    transcripts: await Promise.all(transcripts),
    outbox: await store.messages.outbox.undelivered(),
  };
}

function signal(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

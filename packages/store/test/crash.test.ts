import { describe, expect, it } from "vitest";
import type { Durability, Store } from "../src/index.js";
import { startChild } from "./support/child-process.js";
import { newDatabase, openTestStore } from "./support/open-store.js";

/** Expected content after each commit of `children/journey.mjs`. */
const AFTER: Readonly<Record<string, unknown>> = {
  nothing: { message: undefined, turn: undefined, sessions: 0, entries: [], reply: undefined },
  accepted: { message: "received", turn: undefined, sessions: 0, entries: [], reply: undefined },
  queued: { message: "queued", turn: "queued", sessions: 1, entries: [], reply: undefined },
  begun: { message: "queued", turn: "running", sessions: 1, entries: [], reply: undefined },
  answered: {
    message: "queued",
    turn: "completed",
    sessions: 1,
    entries: ["user", "assistant"],
    reply: "pending",
  },
  delivered: {
    message: "queued",
    turn: "completed",
    sessions: 1,
    entries: ["user", "assistant"],
    reply: undefined,
  },
};
const STEPS = 15;

async function found(store: Store): Promise<unknown> {
  const sessions = await store.sessions.list({ limit: 10 });
  const entries = await store.messages.transcript.load(sessions[0]?.sessionId ?? "");
  const [reply] = await store.messages.outbox.undelivered();
  return {
    message: (await store.messages.inbox.get("message"))?.state,
    turn: (await store.turns.get("run"))?.state,
    sessions: sessions.length,
    entries: entries.map(({ message }) => message.role),
    reply: reply?.state,
  };
}

describe("store after kill -9", { timeout: 30_000 }, () => {
  it.each(Array.from({ length: STEPS }, (_, step) => step))(
    "keeps everything committed and nothing partial when killed before step %d",
    async (step) => {
      const database = newDatabase();
      const child = startChild("journey.mjs", JSON.stringify(database), String(step));
      let last = "nothing";
      for (let line = await child.line(); line !== undefined; line = await child.line())
        last = line;
      expect(await child.ended).toBe("SIGKILL");
      const store = await openTestStore(database);
      expect(await found(store)).toEqual(AFTER[last]);
      await store.check();
    },
  );

  it.each<Durability>(["power", "process"])(
    "[SCALE-003] loses no acknowledged message and no part of a transaction when killed at any time (durability %s)",
    async (durability) => {
      const database = newDatabase();
      const child = startChild("accept-until-killed.mjs", JSON.stringify(database), durability);
      let acknowledged = 0;
      while (acknowledged < 200 && (await child.line()) !== undefined) acknowledged += 1;
      await child.kill();
      while ((await child.line()) !== undefined) acknowledged += 1;

      const store = await openTestStore(database);
      const ids = (await store.messages.inbox.inState("received")).map(({ id }) => id);
      const pairs = ids.length / 2;
      expect(pairs).toBeGreaterThanOrEqual(acknowledged);
      // One more may have been committed but not yet acknowledged.
      expect(pairs).toBeLessThanOrEqual(acknowledged + 1);
      const expected = Array.from({ length: pairs }, (_, pair) => [
        `${pair}/first`,
        `${pair}/second`,
      ]);
      expect(ids).toEqual(expected.flat());
    },
  );
});

import { describe, expect, it } from "vitest";
import { RowNotFoundError, StoreArgumentError } from "../../src/errors.js";
import { startChild } from "../support/child-process.js";
import { newDatabase, openTestStore, START, storeDatabase } from "../support/open-store.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("sessions.open", { timeout: 30_000 }, () => {
  it("creates a session with a fresh id and finds it again", async () => {
    const database = storeDatabase();
    const store = await openTestStore({ ...database, now: () => START });
    const { session, created } = await store.sessions.open("agent:main:main", {
      agentId: "main",
      channel: "terminal",
      label: "Notes",
      model: "openai/gpt",
    });
    expect(created).toBe(true);
    expect(session).toEqual({
      sessionKey: "agent:main:main",
      sessionId: expect.stringMatching(UUID),
      agentId: "main",
      channel: "terminal",
      label: "Notes",
      model: "openai/gpt",
      createdAt: START,
      updatedAt: START,
      messageCount: 0,
    });
    await store.close();

    const reopened = await openTestStore(database);
    const again = await reopened.sessions.open("agent:main:main", { agentId: "other" });
    expect(again).toEqual({ session, created: false });
    expect(await reopened.sessions.get("agent:main:main")).toEqual(session);
  });

  it("creates exactly one session of many concurrent opens", async () => {
    const store = await openTestStore();
    const opened = await Promise.all(
      Array.from({ length: 25 }, () => store.sessions.open("shared", { agentId: "agent" })),
    );
    expect(opened.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(opened.map(({ session }) => session.sessionId)).size).toBe(1);
  });

  it("creates exactly one session, and one schema, when processes open a new database at once", async () => {
    const database = newDatabase();
    const children = Array.from({ length: 3 }, () =>
      startChild("open-store.mjs", JSON.stringify(database)),
    );
    const printed = await Promise.all(children.map((child) => child.line()));
    const opened = printed.map((line) => JSON.parse(line ?? "{}"));
    expect(opened.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(opened.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(new Set(opened.map(({ migrations }) => JSON.stringify(migrations))).size).toBe(1);
  });

  it.each(["__proto__", "constructor", "toString", "", "\0", "\ud800"])(
    "treats %j as a key like any other",
    async (key) => {
      const store = await openTestStore();
      expect(await store.sessions.get(key)).toBeUndefined();
      const { session, created } = await store.sessions.open(key, { agentId: "agent" });
      expect([session.sessionKey, created]).toEqual([key, true]);
      expect(await store.sessions.get(key)).toEqual(session);
    },
  );
});

describe("sessions.list", () => {
  it("lists the most recently used first, up to the limit, and of one agent", async () => {
    const store = await openTestStore();
    for (const [key, agentId] of [
      ["a", "one"],
      ["b", "two"],
      ["c", "one"],
    ] as const) {
      await store.sessions.open(key, { agentId });
    }
    await store.sessions.touch("a");
    const keys = async (options: { limit: number; agentId?: string }) =>
      (await store.sessions.list(options)).map(({ sessionKey }) => sessionKey);
    expect(await keys({ limit: 10 })).toEqual(["a", "c", "b"]);
    expect(await keys({ limit: 2 })).toEqual(["a", "c"]);
    expect(await keys({ limit: 10, agentId: "two" })).toEqual(["b"]);
    expect(await keys({ limit: 10, agentId: "none" })).toEqual([]);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("rejects limit %d", async (limit) => {
    const store = await openTestStore();
    const listed = store.sessions.list({ limit });
    await expect(listed).rejects.toThrow(StoreArgumentError);
    await expect(listed).rejects.toThrow(
      `sessions.list: limit must be a whole number from 1, got ${limit}`,
    );
  });
});

describe("sessions.touch", () => {
  it("changes given fields, removes null ones and keeps the rest", async () => {
    const store = await openTestStore();
    const { session } = await store.sessions.open("session", { agentId: "agent", label: "Old" });
    const named = await store.sessions.touch("session", { label: "New", model: "openai/gpt" });
    expect(named).toMatchObject({ label: "New", model: "openai/gpt" });
    expect(named.updatedAt).toBeGreaterThan(session.updatedAt);
    const cleared = await store.sessions.touch("session", { label: null });
    expect(cleared.label).toBeUndefined();
    expect(cleared.model).toBe("openai/gpt");
    expect((await store.sessions.touch("session", { model: null })).model).toBeUndefined();
  });

  it("changes settings without marking the session as used", async () => {
    const store = await openTestStore();
    const { session } = await store.sessions.open("key", { agentId: "main" });
    const changes = { queueMode: "collect", label: "Plan" } as const;
    expect(await store.sessions.change("key", changes)).toEqual({ ...session, ...changes });
    expect(await store.sessions.customized()).toEqual([{ ...session, ...changes }]);
    await store.sessions.change("key", { queueMode: null });
    expect(await store.sessions.get("key")).toEqual({ ...session, label: "Plan" });
    expect(await store.sessions.customized()).toEqual([]);
    expect(await store.sessions.change("none", changes)).toBeUndefined();
  });

  it("[GW-025] lists the sessions after a position, of one channel and label", async () => {
    const store = await openTestStore({ now: () => START });
    for (const key of ["b", "a", "c"]) {
      const channel = key === "c" ? "slack" : "api";
      await store.sessions.open(key, { agentId: "main", channel, label: key });
    }
    const keys = async (filter: object) =>
      (await store.sessions.list({ limit: 2, ...filter })).map(({ sessionKey }) => sessionKey);
    expect(await keys({})).toEqual(["a", "b"]);
    expect(await keys({ after: { updatedAt: START, sessionKey: "b" } })).toEqual(["c"]);
    expect(await keys({ after: { updatedAt: START - 1, sessionKey: "b" } })).toEqual([]);
    expect(await keys({ channel: "slack" })).toEqual(["c"]);
    expect(await keys({ label: "b" })).toEqual(["b"]);
  });

  it("rejects a session that does not exist", async () => {
    const store = await openTestStore();
    const touched = store.sessions.touch("nowhere");
    await expect(touched).rejects.toThrow(RowNotFoundError);
    await expect(touched).rejects.toThrow(
      "sessions.touch(nowhere): the session does not exist; open it first",
    );
  });
});

describe("incarnations of a session", () => {
  it("end once, with their counts, and are followed by an empty one", async () => {
    const store = await openTestStore({ now: () => START });
    const { session } = await store.sessions.open("key", { agentId: "main" });
    const { sessionId } = session;
    await store.messages.transcript.append({
      sessionId,
      message: { role: "user", content: [{ type: "text", text: "hello" }], timestamp: 1 },
    });

    const { ended, renewed } = await store.transaction(async (unit) => ({
      ended: await unit.sessions.end(sessionId, "reset"),
      renewed: await unit.sessions.renew("key"),
    }));
    expect(ended).toEqual({
      sessionKey: "key",
      sessionId,
      agentId: "main",
      messageCount: 1,
      openedAt: START,
      endedAt: START,
    });
    expect(await store.sessions.end(sessionId, "shutdown")).toBeUndefined();
    expect(await store.sessions.end("none", "shutdown")).toBeUndefined();

    expect(renewed.sessionId).not.toBe(sessionId);
    expect(renewed).toMatchObject({ sessionKey: "key", messageCount: 0, agentId: "main" });
    expect(await store.sessions.get("key")).toEqual(renewed);
    expect(await store.messages.transcript.load(sessionId)).toHaveLength(1);
  });

  it("cannot be renewed for an unknown session", async () => {
    const store = await openTestStore();
    await expect(store.sessions.renew("none")).rejects.toThrow(RowNotFoundError);
  });
});

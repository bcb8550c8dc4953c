import { PluginQuotaError, PluginStoreArgumentError } from "@openclaw/plugin-sdk/errors";
import type { NextTurnInjection } from "@openclaw/plugin-sdk/sessions";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RowNotFoundError } from "../../src/errors.js";
import { openStore, type Store } from "../../src/index.js";
import {
  affordable,
  briefDatabase,
  openTestStore,
  queueTurn,
  START,
  storeDatabase,
} from "../support/open-store.js";

const SESSION = "agent:main:main";
const all = () => true;

/** Opens a store with one session, and a clock that a test moves. */
async function sessionStore(database = storeDatabase()) {
  const clock = { now: START };
  const store = await openTestStore({ now: () => clock.now, ...database });
  await store.sessions.open(SESSION, { agentId: "main" });
  const leave = (text: string, more: Partial<NextTurnInjection> = {}, pluginId = "notes") =>
    store.sessions.injections.enqueue(pluginId, { sessionKey: SESSION, text, ...more });
  return { store, clock, leave };
}

async function drainedTexts(
  store: Store,
  runId: string,
  accepts: (pluginId: string) => boolean = all,
): Promise<string[]> {
  const { injections } = await store.sessions.injections.drain(SESSION, runId, accepts);
  return injections.map(({ text }) => text);
}

describe("next-turn injection", () => {
  it("[TURN-049] [PLUG-039] is acknowledged with an id and drained with all of its fields", async () => {
    const { store, leave } = await sessionStore();
    const first = await leave("deploy is red", {
      placement: "append_context",
      idempotencyKey: "deploy-1",
      metadata: { build: 7 },
    });
    const second = await leave("nul \0 and \ud800 stay");
    expect(first).toEqual({ enqueued: true, id: expect.any(String), sessionKey: SESSION });
    expect(await store.sessions.injections.drain(SESSION, "run-1", all)).toEqual({
      expired: 0,
      injections: [
        {
          id: first.enqueued && first.id,
          pluginId: "notes",
          text: "deploy is red",
          placement: "append_context",
          idempotencyKey: "deploy-1",
          metadata: { build: 7 },
        },
        {
          id: second.enqueued && second.id,
          pluginId: "notes",
          text: "nul \0 and \ud800 stay",
          placement: "prepend_context",
        },
      ],
    });
  });

  it("[TURN-049] returns the first id for a repeated key of the plugin, even after it was received", async () => {
    const { store, clock, leave } = await sessionStore();
    const first = await leave("one", { idempotencyKey: "k" });
    const repeat = { enqueued: false, reason: "duplicate", id: first.enqueued && first.id };
    expect(await leave("two", { idempotencyKey: "k" })).toMatchObject(repeat);
    expect(await leave("other plugin's", { idempotencyKey: "k" }, "other")).toMatchObject({
      enqueued: true,
    });
    expect(await drainedTexts(store, "run-1")).toEqual(["one", "other plugin's"]);
    await store.sessions.injections.consume("run-1");
    expect(await leave("three", { idempotencyKey: "k" })).toMatchObject(repeat);
    expect(await drainedTexts(store, "run-2")).toEqual([]);

    clock.now += 7 * 24 * 60 * 60 * 1000;
    expect(await leave("a week later", { idempotencyKey: "k" })).toMatchObject({ enqueued: true });
  });

  it("belongs to its session", async () => {
    const { store, leave } = await sessionStore();
    await store.sessions.open("agent:main:other", { agentId: "main" });
    await leave("mine", { idempotencyKey: "k" });
    await leave("theirs", { sessionKey: "agent:main:other", idempotencyKey: "k" });
    expect(await drainedTexts(store, "run-1")).toEqual(["mine"]);
  });

  it("[TURN-049] is dropped and counted when it has expired", async () => {
    const { store, clock, leave } = await sessionStore();
    await leave("short", { ttlMs: 1000, idempotencyKey: "k" });
    await leave("long", { ttlMs: 2000 });
    clock.now += 1000;
    expect(await leave("short again", { idempotencyKey: "k", ttlMs: 1 })).toMatchObject({
      enqueued: true,
    });
    clock.now += 1;
    const { injections, expired } = await store.sessions.injections.drain(SESSION, "run-1", all);
    expect(injections.map(({ text }) => text)).toEqual(["long"]);
    expect(expired).toBe(1);
  });

  it("[TURN-049] is limited to 16 KiB of UTF-8, and so is its metadata", async () => {
    const { leave } = await sessionStore();
    expect(await leave("é".repeat(8192))).toMatchObject({ enqueued: true });
    const text = leave(`${"é".repeat(8192)}x`);
    await expect(text).rejects.toThrow(PluginStoreArgumentError);
    await expect(text).rejects.toThrow("text: expected at most 16384 bytes, got 16385; shorten it");
    await expect(leave("text", { metadata: { long: "x".repeat(16384) } })).rejects.toThrow(
      "metadata: expected at most 16384 bytes",
    );
  });

  it("[TURN-049] is rejected when 64 of the plugin are pending for the session", async () => {
    const { store, leave } = await sessionStore();
    await leave("received", { idempotencyKey: "k" });
    await drainedTexts(store, "run-0");
    await store.sessions.injections.consume("run-0");
    for (let count = 0; count < 64; count++) await leave(`text ${count}`);
    const refused = leave("one more");
    await expect(refused).rejects.toThrow(PluginQuotaError);
    await expect(refused).rejects.toThrow(
      'plugin "notes" called session.workflow.enqueueNextTurnInjection, but 64 injections are already pending for the session; wait for its next turn',
    );
    expect(await leave("of another plugin", {}, "other")).toMatchObject({ enqueued: true });
    // Bound injections count until a model has received them.
    await drainedTexts(store, "run-1");
    await expect(leave("still one more")).rejects.toThrow(PluginQuotaError);
    await store.sessions.injections.consume("run-1");
    expect(await leave("room again")).toMatchObject({ enqueued: true });
  });

  it.each<[string, Partial<Record<keyof NextTurnInjection, unknown>>]>([
    ["sessionKey: expected a string, got number", { sessionKey: 7 }],
    ["text: expected a string, got an empty one", { text: " " }],
    ["text: expected a string, got object", { text: null }],
    ["placement: expected prepend_context or append_context, got above", { placement: "above" }],
    ["idempotencyKey: expected 1 to 512 characters", { idempotencyKey: "" }],
    ["idempotencyKey: expected 1 to 512 characters", { idempotencyKey: "x".repeat(513) }],
    ["ttlMs: expected a whole number of milliseconds from 1, got 0", { ttlMs: 0 }],
    ["metadata: expected an object", { metadata: ["x"] }],
    ["metadata: expected a JSON object: ", { metadata: { big: 1n } }],
  ])("is rejected with %s", async (problem, changes) => {
    const { store } = await sessionStore();
    const injection = { sessionKey: SESSION, text: "text", ...changes } as NextTurnInjection;
    const refused = store.sessions.injections.enqueue("notes", injection);
    await expect(refused).rejects.toThrow(PluginStoreArgumentError);
    await expect(refused).rejects.toThrow(problem);
  });

  it("requires an existing session", async () => {
    const { leave } = await sessionStore();
    const refused = leave("text", { sessionKey: "agent:main:nobody" });
    await expect(refused).rejects.toThrow(RowNotFoundError);
    await expect(refused).rejects.toThrow("session agent:main:nobody does not exist; use the key");
  });
});

describe("drain", () => {
  it("[TURN-049] makes a text pending again when its turn ended before the model call", async () => {
    const { store, leave } = await sessionStore();
    await leave("note");
    await queueTurn(store, { runId: "run-1", sessionKey: SESSION });
    await store.turns.begin("run-1");
    expect(await drainedTexts(store, "run-1")).toEqual(["note"]);
    expect(await drainedTexts(store, "run-2")).toEqual([]);
    expect(await drainedTexts(store, "run-1")).toEqual(["note"]);
    await store.turns.finish("run-1", { state: "interrupted" });
    expect(await drainedTexts(store, "run-2")).toEqual(["note"]);
  });

  it("[TURN-049] never drains a text again that a model received, and deletes it", async () => {
    const database = storeDatabase();
    const { store, leave } = await sessionStore(database);
    await leave("keyless");
    await leave("keyed", { idempotencyKey: "k", metadata: { why: "test" } });
    expect(await drainedTexts(store, "run-1")).toEqual(["keyless", "keyed"]);
    await leave("too late for this turn");
    await store.sessions.injections.consume("run-1");
    await store.sessions.injections.consume("run-1");
    await store.close();

    const again = await openStore({ ...database, now: () => START });
    expect(await drainedTexts(again, "run-1")).toEqual(["too late for this turn"]);
    await again.close();
  });

  it("[TURN-049] makes a text pending again after a crash between drain and model call", async () => {
    const database = storeDatabase();
    const { store, leave } = await sessionStore(database);
    await leave("note");
    await queueTurn(store, { runId: "run-1", sessionKey: SESSION });
    await store.turns.begin("run-1");
    await drainedTexts(store, "run-1");
    await store.close();

    const again = await openStore({ ...database, now: () => START });
    for (const { runId } of await again.turns.unfinished()) {
      await again.turns.finish(runId, { state: "interrupted" });
    }
    expect(await drainedTexts(again, "run-2")).toEqual(["note"]);
    await again.close();
  });

  it("does not drain injections of plugins that may not add to prompts", async () => {
    const { store, leave } = await sessionStore();
    await leave("loud", {}, "loud");
    await leave("quiet", {}, "quiet");
    expect(await drainedTexts(store, "run-1", (id) => id !== "quiet")).toEqual(["loud"]);
    expect(await drainedTexts(store, "run-2", (id) => id === "quiet")).toEqual(["quiet"]);
  });

  it("[TURN-049] delivers every text to at most one model, and eventually to one", async () => {
    const step = fc.oneof(
      fc.constant("leave" as const),
      fc.constant("turn that fails before its model call" as const),
      fc.constant("turn" as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const store = await openStore({ ...briefDatabase(), now: () => START });
        await store.sessions.open(SESSION, { agentId: "main" });
        const left: string[] = [];
        const received: string[] = [];
        for (const [index, what] of [...steps, "turn" as const].entries()) {
          const text = `text ${index}`;
          if (what === "leave") {
            await store.sessions.injections.enqueue("notes", { sessionKey: SESSION, text });
            left.push(text);
            continue;
          }
          const texts = await drainedTexts(store, `run-${index}`);
          if (what !== "turn") continue;
          await store.sessions.injections.consume(`run-${index}`);
          received.push(...texts);
        }
        expect(received).toEqual(left);
        await store.close();
      }),
      { numRuns: affordable(40) },
    );
  });
});

describe("clear", () => {
  it("deletes the injections and keys of a session or a plugin", async () => {
    const { store, leave } = await sessionStore();
    await leave("a", { idempotencyKey: "k" }, "one");
    await leave("b", {}, "two");
    await store.sessions.injections.clear({ pluginId: "one" });
    expect(await drainedTexts(store, "run-1")).toEqual(["b"]);
    expect(await leave("c", { idempotencyKey: "k" }, "one")).toMatchObject({ enqueued: true });
    await store.sessions.injections.clear({ sessionKey: SESSION });
    expect(await drainedTexts(store, "run-2")).toEqual([]);
  });
});

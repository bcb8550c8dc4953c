import { PluginStoreArgumentError } from "@openclaw/plugin-sdk/errors";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import { RowNotFoundError } from "../../src/errors.js";
import { openTestStore, storeDatabase } from "../support/open-store.js";

const place = { pluginId: "notes", sessionKey: "agent:main:main", namespace: "mood" };
const other = { ...place, sessionKey: "agent:main:other" };

async function sessionStore(database = storeDatabase()) {
  const store = await openTestStore(database);
  for (const { sessionKey } of [place, other]) {
    await store.sessions.open(sessionKey, { agentId: "main" });
  }
  return store;
}

describe("plugin value of a session", () => {
  it("is absent until it is patched, and survives the process", async () => {
    const database = storeDatabase();
    const store = await sessionStore(database);
    expect(await store.sessions.extensions.get(place)).toBeUndefined();
    const value = { mood: "calm", deep: { list: [1, null] } };
    expect(await store.sessions.extensions.patch(place, value)).toEqual({
      mood: "calm",
      deep: { list: [1, null] },
    });
    await store.close();
    const again = await openTestStore(database);
    expect(await again.sessions.extensions.get(place)).toEqual(value);
  });

  it.each<[string, JsonValue, JsonValue, JsonValue]>([
    [
      "adds and replaces fields",
      { a: 1, b: { c: 2 } },
      { b: { d: 3 }, e: 4 },
      {
        a: 1,
        b: { c: 2, d: 3 },
        e: 4,
      },
    ],
    ["removes a field by null", { a: 1, b: { c: 2 } }, { a: null, b: { c: null } }, { b: {} }],
    ["replaces a list as a whole", { a: [1, 2] }, { a: [3] }, { a: [3] }],
    ["replaces what is no object", "text", { a: 1 }, { a: 1 }],
    ["replaces an object by a text", { a: 1 }, "text", "text"],
  ])("%s", async (_what, before, patch, after) => {
    const { extensions: sessionExtensions } = (await sessionStore()).sessions;
    await sessionExtensions.patch(place, before);
    expect(await sessionExtensions.patch(place, patch)).toEqual(after);
    expect(await sessionExtensions.get(place)).toEqual(after);
  });

  it("may have fields named like parts of every object", async () => {
    const { extensions: sessionExtensions } = (await sessionStore()).sessions;
    const patch = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}') as JsonValue;
    const value = await sessionExtensions.patch(place, patch);
    expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("is removed by null", async () => {
    const { extensions: sessionExtensions } = (await sessionStore()).sessions;
    await sessionExtensions.patch(place, { a: 1 });
    expect(await sessionExtensions.patch(place, null)).toBeNull();
    expect(await sessionExtensions.get(place)).toBeUndefined();
  });

  it("[TURN-050] has at most 16 KiB of JSON; a patch that would exceed it changes nothing", async () => {
    const { extensions: sessionExtensions } = (await sessionStore()).sessions;
    await sessionExtensions.patch(place, { a: "x".repeat(10_000) });
    const refused = sessionExtensions.patch(place, { b: "x".repeat(10_000) });
    await expect(refused).rejects.toThrow(PluginStoreArgumentError);
    await expect(refused).rejects.toThrow(
      'plugin "notes" called session.state.patch with a wrong argument: value of "mood": expected at most 16384 bytes of JSON, got 20',
    );
    expect(await sessionExtensions.get(place)).toEqual({ a: "x".repeat(10_000) });
  });

  it("is rejected when it is not JSON", async () => {
    const { extensions: sessionExtensions } = (await sessionStore()).sessions;
    const cycle: { self?: JsonValue } = {};
    cycle.self = cycle as JsonValue;
    for (const patch of [cycle, 1n, undefined, { big: 1n }]) {
      const refused = sessionExtensions.patch(place, patch as JsonValue);
      await expect(refused).rejects.toThrow('patch of "mood": expected a JSON value');
    }
  });

  it("requires an existing session", async () => {
    const { extensions: sessionExtensions } = (await sessionStore()).sessions;
    const nowhere = { ...place, sessionKey: "agent:main:nobody" };
    const refused = sessionExtensions.patch(nowhere, { a: 1 });
    await expect(refused).rejects.toThrow(RowNotFoundError);
    await expect(refused).rejects.toThrow("session agent:main:nobody does not exist");
  });

  it("[TURN-050] is one per session, plugin and namespace", async () => {
    const { extensions: sessionExtensions } = (await sessionStore()).sessions;
    const places = [place, other, { ...place, namespace: "plan" }, { ...place, pluginId: "tasks" }];
    for (const [index, each] of places.entries()) await sessionExtensions.patch(each, index);
    for (const [index, each] of places.entries()) {
      expect(await sessionExtensions.get(each)).toBe(index);
    }
    expect(await sessionExtensions.ofSessions([])).toEqual([]);
    expect(await sessionExtensions.ofSessions([place.sessionKey])).toEqual([
      { ...place, value: 0, version: expect.any(Number) },
      { ...place, namespace: "plan", value: 2, version: expect.any(Number) },
      { ...place, pluginId: "tasks", value: 3, version: expect.any(Number) },
    ]);
    await sessionExtensions.clear({ pluginId: "tasks" });
    await sessionExtensions.clear({ sessionKey: other.sessionKey });
    const left = await sessionExtensions.ofSessions([place.sessionKey, other.sessionKey]);
    expect(left.map(({ value }) => value)).toEqual([0, 2]);
  });

  it("[GW-025] changes only the expected version of a value", async () => {
    const { extensions } = (await sessionStore()).sessions;
    const created = await extensions.change(place, { value: { a: 1 } }, 0);
    if (created.outcome !== "changed") throw new Error(created.outcome);
    const { version } = created;
    const changed = { outcome: "changed", value: { a: 1, b: 2 }, version: version + 1 };
    expect(await extensions.change(place, { patch: { b: 2 } }, version)).toEqual(changed);
    const stale = { outcome: "stale", version: version + 1 };
    expect(await extensions.change(place, { value: 0 }, version)).toEqual(stale);
    expect(await extensions.get(place)).toEqual({ a: 1, b: 2 });
    await extensions.change(place, { value: null });
    const again = await extensions.change(place, { value: 1 }, 0);
    expect(again.outcome === "changed" && again.version > version).toBe(true);
  });

  it("[GW-025] does not store a changed value of more than 16 KiB", async () => {
    const { extensions } = (await sessionStore()).sessions;
    await extensions.change(place, { value: { a: "x".repeat(10_000) } });
    const change = { patch: { b: "x".repeat(10_000) } };
    expect(await extensions.change(place, change)).toMatchObject({ outcome: "too-large" });
    expect(await extensions.get(place)).toEqual({ a: "x".repeat(10_000) });
  });
});

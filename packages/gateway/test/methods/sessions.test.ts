import { createSessionMethods } from "@openclaw/messaging";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { describe, expect, it, vi } from "vitest";
import { createTestHost, message, SESSION, type TestHostOptions } from "../support/host.js";

interface Published {
  readonly name: string;
  readonly payload: unknown;
}

/** Creates a host with a second agent, whose plugin keeps `mood` with sessions, and its session methods. */
async function createSessionHost(options: TestHostOptions = {}) {
  const events: Published[] = [];
  const host = await createTestHost({
    events: { publish: (name, payload) => void events.push({ name, payload }) },
    ...options,
    register: (api: OpenClawPluginApi) => {
      api.registerSessionExtension({ namespace: "mood", description: "How it goes." });
      options.register?.(api);
    },
  });
  const agents = { agentIds: ["main", "work"], defaultAgent: "main" };
  const methods = createSessionMethods({
    ...{ administration: host.administration, agents },
    forks: host.forks.conversations,
  });
  const changes = () => events.filter(({ name }) => name === "sessions.changed");
  const changed = (sessionKey: string, change: string) => ({
    name: "sessions.changed",
    payload: { sessionKey, change },
  });
  const send = (text: string, sessionKey = SESSION) =>
    host.flow.receive(message(text, { sessionKey }), {});
  return { host, methods, changes, changed, send };
}

describe("sessions.create, get and list", () => {
  it("[GW-025] creates a session once, announces it, and returns it", async () => {
    const { methods, changes, changed } = await createSessionHost();
    const sessionKey = "agent:work:plan";
    const settings = { label: "Plan", model: "scripted/script", queueMode: "collect" } as const;
    const created = await methods.call("sessions.create", { sessionKey, ...settings });
    expect(created).toMatchObject({ sessionKey, agentId: "work", messageCount: 0, ...settings });
    expect(await methods.call("sessions.get", { sessionKey })).toEqual(created);
    expect(changes()).toEqual([changed(sessionKey, "created")]);
    await expect(methods.call("sessions.create", { sessionKey })).rejects.toMatchObject({
      code: "SESSION_EXISTS",
      kind: "conflict",
    });
  });

  it("creates a key for a session without one, and reads short keys", async () => {
    const { methods } = await createSessionHost();
    const { sessionKey } = await methods.call("sessions.create", { agentId: "work" });
    expect(sessionKey).toMatch(/^agent:work:session:[0-9a-f-]{36}$/);
    await methods.call("sessions.create", { sessionKey: "main" });
    expect(await methods.call("sessions.get", { sessionKey: "main" })).toMatchObject({
      sessionKey: "agent:main:main",
      pluginExtensions: [],
    });
  });

  it.each([
    [{ sessionKey: "agent:main:subagent:x" }, "/sessionKey"],
    [{ sessionKey: "cron:nightly" }, "/sessionKey"],
    [{ sessionKey: "agent:nobody:main" }, "/sessionKey"],
    [{ agentId: "nobody" }, "/agentId"],
  ])("rejects %j", async (parameters, path) => {
    const { methods } = await createSessionHost();
    await expect(methods.call("sessions.create", parameters)).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      issues: [{ path }],
    });
  });

  it("[GW-025] lists pages with a cursor, of one agent and label", async () => {
    let now = 1_700_000_000_000;
    const { methods } = await createSessionHost({ now: () => now++ });
    for (const name of ["a", "b", "c", "d", "e"]) {
      const sessionKey = `agent:${name === "c" ? "work" : "main"}:${name}`;
      await methods.call("sessions.create", { sessionKey, label: name });
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await methods.call("sessions.list", {
        limit: 2,
        ...(cursor === undefined ? {} : { cursor }),
      });
      expect(page.sessions.length).toBeLessThanOrEqual(2);
      seen.push(...page.sessions.map(({ label }) => label ?? ""));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen.toSorted()).toEqual(["a", "b", "c", "d", "e"]);
    const labels = async (filter: object) =>
      (await methods.call("sessions.list", { filter })).sessions.map(({ label }) => label);
    expect(await labels({ agentId: "work" })).toEqual(["c"]);
    expect(await labels({ label: "d" })).toEqual(["d"]);
    await expect(methods.call("sessions.list", { cursor: "no" })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      issues: [{ path: "/cursor" }],
    });
  });

  it("[UI-461] finds sessions by text, state, pin and archive, with tokens, cost and last message", async () => {
    const { methods, send } = await createSessionHost({
      script: () => ({ text: "ok", usage: { input: 40, output: 2 } }),
    });
    await send("Plan the 100% release", "agent:main:release");
    await send("hello");
    await methods.call("sessions.create", { sessionKey: "agent:main:empty", label: "Spare" });
    const found = async (filter: object) => {
      const { sessions, total } = await methods.call("sessions.list", { filter });
      expect(total).toBe(sessions.length);
      return sessions.map(({ sessionKey }) => sessionKey).sort();
    };
    const release = "agent:main:release";
    expect(await methods.call("sessions.get", { sessionKey: release })).toMatchObject({
      ...{ state: "completed", lastMessage: "Plan the 100% release", tokens: 42, costUsd: "0" },
    });
    expect(await methods.call("sessions.get", { sessionKey: "agent:main:empty" })).toMatchObject({
      ...{ tokens: 0, costUsd: "0", messageCount: 0 },
    });
    expect(await found({ text: "100% REL" })).toEqual([release]);
    expect(await found({ text: "100_" })).toEqual([]);
    expect(await found({ text: "spare" })).toEqual(["agent:main:empty"]);
    expect(await found({ state: "completed" })).toEqual([SESSION, release]);
    expect(await found({ state: "failed" })).toEqual([]);
    const pinned = await methods.call("sessions.patch", { sessionKey: release, pinned: true });
    expect(pinned).toMatchObject({ pinned: true });
    await methods.call("sessions.patch", { sessionKey: SESSION, archived: true });
    expect(await found({ pinned: true })).toEqual([release]);
    expect(await found({ pinned: false, archived: false })).toEqual(["agent:main:empty"]);
    expect(await found({ archived: true })).toEqual([SESSION]);
    const back = await methods.call("sessions.patch", { sessionKey: SESSION, archived: false });
    expect(back).not.toHaveProperty("archived");
  });

  it.each(["get", "reset", "compact", "delete"] as const)(
    "sessions.%s suggests the nearest key for an unknown one",
    async (verb) => {
      const { methods, send } = await createSessionHost();
      await send("hello");
      const call = methods.call(`sessions.${verb}`, { sessionKey: "agent:main:mian" });
      await expect(call).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
      await expect(call).rejects.toThrow(`did you mean "${SESSION}"?`);
    },
  );
});

describe("sessions.patch", () => {
  it("[GW-025] uses the chosen model in later turns, until it is removed", async () => {
    const { host, methods, send, changes, changed } = await createSessionHost();
    await send("hello");
    const models: (string | undefined)[] = [];
    const sent = async () => {
      const surface = { model: undefined as string | undefined };
      await host.flow.receive(message("again"), {
        onEvent: (event) => {
          if (event.type === "started") surface.model = event.model;
        },
      });
      models.push(surface.model);
    };
    await sent();
    await methods.call("sessions.patch", { sessionKey: SESSION, model: "scripted/other" });
    await sent();
    const patched = await methods.call("sessions.patch", { sessionKey: SESSION, model: null });
    expect(patched).not.toHaveProperty("model");
    await sent();
    expect(models).toEqual(["scripted/script", "scripted/other", "scripted/script"]);
    expect(changes().slice(-2)).toEqual([changed(SESSION, "updated"), changed(SESSION, "updated")]);
  });

  it("[GW-025] uses the chosen queue mode for messages that arrive during a turn", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { host, methods, send } = await createSessionHost({
      register: (api) => {
        api.on("before_prompt_build", async ({ prompt }) => {
          if (prompt === "slow") await held;
        });
      },
    });
    await send("hello");
    await methods.call("sessions.patch", { sessionKey: SESSION, queueMode: "reject" });
    const slow = send("slow");
    await vi.waitFor(() => expect(host.live.turns(SESSION)).toHaveLength(1));
    expect(await send("second")).toMatchObject({ text: expect.stringContaining("in progress") });
    await methods.call("sessions.patch", { sessionKey: SESSION, queueMode: null });
    const third = send("third");
    release();
    expect(await slow).toMatchObject({ status: "replied" });
    expect(await third).toMatchObject({ status: "replied" });
  });

  it("[GW-025] keeps the settings of a session after a restart", async () => {
    const { host, methods, send } = await createSessionHost();
    await send("hello");
    await methods.call("sessions.patch", { sessionKey: SESSION, model: "scripted/other" });
    const next = await createTestHost({ store: host.store });
    await next.live.loadSettings(next.store);
    expect(next.live.settingsOf(SESSION)).toEqual({ model: "scripted/other" });
    await methods.call("sessions.delete", { sessionKey: SESSION });
    expect(host.live.settingsOf(SESSION)).toEqual({});
  });

  it("rejects a model that does not exist, and changes nothing", async () => {
    const { methods, send } = await createSessionHost();
    await send("hello");
    const patch = { sessionKey: SESSION, label: "x", model: "nowhere/model" };
    await expect(methods.call("sessions.patch", patch)).rejects.toMatchObject({
      code: "MODEL_NOT_FOUND",
    });
    const row = await methods.call("sessions.get", { sessionKey: SESSION });
    expect(row).not.toHaveProperty("label");
  });
});

describe("sessions.reset", () => {
  it("[GW-025] starts a new conversation, and announces it", async () => {
    const reasons: string[] = [];
    const { methods, send, changes, changed } = await createSessionHost({
      register: (api) => {
        api.on("before_reset", ({ reason }) => void reasons.push(reason));
      },
    });
    await send("hello");
    const before = await methods.call("sessions.get", { sessionKey: SESSION });
    const after = await methods.call("sessions.reset", { sessionKey: SESSION });
    expect(after.sessionId).not.toBe(before.sessionId);
    expect(after).toMatchObject({ sessionKey: SESSION, messageCount: 0 });
    expect(reasons).toEqual(["api"]);
    expect(changes().at(-1)).toEqual(changed(SESSION, "reset"));
  });
});

describe("sessions.compact", () => {
  it("[GW-025] [TURN-051] replaces the older exchanges by a summary, with the hooks", async () => {
    const hooks: string[] = [];
    const { host, methods, send, changes, changed } = await createSessionHost({
      script: ({ prompt }) =>
        JSON.stringify(prompt).includes("Summarise the conversation")
          ? { text: "They counted." }
          : { text: "ok" },
      register: (api) => {
        api.on("before_compaction", () => void hooks.push("before"));
        api.on("after_compaction", () => void hooks.push("after"));
      },
    });
    for (const text of ["one", "two", "three", "four"]) await send(text);
    const compacted = await methods.call("sessions.compact", { sessionKey: SESSION });
    expect(compacted).toMatchObject({
      compacted: true,
      before: { messages: 8 },
      after: { messages: 5 },
    });
    expect(hooks).toEqual(["before", "after"]);
    expect(changes().at(-1)).toEqual(changed(SESSION, "updated"));
    await send("five");
    const asked = host.asked().at(-1) ?? "";
    expect(asked).toContain("They counted.");
    expect(asked).not.toContain('"one"');
    expect(asked).toContain("four");
  });

  it("removes nothing from a short conversation", async () => {
    const { methods, send } = await createSessionHost();
    await send("one");
    expect(await methods.call("sessions.compact", { sessionKey: SESSION })).toMatchObject({
      compacted: false,
    });
  });
});

describe("sessions.undo and sessions.redo", () => {
  it("[GW-025] [SUB-031] [SUB-032] take back the last turn and bring it back, and announce it", async () => {
    const { host, methods, send, changes, changed } = await createSessionHost();
    for (const text of ["one", "two"]) await send(text);
    const before = changes().length;
    const undone = await methods.call("sessions.undo", { sessionKey: "main" });
    expect(undone).toEqual({ moved: true, text: "two", effects: [], undo: 1, redo: 1 });
    expect(changes().slice(before)).toEqual([changed(SESSION, "updated")]);
    await send("three");
    expect(host.asked().at(-1)).not.toContain('"two"');
    await methods.call("sessions.undo", { sessionKey: SESSION });
    const redone = await methods.call("sessions.redo", { sessionKey: SESSION });
    expect(redone).toEqual({ moved: true, text: "three", effects: [], undo: 2, redo: 0 });
    await send("four");
    expect(host.asked().at(-1)).toContain("three");
  });

  it("[GW-025] change nothing when there is nothing to move, and reject an unknown session", async () => {
    const { methods, send, changes } = await createSessionHost();
    await send("one");
    const before = changes().length;
    const redone = await methods.call("sessions.redo", { sessionKey: SESSION });
    expect(redone).toEqual({ moved: false, effects: [], undo: 1, redo: 0 });
    expect(changes()).toHaveLength(before);
    await expect(methods.call("sessions.undo", { sessionKey: "nope" })).rejects.toMatchObject({
      code: "SESSION_NOT_FOUND",
    });
  });
});

describe("sessions.pluginPatch", () => {
  const place = { sessionKey: SESSION, pluginId: "guard", namespace: "mood" };

  it("[GW-025] [PLUG-038] [TURN-050] changes a value that a plugin keeps, shown with the session", async () => {
    const { methods, send, changes, changed } = await createSessionHost();
    await send("hello");
    const value = { mood: "calm", since: 1 };
    const first = await methods.call("sessions.pluginPatch", { ...place, value });
    const patch = { since: null };
    const second = await methods.call("sessions.pluginPatch", { ...place, patch });
    expect(second).toEqual({ value: { mood: "calm" }, version: first.version + 1 });
    const { pluginExtensions } = await methods.call("sessions.get", { sessionKey: SESSION });
    expect(pluginExtensions).toEqual([
      { pluginId: "guard", namespace: "mood", value: { mood: "calm" }, version: second.version },
    ]);
    expect(changes().at(-1)).toEqual(changed(SESSION, "updated"));
    expect(await methods.call("sessions.pluginPatch", { ...place, value: null })).toEqual({
      value: null,
      version: 0,
    });
  });

  it("[GW-025] rejects a namespace that no plugin registered, and an unknown session", async () => {
    const { methods, send } = await createSessionHost();
    await send("hello");
    const call = methods.call("sessions.pluginPatch", { ...place, namespace: "moood", value: 1 });
    await expect(call).rejects.toMatchObject({ kind: "not-found" });
    await expect(call).rejects.toThrow('did you mean "mood"?');
    const elsewhere = { ...place, sessionKey: "agent:main:other", value: 1 };
    await expect(methods.call("sessions.pluginPatch", elsewhere)).rejects.toMatchObject({
      code: "SESSION_NOT_FOUND",
    });
  });

  it("[GW-025] rejects a value of more than 16 KiB, and another version than expected", async () => {
    const { methods, send } = await createSessionHost();
    await send("hello");
    const large = { ...place, value: "x".repeat(16 * 1024) };
    await expect(methods.call("sessions.pluginPatch", large)).rejects.toMatchObject({
      code: "SESSION_VALUE_TOO_LARGE",
      kind: "too-large",
    });
    const { version } = await methods.call("sessions.pluginPatch", {
      ...place,
      value: 1,
      expectedVersion: 0,
    });
    const stale = { ...place, value: 2, expectedVersion: version - 1 };
    await expect(methods.call("sessions.pluginPatch", stale)).rejects.toMatchObject({
      code: "SESSION_VALUE_CHANGED",
      kind: "conflict",
      details: { version },
    });
  });
});

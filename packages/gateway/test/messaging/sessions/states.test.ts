import type { OpenClawPluginApi, PluginDefinition } from "@openclaw/plugin-sdk";
import type { CleanupRequest } from "@openclaw/plugin-sdk/lifecycle";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import {
  createTestHost,
  message,
  SESSION,
  type TestHost,
  type TestHostOptions,
} from "../../support/host.js";

/** Creates a host whose plugin keeps `mood` with sessions, and returns the plugin's `api` too. */
async function moodyHost({ register, ...options }: TestHostOptions = {}) {
  let api: OpenClawPluginApi | undefined;
  const host = await createTestHost({
    ...options,
    register: (given) => {
      api = given;
      given.registerSessionExtension({ namespace: "mood", description: "How it goes." });
      register?.(given);
    },
  });
  const send = (text: string) => host.flow.receive(message(text), {});
  await send("hello");
  if (api === undefined) throw new Error("the plugin was not registered");
  return { host, api, send };
}

/** Returns the values and injections that plugins keep for the session of the test. */
async function kept({ store }: TestHost): Promise<[JsonValue[], string[]]> {
  const values = await store.sessions.extensions.ofSessions([SESSION]);
  const { injections } = await store.sessions.injections.drain(SESSION, "look", () => true);
  return [values.map(({ value }) => value), injections.map(({ text }) => text)];
}

describe("plugin value of a session", () => {
  it("[PLUG-038] [TURN-050] belongs to the plugin, which reads and patches it through its api", async () => {
    const { api, host } = await moodyHost();
    expect(await api.session.state.get(SESSION, "mood")).toBeUndefined();
    expect(await api.session.state.patch(SESSION, "mood", { mood: "calm", since: 1 })).toEqual({
      mood: "calm",
      since: 1,
    });
    await api.session.state.patch(SESSION, "mood", { since: null });
    expect(await api.session.state.get(SESSION, "mood")).toEqual({ mood: "calm" });
    const rows = await host.store.sessions.extensions.ofSessions([SESSION]);
    expect(rows).toEqual([
      {
        pluginId: "guard",
        sessionKey: SESSION,
        namespace: "mood",
        value: { mood: "calm" },
        version: expect.any(Number),
      },
    ]);
    await expect(api.session.state.get(SESSION, "plan")).rejects.toThrow(
      'plugin "guard" called session.state.get with a wrong argument: namespace: expected mood, got "plan"; register it',
    );
    const large = api.session.state.patch(SESSION, "mood", { text: "x".repeat(16 * 1024) });
    await expect(large).rejects.toMatchObject({ code: "PLUGIN_STORE_ARGUMENT" });
  });

  it("[PLUG-038] is read synchronously and up to date by the plugin's tool hooks only", async () => {
    const seen: [string, unknown][] = [];
    const watch = (api: OpenClawPluginApi, id: string) => {
      api.on("before_tool_call", (_event, { getSessionExtension }) => {
        const value = getSessionExtension?.("mood") as { calls: number } | undefined;
        seen.push([id, structuredClone(value)]);
        // The hook received a copy, so this changes nothing.
        if (value !== undefined) value.calls = 100;
      });
      api.on("after_tool_call", (_event, { getSessionExtension }) => {
        seen.push([`${id} after`, getSessionExtension?.("mood")]);
      });
    };
    const other: PluginDefinition = {
      id: "other",
      register(api) {
        api.registerSessionExtension({ namespace: "mood", description: "Of its own." });
        watch(api, "other");
      },
    };
    const { api, send } = await moodyHost({
      plugins: [other],
      script: ({ prompt }) =>
        prompt.at(-1)?.role === "user" && JSON.stringify(prompt.at(-1)).includes("count")
          ? { toolCalls: [{ toolName: "count" }] }
          : { text: "ok" },
      register: (given) => {
        watch(given, "guard");
        given.registerTool({
          name: "count",
          description: "Counts.",
          parameters: { type: "object", properties: {} },
          execute: async () => {
            await given.session.state.patch(SESSION, "mood", { calls: 2 });
            return "counted";
          },
        });
      },
    });
    await api.session.state.patch(SESSION, "mood", { calls: 1 });
    await send("count");
    expect(seen).toEqual([
      ["guard", { calls: 1 }],
      ["other", undefined],
      ["guard after", { calls: 2 }],
      ["other after", undefined],
    ]);
  });

  it("[PLUG-038] [TURN-050] is shown with its session in the form that its plugin projects", async () => {
    const { host } = await moodyHost();
    const { store, sessionStates, plugins } = host;
    const show = (project?: (state: JsonValue) => JsonValue | undefined): PluginDefinition => ({
      id: "shown",
      register: (api) =>
        api.registerSessionExtension({
          namespace: "n",
          description: "d",
          ...(project === undefined ? {} : { project }),
        }),
    });
    await store.sessions.extensions.patch(
      { pluginId: "guard", sessionKey: SESSION, namespace: "mood" },
      "calm",
    );
    const sessions = await store.sessions.list({ limit: 10 });
    const [row] = await sessionStates.rows(sessions, plugins);
    expect(row).toMatchObject({
      sessionKey: SESSION,
      pluginExtensions: [{ pluginId: "guard", namespace: "mood", value: "calm" }],
    });

    const shownBy = async (project?: (state: JsonValue) => JsonValue | undefined) => {
      const { host: another } = await moodyHost({ plugins: [show(project)] });
      const place = { pluginId: "shown", sessionKey: SESSION, namespace: "n" };
      await another.store.sessions.extensions.patch(place, { secret: 1, open: 2 });
      const [first] = await another.sessionStates.rows(
        await another.store.sessions.list({ limit: 10 }),
        another.plugins,
      );
      return { extensions: first?.pluginExtensions, lines: another.lines };
    };
    const open = (state: JsonValue) => ({ open: (state as { open: number }).open });
    expect((await shownBy(open)).extensions).toEqual([
      { pluginId: "shown", namespace: "n", value: { open: 2 }, version: expect.any(Number) },
    ]);
    expect((await shownBy(() => undefined)).extensions).toEqual([]);
    const failing = await shownBy(() => {
      throw new Error("no view");
    });
    expect(failing.extensions).toEqual([]);
    expect(failing.lines).toContain(
      'warn: session extension "n" of plugin "shown" could not be shown: no view',
    );
  });
});

describe("text that a plugin adds to the next turn", () => {
  it("[PLUG-039] [TURN-049] is accepted by both names of the method, and reaches the next turn once", async () => {
    const { api, host, send } = await moodyHost();
    const left = await api.enqueueNextTurnInjection({
      sessionKey: SESSION,
      text: "the build is red",
    });
    expect(left).toEqual({ enqueued: true, id: expect.any(String), sessionKey: SESSION });
    const keyed = { sessionKey: SESSION, text: "and late", idempotencyKey: "k" };
    const first = await api.session.workflow.enqueueNextTurnInjection(keyed);
    const second = await api.session.workflow.enqueueNextTurnInjection(keyed);
    expect(second).toEqual({ ...first, enqueued: false, reason: "duplicate" });
    await send("what is new?");
    await send("and now?");
    const [, next, later] = host.asked();
    expect(next).toContain("the build is red\\n\\nand late\\n\\nwhat is new?");
    expect(later).not.toContain("the build is red");
  });
});

describe("plugin values and injections of a session", () => {
  /** Creates a host with plugin values and injections, and records the cleanups. */
  async function keepingHost() {
    const told: [string, CleanupRequest][] = [];
    const made = await moodyHost({
      register: (api) => {
        api.registerSessionExtension({
          namespace: "watched",
          description: "Its end is watched.",
          cleanup: (request) => void told.push(["extension", request]),
        });
        api.lifecycle.registerRuntimeLifecycle({
          id: "watch",
          cleanup: (request) => void told.push(["lifecycle", request]),
        });
      },
    });
    await made.api.session.state.patch(SESSION, "mood", "calm");
    await made.api.enqueueNextTurnInjection({ sessionKey: SESSION, text: "left" });
    return { ...made, told };
  }

  it("[TURN-050] [PLUG-042] [LIFE-035] are deleted with a cleanup when the session is reset", async () => {
    const { host, send, told } = await keepingHost();
    await send("/reset");
    expect(told).toEqual([
      ["lifecycle", { reason: "reset", sessionKey: SESSION }],
      ["extension", { reason: "reset", sessionKey: SESSION }],
    ]);
    expect(await kept(host)).toEqual([[], []]);
  });

  it("[TURN-050] [PLUG-042] [LIFE-035] are deleted when the session is deleted, and those of other sessions stay", async () => {
    const { host, api, told } = await keepingHost();
    const other = "agent:main:other";
    await host.store.sessions.open(other, { agentId: "main" });
    await api.session.state.patch(other, "mood", "busy");
    await host.sessionStates.end(SESSION, "delete", host.plugins);
    expect(told.map(([, request]) => request)).toEqual([
      { reason: "delete", sessionKey: SESSION },
      { reason: "delete", sessionKey: SESSION },
    ]);
    expect(await kept(host)).toEqual([[], []]);
    expect(await api.session.state.get(other, "mood")).toBe("busy");
  });

  it("[TURN-050] [PLUG-042] [LIFE-035] are deleted when the plugin is disabled", async () => {
    const { host, told } = await keepingHost();
    const config = { plugins: { entries: { guard: { enabled: false } } } };
    const { retired } = await host.plugins.reload("guard", { config });
    await retired;
    expect(told.map(([, request]) => request)).toEqual([
      { reason: "disable" },
      { reason: "disable" },
    ]);
    expect(await kept(host)).toEqual([[], []]);
  });

  it("[TURN-050] [PLUG-042] [LIFE-035] stay when the plugin or the host restarts", async () => {
    const { host, told } = await keepingHost();
    const { retired } = await host.plugins.reload("guard");
    await retired;
    await host.plugins.dispose();
    expect(told.map(([, request]) => request)).toEqual(
      Array.from({ length: 4 }, () => ({ reason: "restart" })),
    );
    expect(await kept(host)).toEqual([["calm"], ["left"]]);
  });

  it("[PLUG-042] are deleted at the next start when the plugin was disabled while no host ran", async () => {
    const { host } = await keepingHost();
    const config = { plugins: { entries: { guard: { enabled: false } } } };
    const { generation } = await host.plugins.reload("guard", { config });
    const place = { pluginId: "guard", sessionKey: SESSION, namespace: "mood" };
    await host.store.sessions.extensions.patch(place, "left behind");
    await host.sessionStates.forgetDisabled(generation);
    expect(await host.store.sessions.extensions.get(place)).toBeUndefined();
  });
});

import { createScriptedModel } from "@openclaw/models";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { messageText } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it, onTestFinished } from "vitest";
import { openHost } from "../../src/host/host.js";
import { stateFolderAt } from "../../src/state/folder.js";
import { openLog } from "../../src/state/log.js";
import { openTestStore } from "../support/host.js";
import { scriptedProvider } from "../support/scripted-provider.js";

const agents = { defaults: { model: "scripted/script" }, clerk: { default: true } };
const MAIN = "agent:clerk:main";
const NOTES = { namespace: "notes", description: "Notes.", project: (value: unknown) => value };

describe("the session key main", () => {
  it("[GW-480] [APPR-840] names one session in every method of the plugin API", async () => {
    let given: OpenClawPluginApi | undefined;
    const seen: string[] = [];
    const model = createScriptedModel(({ prompt }) => {
      seen.push(JSON.stringify(prompt));
      return { text: "ok" };
    });
    const store = await openTestStore();
    const host = await openHost({
      version: "1.0.0",
      configuration: {
        value: { agents },
        file: undefined,
        warnings: [],
        locate: () => undefined,
      },
      workspaceDir: import.meta.dirname,
      bundledExtensions: [],
      inlinePlugins: [
        {
          id: "guard",
          register(api) {
            given = api;
            api.session.state.registerSessionExtension(NOTES as never);
          },
        },
      ],
      providers: [scriptedProvider(model)],
      environment: {},
      state: stateFolderAt("/nowhere"),
      log: openLog(undefined, { level: "silent" }),
      store,
    });
    onTestFinished(() => host.close("command"));
    if (given === undefined) throw new Error("the plugin was not loaded");
    const { runtime, session, approvals } = given;
    await runtime.subagent?.run({ task: "begin", sessionKey: "main" });
    expect(await store.sessions.get(MAIN)).toBeDefined();

    await session.state.patch("main", "notes", { a: 1 });
    expect(await session.state.get(MAIN, "notes")).toEqual({ a: 1 });
    await session.state.patch(MAIN, "notes", { b: 2 });
    expect(await session.state.get("main", "notes")).toEqual({ a: 1, b: 2 });

    const injected = await session.workflow.enqueueNextTurnInjection({
      ...{ sessionKey: "main", text: "from the plugin" },
    });
    expect(injected).toMatchObject({ enqueued: true, sessionKey: MAIN });
    runtime.system.enqueueSystemEvent?.("tea is ready", { sessionKey: "main" });
    await runtime.subagent?.run({ task: "again", sessionKey: MAIN });
    expect(seen.at(-1)).toContain("from the plugin");
    expect(seen.at(-1)).toContain("tea is ready");
    const read = await runtime.subagent?.getSessionMessages({ sessionKey: "main" });
    expect(read?.messages.map(messageText)).toEqual(["begin", "ok", "again", "ok"]);

    expect(await approvals.reach("main")).toEqual({ sessionKey: MAIN, status: "denied" });
    const request = { title: "Go on?", description: "A request.", sessionKey: "main" };
    expect(await approvals.submit(request)).toMatchObject({ status: "denied" });
    expect(await approvals.request(request)).toBe("deny");

    const leave = host.attend({ channel: "terminal", sessionKey: MAIN, show: () => true });
    expect(await approvals.reach("main")).toEqual({ sessionKey: MAIN, status: "attended" });
    const pending = await approvals.submit(request);
    if (pending.status !== "pending") throw new Error("not pending");
    expect(await approvals.get(pending.id)).toMatchObject({ sessionKey: MAIN });
    leave();

    const requester = {
      ...{ channel: "cli", channelId: "cli", senderId: "operator", senderIsOwner: true },
    };
    const called = await runtime.agent.callTool?.({
      ...{ sessionKey: "main", tool: "unknown", params: {}, requester },
    });
    expect(called).toMatchObject({ status: "failed" });
  });
});

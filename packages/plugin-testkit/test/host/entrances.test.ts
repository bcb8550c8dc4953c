import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { describe, expect, it } from "vitest";
import { createTestHost, sampleEvent, TestCommandNotFoundError } from "../../src/index.js";

const noParameters = { type: "object", properties: {}, additionalProperties: false } as const;

const served = definePluginEntry({
  id: "served",
  register(api) {
    api.registerCommand({
      name: "note",
      description: "Notes a text.",
      acceptsArgs: true,
      handler: ({ args = "nothing", senderId, channel }) => ({
        text: `${senderId} on ${channel} noted ${args}`,
      }),
    });
    api.registerCommand({
      name: "ask",
      description: "Passes the message on.",
      acceptsArgs: true,
      handler: () => ({ text: "Asking.", continueAgent: true }),
    });
    api.registerHttpRoute({
      path: "/echo",
      fetch: async (request) =>
        Response.json({ method: request.method, body: await request.text() }),
    });
    api.registerHttpRoute("/plugins/served/old", (_request, response) => {
      response.setHeader("content-type", "text/plain");
      response.end("in the style of Node");
    });
    api.registerHttpRoute({
      path: "/open",
      auth: "plugin",
      fetch: (request) => new Response(request.headers.get("authorization") ?? "no token"),
    });
    api.registerHttpRoute({
      path: "/endless",
      fetch: () => {
        const first = new TextEncoder().encode("first ");
        return new Response(new ReadableStream({ start: (body) => body.enqueue(first) }));
      },
    });
    api.registerGatewayMethod("served.add", ({ params, respond }) => {
      respond(true, { sum: Number(params.one) + Number(params.other) });
    });
    api.registerTool({
      name: "act",
      description: "Acts.",
      parameters: noParameters,
      approval: "always",
      execute: () => "acted",
    });
    api.on("before_tool_call", ({ toolName }) =>
      toolName === "exec" ? { block: true, blockReason: "no commands" } : undefined,
    );
    api.logger.info("registered");
  },
});

describe("test host", { timeout: 30_000 }, () => {
  it("[SDK-027] sends commands as an operator or another sender, and rejects unknown ones", async () => {
    await using host = await createTestHost({
      plugin: served,
      model: [{ text: "From the agent." }],
    });
    const noted = await host.runCommand("/note buy milk");
    expect(noted).toMatchObject({
      status: "answered",
      text: "operator on terminal noted buy milk",
    });
    // Without the slash, and as a sender of a channel who may not use the commands of the host.
    expect((await host.runCommand("note")).text).toBe("operator on terminal noted nothing");
    const stranger = { channel: "telegram", senderId: "ana", isOwner: false };
    expect((await host.runCommand("/note x", stranger)).text).toContain("You may not use /note");
    expect((await host.runCommand("/help")).text).toContain("Notes a text.");
    expect(host.modelRequests).toHaveLength(0);
    expect((await host.runCommand("/ask why")).text).toContain("From the agent.");
    expect(host.modelRequests).toHaveLength(1);
    const unknown = await host.runCommand("/nite x").catch((error: unknown) => error);
    expect(TestCommandNotFoundError.isInstance(unknown)).toBe(true);
    expect(unknown).toMatchObject({ code: "TEST_COMMAND_NOT_FOUND", kind: "not-found" });
    expect(String(unknown)).toContain(
      'command /nite not found in the test host; did you mean "note"?',
    );
    await expect(host.runCommand("/xyzzy")).rejects.toThrow("register it with api.registerCommand");
  });

  it("[SDK-027] sends requests to routes and gateway methods, with and without the token", async () => {
    await using host = await createTestHost({ plugin: served });
    const echoed = await host.request("/plugins/served/echo?x=1", { method: "POST", body: "a" });
    expect(await echoed.json()).toEqual({ method: "POST", body: "a" });
    const old = await host.request("/plugins/served/old");
    expect(await old.text()).toBe("in the style of Node");
    const outside = await host.request("/plugins/served/echo", { authenticated: false });
    expect(outside.status).toBe(401);
    const open = await host.request("/plugins/served/open", { authenticated: false });
    expect(await open.text()).toBe("no token");
    const own = await host.request("/plugins/served/open", { headers: { authorization: "Own x" } });
    expect(await own.text()).toBe("Own x");
    const called = await host.request("/api/v1/served/add", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ one: 2, other: 3 }),
    });
    expect(await called.json()).toEqual({ sum: 5 });
    expect((await host.request("/plugins/served/missing")).status).toBe(404);
    await expect(host.request("plugins/served/echo")).rejects.toThrow("begins with a slash");
    // The body is not read: the host ends the response when it is disposed of.
    const endless = await host.request("/plugins/served/endless");
    expect(endless.status).toBe(200);
  });

  it("reports resources that the handler of a request leaves behind", async () => {
    const leaving: PluginDefinition = {
      id: "leaving",
      register: (api) =>
        api.registerHttpRoute({
          path: "/start",
          fetch: () => {
            setInterval(() => undefined, 60_000).unref();
            return new Response("started");
          },
        }),
    };
    const host = await createTestHost({ plugin: leaving });
    expect(await (await host.request("/plugins/leaving/start")).text()).toBe("started");
    await expect(host.dispose()).rejects.toMatchObject({
      code: "PLUGIN_LEFTOVERS",
      leftovers: [{ kind: "a timer", place: expect.stringContaining("entrances.test.ts") }],
    });
  });

  it("[SDK-027] fires hooks, calls tools, runs turns, decides approvals, moves the clock, and shows what happened", async () => {
    await using host = await createTestHost({
      plugin: served,
      answer: () => undefined,
      model: [
        { toolCalls: [{ toolName: "act", params: {} }] },
        { text: "Done." },
        { text: "Hello." },
      ],
    });
    const event = sampleEvent("before_tool_call", { toolName: "exec" });
    const blocked = { block: true, blockReason: "no commands" };
    expect(await host.fire("before_tool_call", event)).toEqual(blocked);
    expect(await host.firePhase("tool.pre", event)).toEqual(blocked);

    const denied = host.callTool("act");
    await expect.poll(() => host.questions.length).toBe(1);
    await host.deny();
    expect(await denied).toMatchObject({ isError: true });
    const expired = host.callTool("act");
    await expect.poll(() => host.questions.length).toBe(2);
    await host.advance(24 * 60 * 60_000);
    expect(await expired).toMatchObject({ isError: true });

    const turn = host.turn("act");
    await expect.poll(() => host.questions.length).toBe(3);
    await host.approve();
    expect((await turn).text).toBe("Done.");
    const received = await host.receive({ text: "hi", channel: "telegram", senderId: "ana" });
    expect(received.text).toBe("Hello.");

    expect(host.registrations.tools.map(({ names }) => names)).toEqual([["act"]]);
    expect(host.registrations.commands).toHaveLength(2);
    expect(host.diagnostics.filter(({ level }) => level === "error")).toEqual([]);
    expect(host.sent.map(({ channel, text }) => [channel, text])).toEqual([
      ["terminal", "Done."],
      ["telegram", "Hello."],
    ]);
    expect(host.logs.map(({ message }) => message)).toContain("registered");
    expect(host.trace.map(({ hook }) => hook)).toContain("before_tool_call");
  });
});

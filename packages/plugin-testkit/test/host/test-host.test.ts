import { fileURLToPath } from "node:url";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { defineTool } from "@openclaw/plugin-sdk/tools";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createTestClock,
  createTestHost,
  PluginNotLoadedError,
  sampleEvent,
} from "../../src/index.js";

const noParameters = { type: "object", properties: {}, additionalProperties: false } as const;

const greeter = definePluginEntry({
  id: "greeter",
  register(api) {
    api.registerTool(
      defineTool({
        name: "greet",
        description: "Greets.",
        parameters: {
          type: "object",
          properties: { name: { type: "string" } },
          required: ["name"],
          additionalProperties: false,
        },
        execute: (_id, { name }) => `Hello, ${String(name)}!`,
      }),
    );
    api.on("before_tool_call", ({ toolName }) =>
      toolName === "exec" ? { block: true, blockReason: "no commands" } : undefined,
    );
    api.on("before_prompt_build", () => ({ appendSystemContext: "Be brief." }));
    api.logger.info("ready");
  },
});

/** A plugin of one hook handler. */
function observing(register: PluginDefinition["register"]): PluginDefinition {
  return { id: "observing", register };
}

describe("test host", { timeout: 30_000 }, () => {
  it("records the plugin's registrations, log lines and host messages", async () => {
    await using host = await createTestHost({ plugin: greeter });
    expect(host.plugin).toMatchObject({
      id: "greeter",
      status: "loaded",
      toolNames: ["greet"],
      hookNames: ["before_tool_call", "before_prompt_build"],
    });
    expect(host.registrations.tools.map(({ names }) => names)).toEqual([["greet"]]);
    expect(host.registrations.hooks).toHaveLength(2);
    expect(host.diagnostics.filter(({ level }) => level === "error")).toEqual([]);
    expect(host.logs).toContainEqual({
      level: "info",
      subsystem: "plugins",
      message: "ready",
      fields: { pluginId: "greeter" },
    });
  });

  it("shows the plugin's own items only", async () => {
    const neighbour = definePluginEntry({
      id: "neighbour",
      register(api) {
        api.registerTool({
          name: "other",
          description: "Another tool.",
          parameters: noParameters,
          execute: () => "other",
        });
      },
    });
    await using host = await createTestHost({ plugin: greeter, neighbours: [neighbour] });
    expect(host.registrations.tools.map(({ pluginId }) => pluginId)).toEqual(["greeter"]);
    expect((await host.callTool("other")).text).toBe("other");
  });

  it("fires hooks of every kind", async () => {
    const seen: string[] = [];
    await using host = await createTestHost({
      plugin: observing((api) => {
        api.on("message_sent", async ({ content }) => void seen.push(content));
        api.on("before_tool_call", () => ({ block: true, blockReason: "never" }));
        api.on("transform_response", ({ content }) => ({ content: content.toUpperCase() }));
        api.on("before_agent_reply", () => ({ handled: true, reply: { text: "taken" } }));
        api.on("before_message_write", () => ({ block: true }));
      }),
    });
    await host.fire("message_sent", sampleEvent("message_sent", { content: "sent" }));
    expect(seen).toEqual(["sent"]);
    expect(await host.fire("before_tool_call", sampleEvent("before_tool_call"))).toEqual({
      block: true,
      blockReason: "never",
    });
    const rewritten = await host.fire(
      "transform_response",
      sampleEvent("transform_response", { content: "loud" }),
    );
    expect(rewritten).toEqual({ content: "LOUD" });
    expect(await host.fire("before_agent_reply", sampleEvent("before_agent_reply"))).toMatchObject({
      handled: true,
    });
    expect(await host.fire("before_message_write", sampleEvent("before_message_write"))).toEqual({
      block: true,
    });
    expect(host.trace.map(({ hook }) => hook)).toContain("before_message_write");
  });

  it("fires hooks by phase and by alias, with the given context", async () => {
    const channels: unknown[] = [];
    await using host = await createTestHost({
      plugin: observing((api) => {
        api.lifecycle.on("tool.pre", (_event, { channel }) => {
          channels.push(channel);
          return undefined;
        });
      }),
    });
    const event = sampleEvent("before_tool_call");
    await host.firePhase("tool.pre", event);
    await host.firePhase("preToolExecution", event, { channel: "telegram" });
    expect(channels).toEqual(["terminal", "telegram"]);
  });

  it("calls tools through the complete tool-call pipeline", async () => {
    await using host = await createTestHost({ plugin: greeter, files: { "a.txt": "from a file" } });
    expect(await host.callTool("greet", { name: "Ana" })).toMatchObject({
      text: "Hello, Ana!",
      isError: false,
      toolName: "greet",
    });
    expect((await host.callTool("greet")).text).toMatch(/Invalid parameters for greet.*name/);
    expect((await host.callTool("exec", { command: "ls" })).text).toContain("no commands");
    expect((await host.callTool("nothing")).text).toBe("Unknown tool: nothing");
    expect((await host.callTool("read", { path: "a.txt" })).text).toContain("from a file");
  });

  it("runs turns with a scripted model and records its requests", async () => {
    await using host = await createTestHost({
      plugin: greeter,
      model: [
        { toolCalls: [{ toolName: "greet", params: { name: "Bo" } }] },
        { text: "I said hello." },
      ],
    });
    const reply = await host.turn("greet Bo");
    expect(reply).toMatchObject({ status: "replied", text: "I said hello." });
    expect(reply.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["started", "tool-started", "tool-finished", "text", "finished"]),
    );
    expect(host.sent).toEqual([
      { channel: "terminal", conversationId: "terminal", text: "I said hello." },
    ]);
    expect(JSON.stringify(host.modelRequests[0]?.prompt)).toContain("Be brief.");
    expect(JSON.stringify(host.modelRequests[1]?.prompt)).toContain("Hello, Bo!");
  });

  it("accepts messages of any channel without a script", async () => {
    const senders: unknown[] = [];
    await using host = await createTestHost({
      plugin: observing((api) => {
        api.on("message_received", ({ from }, { messageProvider, senderIsOwner }) => {
          senders.push([from, messageProvider, senderIsOwner]);
        });
      }),
    });
    await host.receive({ text: "hi", channel: "telegram", senderId: "ana" });
    await host.turn("hi");
    expect(senders).toEqual([
      ["ana", "telegram", false],
      ["operator", "terminal", true],
    ]);
    expect(host.sent.map(({ channel }) => channel)).toEqual(["telegram", "terminal"]);
  });

  it("uses the approver that the test names, or none", async () => {
    const asking = definePluginEntry({
      id: "asking",
      register(api) {
        api.registerTool({
          name: "act",
          description: "Acts.",
          parameters: noParameters,
          approval: "always",
          execute: () => "acted",
        });
      },
    });
    await using lonely = await createTestHost({ plugin: asking });
    expect((await lonely.callTool("act")).text).toContain("no approver reachable");
    await using host = await createTestHost({
      plugin: asking,
      answer: ({ tool }) => (tool === "act" ? "allow-once" : "deny"),
    });
    expect((await host.callTool("act")).text).toBe("acted");
    expect(host.questions.map(({ tool }) => tool)).toEqual(["act"]);
  });

  it("reaches deadlines without real waiting", async () => {
    await using host = await createTestHost({
      plugin: observing((api) => {
        api.on("before_tool_call", () => new Promise<undefined>(() => {}));
      }),
    });
    const evaluated = host.fire("before_tool_call", sampleEvent("before_tool_call"));
    await host.advance(15_100);
    expect(await evaluated).toMatchObject({
      block: true,
      blockReason: expect.stringContaining("did not answer in time"),
    });
  });

  it("accepts the store and the clock of the test, and leaves the store open", async () => {
    const store = await openStore({ file: ":memory:" });
    onTestFinished(() => store.close());
    const clock = createTestClock(Date.UTC(2030, 0, 1));
    const counting = observing((api) => {
      api.on("message_received", async () => {
        const count = Number((await api.store.kv.get("count")) ?? 0) + 1;
        await api.store.kv.set("count", count);
        api.logger.info(`message ${count}`);
      });
    });
    for (const count of [1, 2]) {
      await using host = await createTestHost({ plugin: counting, store, clock });
      await host.turn("hello");
      expect(host.logs.map(({ message }) => message)).toContain(`message ${count}`);
      expect(host.clock.now()).toBeGreaterThanOrEqual(Date.UTC(2030, 0, 1));
    }
    expect(await store.sessions.list({ limit: 10 })).toHaveLength(1);
  });

  it("[SDK-026] loads a plugin by object or by path into the real host, with its own store, model and clock", async () => {
    const config = { agents: { defaults: { instructions: "Count words." } } };
    const sound = new URL("../plugins/sound", import.meta.url);
    const began = Date.UTC(2030, 0, 1);
    const greet = { toolName: "greet", params: { name: "Ada" } };
    const count = { toolName: "word_count", params: { text: "one two" } };
    for (const plugin of [greeter, sound, fileURLToPath(sound)]) {
      const clock = createTestClock(began);
      const model = [{ toolCalls: [plugin === greeter ? greet : count] }, { text: "Counted." }];
      await using host = await createTestHost({ plugin, config, clock, model });
      expect(host.plugin.status).toBe("loaded");
      // The complete path of a message: gateway, agent, policy, scripted model; nothing is left behind.
      expect(await host.turn("count")).toMatchObject({ status: "replied", text: "Counted." });
      expect(JSON.stringify(host.modelRequests[0]?.prompt)).toContain("Count words.");
      const answer = plugin === greeter ? '"Hello, Ada!"' : '"value":"2"';
      expect(JSON.stringify(host.modelRequests[1]?.prompt.at(-1))).toContain(answer);
      await host.advance(60_000);
      expect(host.clock.now()).toBe(began + 60_000);
      // In memory: the next host does not have the data of the previous one.
      expect(host.modelRequests[0]?.prompt.filter(({ role }) => role === "user")).toHaveLength(1);
    }
  });

  it("checks the configuration of the plugin and of the host", async () => {
    const configured: PluginDefinition<{ limit: number }> = {
      id: "configured",
      configSchema: {
        type: "object",
        properties: { limit: { type: "integer", default: 3 } },
        additionalProperties: false,
      },
      register: (api) => api.logger.info(`limit ${api.pluginConfig.limit}`),
    };
    await using host = await createTestHost({ plugin: configured, pluginConfig: { limit: 5 } });
    expect(host.logs.map(({ message }) => message)).toContain("limit 5");
    await expect(
      createTestHost({ plugin: configured, pluginConfig: { limit: 1.5 } }),
    ).rejects.toMatchObject({
      code: "PLUGIN_NOT_LOADED",
      message: expect.stringContaining("limit"),
    });
    await expect(
      createTestHost({ plugin: configured, config: { logging: { level: "loud" as "info" } } }),
    ).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("reports the reason when a plugin does not run", async () => {
    const failing = observing(() => {
      throw new Error("no licence");
    });
    const failure = await createTestHost({ plugin: failing }).catch((error: unknown) => error);
    expect(PluginNotLoadedError.isInstance(failure)).toBe(true);
    expect(failure).toMatchObject({ message: expect.stringContaining("no licence") });
    const off = { plugins: { entries: { greeter: { enabled: false } } } };
    await expect(createTestHost({ plugin: greeter, config: off })).rejects.toMatchObject({
      code: "PLUGIN_NOT_LOADED",
    });
    await expect(createTestHost({ plugin: "/nowhere/at/all" })).rejects.toMatchObject({
      code: "PLUGIN_MISSING",
      message: expect.stringContaining("/nowhere/at/all"),
    });
  });

  it("stops even when a handler hangs, and can be disposed of twice", async () => {
    const host = await createTestHost({
      plugin: observing((api) => {
        api.on("gateway_pre_stop", () => new Promise(() => {}));
        api.on("before_prompt_build", () => new Promise<undefined>(() => {}));
      }),
    });
    const turn = host.turn("hello");
    await host.dispose();
    await host.dispose();
    expect((await turn).status).not.toBe("replied");
    expect(host.plugin.id).toBe("observing");
  });
});

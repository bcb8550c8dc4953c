import { describe, expect, it } from "vitest";
import {
  defineChannelPluginEntry,
  defineCommand,
  defineHook,
  definePluginEntry,
  defineProvider,
  defineService,
  defineTool,
  defineToolPlugin,
  emptyPluginConfigSchema,
  type OpenClawPluginApi,
  type ToolDefinition,
} from "../../src/index.js";

/** An `api` that notes what is called on it, in order. */
function noting(members: Partial<OpenClawPluginApi> = {}) {
  const calls: [string, ...unknown[]][] = [];
  const api = new Proxy(members, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      ((...given: unknown[]) => void calls.push([String(name), ...given])),
  }) as OpenClawPluginApi;
  return { api, calls };
}

describe("definePluginEntry", () => {
  it("[SDK-008] adds an empty schema to a plugin without one", () => {
    const register = () => {};
    const plugin = definePluginEntry({ id: "hello", name: "Hello", register });
    expect(plugin).toEqual({
      id: "hello",
      name: "Hello",
      register,
      configSchema: { type: "object", properties: {}, additionalProperties: false },
    });
    expect(plugin.configSchema).toBe(emptyPluginConfigSchema());
  });

  it("[SDK-008] keeps the schema it was given", () => {
    const configSchema = { type: "object" };
    expect(definePluginEntry({ id: "hello", configSchema, register() {} }).configSchema).toBe(
      configSchema,
    );
  });

  it("provides a frozen empty schema", () => {
    expect(Object.isFrozen(emptyPluginConfigSchema())).toBe(true);
    expect(Object.isFrozen(emptyPluginConfigSchema().properties)).toBe(true);
  });
});

describe("defineToolPlugin", () => {
  it("[SDK-011] registers its tools in order and passes the plugin's configuration and api to each", async () => {
    const plugin = defineToolPlugin({
      id: "dice",
      tools: (tool) => [
        tool({
          name: "roll",
          label: "Roll",
          description: "Rolls.",
          parameters: { type: "object" },
          parallelSafe: true,
          execute: ({ count }, { sides }, { toolCallId, api, signal }) =>
            [count, sides, toolCallId, api.id, signal.aborted].join(" "),
        }),
        tool({
          name: "rare",
          description: "Rare.",
          parameters: { type: "object" },
          optional: true,
          execute: () => null,
        }),
      ],
    });
    const { api, calls } = noting({ id: "dice", pluginConfig: { sides: 6 } });
    await plugin.register(api);
    const [[, roll], [, rare]] = calls as [[string, ToolDefinition], [string, ToolDefinition]];
    expect(calls.map(([method]) => method)).toEqual(["registerTool", "registerTool"]);
    expect(roll).toMatchObject({ name: "roll", label: "Roll", parallelSafe: true });
    expect(rare).toMatchObject({ name: "rare", optional: true });
    const { signal } = new AbortController();
    expect(await roll.execute("call-1", { count: 2 }, signal, () => {})).toBe(
      "2 6 call-1 dice false",
    );
  });

  it("registers a factory under the name of its tool", async () => {
    const made = defineTool({ name: "own", description: "", parameters: {}, execute: () => null });
    const plugin = defineToolPlugin({
      id: "owner-only",
      tools: (tool) => [
        tool({
          name: "own",
          factory: ({ toolContext }) => (toolContext.senderIsOwner ? made : undefined),
        }),
      ],
    });
    const { api, calls } = noting();
    await plugin.register(api);
    const [[, factory, options]] = calls as [[string, (context: object) => unknown, object]];
    expect(options).toEqual({ name: "own", optional: false });
    expect(factory({ senderIsOwner: true })).toBe(made);
    expect(factory({ senderIsOwner: false })).toBeNull();
  });
});

describe("defineChannelPluginEntry", () => {
  it("[SDK-011] passes the runtime, registers the channel, then everything else", async () => {
    const channel = { id: "zulip", capabilities: {} };
    const { api, calls } = noting({
      runtime: { version: "1.2.3" } as OpenClawPluginApi["runtime"],
    });
    const plugin = defineChannelPluginEntry({
      id: "zulip",
      plugin: channel,
      setRuntime: ({ version }) => void calls.push(["setRuntime", version]),
      registerCliMetadata: (given) => given.registerCli(() => {}, { commands: ["zulip"] }),
      registerFull: async (given) => given.registerReload({ hotPrefixes: ["zulip"] }),
    });
    await plugin.register(api);
    expect(plugin.channelPlugin).toBe(channel);
    expect(calls).toEqual([
      ["setRuntime", "1.2.3"],
      ["registerChannel", channel],
      ["registerCli", expect.any(Function), { commands: ["zulip"] }],
      ["registerReload", { hotPrefixes: ["zulip"] }],
    ]);
  });
});

describe("the other definitions", () => {
  it("[SDK-011] return what they were given", () => {
    const tool = { name: "t", description: "", parameters: {}, execute: () => "" };
    expect(defineTool(tool)).toBe(tool);
    const provider = {
      id: "p",
      defaultModel: "m",
      paid: false,
      setup: "nothing",
      languageModel: () => Promise.reject(new Error("not here")),
    };
    expect(defineProvider(provider)).toBe(provider);
    const service = { id: "s", start() {} };
    expect(defineService(service)).toBe(service);
    const command = { name: "c", description: "", handler: () => ({}) };
    expect(defineCommand(command)).toBe(command);
  });

  it("[SDK-011] keep a hook's name, handler and options together", () => {
    const handler = () => {};
    expect(defineHook("agent_end", handler)).toEqual({ name: "agent_end", handler });
    expect(defineHook("agent_end", handler, { priority: 3 })).toEqual({
      name: "agent_end",
      handler,
      options: { priority: 3 },
    });
  });
});

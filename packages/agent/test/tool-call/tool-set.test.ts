import type { AnyAgentTool, ToolFactory, ToolSessionContext } from "@openclaw/plugin-sdk/tools";
import { afterEach, describe, expect, it, vi } from "vitest";
import { deferred } from "../support/deferred.js";
import { calling, plugin, type TurnHost, textOf, tool, turnHost } from "../support/turn-host.js";

/** Names of the tools the model was offered, in the order of the set. */
function offeredBy(tools: string[]) {
  return plugin("reader", (api) => {
    api.on("llm_input", (event) => {
      tools.push(...(event.tools ?? []).map(({ name }) => name));
    });
  });
}

/** A plugin of one factory; it may make anything, since factories need not be typed. */
function maker(id: string, make: () => unknown, options: { names?: string[] } = {}) {
  return plugin(id, (api) => api.registerTool(make as ToolFactory, options));
}

function offered(host: TurnHost): string[] {
  return (host.requests[0]?.tools ?? []).map(({ name }) => name);
}

function problems(host: TurnHost) {
  return host.lines
    .filter(({ fields }) => String(fields.code).startsWith("TOOL_"))
    .map(({ level, message, fields }) => ({ level, message, ...fields }));
}

describe("tool set of a turn", () => {
  it("[TURN-026] lists core tools in their order, then plugin tools by name, in every turn", async () => {
    const tools: string[] = [];
    const host = await turnHost({
      script: () => ({ text: "done" }),
      coreTools: [tool("write"), tool("read")],
      plugins: [
        offeredBy(tools),
        plugin("b", (api) => api.registerTool(tool("zoom"))),
        plugin("a", (api) => api.registerTool(tool("aim"))),
        plugin("c", (api) => api.registerTool(tool("Map"))),
      ],
    });
    await host.run();
    expect(tools).toEqual(["write", "read", "Map", "aim", "zoom"]);
    expect(offered(host)).toEqual(tools);
    tools.length = 0;
    await host.run();
    expect(tools).toEqual(["write", "read", "Map", "aim", "zoom"]);
    expect(problems(host)).toEqual([]);
  });

  it("offers tools with their description and schema", async () => {
    const parameters = { type: "object", properties: { who: { type: "string" } } };
    const host = await turnHost({ coreTools: [tool("greet", { parameters })] });
    await host.run();
    expect(host.requests[0]?.tools).toEqual([
      { type: "function", name: "greet", description: "The tool greet.", inputSchema: parameters },
    ]);
  });

  it("[TURN-014] contains only tools that policy allows", async () => {
    const host = await turnHost({
      script: [calling("exec", "fly"), { text: "done" }],
      layers: [{ layer: "global", deny: ["exec", "plugin:birds"] }],
      coreTools: [tool("read"), tool("exec")],
      plugins: [plugin("birds", (api) => api.registerTool(tool("fly")))],
    });
    await host.run();
    expect(offered(host)).toEqual(["read"]);
    expect((await host.toolResults()).map(textOf)).toEqual([
      "Tool exec is not allowed here (global: exec)",
      "Tool fly is not allowed here (global: plugin:birds)",
    ]);
    expect(problems(host)).toEqual([]);
  });

  it("[EXT-011] names the tools of an MCP server by the server, but not one with the name of a core tool", async () => {
    const host = await turnHost({
      layers: [{ layer: "global", allow: ["read", "birds"] }],
      coreTools: [tool("read"), tool("exec")],
      plugins: [
        plugin("mcp", (api) => {
          api.registerTool(tool("birds__fly", { mcpServer: "birds" }));
          api.registerTool(tool("read__all", { mcpServer: "read" }));
          api.registerTool(tool("fish__swim", { mcpServer: "fish" }));
        }),
      ],
    });
    await host.run();
    expect(offered(host)).toEqual(["read", "birds__fly"]);
  });

  it("omits optional tools that no list names, and owner-only tools for others", async () => {
    const plugins = [
      plugin("extras", (api) => {
        api.registerTool(tool("bonus"), { optional: true });
        api.registerTool(tool("reset", { ownerOnly: true }));
      }),
    ];
    const anyone = await turnHost({ plugins });
    const origin = { ...anyone.request().origin, senderIsOwner: false };
    await anyone.run({ origin });
    expect(offered(anyone)).toEqual([]);
    const owner = await turnHost({
      plugins,
      layers: [{ layer: "global", allow: ["bonus", "reset"] }],
    });
    await owner.run();
    expect(offered(owner)).toEqual(["bonus", "reset"]);
  });

  it.each(["bonus", "extras", "group:plugins"])(
    "[PLUG-031] has an optional tool when a list names %s, and not when a list admits any tool",
    async (entry) => {
      const plugins = [
        plugin("extras", (api) => api.registerTool(tool("bonus"), { optional: true })),
      ];
      const named = await turnHost({ plugins, layers: [{ layer: "global", allow: [entry] }] });
      await named.run();
      expect(offered(named)).toEqual(["bonus"]);
      for (const layers of [[], [{ layer: "global" as const, allow: ["*"] }]]) {
        const host = await turnHost({ plugins, layers });
        await host.run();
        expect(offered(host)).toEqual([]);
      }
    },
  );

  it("[TURN-026] supports names of Object.prototype members, and finds only those of the set", async () => {
    const names = ["constructor", "__proto__", "toString"];
    const host = await turnHost({
      script: [calling(...names, "hasOwnProperty"), { text: "done" }],
      plugins: [plugin("odd", (api) => names.forEach((name) => void api.registerTool(tool(name))))],
    });
    await host.run();
    expect((await host.toolResults()).map(textOf)).toEqual([
      "constructor ran",
      "__proto__ ran",
      "toString ran",
      "Unknown tool: hasOwnProperty",
    ]);
  });
});

describe("tool factory", () => {
  it.each<[string, () => unknown, string[]]>([
    ["one tool", () => tool("one"), ["one"]],
    ["several tools", () => [tool("one"), tool("two")], ["one", "two"]],
    ["tools after a while", async () => [tool("one")], ["one"]],
    ["no tool by null", () => null, []],
    ["no tool by an empty list", () => [], []],
  ])("[TURN-014] can make %s", async (_what, make, names) => {
    const host = await turnHost({ plugins: [maker("factory", make)] });
    await host.run();
    expect(offered(host)).toEqual(names);
    expect(problems(host)).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("no key");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no key"))],
  ])("[TURN-014] loses its own tools only when it %s", async (_what, make) => {
    const host = await turnHost({
      plugins: [maker("factory", make), plugin("good", (api) => api.registerTool(tool("fine")))],
    });
    expect(await host.run()).toMatchObject({ status: "completed" });
    expect(offered(host)).toEqual(["fine"]);
    expect(problems(host)).toEqual([
      {
        level: "warn",
        code: "TOOL_FACTORY_FAILED",
        pluginId: "factory",
        message:
          'a tool factory of plugin "factory" failed (no key); its tools are missing in this turn',
      },
    ]);
  });

  it.each<[string, unknown, string]>([
    ["undefined", undefined, "that is not an object: undefined"],
    ["a text", "tool", "that is not an object: tool"],
    ["a list with null in it", [null], "that is not an object: null"],
    ["a tool without a name", { ...tool("x"), name: undefined }, "without a usable name"],
    ["a tool of a bad name", tool("no spaces please"), "without a usable name"],
    ["a tool of a long name", tool("x".repeat(65)), "without a usable name"],
    ["a tool without a description", { ...tool("x"), description: 1 }, "without a description"],
    ["a tool that cannot run", { ...tool("x"), execute: "ls" }, "without an execute function"],
  ])("is reported when it makes %s", async (_what, product, problem) => {
    const host = await turnHost({
      plugins: [
        maker("factory", () => product),
        plugin("good", (api) => api.registerTool(tool("fine"))),
      ],
    });
    expect(await host.run()).toMatchObject({ status: "completed" });
    expect(offered(host)).toEqual(["fine"]);
    expect(problems(host)).toMatchObject([
      { code: "TOOL_NAME_INVALID", message: expect.stringContaining(problem) },
    ]);
  });

  it("[TURN-014] is not called when policy denies all the names it declared", async () => {
    const make = vi.fn(() => [tool("one"), tool("two")]);
    const plugins = [maker("factory", make, { names: ["one", "two"] })];
    const denied = await turnHost({
      plugins,
      layers: [{ layer: "global", deny: ["one", "two"] }],
    });
    await denied.run();
    expect(make).not.toHaveBeenCalled();
    const partly = await turnHost({ plugins, layers: [{ layer: "global", deny: ["one"] }] });
    await partly.run();
    expect(make).toHaveBeenCalledTimes(1);
    expect(offered(partly)).toEqual(["two"]);
  });

  it("[TURN-014] is called once per turn", async () => {
    const make = vi.fn(() => tool("one"));
    const host = await turnHost({
      script: [calling("one"), { text: "a" }, { text: "b" }],
      plugins: [maker("factory", make)],
    });
    await host.run();
    expect(make).toHaveBeenCalledTimes(1);
    await host.run();
    expect(make).toHaveBeenCalledTimes(2);
  });
});

describe("tool factory that hangs", () => {
  afterEach(() => void vi.useRealTimers());

  it("[TURN-014] loses its tools after five seconds, and the turn continues", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const asked = deferred();
    const make = () => {
      asked.resolve();
      return new Promise<AnyAgentTool>(() => {});
    };
    const host = await turnHost({
      plugins: [maker("slow", make), maker("quick", () => tool("fine"))],
    });
    const running = host.run();
    await asked.promise;
    await vi.advanceTimersByTimeAsync(4_999);
    expect(host.requests).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(await running).toMatchObject({ status: "completed" });
    expect(offered(host)).toEqual(["fine"]);
    expect(problems(host)).toMatchObject([
      { code: "TOOL_FACTORY_FAILED", message: expect.stringContaining("within 5000 ms") },
    ]);
  });
});

describe("two tools with the same name", () => {
  it.each(["read", "Read", "READ_FILE", "read_file"])(
    "[TURN-015] [TURN-071] leave the core tool in place: %s",
    async (name) => {
      const host = await turnHost({
        script: [calling("read"), { text: "done" }],
        coreTools: [tool("read")],
        plugins: [maker("shadow", () => tool(name, { execute: () => "not the core" }))],
      });
      await host.run();
      expect(offered(host)).toEqual(["read"]);
      expect(textOf((await host.toolResults())[0])).toBe("read ran");
      expect(problems(host)).toMatchObject([
        {
          code: "TOOL_DUPLICATE",
          pluginId: "shadow",
          message: `tool "${name}" of plugin "shadow" is dropped: the core has a tool of that name`,
        },
      ]);
    },
  );

  it("protect a core tool that policy denies, too", async () => {
    const host = await turnHost({
      layers: [{ layer: "global", deny: ["exec"] }],
      coreTools: [tool("exec")],
      plugins: [maker("shadow", () => tool("bash"))],
    });
    await host.run();
    expect(offered(host)).toEqual([]);
    expect(problems(host)).toMatchObject([{ code: "TOOL_DUPLICATE" }]);
  });

  it("[TURN-015] leave the tool of the first plugin in place, and name both plugins", async () => {
    const host = await turnHost({
      plugins: [
        maker("first", () => [tool("one"), tool("One")]),
        maker("second", () => [tool("ONE"), tool("two")]),
      ],
    });
    await host.run();
    expect(offered(host)).toEqual(["one", "two"]);
    expect(problems(host).map(({ message }) => message)).toEqual([
      'tool "One" of plugin "first" is dropped: plugin "first" has a tool of that name',
      'tool "ONE" of plugin "second" is dropped: plugin "first" has a tool of that name',
    ]);
  });
});

describe("tool with an unusable schema", () => {
  it.each<[string, object, string]>([
    ["is of no object", { type: "string" }, "TOOL_SCHEMA_INVALID"],
    [
      "has a pattern that is not a regular expression",
      { type: "object", properties: { a: { pattern: "(" } } },
      "TOOL_SCHEMA_INVALID",
    ],
    ["requires what it lacks", { type: "object", required: ["a"] }, "TOOL_PARAM_CONFLICT"],
  ])("[TURN-015] is dropped because it %s", async (_what, parameters, code) => {
    const host = await turnHost({
      plugins: [
        plugin("schemas", (api) => {
          api.registerTool(() => tool("bad", { parameters }));
          api.registerTool(tool("fine"));
        }),
      ],
    });
    expect(await host.run()).toMatchObject({ status: "completed" });
    expect(offered(host)).toEqual(["fine"]);
    expect(problems(host)).toMatchObject([
      {
        code,
        pluginId: "schemas",
        message: expect.stringMatching(/^tool "bad" of plugin "schemas" is dropped: parameters /),
      },
    ]);
  });
});

describe("parameters with the same name and different types", () => {
  const of = (type: string) => ({ type: "object", properties: { limit: { type } } });

  it("[TURN-015] in tools of one plugin log a warning, and the tools stay", async () => {
    const host = await turnHost({
      coreTools: [tool("core", { parameters: of("boolean") })],
      plugins: [
        maker("mixed", () => [
          tool("a", { parameters: of("number") }),
          tool("b", { parameters: of("integer") }),
          tool("c", { parameters: of("string") }),
        ]),
        maker("other", () => tool("d", { parameters: of("string") })),
      ],
    });
    await host.run();
    expect(offered(host).sort()).toEqual(["a", "b", "c", "core", "d"]);
    expect(problems(host)).toEqual([
      {
        level: "warn",
        code: "TOOL_PARAM_TYPE_MISMATCH",
        pluginId: "mixed",
        message:
          'plugin "mixed" has a parameter "limit" of type number in tool "a" and of type string in tool "c"; give both the same type, or different names',
      },
    ]);
  });
});

describe("context of a tool factory", () => {
  it("[TURN-014] contains session, sender, place and model of the turn", async () => {
    const seen: ToolSessionContext[] = [];
    const host = await turnHost({
      stateDir: "/state",
      plugins: [
        plugin("factory", (api) => {
          api.registerTool((context) => {
            seen.push(context);
            return tool("made");
          });
        }),
      ],
    });
    const { origin } = host.request();
    await host.run({ origin: { ...origin, accountId: "work", threadId: "t-1" } });
    expect(seen).toEqual([
      {
        sessionKey: "agent:main:main",
        sessionId: host.sessionId,
        agentId: "main",
        workspaceDir: "/workspace",
        agentDir: "/state/agents/main",
        config: {},
        recall: expect.any(Function),
        callTool: expect.any(Function),
        requester: {
          channel: "terminal",
          channelId: "terminal:me",
          senderId: "me",
          senderIsOwner: true,
          accountId: "work",
          threadId: "t-1",
        },
        messageChannel: "terminal",
        agentAccountId: "work",
        requesterSenderId: "me",
        senderIsOwner: true,
        sandboxed: false,
        activeModel: "scripted/script",
        deliveryContext: {
          channel: "terminal",
          to: "terminal:me",
          accountId: "work",
          threadId: "t-1",
        },
      },
    ]);
  });
});

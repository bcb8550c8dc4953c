import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel } from "@openclaw/models";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { configurationMethods, type GatewayMethods } from "@openclaw/protocol";
import type { MethodRegistry } from "@openclaw/protocol/registry";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Gateway } from "../../src/running-gateway.js";
import { startTestGateway } from "../support/gateway.js";
import { scriptedProvider } from "../support/scripted-provider.js";

const SESSION = "agent:main:main";
const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

const probe: PluginDefinition = {
  id: "probe",
  configSchema: {
    type: "object",
    properties: { pin: { type: "string" } },
    additionalProperties: false,
  },
  register(api) {
    api.registerTool({
      name: "probe_echo",
      label: "Echo",
      description: "Returns its text.",
      parameters: {
        type: "object",
        properties: { text: { type: "string" } },
        required: ["text"],
        additionalProperties: false,
      },
      execute: async (_id, params) => ({
        content: [{ type: "text", text: String((params as { text: string }).text) }],
        details: {},
        cost: { usd: "0.25", estimated: false },
      }),
    });
    const write = {
      ...{ name: "memory_write", description: "Stores a text in a document of the memory" },
      parameters: { type: "object", properties: { content: { type: "string" } } },
    };
    api.registerTool(
      ({ isDirect = false }) => {
        direct.push(isDirect);
        const details = { path: isDirect ? "direct.md" : "model.md", created: true };
        const content = [{ type: "text" as const, text: details.path }];
        return { ...write, execute: async () => ({ content, details }) };
      },
      { names: ["memory_write"] },
    );
    api.registerTool(() =>
      components.map((name) => ({
        ...{ name, description: "Of a component.", parameters: { type: "object" } },
        ...{ wasmComponent: name, execute: () => "done" },
      })),
    );
    api.registerToolMetadata({
      toolName: "probe_echo",
      displayName: "Echo",
      description: "Says it again",
      risk: "low",
      tags: ["text"],
    });
    api.registerToolMetadata({ toolName: "read", displayName: "Mine" });
    api.on("before_tool_call", ({ params }) =>
      params.text === "forbidden" ? { block: true, blockReason: "not today" } : undefined,
    );
    const script = () => ({ text: "ok", usage: { input: 3, output: 2, total: 5 } });
    api.registerProvider(scriptedProvider(createScriptedModel(script)));
    api.on("before_prompt_build", () => ({ prependContext: `secret ${SECRET}` }));
    api.on("before_agent_run", ({ prompt }) =>
      prompt.includes("blocked words")
        ? { outcome: "block", reason: "no", message: "Not this." }
        : undefined,
    );
  },
};

/** Calls for which the tool `memory_write` was created: true for a direct one. */
const direct: boolean[] = [];
/** Tools of components that the plugin offers now. */
let components: readonly string[] = [];
let folder: TemporaryFolder;
let gateway: Gateway;
let methods: MethodRegistry<GatewayMethods>;

beforeAll(async () => {
  folder = temporaryFolder();
  folder.write({
    "openclaw.json": `{
  // who may listen
  gateway: { auth: { token: "a-token-that-nobody-else-knows" } },
  session: { queueMode: "queue" },
}
`,
  });
  gateway = await startTestGateway(folder, { inlinePlugins: [probe], model: "scripted/script" });
  methods = await gateway.methods();
});

afterAll(async () => {
  await gateway.stop("command");
  folder[Symbol.dispose]();
});

async function say(text: string): Promise<string> {
  const outcome = await gateway.receive({
    channel: "terminal",
    conversationId: "terminal",
    senderId: "operator",
    senderIsOwner: true,
    text,
    sessionKey: SESSION,
  });
  return "runId" in outcome ? (outcome.runId ?? "") : "";
}

describe("host.health, host.status and models.list", () => {
  it("[GW-029] [GW-555] describe the running gateway", async () => {
    expect(await methods.call("host.health", {})).toMatchObject({
      ready: true,
      checks: expect.arrayContaining([{ name: "store", ok: true }]),
    });
    expect(await methods.call("host.status", {})).toMatchObject({
      version: "1.0.0",
      uptimeMs: expect.any(Number),
      agents: ["main"],
      queueMode: "queue",
      plugins: { loaded: 1, failed: 0 },
      turns: { unfinished: 0 },
      pendingApprovals: 0,
    });
    const { providers, agents } = await methods.call("models.list", {});
    expect(providers).toContainEqual(expect.objectContaining({ id: "scripted", ready: true }));
    expect(agents).toEqual([{ agentId: "main", model: gateway.model.ref, fallbacks: [] }]);
  });
});

describe("tasks.list", () => {
  it("[HOST-024] lists the timers of the host", async () => {
    const { tasks } = await methods.call("tasks.list", {});
    const names = ["approvals", "jobs", "retention", "routines", "sessions"];
    expect(tasks.map(({ name }) => name)).toEqual(names);
    expect(tasks.filter(({ isPaused, failures }) => isPaused || failures > 0)).toEqual([]);
  });
});

describe("usage.query", () => {
  it("[GW-029] sums the tokens of turns by agent, session, model and day", async () => {
    await say("hello");
    const total = async (groupBy: "agent" | "session" | "model" | "day") => {
      const { groups } = await methods.call("usage.query", { groupBy });
      expect(groups).toHaveLength(1);
      const [group] = groups;
      expect(group?.totalTokens).toBe((group?.inputTokens ?? 0) + (group?.outputTokens ?? 0));
      expect(group?.totalTokens).toBeGreaterThan(0);
      return group?.key;
    };
    expect(await total("agent")).toBe("main");
    expect(await total("session")).toBe(SESSION);
    expect(await total("model")).toBe(gateway.model.ref);
    expect(await total("day")).toBe(new Date().toISOString().slice(0, 10));
    const before = await methods.call("usage.query", { to: 1 });
    expect(before).toMatchObject({ groups: [], total: { count: 0, costUsd: "0" } });
  });

  it("[GW-570] sums by sender, by the days of a group, and what a filter selects, with a total to the last unit", async () => {
    await say("hello");
    const query = { groupBy: "sender", splitBy: "day", timeZone: "UTC" } as const;
    // A period ends before the millisecond of the query.
    const { groups, total } = await vi.waitFor(async () => {
      const found = await methods.call("usage.query", query);
      expect(found.total.count).toBeGreaterThan(0);
      return found;
    });
    expect(groups.map(({ key }) => key)).toEqual(["terminal:operator"]);
    const [group] = groups;
    const { key: _key, periods = [], ...figures } = group ?? { key: "" };
    expect(figures).toEqual(total);
    expect(periods.reduce((sum, { count }) => sum + count, 0)).toBe(total.count);
    const of = async (filter: object, groupBy: "tool" | "model" = "model") =>
      (await methods.call("usage.query", { groupBy, filter })).total.count;
    expect(await of({ sender: "terminal:operator", agentId: "main" })).toBeGreaterThan(0);
    expect(await of({ sender: "terminal:someone" })).toBe(0);
    expect(await of({ sessionKey: "agent:main:none" }, "tool")).toBe(0);
    const { content, contentType } = await methods.call("usage.export", query);
    expect(contentType).toBe("text/csv");
    expect(content.split("\r\n")[0]).toBe(
      "sender,period,calls,input_tokens,cache_read_tokens,output_tokens,total_tokens,cost_usd,estimated_calls",
    );
    expect(content).toMatch(/^terminal:operator,\d{4}-\d\d-\d\d,\d+,/m);
    await expect(methods.call("usage.export", { timeZone: "Moon/Sea" })).rejects.toMatchObject({
      code: "STORE_ARGUMENT",
    });
  });
});

describe("usage.query of tools", () => {
  it("[LLM-480] sums what the calls of a tool cost themselves, as the tool reported it", async () => {
    const invoke = (text: string) =>
      methods.call("tools.invoke", { sessionKey: SESSION, tool: "probe_echo", params: { text } });
    await invoke("one");
    await invoke("two");
    // A period ends before the millisecond of the query, in which the last call may have been answered.
    await vi.waitFor(async () => {
      const { groups } = await methods.call("usage.query", { groupBy: "tool" });
      const group = groups.find(({ key }) => key === "probe_echo");
      // Other tests of this file call the tool, too.
      const calls = Number(group?.toolCostUsd) / 0.25;
      expect(calls).toBeGreaterThanOrEqual(2);
      expect(Number.isInteger(calls)).toBe(true);
    });
  });
});

describe("tools.invoke and memory.write", () => {
  it("[MEM-410] are direct calls, of which tools know that no model wrote them", async () => {
    const params = { content: "a text" };
    expect(await methods.call("memory.write", params)).toMatchObject({ path: "direct.md" });
    const call = { sessionKey: SESSION, tool: "memory_write", params };
    expect(JSON.stringify(await methods.call("tools.invoke", call))).toContain("direct.md");
    direct.length = 0;
    await say("hello");
    expect(new Set(direct)).toEqual(new Set([false]));
  });
});

describe("hooks.trace", () => {
  it("[GW-027] returns the dispatches of a run with results, without secrets", async () => {
    const runId = await say("hello");
    const trace = await methods.call("hooks.trace", { runId });
    const build = trace.dispatches.find(({ hook }) => hook === "before_prompt_build");
    expect(build).toMatchObject({
      outcome: "completed",
      at: expect.any(Number),
      handlers: [{ pluginId: "probe", outcome: "ok", durationMs: expect.any(Number) }],
    });
    const { at = 0, durationMs = 0, handlers: [handler] = [] } = build ?? {};
    expect(handler?.at).toBeGreaterThanOrEqual(at);
    expect(handler?.at).toBeLessThanOrEqual(at + durationMs);
    expect(JSON.stringify(build)).toContain("secret ");
    expect(JSON.stringify(trace)).not.toContain(SECRET);
    await expect(methods.call("hooks.trace", { runId: "none" })).rejects.toMatchObject({
      code: "RUN_NOT_FOUND",
    });
  });

  it("[GW-027] returns no text of a message that the gate blocked", async () => {
    const runId = await say("blocked words");
    const trace = await methods.call("hooks.trace", { runId });
    expect(trace.dispatches.map(({ hook }) => hook)).toContain("before_agent_run");
    expect(JSON.stringify(trace)).not.toContain("blocked words");
  });
});

describe("plugins.inspect", () => {
  it("[GW-026] returns registrations, permissions, and the counts and durations of hooks", async () => {
    await say("hello");
    expect(await methods.call("plugins.inspect", { id: "probe" })).toMatchObject({
      status: "loaded",
      registered: { toolNames: ["probe_echo", "memory_write"] },
      permissions: expect.any(Object),
      hasConfigSchema: true,
      hooks: expect.arrayContaining([
        {
          hook: "before_prompt_build",
          priority: 0,
          active: true,
          failed: 0,
          fired: expect.any(Number),
          p50Ms: expect.any(Number),
          p99Ms: expect.any(Number),
        },
      ]),
    });
  });
});

describe("tools.catalog, effective and invoke", () => {
  it("[GW-029] [PLUG-111] [TURN-066] lists all tools with the metadata of their plugin, and those of a session", async () => {
    await say("hello");
    const { tools } = await methods.call("tools.catalog", {});
    expect(tools).toContainEqual({ name: "read", source: "core" });
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    expect(tools).toContainEqual({
      ...{ name: "web_search", source: "core" },
      unavailable: expect.stringContaining("tools.webSearch.provider is not set"),
    });
    expect(tools).toContainEqual({
      name: "probe_echo",
      source: "plugin",
      pluginId: "probe",
      displayName: "Echo",
      description: "Says it again",
      risk: "low",
      tags: ["text"],
    });
    const effective = await methods.call("tools.effective", { sessionKey: "main" });
    expect(effective.sessionKey).toBe(SESSION);
    expect(effective.tools).toContainEqual(
      expect.objectContaining({ name: "probe_echo", description: "Returns its text." }),
    );
    const tokens = new Map(effective.tools.map((tool) => [tool.name, tool.tokens]));
    expect(Math.min(...tokens.values())).toBeGreaterThan(20);
    // It names each tool that is not loaded.
    expect(tokens.get("tool_search")).toBeLessThan(400);
    tokens.delete("tool_search");
    expect(Math.max(...tokens.values())).toBeLessThan(300);
  });

  it("[GW-029] [TURN-031] runs a tool through the same checks as the calls of models", async () => {
    await say("hello");
    const invoke = (params: object, tool = "probe_echo") =>
      methods.call("tools.invoke", { sessionKey: SESSION, tool, params: { ...params } });
    expect(await invoke({ text: "hi" })).toMatchObject({
      isError: false,
      content: [{ type: "text", text: "hi" }],
    });
    const text = async (result: ReturnType<typeof invoke>) =>
      JSON.stringify((await result).content);
    expect(await text(invoke({ text: "forbidden" }))).toContain("not today");
    expect(await text(invoke({ text: 1 }))).toContain("text");
    expect(await text(invoke({}, "nothing"))).toContain("Unknown tool: nothing");
    await expect(
      methods.call("tools.invoke", { sessionKey: "agent:main:none", tool: "read", params: {} }),
    ).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  });

  it("[GW-029] waits for the approval of a call while an approver is connected", async () => {
    await say("hello");
    const exec = { sessionKey: SESSION, tool: "exec", params: { command: "rm -r x" } };
    const leave = gateway.attend({
      channel: "test",
      show: async ({ id, state }) => {
        if (state !== "pending") return;
        const operator = { channel: "test", senderId: "operator", isOwner: true };
        await gateway.approvals.decide(id, { decision: "deny", via: "test" }, operator);
      },
    });
    const denied = await methods.call("tools.invoke", exec);
    leave();
    expect(denied.isError).toBe(true);
    const { approvals } = await methods.call("approvals.history", {});
    expect(approvals).toMatchObject([{ tool: "exec", state: "denied", runId: denied.runId }]);
  });
});

describe("the backups", () => {
  it("[GW-553] [GW-554] are made while the gateway works, listed, read in parts and removed", async () => {
    const before = await methods.call("host.storage", {});
    expect(before.databaseBytes).toBeGreaterThan(0);
    expect(before.freeBytes).toBeLessThanOrEqual(before.totalBytes);
    const made = await methods.call("backups.create", {});
    const { backups, folder, command } = await methods.call("backups.list", {});
    expect([backups, command]).toEqual([[made], undefined]);
    const parts: Buffer[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const part: { content: string; nextOffset?: number } = await methods.call("backups.read", {
        ...{ name: made.name, offset },
      });
      parts.push(Buffer.from(part.content, "base64"));
      offset = part.nextOffset;
    }
    expect(Buffer.concat(parts).equals(await readFile(join(folder, made.name)))).toBe(true);
    expect((await methods.call("host.storage", {})).backupBytes).toBeGreaterThanOrEqual(made.bytes);
    await methods.call("backups.remove", { name: made.name });
    const gone = { code: "BACKUP_NOT_FOUND" };
    await expect(methods.call("backups.read", { name: made.name })).rejects.toMatchObject(gone);
    for (const name of ["../openclaw.db", "a/b.db", "openclaw.db.plugins"]) {
      await expect(methods.call("backups.read", { name })).rejects.toThrow(/match/);
    }
    expect((await methods.call("backups.list", {})).backups).toEqual([]);
  });
});

describe("logs.tail", () => {
  it("[GW-029] returns the newest lines, and those after a cursor, from a level", async () => {
    const first = await methods.call("logs.tail", { limit: 2 });
    expect(first.lines).toHaveLength(2);
    expect(first.isGap).toBe(false);
    const from = { sinceCursor: first.cursor };
    const { cursor } = first;
    expect(await methods.call("logs.tail", from)).toEqual({ cursor, isGap: false, lines: [] });
    const line = (level: number, msg: string) =>
      `${JSON.stringify({ level, time: 1, subsystem: "test", msg })}\n`;
    const { logFile } = gateway.state;
    await writeFile(logFile, `${line(30, "one")}${line(50, "two")}{"cut`, { flag: "a" });
    const next = await methods.call("logs.tail", { ...from, limit: 1 });
    expect(next.lines).toEqual([
      { time: 1, level: "info", msg: "one", fields: { subsystem: "test" } },
    ]);
    const { lines } = await methods.call("logs.tail", { sinceCursor: next.cursor });
    expect(lines.map(({ msg }) => msg)).toEqual(["two"]);
    const errors = await methods.call("logs.tail", { level: "error" });
    expect(errors.lines.map(({ msg }) => msg)).toEqual(["two"]);
    expect(await methods.call("logs.tail", { sinceCursor: "1-0", limit: 1 })).toMatchObject({
      isGap: true,
    });
  });

  it("[GW-552] returns the lines before a cursor, page by page to the beginning of the file", async () => {
    const all = await methods.call("logs.tail", { level: "debug", limit: 1000 });
    expect(all.earlierCursor).toBeUndefined();
    const pages: (typeof all)[] = [];
    let beforeCursor: string | undefined;
    do {
      const at = beforeCursor === undefined ? {} : { beforeCursor };
      const page = await methods.call("logs.tail", { level: "debug", limit: 3, ...at });
      pages.unshift(page);
      beforeCursor = page.earlierCursor;
    } while (beforeCursor !== undefined);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(({ lines }) => lines)).toEqual(all.lines);
    const rotated = await methods.call("logs.tail", { beforeCursor: "1-9" });
    expect(rotated).toMatchObject({ lines: [], isGap: true });
    const both = { beforeCursor: "1-9", sinceCursor: "1-9" };
    await expect(methods.call("logs.tail", both)).rejects.toThrow("together with /sinceCursor");
  });
});

/** Wrong values: of a wrong type or form, outside a range, or names of things that do not exist. */
const WRONG_VALUES: readonly (readonly [path: string, value: unknown])[] = [
  ["agents/Bad!", {}],
  ["agents/main/contextTokens", 10],
  ["agents/main/agentRuntime/id", "nowhere"],
  ["agents/main/fallbacks", "demo/echo"],
  ["agents/main/tools/profile", "nowhere"],
  ["approvals/approvers", ["telegram"]],
  ["approvals/headless", "maybe"],
  ["approvals/delivery/tool", { targets: [{ channel: "nowhere", to: "1" }] }],
  ["bindings", [{ agentId: "nobody", match: { channel: "cli" } }]],
  ["channels/nowhere", {}],
  ["embeddings/model", "nowhere"],
  ["gateway/allowedOrigins", ["https://a/b"]],
  ["gateway/anthropic/models/claude", "nowhere/x"],
  ["gateway/anthropic/models/a*b", "demo/echo"],
  ["gateway/auth/tokens", [{ name: "a", hash: "b", scopes: ["operator.read"] }]],
  ["gateway/bind", "999.1.1.1"],
  ["gateway/openai/models", ["echo"]],
  ["gateway/port", 70_000],
  ["gateway/publicUrl", "not a url"],
  ["gateway/trustedProxies", ["10.0.0.0/99"]],
  ["heartbeat/channel", "nowhere"],
  ["heartbeat/quietHours", { from: "25:00", to: "07:00" }],
  ["heartbeat/timezone", "Mars/One"],
  ["hooks/enabled", true],
  ["jobs/maxParallel", 0],
  ["logging/level", "loud"],
  ["logging/levels/nowhere", "debug"],
  ["models/budget/timeZone", "Mars/One"],
  ["models/providers/openai", { type: "openai-compatible", baseUrl: "http://h/v1" }],
  ["models/providers/desk", { type: "openai-compatible", baseUrl: "desk" }],
  ["models/routing/simple", "nowhere/x"],
  ["plugins/entries/nowhere/enabled", true],
  ["plugins/slots/memory", "nowhere"],
  ["routines/timezone", "+02:00"],
  ["safety/binaries/allow", ["rm -rf"]],
  ["safety/rules/nowhere/enabled", false],
  ["session/reset/atHour", 24],
  ["speech/provider", "nowhere"],
  ["store/retention/traceDays", -1],
  ["store/url", "mysql://x"],
  ["tools/http/allowHosts", ["http://x"]],
  ["tools/http/credentials", [{ host: "h.example", headers: { "a b": "1" } }]],
  ["tools/profile", "nowhere"],
  ["webhooks/deploy", { secret: "short", text: "a" }],
  ["channels/telegram", { botToken: `123456:${"A".repeat(35)}`, owners: ["@alice"] }],
  ["approvals/approvers", ["telegram:alice"]],
  ["gateway/trustedHosts", ["nas.local:70000"]],
  ["mcpServers/files", {}],
  ["mcpServers/files", { command: "node", env: { "A=B": "1" } }],
  ["mcpServers/files", { url: "https://h/", headers: { "a b": "1" } }],
  ["safety/forbidden", [""]],
  ["store/url", "postgres://"],
  ["tools/fs/roots", ["relative"]],
];

describe("config.get, schema and set", () => {
  it("[GW-029] returns the configuration without secrets", async () => {
    const { value, exists } = await methods.call("config.get", {});
    expect(exists).toBe(true);
    expect(value).toEqual({
      gateway: { auth: { token: "[REDACTED]" } },
      session: { queueMode: "queue" },
    });
  });

  it("[GW-400] is readable with operator.read, and changed with operator.admin only", () => {
    const { "config.get": read, "config.set": change } = configurationMethods;
    expect([read.scope, change.scope]).toEqual(["operator.read", "operator.admin"]);
  });

  it("[GW-029] returns the schema with the settings of plugins", async () => {
    const { schema } = await methods.call("config.schema", {});
    const pins = JSON.stringify(schema).match(/"probe":\{.*?"pin":\{"type":"string"\}/);
    expect(pins).not.toBeNull();
  });

  it("[GW-029] changes the file with a base hash, reloads plugins, and keeps comments", async () => {
    const { baseHash } = await methods.call("config.get", {});
    const path = ["plugins", "entries", "probe", "config", "pin"];
    const changes = [
      { path, value: "1234" },
      { path: ["session", "queueMode"], value: "collect" },
    ];
    const changed = await methods.call("config.set", { baseHash, changes });
    expect(changed).toMatchObject({ reloaded: ["probe"], pending: [] });
    const text = await readFile(join(folder.path, "openclaw.json"), "utf8");
    expect(text).toContain("// who may listen");
    expect(text).toContain('queueMode: "collect"');
    const stale = methods.call("config.set", { baseHash, changes });
    await expect(stale).rejects.toMatchObject({
      code: "CONFIG_CONFLICT",
      kind: "conflict",
      details: { currentHash: changed.baseHash },
    });
    expect(await readFile(join(folder.path, "openclaw.json"), "utf8")).toBe(text);
  });

  it("writes neither an invalid configuration nor a redacted secret", async () => {
    const { baseHash } = await methods.call("config.get", {});
    const set = (path: string[], value: unknown) =>
      methods.call("config.set", { baseHash, changes: [{ path, value }] });
    await expect(set(["session", "queueMode"], "fast")).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
    await expect(set(["gateway", "auth"], { token: "[REDACTED]" })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      issues: [{ path: "/changes/0/value" }],
    });
    expect((await methods.call("config.get", {})).baseHash).toBe(baseHash);
  });

  it("[GW-547] returns the origin of each value, and what applies without it, without secrets", async () => {
    const { keys } = await methods.call("config.explain", {});
    const at = (key: string) => keys.find(({ path }) => path.join(".") === key);
    expect(at("session.queueMode")).toMatchObject({
      ...{ value: "collect", layer: "file", applies: "hot" },
      origin: expect.stringMatching(/openclaw\.json:\d+:\d+$/),
      shadowed: [{ layer: "default", origin: "default", value: "queue" }],
    });
    expect(at("gateway.auth.token")).toMatchObject({ value: "[REDACTED]", applies: "listener" });
    expect(JSON.stringify(keys)).not.toContain("a-token-that-nobody");
  });

  it("[GW-548] shows what a change would write and what it needs, and writes nothing", async () => {
    const before = await methods.call("config.get", {});
    const { baseHash } = before;
    const changes = [
      { path: ["session", "queueMode"], value: "interrupt" },
      { path: ["store", "durability"], value: "process" },
      { path: ["gateway", "auth", "token"], value: "another-token-that-nobody-knows" },
    ];
    const preview = await methods.call("config.preview", { baseHash, changes });
    expect(preview.diff).toMatch(/^--- a\/openclaw\.json$/m);
    expect(preview.diff).toMatch(/^\+.*queueMode: "interrupt"/m);
    expect(preview.diff).not.toMatch(/token-that-nobody/);
    expect(preview.keys).toEqual(
      expect.arrayContaining([
        { path: ["session", "queueMode"], applies: "hot" },
        { path: ["store", "durability"], applies: "restart" },
        { path: ["gateway", "auth", "token"], applies: "listener" },
      ]),
    );
    await expect(
      methods.call("config.preview", {
        baseHash,
        changes: [{ path: ["session", "queueMode"], value: "fast" }],
      }),
    ).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      details: { problems: [expect.objectContaining({ key: "session.queueMode" })] },
    });
    expect(await methods.call("config.get", {})).toEqual(before);
  });

  it("[GW-549] gives an editor the text with marks for secrets, and puts them back", async () => {
    const file = join(folder.path, "openclaw.json");
    const before = await readFile(file, "utf8");
    const { text, baseHash, included, file: name } = await methods.call("config.text", {});
    expect({ included, name }).toEqual({ included: [], name: file });
    expect(text).toContain("// who may listen");
    expect(text).toMatch(/token: "\[REDACTED:[0-9a-f]{8}\]"/);
    expect(text).not.toContain("a-token-that-nobody");
    const edited = text.replace("// who may listen", "// who may listen, and where");
    const { diff } = await methods.call("config.preview", { baseHash, text: edited });
    expect(diff.match(/^[+-] .*/gm)).toEqual([
      "-  // who may listen",
      "+  // who may listen, and where",
    ]);
    const foreign = edited.replace(/\[REDACTED:.{8}\]/, "[REDACTED:00000000]");
    await expect(methods.call("config.write", { baseHash, text: foreign })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      issues: [{ path: "/text" }],
    });
    const written = await methods.call("config.write", { baseHash, text: edited });
    const after = await readFile(file, "utf8");
    expect(after).toBe(before.replace("// who may listen", "// who may listen, and where"));
    await expect(methods.call("config.write", { baseHash, text: edited })).rejects.toMatchObject({
      code: "CONFIG_CONFLICT",
    });
    expect(written.baseHash).toBe((await methods.call("config.get", {})).baseHash);
  });

  it("[GW-280] rejects names that nothing has, and returns warnings about those that may come later", async () => {
    const set = async (path: string[], value: unknown) => {
      const { baseHash } = await methods.call("config.get", {});
      return await methods.call("config.set", { baseHash, changes: [{ path, value }] });
    };
    const before = await methods.call("config.get", {});
    for (const [path, value, message] of [
      [["agents", "main", "model"], "nowhere/x", 'provider "nowhere" does not exist'],
      [["agents", "main", "model"], "demo/nope", 'use "demo/echo"'],
      [["tools", "deny"], ["exce"], 'did you mean "exec"?'],
      [["plugins", "deny"], ["prob"], 'did you mean "probe"?'],
      [["speech", "provider"], "nowhere", "speech provider"],
    ] as const) {
      await expect(set([...path], value)).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringContaining(message),
      });
    }
    expect((await methods.call("config.get", {})).baseHash).toBe(before.baseHash);
    const { warnings } = await set(["tools", "deny"], ["payroll_transfer"]);
    expect(warnings).toEqual([expect.stringContaining("payroll_transfer")]);
    await set(["tools", "deny"], undefined);
  });

  it("[GW-280] knows the tool of a component that was installed since the plugins were loaded", async () => {
    const set = async (path: string[], value: unknown) => {
      const { baseHash } = await methods.call("config.get", {});
      const { warnings = [] } = await methods.call("config.set", {
        ...{ baseHash, changes: [{ path, value }] },
      });
      return warnings;
    };
    const named = [
      [["tools", "approval", "weather_report"], "never"],
      [["tools", "deny"], ["weather_report"]],
      [["agents", "main"], { tools: { deny: ["weather_report"] } }],
    ] as const;
    for (const [path, value] of named) {
      expect(await set([...path], value)).toEqual([expect.stringContaining("weather_report")]);
      await set([...path], undefined);
    }
    components = ["weather_report"];
    for (const [path, value] of named) {
      expect(await set([...path], value)).toEqual([]);
      await set([...path], undefined);
    }
    components = [];
  });

  it("[GW-502] rejects or names a wrong value of each of these keys, and keeps the file", async () => {
    const text = () => readFile(join(folder.path, "openclaw.json"), "utf8");
    const before = await text();
    const { baseHash } = await methods.call("config.get", {});
    const problems: string[] = [];
    for (const [key, value] of WRONG_VALUES) {
      const path = key.split("/");
      const tried = methods.call("config.set", { baseHash, changes: [{ path, value }] });
      const outcome = await tried.then(
        ({ warnings = [] }) => `written with ${warnings.length} warnings`,
        (error: { code: string; message: string }) =>
          error.code === "CONFIG_INVALID" && error.message.includes(path[0] ?? "")
            ? ""
            : error.code,
      );
      if (outcome !== "") problems.push(`${key}: ${outcome}`);
    }
    expect(problems).toEqual([]);
    expect(await text()).toBe(before);
  });

  it("[GW-220] rejects a number that was rounded on its way", async () => {
    const { baseHash } = await methods.call("config.get", {});
    const value: unknown = JSON.parse('{ "owners": [9007199254740995] }');
    const changes = [{ path: ["channels", "telegram"], value }];
    await expect(methods.call("config.set", { baseHash, changes })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      issues: [{ path: "/changes/0/value", message: expect.stringContaining("as a string") }],
    });
  });
});

// The last one, because its turn adds to the usage that the others count.
it("[GW-027] returns the dispatches of the run of a job, without secrets", async () => {
  const { jobId } = await methods.call("jobs.create", { title: "Count" });
  const runIds = async () => {
    const { runs } = await methods.call("jobs.events", { jobId });
    return runs.filter(({ outcome }) => outcome === "completed").map(({ runId }) => runId);
  };
  await expect.poll(runIds, { timeout: 30_000 }).toHaveLength(1);
  const [runId = ""] = await runIds();
  const trace = await methods.call("hooks.trace", { runId });
  expect(trace.dispatches.find(({ hook }) => hook === "before_prompt_build")).toMatchObject({
    outcome: "completed",
    handlers: [{ pluginId: "probe", outcome: "ok" }],
  });
  expect(JSON.stringify(trace)).not.toContain(SECRET);
});

import { Type } from "typebox";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { PluginApprovalResolution } from "../../src/approvals.js";
import {
  defineChannelPluginEntry,
  defineCommand,
  defineHook,
  definePluginEntry,
  defineProvider,
  defineService,
  defineTool,
  defineToolPlugin,
  type OpenClawPluginApi,
  type PluginDefinition,
} from "../../src/index.js";
import type { Unregister } from "../../src/plugin-entry.js";

declare const api: OpenClawPluginApi;

describe("api.pluginConfig", () => {
  it("[SDK-008] has the type inferred from the schema", () => {
    definePluginEntry({
      id: "typebox",
      configSchema: Type.Object({
        limit: Type.Integer(),
        tags: Type.Optional(Type.Array(Type.String())),
      }),
      register({ pluginConfig }) {
        expectTypeOf(pluginConfig).toEqualTypeOf<Readonly<{ limit: number; tags?: string[] }>>();
      },
    });
    definePluginEntry({
      id: "zod",
      configSchema: z.object({ since: z.string().transform((text) => new Date(text)) }),
      async register({ pluginConfig }) {
        expectTypeOf(pluginConfig).toEqualTypeOf<Readonly<{ since: Date }>>();
      },
    });
    definePluginEntry({
      id: "parsing",
      configSchema: { parse: (value: unknown) => ({ raw: String(value) }) },
      register({ pluginConfig }) {
        expectTypeOf(pluginConfig).toEqualTypeOf<Readonly<{ raw: string }>>();
      },
    });
    definePluginEntry({
      id: "made",
      configSchema: () => Type.Object({ limit: Type.Number() }),
      register({ pluginConfig }) {
        expectTypeOf(pluginConfig).toEqualTypeOf<Readonly<{ limit: number }>>();
      },
    });
    definePluginEntry({
      id: "json",
      configSchema: { type: "object" },
      register({ pluginConfig }) {
        expectTypeOf(pluginConfig).toEqualTypeOf<Readonly<Record<string, unknown>>>();
      },
    });
    definePluginEntry({
      id: "wrong",
      configSchema: Type.Object({ limit: Type.Integer() }),
      register({ pluginConfig }) {
        // @ts-expect-error the schema knows no such key
        pluginConfig.limits;
        // @ts-expect-error configuration is read only
        pluginConfig.limit = 3;
      },
    });
  });

  it("has the type given by the author when only the manifest has a schema", () => {
    interface GuardConfig {
      limit: number;
    }
    const guard = definePluginEntry<GuardConfig>({
      id: "guard",
      configSchema: { type: "object" },
      register({ pluginConfig }) {
        expectTypeOf(pluginConfig).toEqualTypeOf<Readonly<GuardConfig>>();
      },
    });
    expectTypeOf(guard).toExtend<PluginDefinition>();
  });
});

describe("registering hooks", () => {
  it("[SDK-013] rejects unknown fields, promises of sync hooks, and writes to events", () => {
    // @ts-expect-error a field of no hook
    api.on("before_tool_call", () => ({ block: true, because: "no" }));
    // @ts-expect-error a field of another hook
    api.on("before_tool_call", () => ({ block: true, cancel: true }));
    // @ts-expect-error also by phase
    api.lifecycle.on("tool.pre", async () => ({ block: true, because: "no" }));
    // @ts-expect-error also by name or list
    api.registerHook("before_tool_call", () => ({ block: true, because: "no" }));
    // @ts-expect-error also apart from a plugin
    defineHook("before_tool_call", () => ({ block: true, because: "no" }));
    // @ts-expect-error a promise from a sync hook
    api.on("before_message_write", async () => ({ block: true }));
    // @ts-expect-error also a promise of nothing
    api.registerHook("tool_result_persist", async () => {});
    api.on("before_tool_call", (event) => {
      // @ts-expect-error events are read only
      event.params = {};
      // @ts-expect-error at any depth
      event.params.path = "/tmp";
    });
  });

  it("takes lists, options and definitions", () => {
    expectTypeOf(api.on("agent_end", () => {})).toEqualTypeOf<Unregister>();
    api.registerHook(["session_start", "session_end"], ({ sessionId }, { hookName }) => {
      expectTypeOf(sessionId).toEqualTypeOf<string>();
      expectTypeOf(hookName).toEqualTypeOf<string>();
    });
    api.registerHook("agent_end", () => {}, { register: false, description: "listed only" });
    api.registerHook(defineHook("before_recall", ({ query }) => ({ query: query.trim() })));
    // @ts-expect-error no hook of that name
    api.registerHook(["agent_end", "agent_ends"], () => {});
    // @ts-expect-error a hook without a handler
    api.registerHook("agent_end");
  });

  it("accepts results of type any, records with an index signature, and values of foreign types", () => {
    const anything: ReturnType<typeof JSON.parse> = JSON.parse("{}");
    api.on("before_tool_call", () => anything);
    api.on("before_message_write", () => anything);
    const wishes: Record<string, string> = { modelOverride: "large" };
    api.on("before_model_resolve", () => wishes);
    api.on("message_received", async () => new Map([["cancel", true]]));
  });
});

describe("the other registrations", () => {
  it("registerTool", () => {
    const tool = defineTool({
      name: "add",
      description: "Adds.",
      parameters: Type.Object({ a: Type.Number(), b: Type.Number() }),
      execute: (_toolCallId, { a, b }) => a + b,
    });
    api.registerTool(tool, { optional: true });
    api.registerTool(({ senderIsOwner }) => (senderIsOwner ? [tool] : null), { names: ["add"] });
    api.registerTool({ contextVersion: 2, create: () => tool });
    // @ts-expect-error a tool has a description
    api.registerTool({ name: "add", parameters: {}, execute: () => 3 });
  });

  it("registerProvider", () => {
    const provider = defineProvider({
      id: "mine",
      defaultModel: "small",
      paid: false,
      setup: "nothing",
      languageModel: (modelId) => Promise.reject(new Error(modelId)),
    });
    api.registerProvider(provider);
    // @ts-expect-error it must say whether it costs money
    api.registerProvider({ ...provider, paid: undefined });
  });

  it("registerCommand", () => {
    api.registerCommand(
      defineCommand({
        name: "dice",
        description: "Rolls dice.",
        acceptsArgs: true,
        handler: ({ args, senderIsOwner }) => {
          expectTypeOf(args).toEqualTypeOf<string | undefined>();
          return { text: senderIsOwner ? "6" : "1" };
        },
      }),
    );
    // @ts-expect-error a reply is no text
    api.registerCommand({ name: "dice", description: "Rolls dice.", handler: () => "6" });
  });

  it("registerHttpRoute and registerHttpHandler", () => {
    api.registerHttpRoute({ path: "/hook", methods: ["POST"], fetch: () => new Response("ok") });
    api.registerHttpRoute({
      path: "/old",
      auth: "plugin",
      match: "prefix",
      handler: (request, response) => void response.end(request.url),
    });
    api.registerHttpRoute("/older", async (_request, response) => void response.end());
    api.registerHttpHandler((request) => request.url === "/mine");
    // @ts-expect-error a handler passes a request on by false, not by text
    api.registerHttpHandler(() => "not mine");
    // @ts-expect-error one style of handler or the other
    api.registerHttpRoute({ path: "/hook", fetch: () => new Response(), handler: () => true });
    // @ts-expect-error there is no such guard
    api.registerHttpRoute({ path: "/hook", auth: "none", fetch: () => new Response() });
    // @ts-expect-error somebody must answer
    api.registerHttpRoute("/older");
  });

  it("registerChannel", () => {
    const channel = {
      name: "echo",
      async *start() {},
      respond: async () => {},
    };
    api.registerChannel(channel);
    api.registerChannel({ plugin: { id: "zulip", capabilities: {} } });
    // @ts-expect-error a channel answers
    api.registerChannel({ name: "echo", async *start() {} });
  });

  it("registerGatewayMethod and registerCli", () => {
    api.registerGatewayMethod("dice.roll", ({ params, signal }) => [params.sides, signal.aborted], {
      scope: "operator.read",
    });
    // @ts-expect-error there is no such scope
    api.registerGatewayMethod("dice.roll", () => 6, { scope: "everyone" });
    api.registerCli(({ program }) => void program.command("dice").description("Rolls dice."), {
      commands: ["dice"],
    });
    // @ts-expect-error a registrar is a function
    api.registerCli({ commands: ["dice"] });
  });

  it("registerService", () => {
    api.registerService(
      defineService({
        id: "clock",
        async start({ stateDir, signal }) {
          expectTypeOf(stateDir).toEqualTypeOf<string>();
          expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        },
      }),
    );
    // @ts-expect-error a service starts
    api.registerService({ id: "clock" });
  });

  it("registerTrustedToolPolicy", () => {
    api.registerTrustedToolPolicy({
      id: "read-only",
      description: "Lets harmless commands run.",
      matcher: ["exec"],
      evaluate: ({ command }) =>
        command?.complete === true ? { approval: "satisfied", reason: "it only reads" } : undefined,
    });
    api.registerTrustedToolPolicy({
      id: "read-only",
      description: "",
      // @ts-expect-error a need is satisfied or it is not
      evaluate: () => ({ approval: "granted", reason: "it only reads" }),
    });
  });

  it("registerSessionExtension and enqueueNextTurnInjection, under both names", async () => {
    api.registerSessionExtension({ namespace: "mood", description: "How it went." });
    api.session.state.registerSessionExtension({
      namespace: "mood",
      description: "How it went.",
      project: (state) => state,
      cleanup: ({ reason }) => {
        expectTypeOf(reason).toEqualTypeOf<"reset" | "delete" | "disable" | "restart">();
      },
    });
    // @ts-expect-error an extension describes itself
    api.registerSessionExtension({ namespace: "mood" });
    const receipt = await api.enqueueNextTurnInjection({
      sessionKey: "agent:main:main",
      text: "x",
    });
    expectTypeOf(receipt.enqueued).toEqualTypeOf<boolean>();
    await api.session.workflow.enqueueNextTurnInjection({ sessionKey: "k", text: "x", ttlMs: 1 });
    // @ts-expect-error a place in the prompt has one of two names
    api.enqueueNextTurnInjection({ sessionKey: "k", text: "x", placement: "system" });
  });

  it("approvals", async () => {
    const answer = await api.approvals.request({
      title: "Go?",
      description: "On?",
      sessionKey: "k",
    });
    expectTypeOf(answer).toEqualTypeOf<PluginApprovalResolution>();
    api.approvals.onResolved(({ id, decision }) => void [id, decision]);
    // @ts-expect-error somebody must be asked somewhere
    api.approvals.request({ title: "Go?", description: "On?" });
  });

  it("store", async () => {
    const database = await api.store.database({
      name: "notes",
      migrations: [
        { id: "1", sqlite: "create table n (t text)", postgres: ["create table n (t text)"] },
      ],
    });
    const rows = await database.query<{ t: string }>("select t from n where t <> $1", [null]);
    expectTypeOf(rows).toEqualTypeOf<readonly { t: string }[]>();
    await api.store.kv.set("key", { list: [1, "two", null] });
    // @ts-expect-error values are JSON
    await api.store.kv.set("key", new Date());
    // @ts-expect-error times are kept as text
    await database.query("select $1", [new Date()]);
    // @ts-expect-error both engines are spoken to
    await api.store.database({ name: "notes", migrations: [{ id: "1", sqlite: "select 1" }] });
  });

  it("runtime", async () => {
    const { runCommandWithTimeout } = api.runtime.system;
    // @ts-expect-error a host may lack the capability
    await runCommandWithTimeout(["ls"], 1000);
    if (runCommandWithTimeout === undefined) return;
    const { stdout, termination } = await runCommandWithTimeout(["ls"], 1000);
    expectTypeOf(stdout).toEqualTypeOf<string>();
    expectTypeOf(termination).toEqualTypeOf<
      "exit" | "timeout" | "aborted" | "signal" | "output-limit"
    >();
    // @ts-expect-error commands have a deadline
    await runCommandWithTimeout(["ls"]);
  });

  it("runtime.state.openKeyedStore", async () => {
    const store = api.runtime.state.openKeyedStore?.<{ count: number }>({ namespace: "calls" });
    if (store === undefined) return;
    expectTypeOf(await store.registerIfAbsent("a", { count: 1 })).toEqualTypeOf<boolean>();
    // @ts-expect-error the values of this store have a count
    await store.registerIfAbsent("a", { sum: 1 });
  });

  it("registerHookSet", () => {
    const set = {
      list: () => ({ hooks: [], problems: [] }),
      show: async () => undefined,
      setEnabled: async () => undefined,
      test: async () => ({ outcome: "continue" }),
      approve: async () => undefined,
    };
    api.registerHookSet(set);
    // @ts-expect-error a set of hooks has a list
    api.registerHookSet({ ...set, list: undefined });
  });

  it("registration methods of older versions", () => {
    api.registerRuntimeLifecycle({ id: "session", cleanup: ({ reason }) => void reason });
    // @ts-expect-error a lifecycle has an id
    api.registerRuntimeLifecycle({ cleanup: () => undefined });
    api.registerAgentEventSubscription({
      id: "trace",
      handle: ({ stream, data }) => [stream, data],
    });
    // @ts-expect-error a subscription has a handler
    api.registerAgentEventSubscription({ id: "trace" });
    api.registerSessionAction({ id: "rotate", handler: ({ sessionKey }) => ({ sessionKey }) });
    // @ts-expect-error an action has a handler
    api.registerSessionAction({ id: "rotate" });
    api.registerWebSearchProvider({
      id: "search",
      createTool: () => ({ description: "Search.", parameters: {}, execute: () => [] }),
    });
    // @ts-expect-error a search creates a tool
    api.registerWebSearchProvider({ id: "search" });
    api.registerSpeechProvider({
      id: "voice",
      synthesize: async ({ text }) => ({
        audioBuffer: new TextEncoder().encode(text),
        fileExtension: ".ogg",
        voiceCompatible: true,
      }),
    });
    // @ts-expect-error a provider of speech speaks
    api.registerSpeechProvider({ id: "voice" });
    api.registerOAuthCredential({ id: "box", clientId: "client", issuer: "https://a.example" });
    // @ts-expect-error a credential has a client
    api.registerOAuthCredential({ id: "box", issuer: "https://a.example" });
    api.registerMediaUnderstandingProvider({
      id: "ears",
      transcribeAudio: async ({ buffer }) => ({ text: String(buffer.length) }),
    });
    // @ts-expect-error a transcription is an object with the text
    api.registerMediaUnderstandingProvider({ id: "ears", transcribeAudio: async () => "text" });
    api.registerImageGenerationProvider({
      id: "painter",
      generateImage: async () => ({ images: [] }),
    });
    // @ts-expect-error a provider generates images
    api.registerImageGenerationProvider({ id: "painter" });
    api.registerProvider({
      id: "local",
      models: { baseUrl: "http://127.0.0.1:1234/v1", models: [{ id: "small" }] },
    });
  });

  it("registerSafetyRule", () => {
    const rule = {
      id: "ticket",
      title: "a ticket",
      reason: "Tickets stay inside.",
      severity: "high",
      kind: "leak",
      pattern: "TICKET-[0-9]{6}",
      examples: { match: ["TICKET-123456"], clean: [] },
    } as const;
    api.registerSafetyRule({ ...rule, actions: { output: "redact" } });
    // @ts-expect-error there is no such action
    api.registerSafetyRule({ ...rule, actions: { output: "erase" } });
  });

  it("registerToolMetadata, registerReload, registerInteractiveHandler, and the lifecycle", () => {
    api.registerToolMetadata({ toolName: "add", risk: "low" });
    // @ts-expect-error there is no such risk
    api.registerToolMetadata({ toolName: "add", risk: "none" });
    api.registerReload({ hotPrefixes: ["limits"] });
    // @ts-expect-error prefixes are a list
    api.registerReload({ hotPrefixes: "limits" });
    api.registerInteractiveHandler({ channel: "telegram", namespace: "dice", handler: () => {} });
    // @ts-expect-error a namespace keeps buttons apart
    api.registerInteractiveHandler({ channel: "telegram", handler: () => {} });
    api.lifecycle.onDispose(async () => {});
    api.lifecycle.onDispose(() => setTimeout(() => {}).unref());
    api.lifecycle.registerRuntimeLifecycle({
      id: "mine",
      cleanup: ({ sessionKey }) => void sessionKey,
    });
    // @ts-expect-error it is shown in logs by its id
    api.lifecycle.registerRuntimeLifecycle({ dispose() {} });
  });

  it("registerContextEngine, registerCompactionProvider, registerAgentToolResultMiddleware", () => {
    api.registerContextEngine("short", () => ({
      assemble: ({ messages }) => ({ messages: messages.slice(-2) }),
    }));
    // @ts-expect-error an engine has a name
    api.registerContextEngine(() => ({ assemble: () => ({ messages: [] }) }));
    api.registerCompactionProvider({ id: "short", summarize: async () => "in short" });
    // @ts-expect-error a provider writes summaries
    api.registerCompactionProvider({ id: "short" });
    api.registerAgentToolResultMiddleware(({ result }) => ({ ...result, isError: false }));
    // @ts-expect-error a result has content
    api.registerAgentToolResultMiddleware(() => ({ text: "no" }));
  });

  it("registerAgentHarness", () => {
    api.registerAgentHarness({
      id: "native",
      supports: ({ provider }) => ({ supported: provider === "native", priority: 10 }),
      async runAttempt({ prompt, tools, onStop }) {
        const result = await tools[0]?.execute("call-1", { path: prompt });
        const decision = await onStop({ text: result?.isError === true ? "failed" : "done" });
        return { text: decision.action === "revise" ? decision.instruction : "done" };
      },
    });
    // @ts-expect-error a harness runs attempts
    api.registerAgentHarness({ id: "native", supports: () => ({ supported: true }) });
  });

  it("the memory registrars of both styles", () => {
    api.registerMemoryCapability({ promptBuilder: () => "You remember." });
    // @ts-expect-error a builder is a function
    api.registerMemoryCapability({ promptBuilder: "You remember." });
    api.registerMemoryPromptSection(() => "You remember.");
    // @ts-expect-error a builder is a function
    api.registerMemoryPromptSection("You remember.");
    api.registerMemoryFlushPlan(() => null);
    // @ts-expect-error a resolver is a function
    api.registerMemoryFlushPlan([]);
    api.registerMemoryRuntime({});
    // @ts-expect-error a runtime is an object
    api.registerMemoryRuntime(null);
    api.registerMemoryEmbeddingProvider({ id: "hash" });
    // @ts-expect-error a provider has a name
    api.registerMemoryEmbeddingProvider({});
    api.registerEmbeddingProvider({ id: "hash" });
    // @ts-expect-error a provider has a name
    api.registerEmbeddingProvider({});
    api.registerMemoryPromptSupplement(() => "");
    // @ts-expect-error a builder is a function
    api.registerMemoryPromptSupplement("");
    api.registerMemoryCorpusSupplement({});
    // @ts-expect-error a supplement is an object
    api.registerMemoryCorpusSupplement("notes");
  });
});

describe("the define functions", () => {
  it("[SDK-011] are not needed: api takes plain objects", () => {
    api.registerTool({
      name: "now",
      description: "Tells the time.",
      parameters: { type: "object" },
      execute: () => new Date().toISOString(),
    });
    api.registerService({ id: "clock", start: () => {} });
    api.registerCommand({ name: "now", description: "Tells the time.", handler: () => ({}) });
    api.registerHook({ name: "agent_end", handler: () => {} });
    api.registerProvider({
      id: "none",
      defaultModel: "none",
      paid: false,
      setup: "nothing",
      languageModel: () => Promise.reject(new Error("none")),
    });
    const plugin: PluginDefinition = { id: "plain", register: () => {} };
    expectTypeOf(plugin).toExtend<PluginDefinition>();
  });
});

describe("defineToolPlugin and defineChannelPluginEntry", () => {
  it("type arguments, configuration and call", () => {
    const dice = defineToolPlugin({
      id: "dice",
      configSchema: Type.Object({ sides: Type.Integer() }),
      tools: (tool) => [
        tool({
          name: "roll",
          description: "Rolls.",
          parameters: Type.Object({ count: Type.Integer() }),
          execute: ({ count }, { sides }, { api: own, signal }) => {
            expectTypeOf(count).toEqualTypeOf<number>();
            expectTypeOf(sides).toEqualTypeOf<number>();
            expectTypeOf(own.pluginConfig.sides).toEqualTypeOf<number>();
            expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
            return [count, sides];
          },
        }),
        // @ts-expect-error a tool does something
        tool({ name: "idle", description: "Idles.", parameters: {} }),
      ],
    });
    expectTypeOf(dice).toExtend<PluginDefinition>();
  });

  it("type the channel", () => {
    const plugin = defineChannelPluginEntry({
      id: "zulip",
      plugin: { id: "zulip", meta: { label: "Zulip" } },
      setRuntime: ({ version }) => void version.length,
      registerFull: (own) => own.registerReload({}),
    });
    expectTypeOf(plugin.channelPlugin.meta.label).toEqualTypeOf<"Zulip">();
    // @ts-expect-error a channel plugin has a channel
    defineChannelPluginEntry({ id: "zulip" });
  });
});

import { cpSync } from "node:fs";
import { join, relative } from "node:path";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { HostedKind } from "@openclaw/plugin-sdk/services";
import { describe, expect, it } from "vitest";
import { type PluginGeneration, REGISTRY_KINDS, type RegistryKind } from "../../src/index.js";
import { createFileHost } from "../support/file-host.js";
import { createTestHost, plugin } from "../support/host.js";

const noop = () => {};

/** Names of the registrations that the runtime makes of a prompt and of a resource. */
const MADE: { readonly [Kind in RegistryKind]?: readonly string[] } = {
  commands: ["all:triage"],
  tools: ["all__list_resources", "all__read_resource"],
};

/** One registration of every kind, and the names it is known by. */
const EVERYTHING: {
  readonly [Kind in RegistryKind]: {
    readonly register: (api: OpenClawPluginApi) => void;
    readonly names: readonly string[];
  };
} = {
  tools: {
    register: (api) =>
      api.registerTool({ name: "find", description: "", parameters: {}, execute: () => "done" }),
    names: ["find"],
  },
  providers: {
    register: (api) =>
      api.registerProvider({
        id: "local",
        defaultModel: "m",
        paid: false,
        setup: "nothing",
        languageModel: () => Promise.reject(new Error("not here")),
      }),
    names: ["local"],
  },
  hooks: { register: (api) => void api.on("agent_end", noop), names: ["agent_end"] },
  commands: {
    register: (api) =>
      api.registerCommand({ name: "ping", description: "Answers.", handler: () => ({}) }),
    names: ["ping"],
  },
  prompts: {
    register: (api) =>
      api.registerPrompt({ name: "triage", description: "Sorts.", render: () => "Sort." }),
    names: ["all/triage"],
  },
  resources: {
    register: (api) =>
      api.registerResource({ uri: "acme://roadmap", name: "Roadmap", read: () => "text" }),
    names: ["acme://roadmap"],
  },
  channels: {
    register: (api) => api.registerChannel({ plugin: { id: "telegram", meta: {} } }),
    names: ["telegram"],
  },
  httpRoutes: {
    register: (api) => api.registerHttpRoute({ path: "/hook", auth: "plugin", handler: noop }),
    names: ["/plugins/all/hook"],
  },
  httpHandlers: { register: (api) => api.registerHttpHandler(() => false), names: ["/*"] },
  panels: {
    register: (api) => {
      // A plugin that is given as an object has the folder of the process.
      const isInline = api.source.startsWith("inline:");
      const own = join(import.meta.dirname, "../support/panel");
      const folder = isInline ? relative(api.rootDir, own) : "panel";
      if (!isInline) cpSync(own, join(api.rootDir, folder), { recursive: true });
      api.registerPanel({ id: "board", title: "Board", folder });
    },
    names: ["all/board"],
  },
  gatewayHandlers: {
    register: (api) => api.registerGatewayMethod("all.ping", noop, { scope: "operator.read" }),
    names: ["all.ping"],
  },
  services: {
    register: (api) => api.registerService({ id: "watcher", start: noop }),
    names: ["watcher"],
  },
  cliRegistrars: {
    register: (api) => api.registerCli(noop, { commands: ["lobster", "shrimp"] }),
    names: ["lobster", "shrimp"],
  },
  trustedToolPolicies: {
    register: (api) =>
      api.registerTrustedToolPolicy({ id: "exec-rules", description: "Rules.", evaluate: noop }),
    names: ["exec-rules"],
  },
  safetyRules: {
    register: (api) =>
      api.registerSafetyRule({
        id: "ticket",
        title: "a ticket",
        reason: "Tickets stay inside.",
        severity: "high",
        kind: "leak",
        pattern: "TICKET-[0-9]{6}",
        examples: { match: ["TICKET-123456"], clean: [] },
      }),
    names: ["ticket"],
  },
  sessionExtensions: {
    register: (api) => api.registerSessionExtension({ namespace: "mood", description: "Mood." }),
    names: ["all/mood"],
  },
  approvalHandlers: { register: (api) => api.approvals.onResolved(noop), names: [] },
  memory: {
    register: (api) => api.registerMemoryCorpusSupplement({ id: "wiki" }),
    names: ["corpusSupplement"],
  },
  contextEngines: {
    register: (api) =>
      api.registerContextEngine("short", () => ({ assemble: () => ({ messages: [] }) })),
    names: ["short"],
  },
  agentHarnesses: {
    register: (api) =>
      api.registerAgentHarness({
        id: "native",
        supports: () => ({ supported: false }),
        runAttempt: () => Promise.reject(new Error("not here")),
      }),
    names: ["native"],
  },
  webSearchProviders: {
    register: (api) => api.registerWebSearchProvider({ id: "searxng", search: async () => [] }),
    names: ["searxng"],
  },
  speechProviders: {
    register: (api) =>
      api.registerSpeechProvider({
        id: "voice",
        synthesize: async () => ({
          audioBuffer: new Uint8Array(),
          fileExtension: ".ogg",
          voiceCompatible: true,
        }),
      }),
    names: ["voice"],
  },
  oauthCredentials: {
    register: (api) =>
      api.registerOAuthCredential({
        id: "box",
        clientId: "client",
        issuer: "https://example.com",
      }),
    names: ["all/box"],
  },
  compactionProviders: {
    register: (api) => api.registerCompactionProvider({ id: "brief", summarize: () => "" }),
    names: ["brief"],
  },
  toolResultMiddlewares: {
    register: (api) => api.registerAgentToolResultMiddleware(noop),
    names: [],
  },
  toolMetadata: {
    register: (api) => api.registerToolMetadata({ toolName: "find", risk: "low" }),
    names: ["find"],
  },
  reloadRules: { register: (api) => api.registerReload({ hotPrefixes: ["theme"] }), names: [] },
  interactiveHandlers: {
    register: (api) =>
      api.registerInteractiveHandler({ channel: "telegram", namespace: "all", handler: noop }),
    names: ["telegram/all"],
  },
  hookSets: {
    register: (api) =>
      api.registerHookSet({
        list: () => ({ hooks: [], problems: [] }),
        show: async () => undefined,
        setEnabled: async () => undefined,
        test: async () => undefined,
        approve: async () => undefined,
      }),
    names: [],
  },
  runtimeLifecycles: {
    register: (api) => api.lifecycle.registerRuntimeLifecycle({ id: "cache" }),
    names: ["cache"],
  },
};

const KINDS = Object.keys(EVERYTHING) as RegistryKind[];

/** The fields that say which of the things above a plugin has registered. */
const RECORDED = {
  toolNames: ["find", "all__list_resources", "all__read_resource"],
  providerIds: ["local"],
  hookNames: ["agent_end"],
  commandNames: ["ping", "all:triage"],
  channelIds: ["telegram"],
  httpRoutes: ["/plugins/all/hook"],
  panelIds: ["all/board"],
  gatewayMethods: ["all.ping"],
  serviceIds: ["watcher"],
  cliCommands: ["lobster", "shrimp"],
  oauthCredentials: ["all/box"],
};

function registerEverything(api: OpenClawPluginApi) {
  for (const kind of KINDS) EVERYTHING[kind].register(api);
}

describe("registry of a generation", () => {
  it("[PLUG-027] lists every registration with its plugin and file, and is immutable", async () => {
    const { runtime } = createTestHost([plugin(registerEverything, "all")]);
    const generation = await runtime.load();
    for (const list of [
      "plugins",
      "tools",
      "hooks",
      "commands",
      "channels",
      "providers",
      "httpHandlers",
      "httpRoutes",
      "gatewayHandlers",
      "services",
      "cliRegistrars",
      "trustedToolPolicies",
      "sessionExtensions",
      "diagnostics",
    ] as const) {
      expect(Array.isArray(generation[list]), list).toBe(true);
      expect(Object.isFrozen(generation[list]), list).toBe(true);
    }
    for (const kind of KINDS) {
      expect(generation[kind], kind).toHaveLength(1 + (MADE[kind]?.length ?? 0));
      expect(generation[kind][0], kind).toMatchObject({
        pluginId: "all",
        source: "inline:all",
      });
      const names = [...EVERYTHING[kind].names, ...(MADE[kind] ?? [])];
      expect(namesIn(generation, kind), kind).toEqual(names);
    }
    expect(generation.gatewayHandlers[0]).toMatchObject({ method: "all.ping" });
    expect(Object.isFrozen(generation)).toBe(true);
    expect(() => Object.assign(generation, { tools: [] })).toThrow(TypeError);
    const before = generation.tools;
    await runtime.reload("all");
    expect(generation.tools).toBe(before);
    expect(runtime.current.tools).not.toBe(before);
  });

  it("[PLUG-026] has a complete record of each plugin", async () => {
    const schema = { type: "object", properties: {} };
    const host = createFileHost([
      {
        id: "all",
        name: "Everything",
        version: "1.2.3",
        description: "Registers everything.",
        kind: "example",
        configSchema: schema,
        permissions: { tools: ["find"], network: { hosts: ["example.com"] } },
        register: registerEverything,
      },
      { id: "off", enabledByDefault: false, register: noop },
      {
        id: "broken",
        register: () => {
          throw new Error("cannot");
        },
      },
    ]);
    const { plugins } = await host.runtime.load();
    const [all, broken, off] = ["all", "broken", "off"].map((id) =>
      plugins.find((record) => record.id === id),
    );
    expect(all).toEqual({
      id: "all",
      name: "Everything",
      version: "1.2.3",
      description: "Registers everything.",
      kind: "example",
      source: `${host.folder("all")}/index.mjs`,
      rootDir: host.folder("all"),
      manifestPath: `${host.folder("all")}/openclaw.plugin.json`,
      origin: "global",
      enabled: true,
      status: "loaded",
      configSchema: true,
      generation: 1,
      loader: "native",
      loadMs: expect.any(Number),
      registerMs: expect.any(Number),
      profile: "2026.2",
      permissions: { tools: ["find"], "network.hosts": ["example.com"] },
      settingsSchema: { type: "object", properties: {} },
      ...RECORDED,
    });
    expect(off).toMatchObject({
      enabled: false,
      status: "disabled",
      reason: "default-off",
      configSchema: false,
    });
    expect(broken).toMatchObject({
      status: "error",
      error: { code: "register-failed", message: expect.stringContaining("cannot") },
    });
    for (const record of [off, broken]) {
      for (const field of Object.keys(RECORDED)) expect(record).toHaveProperty(field, []);
    }
  });

  it.each([
    ["1.0", (api: OpenClawPluginApi) => void api.on("before_prompt_build", noop)],
    ["2026.2", (api: OpenClawPluginApi) => api.registerHttpRoute("/x", noop)],
    ["2026.2", (api: OpenClawPluginApi) => void api.runtime.config.loadConfig()],
    ["2026.5", (api: OpenClawPluginApi) => void api.on("before_agent_start", noop)],
    ["2026.5", (api: OpenClawPluginApi) => api.registerMemoryFlushPlan(() => null)],
    [
      "2026.9",
      (api: OpenClawPluginApi) => {
        api.registerHttpHandler(() => false);
        api.registerTool({ contextVersion: 2, create: () => null });
      },
    ],
  ])("recognises a plugin of the %s API by its calls", async (profile, register) => {
    const { runtime } = createTestHost([plugin(register)]);
    expect((await runtime.load()).plugins[0]).toMatchObject({ profile });
  });
});

describe("registration kind that needs a host", () => {
  const HOSTED = KINDS.filter((kind) => REGISTRY_KINDS[kind].hosted !== undefined);

  /** Capabilities of a host in which a registration of a kind takes effect. */
  function capabilities(kind: RegistryKind): HostedKind[] {
    const { hosted } = REGISTRY_KINDS[kind];
    if (hosted === undefined) return [];
    // Only channels have two forms.
    return typeof hosted === "function" ? ["channels", "adapterChannels"] : [hosted];
  }

  it.each(HOSTED)("[PLUG-087] is kept and reported when the host ignores it: %s", async (kind) => {
    const { runtime } = createTestHost([plugin(EVERYTHING[kind].register, "all")]);
    const generation = await runtime.load();
    expect(generation[kind]).toHaveLength(1);
    const { forCompatibility, label } = REGISTRY_KINDS[kind];
    const told = generation.diagnostics.filter(({ code }) => !code.startsWith("route-"));
    expect(told).toEqual([
      {
        level: forCompatibility === true ? "info" : "warn",
        code: forCompatibility === true ? "accepted-not-used" : "not-hosted-yet",
        message: expect.stringContaining(label),
        pluginId: "all",
        source: "inline:all",
        hint: expect.any(String),
        unserved: expect.stringMatching(new RegExp(`^${label}`)),
      },
    ]);
  });

  it.each(HOSTED)("[PLUG-087] is only noted when a running gateway serves it: %s", async (kind) => {
    const hostServices = { gatewayHosts: capabilities(kind) };
    const registering = plugin(EVERYTHING[kind].register, "all");
    const { runtime } = createTestHost([registering], {}, { hostServices });
    const { diagnostics } = await runtime.load();
    const told = diagnostics.filter(({ code }) => !code.startsWith("route-"));
    expect(told).toMatchObject([{ level: "info", code: "served-by-gateway" }]);
  });

  it("is not reported when the host uses it", async () => {
    const hosts = HOSTED.flatMap(capabilities);
    const options = { hostServices: { hosts } };
    const { runtime } = createTestHost([plugin(registerEverything, "all")], {}, options);
    const { diagnostics } = await runtime.load();
    expect(diagnostics.map(({ code }) => code)).toEqual([
      "route-moved",
      "route-behind-gateway",
      "slot-taken",
    ]);
  });
});

describe("duplicate names", () => {
  const UNIQUE = KINDS.filter(
    (kind) => REGISTRY_KINDS[kind].unique && EVERYTHING[kind].names.length > 0,
  );
  // A path holds its plugin's id, and so do a namespace and the names of a credential, a panel and a prompt; no two plugins can have the same.
  const OWN: readonly RegistryKind[] = [
    ...(["httpRoutes", "oauthCredentials", "panels", "prompts", "sessionExtensions"] as const),
  ];
  const SHARED = UNIQUE.filter((kind) => !OWN.includes(kind));

  it.each(SHARED)("keep the first registration and name both owners: %s", async (kind) => {
    const { register } = EVERYTHING[kind];
    const { runtime } = createTestHost([plugin(register, "first"), plugin(register, "second")]);
    const generation = await runtime.load();
    expect(generation[kind].map(({ pluginId }) => pluginId)).toEqual(["first"]);
    const taken = generation.diagnostics.filter(({ code }) => code === "name-taken");
    expect(taken).toEqual([
      {
        level: "error",
        code: "name-taken",
        message: expect.stringMatching(/of plugin "second" is left out: plugin "first" has a/),
        pluginId: "second",
        source: "inline:second",
        hint: expect.any(String),
      },
    ]);
  });

  it("[PLUG-032] are reported for tools of a core tool's name or of another plugin's, and for plugins of a core tool's name", async () => {
    const offer = (name: string) => (api: OpenClawPluginApi) =>
      api.registerTool({ name, description: "", parameters: {}, execute: () => "done" });
    const required = (api: OpenClawPluginApi) => {
      const parameters = {
        type: "object",
        properties: { path: { type: "string" }, limit: { type: "integer" } },
        required: ["path", "mode"],
      };
      api.registerTool({ name: "open", description: "", parameters, execute: () => "done" });
      for (const [name, type] of [
        ["show", "string"],
        ["hide", "boolean"],
        ["fold", "string"],
      ] as const) {
        const own = { type: "object", properties: { what: { type } }, required: ["what"] };
        api.registerTool({ name, description: "", parameters: own, execute: () => "done" });
      }
    };
    const { runtime } = createTestHost(
      [
        plugin(offer("exec"), "shell"),
        plugin(offer("find"), "first"),
        plugin(offer("Find"), "second"),
        plugin(noop, "read"),
        plugin(required, "viewer"),
      ],
      {},
      { hostServices: { names: { tools: ["exec", "read"] } } },
    );
    const { tools, plugins, diagnostics } = await runtime.load();
    expect(tools.flatMap(({ names }) => names)).toEqual(["find", "show", "hide", "fold"]);
    expect(plugins.find(({ id }) => id === "read")).toMatchObject({
      status: "error",
      error: { code: "reserved-id" },
    });
    expect(diagnostics.map(({ level, code, message }) => [level, code, message])).toEqual([
      ["error", "reserved-id", `plugin "read" uses the name of a host tool as its ID`],
      [
        "error",
        "tool-parameters-invalid",
        `tool "open" of plugin "viewer" is left out: its parameters require "mode", which they do not describe`,
      ],
      [
        "warn",
        "tool-parameters-differ",
        `plugin "viewer" has a parameter "what" of type string in tool "show" and of type boolean in tool "hide"`,
      ],
      [
        "error",
        "name-taken",
        `tool "exec" of plugin "shell" is left out: the host itself has a tool of that name`,
      ],
      [
        "error",
        "name-taken",
        `tool "Find" of plugin "second" is left out: plugin "first" has a tool of that name`,
      ],
    ]);
    expect(diagnostics.every(({ hint }) => hint !== undefined)).toBe(true);
  });

  it.each([
    ["commands", { commands: ["ping"] }],
    ["gatewayHandlers", { gatewayMethods: ["all.ping"] }],
    ["cliRegistrars", { cliCommands: ["shrimp"] }],
  ] as const)("keep the host's: %s", async (kind, names) => {
    const { runtime } = createTestHost(
      [plugin(EVERYTHING[kind].register)],
      {},
      { hostServices: { names } },
    );
    const generation = await runtime.load();
    expect(generation[kind]).toEqual([]);
    expect(generation.diagnostics.map(({ code }) => code)).toContain("name-taken");
  });
});

function namesIn(generation: PluginGeneration, kind: RegistryKind): readonly string[] {
  const rules = REGISTRY_KINDS[kind] as { names(item: unknown): readonly string[] };
  return (generation[kind] as readonly unknown[]).flatMap((item) => rules.names(item));
}
